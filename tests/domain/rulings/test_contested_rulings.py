"""The other answers to contested rulings: each is one named value in the rules (R-S1, R-S12, R-S13).

Each test plays the same cards under the ruling and under the other answer.
"""

from dataclasses import replace

import pytest

from domain.commands import PassBid
from domain.engine.legal_moves import legal_moves
from domain.events import GameEnded, HandScored, HandThrownIn
from domain.rules.choices import Award, BiddingDirection, Settle
from domain.rules.model import Rules
from domain.rules.variants import PITCH
from tests.games.hands import SHARED, SWEPT, game_ended, only_fact, pegs_text, play_hand, with_hand_size
from tests.given import Given, deal, game_opened, given

RIGHT = replace(PITCH, auction=replace(PITCH.auction, around=BiddingDirection.RIGHT))
SMUDGE_BID = replace(
    PITCH,
    points=tuple(replace(each, award=Award.SWEEP_BID) if each.award is Award.SWEEP else each for each in PITCH.points),
)
POINTS_FIRST = replace(PITCH, settle=Settle.POINTS_FIRST)

FROM_PITCHER = ("1: 2H AH", *SWEPT[1:])


def dealt(rules: Rules, players: int = 4) -> Given:
    hands = ["AH KH", "2H 3H", "4H 5H", "6H 7H", "8H 9H"][:players]
    return given(game_opened(players, rules=with_hand_size(rules, 2)), *deal(hands))


@pytest.mark.parametrize(
    ("rules", "players", "order"),
    [
        pytest.param(PITCH, 4, [0, 1, 2, 3], id="R-S1 to the left, the dealer last"),
        pytest.param(RIGHT, 4, [0, 3, 2, 1], id="R-S1 the other answer: to the right, the dealer second"),
        pytest.param(RIGHT, 3, [0, 2, 1], id="R-S1 to the right among three"),
        pytest.param(RIGHT, 2, [0, 1], id="R-S1 with two it is the same"),
    ],
)
def test_the_direction_of_the_bidding(rules: Rules, players: int, order: list[int]) -> None:
    table, asked = dealt(rules, players), []
    for _ in range(players):
        (seat,) = table.state.turn
        asked.append(seat)
        assert [move.seat for move in legal_moves(table.state, seat)] == [seat] * 5
        table = table.when(PassBid(seat)).happens()
    assert asked == order
    assert table.facts[-1] == HandThrownIn(1)


@pytest.mark.parametrize(
    ("rules", "bids", "tricks", "last_peg", "changes"),
    [
        pytest.param(PITCH, (2, 0), SWEPT, "smudge 0", (5, 0), id="R-S12 the fifth point whatever was bid"),
        pytest.param(PITCH, (0, 2), FROM_PITCHER, "smudge 0", (5, -2), id="R-S12 whichever seat bid"),
        pytest.param(SMUDGE_BID, (5, 0), SWEPT, "smudge 0", (5, 0), id="R-S12 the other answer: for a smudge bid"),
        pytest.param(SMUDGE_BID, (4, 0), SWEPT, "game 0", (4, 0), id="R-S12 the other answer: not for a bid of four"),
        pytest.param(SMUDGE_BID, (0, 2), FROM_PITCHER, "game 0", (4, -2), id="R-S12 the other answer: the pitcher's"),
        pytest.param(SMUDGE_BID, (0, 5), FROM_PITCHER, "game 0", (4, -5), id="R-S12 other answer, set"),
    ],
)
def test_the_pitcher_gets_the_fifth_point(
    rules: Rules, bids: tuple[int, ...], tricks: tuple[str, ...], last_peg: str, changes: tuple[int, ...]
) -> None:
    result = only_fact(HandScored, play_hand(bids, *tricks, rules=rules))
    assert (pegs_text(result.pegs[-1:]), result.changes) == (last_peg, changes)


@pytest.mark.parametrize(
    ("rules", "before", "after", "winners"),
    [
        pytest.param(PITCH, (9, 0, 0), (6, 1, 1), None, id="R-S13 set before any point, and not there"),
        pytest.param(POINTS_FIRST, (9, 0, 0), (11, 1, 1), (0,), id="R-S13 the other answer: there on high and game"),
        pytest.param(POINTS_FIRST, (10, 0, 0), (11, 0, 0), (0,), id="R-S13 the other answer: there on high"),
        pytest.param(POINTS_FIRST, (8, 0, 0), (5, 1, 1), None, id="R-S13 the other answer: not there, and set"),
        pytest.param(PITCH, (10, 10, 0), (7, 11, 0), (1,), id="R-S13 the next one wins on low"),
        pytest.param(POINTS_FIRST, (10, 10, 0), (11, 10, 0), (0,), id="R-S13 the other answer: high comes first"),
    ],
)
def test_when_a_pitcher_is_set(
    rules: Rules, before: tuple[int, ...], after: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    """Seat 0 bids three, and wins high and game."""
    facts = play_hand((3, 0, 0), *SHARED, scores=before, rules=rules)
    assert only_fact(HandScored, facts).scores == after
    assert game_ended(facts) == (None if winners is None else GameEnded("goal", winners, after))
