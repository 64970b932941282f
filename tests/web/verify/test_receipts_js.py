"""Receipts in JavaScript: signatures are checked with the known keys, and kept receipts against the log."""

import json
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.protocols.merkle_log import EMPTY
from domain.protocols.signed_notes import Checkpoint, Key, game_origin
from replay.history import Header, History, export_bytes
from replay.history.signatures import rotation_body
from tests.replay.forging import events_of, rewritten
from tests.web.engines import Engine
from tests.web.example import KEY, ORIGIN, SECRET, receipt, signed
from tests.web.games import game
from tests.web.reading import reports, told

MADE_UP = Ed25519PrivateKey.from_private_bytes(bytes(32))
OTHER = Key(ORIGIN, MADE_UP.public_key().public_bytes_raw())
NOBODY = (
    f"it is signed by {OTHER.label}, which isn't a trusted key; if the server changed its key, "
    "/.well-known/trickbook/keys has a note signed by both: give that file as a key"
)


def roots(history: History) -> list[bytes]:
    frontier, found = EMPTY, [EMPTY.root()]
    for line in history.lines:
        frontier = frontier.append(line.leaf)
        found.append(frontier.root())
    return found


def asked(engine: Engine, *notes: str, history: History | None = None, keys: tuple[Key, ...] = (KEY,)) -> Any:
    """Return the report on the small game or another one, with kept receipts."""
    data = export_bytes(history or game("cuts"))
    (report,) = reports(engine, [data], receipts=list(notes), keys=[key.text for key in keys])
    return report


def kept(report: Any) -> list[Any]:
    """Return whether each kept receipt is valid, and the reason."""
    return [(each["ok"], each["says"]) for each in report["receipts"] if each["source"] == "kept"]


def test_receipts_of_any_size_the_log_has_had_are_right_alone_and_in_files_and_responses(engine: Engine) -> None:
    history = game("cuts")
    notes = [receipt(history, size, roots(history)[size]) for size in (1, 2, 40, 81)]
    files = [
        export_bytes(history).decode(),
        json.dumps({"receipt": notes[3], "version": 81}),
        f'{{\n "note": {json.dumps(notes[3])}}}',
    ]
    report = asked(engine, *notes, *files)
    assert report["ok"] is True
    assert kept(report) == [(True, "its signature is right")] * 7
    assert [each["key"] for each in report["receipts"]] == [KEY.text] * 8
    report = asked(engine, notes[3], keys=())
    assert (report["ok"], kept(report)) == (
        True,
        [(True, "its signature is right, by a key that only this file names")],
    )


def test_a_rewritten_or_cut_history_does_not_match_a_receipt(engine: Engine) -> None:
    history = game("cuts")
    events = events_of(history)
    report = asked(engine, receipt(history), history=rewritten(history, events[:-2]))
    assert kept(report) == [(False, "it counts 81 events, but the file has only 79")]
    events[0]["data"]["board"] = 2
    report = asked(engine, receipt(history, 60, roots(history)[60]), history=rewritten(history, events))
    assert (60, "a receipt that was kept isn't valid: the log had another root after event 60") in told(report)


def test_receipts_of_other_games_with_wrong_keys_and_forged_ones_are_invalid(engine: Engine) -> None:
    history = game("cuts")
    body = receipt(history).split("\n\n")[0] + "\n"
    for note, ok, says in [
        (receipt(history, game="another"), False, "it is for another game"),
        (signed(body, MADE_UP), False, "its signature is wrong"),
        (signed(body, MADE_UP, OTHER), False, NOBODY),
        (receipt(history).replace("\n81\n", "\n80\n"), False, "its signature is wrong"),
        (receipt(history, 80), False, "the log had another root after event 80"),
    ]:
        assert kept(asked(engine, note)) == [(ok, says)]


def test_an_unreadable_receipt_is_refused_without_a_verdict(engine: Engine) -> None:
    history = game("cuts")
    for note, says in [
        ("nonsense", "it isn't a signed note"),
        ("a\n1\nAAAA\n\n", "a line below its text isn't a signature"),
        (receipt(history).replace("\u2014 ", "- "), "a line below its text isn't a signature"),
        (receipt(history).replace("81\n", "81\nmore\n"), "its text isn't a checkpoint of a log"),
        ("{", "it isn't JSON"),
        ("[]", "it isn't a signed note"),
        ('{"receipt":null}', "it holds no receipt"),
        (published(), "it holds keys; give it as keys"),
    ]:
        assert asked(engine, note) == f"Error: the receipt can't be read: {says}"


def test_a_valid_signature_counts_beside_one_of_an_unknown_key(engine: Engine) -> None:
    history = game("cuts")
    note = receipt(history)
    body = note.split("\n\n")[0] + "\n"
    both = note + signed(body, MADE_UP, OTHER).split("\n\n")[1]
    assert kept(asked(engine, both)) == [(True, "its signature is right")]
    another = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
    forged = note + signed(body, another, OTHER).split("\n\n")[1]
    assert kept(asked(engine, forged, keys=(KEY, OTHER))) == [(False, "its signature is wrong")]


