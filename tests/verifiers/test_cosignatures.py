"""The verifier in Go checks the signatures of witnesses on receipts, and takes their keys."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from domain.protocols.signed_notes import Note, parse_note
from replay.history import export_bytes
from replay.history.receipts import with_receipt
from tests.replay.playing import long
from tests.replay.signing import SERVER, WITNESS
from tests.verifiers.go import Answer, Verifier

pytestmark = pytest.mark.xdist_group("go")  # one worker builds the program
COSIGNED = f"cosigned by {WITNESS.key.label} at 2027-01-15T08:00:00Z"


def cosigned(note: str) -> bytes:
    """Return an export whose receipt is this note."""
    return export_bytes(with_receipt(long(4), [SERVER.key.text], note))


def test_the_signature_of_a_known_witness_is_checked_and_told(verifier: Verifier) -> None:
    export = cosigned(WITNESS.cosign(SERVER.receipt(long(4))))
    for keys in ([WITNESS.key.text], [WITNESS.key.text, SERVER.key.text]):
        answer = verifier.verify(export, *keys)
        assert (answer.code, COSIGNED in answer.text) == (0, True), answer.text
    assert "a key that only this file names" in verifier.verify(export, WITNESS.key.text).text
    assert "a key that was given" in verifier.verify(export, WITNESS.key.text, SERVER.key.text).text


def test_signatures_of_unknown_witnesses_count_for_nothing_and_are_named(verifier: Verifier) -> None:
    export = cosigned(WITNESS.cosign(SERVER.receipt(long(4))))
    answer = verifier.verify(export)
    assert (answer.code, COSIGNED in answer.text) == (0, False)
    assert "1 more signatures; give the keys of witnesses with --key" in answer.text
    other = verifier.verify(export, replace(WITNESS, seed=2).key.text, SERVER.key.text)
    assert (other.code, "no witness that you know has signed" in other.text) == (2, True), other.text


def test_a_witness_that_has_not_signed_makes_nothing_right(verifier: Verifier) -> None:
    answer = verifier.verify(cosigned(SERVER.receipt(long(4))), WITNESS.key.text)
    assert (answer.code, "by no witness that you know" in answer.text) == (2, True), answer.text


def beside(verifier: Verifier, folder: Path, kept: str) -> Answer:
    """Return the answer to an export that no witness has signed, beside a receipt that was kept."""
    export, receipt = folder / "game.ndjson", folder / "receipt.txt"
    export.write_bytes(cosigned(SERVER.receipt(long(4))))
    receipt.write_text(kept, encoding="utf-8")
    return verifier.run("--key", WITNESS.key.text, "--key", SERVER.key.text, str(export), str(receipt))


def test_attack_165_an_export_without_the_line_of_a_known_witness_is_undecided(
    verifier: Verifier, tmp_path: Path
) -> None:
    answer = verifier.verify(cosigned(SERVER.receipt(long(4))), WITNESS.key.text, SERVER.key.text)
    assert (answer.code, "no witness that you know has signed the receipt" in answer.text) == (2, True), answer.text
    assert beside(verifier, tmp_path, WITNESS.cosign(SERVER.receipt(long(4), 10))).code == 2
    assert beside(verifier, tmp_path, WITNESS.cosign(SERVER.receipt(long(4)))).code == 0


@pytest.mark.parametrize("field", ["note", "receipt"])
def test_a_receipt_is_found_in_an_answer_of_the_server(verifier: Verifier, tmp_path: Path, field: str) -> None:
    answer = beside(verifier, tmp_path, json.dumps({field: WITNESS.cosign(SERVER.receipt(long(4)))}))
    assert (answer.code, COSIGNED in answer.text) == (0, True), answer.text


def test_attack_166_two_lines_of_one_witness_are_both_checked(verifier: Verifier) -> None:
    note = parse_note(WITNESS.cosign(SERVER.receipt(long(4))))
    own, line = note.signatures
    wrong = replace(line, signed=line.signed[:-1] + bytes([line.signed[-1] ^ 1]))
    for lines in ((line, wrong), (wrong, line)):
        answer = verifier.verify(cosigned(Note(note.body, (own, *lines)).text), WITNESS.key.text)
        assert (answer.code, "doesn't fit the text and its time" in answer.text) == (1, True), answer.text


def test_another_time_under_the_name_of_a_known_witness_is_wrong(verifier: Verifier) -> None:
    note = parse_note(WITNESS.cosign(SERVER.receipt(long(4))))
    own, line = note.signatures
    later = replace(line, signed=(1_900_000_000).to_bytes(8, "big") + line.signed[8:])
    never = parse_note(replace(WITNESS, seconds=0).cosign(SERVER.receipt(long(4)))).signatures[1]
    for wrong in (
        later,
        never,
        replace(line, signed=line.signed[:-1]),
        replace(line, signed=b"\xff" * 8 + line.signed[8:]),
    ):
        answer = verifier.verify(cosigned(Note(note.body, (own, wrong)).text), WITNESS.key.text)
        assert (answer.code, "doesn't fit the text and its time" in answer.text) == (1, True), answer.text


def test_the_key_of_a_witness_is_not_that_of_a_server(verifier: Verifier) -> None:
    export = export_bytes(with_receipt(long(4), [WITNESS.key.text], SERVER.receipt(long(4))))
    answer = verifier.verify(export)
    assert (answer.code, "it's the key of a witness" in answer.text) == (1, True), answer.text


def test_an_option_after_the_export_is_refused(verifier: Verifier, tmp_path: Path) -> None:
    export = tmp_path / "game.ndjson"
    export.write_bytes(cosigned(SERVER.receipt(long(4))))
    answer = verifier.run(str(export), "--key", SERVER.key.text)
    assert (answer.code, answer.text) == (2, "--key comes after the export: put options before it\n")
