"""Receipts checked against logs (docs/questions.md, question 8): valid ones, and each way to be invalid."""

import json
from random import Random

import pytest

from domain.protocols.merkle_log import EMPTY_ROOT
from domain.protocols.signed_notes import Checkpoint, Key, NotANote, Note, game_origin, parse_key, parse_note
from replay.audit import CANNOT_TELL, GREEN, WRONG, audit
from replay.history import History, export_bytes, read_export
from replay.history.receipts import (
    AHEAD,
    CHANGED,
    FORGED,
    GOOD,
    KEPT,
    OTHER_GAME,
    TRAILER,
    UNKNOWN_KEY,
    WRONG_KEY,
    CheckedReceipt,
    check_receipts,
)
from replay.history.signatures import BadSignature, read_rotation, rotation_body, signing_keys, successors
from replay.text.audit_text import report_text as as_text
from replay.text.terminal import plain_text
from tests.replay.forging import with_event
from tests.replay.signing import SERVER, THIEF, Signer, cut

OURS = [SERVER.key]
PUBLISHED = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNED = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def only(history: History, note: str, keys: list[Key] = OURS) -> CheckedReceipt:
    (checked,) = check_receipts(history, [("r.txt", note)], keys=keys).checked
    return checked


def salted(history: History, version: int) -> History:
    """Return the same game with another salt in one event and all hashes recomputed: a consistent log."""
    return with_event(history, version, salt="0" * 32)


def test_a_published_signature_is_verified() -> None:
    from_go = signing_keys(parse_note(SIGNED), [SERVER.key, parse_key(PUBLISHED)])
    assert [key.text for key in from_go] == [PUBLISHED]
    with pytest.raises(BadSignature, match="isn't by PeterNeumann"):
        signing_keys(parse_note(SIGNED.replace("your problem is", "our problem is")), [parse_key(PUBLISHED)])


@pytest.mark.parametrize("size", [1, 8, None])
def test_trust_1_a_receipt_for_any_beginning_of_the_log_is_valid(whole: History, size: int | None) -> None:
    checked = only(whole, SERVER.receipt(whole, size))
    assert (checked.state, checked.key, checked.trust, checked.finding) == (GOOD, SERVER.key.label, "given", None)
    report = audit(whole, receipts=check_receipts(whole, [("r", SERVER.receipt(whole, size))], keys=OURS))
    assert report.code() == GREEN


def test_the_receipt_of_the_empty_log_is_valid_too(whole: History) -> None:
    origin = game_origin(SERVER.name, whole.header.game)
    assert only(whole, SERVER.sign(Checkpoint(origin, 0, EMPTY_ROOT))).state == GOOD


def test_trust_3_8_a_log_changed_after_the_fact_is_found_and_an_event_named(whole: History) -> None:
    last, middle = len(whole.lines), len(whole.lines) // 2
    notes = [(str(size), SERVER.receipt(whole, size)) for size in (5, middle, last)]
    for version, first in ((last, middle + 1), (middle + 1, middle + 1), (middle, 6), (3, 1)):
        changed = salted(whole, version)
        assert audit(changed).code() == GREEN  # it is consistent
        receipts = check_receipts(changed, notes, keys=OURS)
        assert audit(changed, receipts=receipts).code() == WRONG
        assert receipts.findings[0].version == first
        assert {each.state for each in receipts.checked} <= {GOOD, CHANGED}
        assert "changed after the fact" in receipts.findings[0].says


def test_trust_3_8_a_cut_tail_is_found_and_the_first_missing_event_named(whole: History) -> None:
    shorter = cut(whole, 20)
    checked = only(shorter, SERVER.receipt(whole))
    assert (checked.state, checked.finding and checked.finding.version) == (AHEAD, 21)
    assert "the log ends after event 20" in str(checked.finding)
    report = audit(shorter, receipts=check_receipts(shorter, [("r", SERVER.receipt(whole))], keys=OURS))
    assert (report.code(), report.findings[-1].version) == (WRONG, 21)


def test_a_thief_s_key_and_a_missing_key_give_different_states(whole: History) -> None:
    note = THIEF.receipt(whole)
    assert only(whole, note).state == WRONG_KEY
    assert only(whole, note, [Signer("other.example").key]).state == WRONG_KEY
    unknown = check_receipts(whole, [("r", note)])
    assert (unknown.checked[0].state, unknown.findings) == (UNKNOWN_KEY, [])
    assert "give --key" in str(unknown.waits)
    report = audit(whole, receipts=unknown)
    assert report.code(live_is_fine=True) == CANNOT_TELL
    assert "not checked" in plain_text(as_text(report))


def test_receipts_of_another_game_or_server_do_not_count(whole: History, small: History) -> None:
    other = SERVER.sign(Checkpoint(game_origin(SERVER.name, "1f8fad5b-d9cb-469f-a165-70867728950e"), 3, bytes(32)))
    assert only(whole, other).state == OTHER_GAME
    false_origin = Checkpoint(game_origin("elsewhere.example", whole.header.game), 1, whole.lines[1].prev)
    assert only(whole, SERVER.sign(false_origin)).state == OTHER_GAME


