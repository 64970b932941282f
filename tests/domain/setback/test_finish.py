"""Setback, the end of a hand and of the match (T40-T43, R-T8 to R-T10; docs/events.md)."""

import pytest

from domain.events import GameEnded, HandDealt, HandScored
from tests.games.hands import SHARED, facts_of_kind, game_ended, only_fact
from tests.games.setback_hands import play_hand
from tests.games.tables import Table

Bids = tuple[int, ...]
Tricks = tuple[str, ...]
Scores = tuple[int, ...]

# Three alone: seat 0 leads and takes nothing; low to seat 1, high and game to seat 2.
SPOILED = ("0: 3H 4H AH", "2: 5C 4C 2H")
# Sides of two: high and game to seat 0's, low and jack to seat 1's.
EVEN = ("0: AH 3H 4H 5H", "0: 5C 3C 4C 2H", "3: JH 9D 8D 7D")


@pytest.mark.parametrize(
    ("tricks", "bid", "before", "after", "winner"),
    [
        pytest.param(SHARED, 2, (8, 9, 9), (10, 10, 10), None, id="T41 T42 no side reaches the goal"),
        pytest.param(SHARED, 2, (9, 0, 0), (11, 1, 1), 0, id="T41 the bidder who made it"),
        pytest.param(SHARED, 2, (9, 11, 11), (11, 12, 12), 0, id="T41 R-T8 R-T10 the bidder on less than both others"),
        pytest.param(SHARED, 2, (8, 10, 0), (10, 11, 1), 1, id="T42 the bidder made it and is not there"),
        pytest.param(SHARED, 3, (10, 10, 0), (7, 11, 1), 1, id="T42 the bidder is set"),
        pytest.param(SPOILED, 2, (5, 10, 9), (3, 11, 11), None, id="T43 two level at 11"),
        pytest.param(SPOILED, 2, (0, 11, 11), (-2, 12, 13), 2, id="T43 until there is a clear winner"),
        pytest.param(SHARED, 3, (12, 12, 3), (9, 13, 4), 1, id="R-T9 a bidder at 12 who is set has not won"),
        pytest.param(SHARED, 4, (16, 10, 0), (12, 11, 1), 0, id="R-T9 clause 2 goes by the scores after the deduction"),
    ],
)
def test_the_end_among_three(tricks: Tricks, bid: int, before: Scores, after: Scores, winner: int | None) -> None:
    facts = play_hand((bid, 0, 0), *tricks, scores=before)
    assert only_fact(HandScored, facts).scores == after
    assert game_ended(facts) == (None if winner is None else GameEnded("goal", (winner,), after))


@pytest.mark.parametrize(
    ("bid", "before", "after", "winners"),
    [
        pytest.param(2, (8, 8, 8, 8), (10, 10, 10, 10), None, id="T41 T42 no side reaches the goal"),
        pytest.param(2, (9, 10, 9, 10), (11, 12, 11, 12), (0, 2), id="T41 R-T8 the bidders below the others"),
        pytest.param(3, (10, 9, 10, 9), (7, 11, 7, 11), (1, 3), id="T42 the bidders are set"),
        pytest.param(3, (14, 9, 14, 9), (11, 11, 11, 11), None, id="T43 two sides level"),
    ],
)
def test_the_end_between_two_sides(bid: int, before: Scores, after: Scores, winners: Bids | None) -> None:
    facts = play_hand((bid, 0, 0, 0), *EVEN, scores=before)
    assert only_fact(HandScored, facts).scores == after
    assert game_ended(facts) == (None if winners is None else GameEnded("goal", winners, after))


@pytest.mark.parametrize("players", [pytest.param(3, id="T40 three"), pytest.param(4, id="T40 R-T1 four")])
def test_the_deal_moves_left_after_every_hand(players: int) -> None:
    table = Table(players, variant="setback", seed=players).plays_out()
    dealers = [dealt.dealer for dealt in facts_of_kind(HandDealt, [event.data for event in table.events])]
    assert len(dealers) > players
    assert dealers == [(dealers[0] + hand) % players for hand in range(len(dealers))]
