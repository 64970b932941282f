"""Cosignatures of witnesses (c2sp.org/tlog-cosignature): read, checked, and reported with receipts."""

import json
from dataclasses import replace

import pytest

from domain.protocols.signed_notes import (
    COSIGNATURE,
    Checkpoint,
    NotANote,
    Note,
    cosigned_text,
    parse_key,
    parse_note,
    parse_signatures,
)
from replay.audit import CANNOT_TELL, GREEN, audit
from replay.history import History
from replay.history.receipts import FORGED, GOOD, TRAILER, UNKNOWN_KEY, check_receipts, with_receipt
from replay.history.signatures import LATEST_S, BadSignature, cosignatures, signing_keys
from tests.replay.signing import SERVER, WITNESS, WitnessSigner

KEYS = [SERVER.key, WITNESS.key]
HEAD = Checkpoint("cards.example/game", 3, bytes(32))
# The example of tlog-cosignature: the body, the time, and the line of its witness, whose key isn't published there.
SOFA = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
LINE = (
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+"
    "mbIUBkBIfZ+qnA==\n"
)


def test_the_signed_text_and_the_time_are_those_of_the_specification() -> None:
    assert cosigned_text(SOFA, 1679315147) == f"cosignature/v1\ntime 1679315147\n{SOFA}"
    (line,) = parse_signatures(LINE)
    assert (line.name, int.from_bytes(line.signed[:8], "big"), len(line.signed)) == (
        "witness.example.com/w1", 1679315147, 72
    )  # fmt: skip


def test_a_key_of_a_witness_has_a_type_of_its_own() -> None:
    assert parse_key(WITNESS.key.text, COSIGNATURE) == WITNESS.key
    with pytest.raises(NotANote, match="isn't an Ed25519 key"):
        parse_key(WITNESS.key.text)
    with pytest.raises(NotANote, match="of a witness"):
        parse_key(SERVER.key.text, COSIGNATURE)


def test_cosignatures_and_signatures_of_logs_are_not_taken_for_each_other(whole: History) -> None:
    note = parse_note(WITNESS.cosign(SERVER.receipt(whole)))
    assert [each.key for each in cosignatures(note, KEYS)] == [WITNESS.key]
    assert cosignatures(note, KEYS)[0].at == "2027-01-15T08:00:00Z"
    assert signing_keys(note, KEYS) == [SERVER.key]
    assert signing_keys(parse_note(WITNESS.cosign(SERVER.receipt(whole))), [WITNESS.key]) == []


@pytest.mark.parametrize("seconds", [0, 1_800_000_001, 2**63])
def test_a_cosignature_of_another_time_is_invalid(whole: History, seconds: int) -> None:
    note = WITNESS.cosign(SERVER.receipt(whole))
    (line,) = [each for each in parse_note(note).signatures if each.name == WITNESS.name]
    other = type(line)(line.name, line.key_id, seconds.to_bytes(8, "big") + line.signed[8:])
    changed = note.replace(line.line, other.line)
    with pytest.raises(BadSignature, match="the witness that it names"):
        cosignatures(parse_note(changed), KEYS)
    (checked,) = check_receipts(whole, [("r", changed)], keys=KEYS).checked
    assert checked.state == FORGED


def test_the_audit_reports_cosignatures(whole: History) -> None:
    receipts = check_receipts(whole, [("r.txt", WITNESS.cosign(SERVER.receipt(whole)))], keys=KEYS)
    (checked,) = receipts.checked
    assert (checked.state, checked.key) == (GOOD, SERVER.key.label)
    report = audit(whole, receipts=receipts)
    assert report.code() == GREEN
    told = json.loads(json.dumps(report.to_json()))["log"]["receipts"]
    assert told[0]["cosigned"] == [{"witness": WITNESS.key.label, "at": "2027-01-15T08:00:00Z"}]
    assert str(checked).endswith(f"a key that was given, cosigned by {WITNESS.key.label} at 2027-01-15T08:00:00Z")


