"""Comparing receipts (docs/questions.md, question 9): they prove one history or two."""

from dataclasses import replace
from typing import Any

import pytest

from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import Checkpoint, ConsistencyProof, NotANote, game_origin, parse_note
from replay.history import History
from replay.history.receipt_comparison import (
    BEGINS,
    FORGERY,
    NO_PROOF,
    OPEN,
    OTHER_GAMES,
    SAME,
    UNSIGNED,
    ReceiptComparison,
    compare_receipts,
    comparison_lines,
    parse_receipt,
)
from tests.replay.forging import with_event
from tests.replay.signing import SERVER, THIEF, Signer, cut

OURS = [SERVER.key]


def compared(
    *notes: str, keys: Any = OURS, log: History | None = None, proof: ConsistencyProof | None = None
) -> ReceiptComparison:
    """Return the comparison of the first pair of these notes."""
    return compare_receipts([parse_receipt(f"r{number}", note, keys) for number, note in enumerate(notes)], log, proof)[
        0
    ]


@pytest.fixture(scope="module")
def other(whole: History) -> History:
    """A consistent other history of the same game, which forks after event 20."""
    return with_event(whole, 21, salt="0" * 32)


def leaves(history: History) -> list[bytes]:
    return [line.leaf for line in history.lines]


def test_trust_3_9_two_heads_of_one_size_are_proof_of_forgery(whole: History, other: History) -> None:
    one, two = SERVER.receipt(whole, 30), SERVER.receipt(other, 30)
    found = compared(one, two)
    assert found.state == FORGERY
    assert found.to_json()["notes"] == [one, two]
    text = "\n".join(comparison_lines(found))
    assert "PROOF OF FORGERY" in text
    assert one in text
    assert two in text


def test_two_keys_of_one_server_are_one_server(whole: History, other: History) -> None:
    new = Signer(seed=9)
    assert compared(SERVER.receipt(whole, 30), new.receipt(other, 30), keys=[SERVER.key, new.key]).state == FORGERY


def test_without_the_key_it_proves_nothing(whole: History, other: History) -> None:
    found = compared(SERVER.receipt(whole, 30), SERVER.receipt(other, 30), keys=[])
    assert (found.state, "give --key" in found.says) == (OPEN, True)
    assert "notes" not in found.to_json()


def test_a_thief_proves_nothing_against_the_server(whole: History, other: History) -> None:
    found = compared(SERVER.receipt(whole, 30), THIEF.receipt(other, 30))
    assert (found.state, "r1: it is signed by" in found.says) == (UNSIGNED, True)
    broken = SERVER.receipt(other, 30).replace("\n30\n", "\n31\n")
    assert compared(SERVER.receipt(whole, 30), broken).state == UNSIGNED
    false = SERVER.sign(Checkpoint(game_origin("elsewhere.example", "x"), 30, bytes(32)))
    assert "not its own" in compared(SERVER.receipt(whole, 30), false).says


def test_one_head_twice_is_the_same(whole: History) -> None:
    found = compared(SERVER.receipt(whole, 30), SERVER.receipt(whole, 30))
    assert found.state == SAME
    assert list(comparison_lines(found)) == ["r0 and r1: the same: both are of the same 30 events"]


def test_two_sizes_need_a_log_or_a_proof(whole: History) -> None:
    notes = SERVER.receipt(whole, 30), SERVER.receipt(whole, 12)
    assert compared(*notes).state == OPEN
    assert compared(*notes, log=cut(whole, 29)).state == OPEN
    found = compared(*notes, log=whole)
    assert (found.state, found.one.name) == (BEGINS, "r1")


def test_a_log_that_ends_in_one_and_does_not_begin_with_the_other_is_also_proof(whole: History, other: History) -> None:
    assert compared(SERVER.receipt(whole, 25), SERVER.receipt(other, 30), log=other).state == FORGERY
    assert compared(SERVER.receipt(whole, 15), SERVER.receipt(other, 30), log=other).state == BEGINS


def test_a_log_that_may_itself_be_false_proves_nothing(whole: History, other: History) -> None:
    shorter_fits = compared(SERVER.receipt(whole, 25), SERVER.receipt(other, 30), log=whole)
    assert (shorter_fits.state, "the log has r0 but not r1" in shorter_fits.says) == (OPEN, True)
    third = with_event(other, 2, salt="1" * 32)
    assert compared(SERVER.receipt(whole, 25), SERVER.receipt(other, 30), log=third).state == OPEN


def test_a_log_of_another_game_decides_nothing(whole: History) -> None:
    header = whole.header.__class__(
        format="x", game="1f8fad5b-d9cb-469f-a165-70867728950e", board=1, variant="pitch", players={}
    )
    notes = SERVER.receipt(whole, 30), SERVER.receipt(whole, 12)
    assert compared(*notes, log=replace(whole, header=header)).state == OPEN


def test_receipts_of_different_games_cannot_be_compared(whole: History) -> None:
    elsewhere = SERVER.sign(Checkpoint(game_origin(SERVER.name, "another"), 30, bytes(32)))
    assert compared(SERVER.receipt(whole, 30), elsewhere).state == OTHER_GAMES


def test_a_proof_of_consistency_leads_from_one_to_the_other(whole: History, other: History) -> None:
    proof = ConsistencyProof(12, tuple(consistency(leaves(whole), 12, 30)), parse_note(SERVER.receipt(whole, 30)))
    one, two = SERVER.receipt(whole, 12), SERVER.receipt(whole, 30)
    assert compared(one, two, proof=proof).state == BEGINS
    assert compared(one, two, proof=replace(proof, path=proof.path[::-1])).state == NO_PROOF
    assert compared(one, SERVER.receipt(other, 30), proof=proof).state == NO_PROOF
    assert compared(SERVER.receipt(whole, 13), two, proof=proof).state == OPEN


def test_every_pair_is_compared(whole: History, other: History) -> None:
    notes = [SERVER.receipt(whole, 30), SERVER.receipt(other, 30), SERVER.receipt(whole, 12)]
    found = compare_receipts([parse_receipt(str(place), note, OURS) for place, note in enumerate(notes)], whole)
    assert [(each.one.name, each.two.name, each.state) for each in found] == [
        ("2", "0", BEGINS), ("2", "1", OPEN), ("0", "1", FORGERY),
    ]  # fmt: skip


def test_an_invalid_receipt_is_refused(whole: History) -> None:
    for text in ("", SERVER.receipt(whole)[:-1], SERVER.sign(Checkpoint("o o", 1, bytes(32)))):
        with pytest.raises(NotANote):
            parse_receipt("r", text, OURS)