def test_an_invalid_key_is_refused_or_a_finding_if_the_file_names_it(engine: Engine) -> None:
    history = game("cuts")
    for text, says in [
        (KEY.text.replace("+", "+0", 1), "it isn't an Ed25519 key for notes"),
        ("cards.example.org+00000000+" + KEY.text.split("+", 2)[2], "the key doesn't match its own id"),
        (f"{ORIGIN}+{KEY.id.hex()}+AQ==", "it isn't an Ed25519 key for notes"),
    ]:
        unusable = f"Error: the key {text} is invalid: {says}"
        assert reports(engine, [export_bytes(history)], keys=[text]) == [unusable]
        named = with_header(history, msgspec.structs.replace(history.header, keys=(KEY.text, text)))
        (report,) = reports(engine, [export_bytes(named)])
        assert (None, f"the file names an invalid key, {text}: {says}") in told(report)
        assert report["ok"] is False


def published(*rotations: str, keys: tuple[Key, ...] = (KEY, OTHER)) -> str:
    return json.dumps({"keys": [key.text for key in keys], "rotations": rotations})


def rotation(old: Ed25519PrivateKey = MADE_UP, new: Ed25519PrivateKey = SECRET) -> str:
    """Return the note that says that KEY replaces OTHER, signed by the given keys."""
    body = rotation_body(OTHER, KEY)
    return signed(body, old, OTHER) + signed(body, new).split("\n\n")[1]


def test_keys_json_is_read_as_the_server_publishes_it(engine: Engine) -> None:
    history = game("cuts")
    for keys in (
        [published()],
        [published(rotation())],
        [OTHER.text, published(rotation())],
        [f"{OTHER.text}\n{KEY.text}"],
    ):
        (report,) = reports(engine, [export_bytes(history)], receipts=[receipt(history)], keys=keys)
        assert kept(report) == [(True, "its signature is right")]


def test_a_new_key_counts_with_an_old_one_if_both_signed_the_rotation(engine: Engine) -> None:
    history = game("cuts")
    for keys in ([OTHER.text], [OTHER.text, published()], [f"{OTHER.text}\n{published()}"]):
        (report,) = reports(engine, [export_bytes(history)], keys=keys)
        assert report["receipts"][0]["says"] == NOBODY.replace(OTHER.label, KEY.label)
        assert report["ok"] is False


def test_an_unreadable_or_unsigned_keys_json_is_refused_without_a_verdict(engine: Engine) -> None:
    body = rotation_body(OTHER, KEY)
    for text, says in [
        ("{", "the file of keys can't be read: it isn't JSON"),
        ('{"keys":[]}', "the file of keys can't be read: it has no list of keys or no list of rotations"),
        (published(keys=()), "the given keys hold no key"),
        ("\n", "the given keys hold no key"),
        (
            published(receipt(game("cuts"))),
            "a rotation in the file of keys is invalid: it isn't an Ed25519 key for notes",
        ),
        (published(rotation(new=MADE_UP)), "a rotation in the file of keys is invalid: both keys must sign it"),
        (published(signed(body)), "a rotation in the file of keys is invalid: both keys must sign it"),
    ]:
        (said,) = reports(engine, [export_bytes(game("cuts"))], keys=[text])
        assert said == f"Error: {says}"


def test_without_a_key_a_receipt_is_undecided(engine: Engine) -> None:
    bare = rewritten(game("cuts"), events_of(game("cuts")))
    header = msgspec.structs.replace(bare.header, keys=())
    note = receipt(game("cuts"))
    (report,) = reports(engine, [export_bytes(with_header(bare, header))], receipts=[note])
    assert (report["ok"], report["findings"]) == (None, [])
    assert kept(report) == [(None, "there is no key to check its signature with")]


def with_header(history: History, header: Header) -> History:
    assert history.trailer is not None
    return History(header, history.lines, msgspec.structs.replace(history.trailer, header=""))


def test_the_trailer_s_receipt_is_checked_by_the_file_s_keys_if_no_other_is_given(engine: Engine) -> None:
    history = game("cuts")
    assert history.trailer is not None
    head = Checkpoint(game_origin(ORIGIN, history.header.game), 81, bytes(32))
    trailer = msgspec.structs.replace(history.trailer, receipt=signed(head.body))
    (report,) = reports(engine, [export_bytes(History(history.header, history.lines, trailer))])
    assert any("had another root after event 81" in text for _, text in told(report)), told(report)


def test_the_trailer_s_receipt_may_cover_fewer_events_than_the_file(engine: Engine) -> None:
    history = game("cuts")
    assert history.trailer is not None
    for size in (1, 40, 80):
        trailer = msgspec.structs.replace(history.trailer, receipt=receipt(history, size, roots(history)[size]))
        (report,) = reports(engine, [export_bytes(History(history.header, history.lines, trailer))])
        assert (report["ok"], told(report), report["receipts"][0]["size"]) == (True, [], size)


def test_a_kept_root_is_checked_against_the_log(engine: Engine) -> None:
    history = game("cuts")
    (right,) = reports(engine, [export_bytes(history)], roots=[roots(history)[33].hex()])
    (wrong,) = reports(engine, [export_bytes(history)], roots=["00" * 32])
    assert right["ok"] is True
    assert told(wrong) == [(None, f"the log never had the root {'00' * 32}, which was kept")]