def test_a_cosignature_of_an_unknown_witness_is_ignored(whole: History) -> None:
    (checked,) = check_receipts(whole, [("r", WITNESS.cosign(SERVER.receipt(whole)))], keys=[SERVER.key]).checked
    assert (checked.state, checked.cosigned) == (GOOD, ())


def test_a_witness_alone_vouches_for_no_server(whole: History) -> None:
    """The file's own keys check the signature of the server, and the report says so."""
    sealed = SERVER.sealed(whole)
    receipts = check_receipts(sealed, [("r", WITNESS.cosign(SERVER.receipt(whole)))], keys=[WITNESS.key])
    assert [(each.state, each.trust, len(each.cosigned)) for each in receipts.checked if each.source != TRAILER] == [
        (GOOD, "file", 1)
    ]


def test_attack_164_a_receipt_that_no_known_witness_and_no_known_key_signed_counts_for_nothing(whole: History) -> None:
    receipts = check_receipts(SERVER.sealed(whole), keys=[WITNESS.key], file_roots=())
    assert [each.state for each in receipts.checked] == [UNKNOWN_KEY]
    assert "by no witness that you know" in str(receipts.checked[0].finding)
    both = check_receipts(SERVER.sealed(whole), keys=[WITNESS.key, SERVER.key], file_roots=())
    assert [(each.state, each.cosigned) for each in both.checked] == [(GOOD, ())]


def test_attack_165_a_fork_without_the_line_of_the_witness_is_not_right_for_those_who_know_the_witness(
    whole: History,
) -> None:
    body = parse_note(SERVER.receipt(whole)).body
    borrowed = replace(SERVER, name=WITNESS.name).signature(body)
    notes = {
        "no line": SERVER.receipt(whole),
        "another witness": replace(WITNESS, seed=2).cosign(SERVER.receipt(whole)),
        "the line of a log's key": Note(body, (SERVER.signature(body), borrowed)).text,
    }
    for name, note in notes.items():
        sealed = with_receipt(whole, [SERVER.key.text], note)
        for checked in (
            check_receipts(sealed, keys=KEYS),
            check_receipts(sealed, keys=[WITNESS.key], store=[SERVER.key]),
        ):
            waits = f"no witness that you know has signed the receipt of {len(whole.lines)} events"
            assert (audit(whole, receipts=checked).code(), checked.waits) == (CANNOT_TELL, waits), name
        # the witnesses of a server have signed what they have; nobody has asked for theirs
        own = check_receipts(sealed, store=[SERVER.key, WITNESS.key])
        assert audit(whole, receipts=own).code() == GREEN


def test_attack_165_a_witness_must_have_signed_as_much_as_the_server(whole: History) -> None:
    sealed, half = SERVER.sealed(whole), len(whole.lines) // 2
    short = check_receipts(sealed, [("r", WITNESS.cosign(SERVER.receipt(whole, half)))], keys=KEYS, file_roots=())
    assert (
        short.waits
        == f"no witness that you know has signed the receipt of {len(whole.lines)} events; they have signed {half}"
    )
    beside = check_receipts(sealed, [("r", WITNESS.cosign(SERVER.receipt(whole)))], keys=KEYS, file_roots=())
    assert (beside.waits, audit(whole, receipts=beside).code()) == (None, GREEN)
    nothing = check_receipts(whole, keys=[WITNESS.key], store=[SERVER.key])
    assert nothing.waits == "no witness that you know has signed a receipt"


def test_a_time_that_no_clock_shows_is_not_accepted() -> None:
    for seconds in (0, 1, LATEST_S, LATEST_S + 1):
        witness = WitnessSigner(seconds=seconds)
        note = parse_note(witness.cosign(SERVER.sign(HEAD)))
        if seconds in (1, LATEST_S):
            (found,) = cosignatures(note, [witness.key])
            assert (found.key, found.seconds) == (witness.key, seconds)
            continue
        with pytest.raises(BadSignature, match="isn't by ann"):
            cosignatures(note, [witness.key])
