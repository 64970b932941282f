"""Setback, leaving: the table plays for a seat that left, which cannot win (R-P9; docs/events.md)."""

import pytest

from domain.commands import MakeBid, Resign
from domain.decide.stand_in import stand_in_move
from domain.events import GameEnded, HandScored
from tests.games.hands import HANDS, SHARED, commit, game_ended, only_fact
from tests.games.setback_hands import bidding, call, dealer_drawn, play_hand
from tests.given import Given, deal, game_opened, given

Bids = tuple[int, ...]
Scores = tuple[int, ...]


def gone(*seats: int, players: int = 4, bots: Bids = ()) -> Given:
    """Return the first auction after these seats have left."""
    table = given(
        game_opened(players, variant="setback", bots=bots), *dealer_drawn(players - 1), *deal(HANDS[:players])
    )
    for seat in seats:
        table = given(*table.facts, *commit(table, Resign(seat)))
    return table


def test_R_P9_bots_of_one_side_win_and_bots_of_two_make_it_void() -> None:
    facts = commit(gone(0, bots=(1, 3)), Resign(2))
    assert game_ended(facts) == GameEnded("resignation", (1, 3), (0, 0, 0, 0))
    assert game_ended(commit(gone(1, bots=(0, 3)), Resign(2))) == GameEnded("void", (), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("before", "plays"),
    [
        pytest.param((), 0, id="R-P9 it passes"),
        pytest.param((2,), 0, id="R-P9 it passes over a bid"),
        pytest.param((2, 0, 0), 0, id="R-P9 T9 the dealer does not tie"),
        pytest.param((0, 0, 0), 2, id="R-P9 T10 the dealer makes the least bid"),
    ],
)
def test_the_tables_bid_for_a_seat_that_left(before: Bids, plays: int) -> None:
    assert stand_in_move(bidding(*before).state, len(before)) == call(len(before), plays)


def test_R_P9_R_T3_the_table_makes_the_least_bid_if_any_bid_is_allowed() -> None:
    assert stand_in_move(bidding(0, 0, 0, stick="any").state, 3) == MakeBid(3, 2)


@pytest.mark.parametrize(
    ("left", "before", "after", "winners"),
    [
        pytest.param((0,), (9, 0, 0), (11, 1, 1), None, id="R-P9 a bidder who left has not won"),
        pytest.param((0,), (25, 10, 0), (27, 11, 1), (1,), id="R-P9 a seat still in wins with a lower score"),
    ],
)
def test_a_seat_that_left_scores_points_and_cannot_win(
    left: Bids, before: Scores, after: Scores, winners: Bids | None
) -> None:
    facts = play_hand((2, 0, 0), *SHARED, scores=before, left=left)
    assert only_fact(HandScored, facts).scores == after
    assert game_ended(facts) == (None if winners is None else GameEnded("goal", winners, after))