def test_each_forgery_of_a_note_is_found(whole: History) -> None:
    note = SERVER.receipt(whole)
    head, root = note.split("\n")[0], note.split("\n")[2]
    signature = note.split("\n")[4].split(" ")[2]
    for wrong in (
        note.replace(head, head.replace("cards", "carts")),
        note.replace(f"\n{len(whole.lines)}\n", f"\n{len(whole.lines) - 1}\n"),
        note.replace(root, SERVER.receipt(whole, 3).split("\n")[2]),
        note.replace(signature, SERVER.receipt(whole, 3).split("\n")[4].split(" ")[2]),
    ):
        assert only(whole, wrong).state == FORGED
    unsigned, longer = note.partition("\n\n")[0] + "\n", f"{head}\n\n{note}"
    for garbled in (note[:-1], note[:40], "", unsigned, longer, note.replace("\n", "\r\n")):
        assert only(whole, garbled).state == FORGED


def test_no_change_of_a_single_character_leaves_a_receipt_valid(whole: History) -> None:
    note, chance = SERVER.receipt(whole), Random(5)
    for place in range(len(note)):
        char = chance.choice("aA0+/= \n\t—é")
        if note[place] != char:
            assert only(whole, note[:place] + char + note[place + 1 :]).state != GOOD
        assert only(whole, note[:place] + note[place + 1 :]).state != GOOD


def test_a_wholly_forged_file_is_found_with_the_server_s_key(whole: History) -> None:
    false = THIEF.sealed(salted(whole, 7))
    assert audit(false).code() == GREEN
    receipts = check_receipts(false, keys=OURS)
    assert (receipts.checked[0].source, receipts.checked[0].state) == (TRAILER, WRONG_KEY)
    assert audit(false, receipts=receipts).code() == WRONG


def test_a_server_checks_its_log_against_its_stored_receipts(whole: History) -> None:
    notes = [SERVER.receipt(whole, size) for size in (5, 9, 14)]
    good = check_receipts(whole, kept=notes, store=OURS)
    assert [(each.source, each.state, each.trust) for each in good.checked] == [(KEPT, GOOD, "store")] * 3
    assert [each.head.size for each in good.notable if each.head] == [14]
    assert good.count_text == "3 receipts"
    bad = check_receipts(salted(whole, 8), kept=notes, store=OURS)
    assert [each.state for each in bad.checked] == [GOOD, CHANGED, CHANGED]
    assert [finding.version for finding in bad.findings] == [6, 6]
    assert len(bad.notable) == 3


def test_an_invalid_key_in_the_header_is_found(whole: History) -> None:
    sealed = export_bytes(SERVER.sealed(whole)).replace(SERVER.key.text.encode(), b"cards.example+00000000+AA==")
    report = audit(read_export(sealed))
    assert report.code() == WRONG
    assert any("names an invalid key" in finding.says for finding in report.findings)


def test_the_report_lists_each_receipt(whole: History) -> None:
    report = audit(whole, receipts=check_receipts(whole, [("mine.txt", SERVER.receipt(whole, 5))], keys=OURS))
    (told,) = json.loads(json.dumps(report.to_json()))["log"]["receipts"]
    assert told == {
        "source": "mine.txt", "state": "good", "size": 5, "root": whole.lines[5].prev.hex(),
        "key": SERVER.key.label, "trust": "given", "says": None, "cosigned": [],
    }  # fmt: skip


def test_a_missing_trailer_is_recomputed(whole: History) -> None:
    assert only(cut(whole, len(whole.lines)), SERVER.receipt(whole)).state == GOOD


def test_trust_1_a_key_is_replaced_by_a_note_that_both_sign() -> None:
    new = Signer("cards.example", 3)
    body = rotation_body(SERVER.key, new.key)
    both = Note(body, (SERVER.signature(body), new.signature(body)))
    assert read_rotation(both.text) == (SERVER.key, new.key)
    for signers in ((SERVER,), (new,), (SERVER, SERVER), (SERVER, THIEF), (THIEF, new)):
        with pytest.raises(BadSignature):
            read_rotation(Note(body, tuple(each.signature(body) for each in signers)).text)
    for wrong in (body.replace("trickbook-keys/1", "trickbook-keys/2"), body + "more\n", body.replace("/keys", "")):
        with pytest.raises(NotANote):
            read_rotation(Note(wrong, (SERVER.signature(wrong), new.signature(wrong))).text)


def test_rotations_lead_from_any_key_of_a_chain_to_all_of_it_and_to_no_other() -> None:
    chain = [Signer(seed=seed).key for seed in (1, 2, 3, 4)]
    others = [Signer(seed=seed).key for seed in (8, 9)]
    rotations = [(chain[2], chain[3]), (others[0], others[1]), (chain[0], chain[1]), (chain[1], chain[2])]
    for key in chain:
        assert set(successors([key], rotations)) == set(chain)
    assert successors([chain[0]], []) == [chain[0]]
    assert successors([], rotations) == []
