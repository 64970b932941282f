"""Blackout compared with the second reading of its rules in tests/rulebooks/blackout.py, and properties of every game.

Whole games of random legal moves: at every turn the legal bids or cards, then the taker of each trick, the score of
each hand and the winner.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import Card
from domain.commands import Command, MakeBid, PlayCard, Resign
from domain.engine.endings import Verdict, is_coin_due, tied_leaders, verdict
from domain.engine.legal_moves import legal_moves
from domain.events import (
    BidMade,
    CardPlayed,
    CoinFlipped,
    Event,
    GameEnded,
    HandDealt,
    HandScored,
    SeatResigned,
    TrickTaken,
    TrumpTurnedUp,
)
from domain.rules.choices import Phase
from domain.state import State
from domain.store.aggregate import Entry
from tests.games.tables import Table
from tests.rulebooks import blackout as rulebook
from tests.values import replace

FEW = settings(max_examples=40, deadline=None)
Four = tuple[int, ...]


def allowed(state: State, seat: int) -> list[Command]:
    """Return the bids or cards that the rule sheet allows `seat`, whose turn it is."""
    hand, opened = state.hand, state.opened
    assert hand
    assert opened
    if state.phase is Phase.AUCTION:
        said = [hand.bids[(hand.eldest + turn) % 4] or 0 for turn in range(hand.auction_turns)]
        return [MakeBid(seat, bid) for bid in rulebook.legal_bids(said, hand.number, opened.options["hook"])]
    led = hand.trick.plays[0].card if hand.trick else None
    return [PlayCard(seat, Card(card)) for card in rulebook.playable_cards(hand.cards[seat] or (), led)]


class Judge:
    """Follows a game event by event and compares each event with the rule sheet."""

    def __init__(self) -> None:
        self.scores, self.exact, self.gone = [0] * 4, [0] * 4, list[int]()
        self.bids, self.played = dict[int, int](), list[int]()
        self.trump: str | None = None
        self.tricks: list[list[tuple[int, str]]] = []
        self.hand, self.turn, self.coin = 0, 0, list[int]()

    def sees(self, event: Event[Any]) -> None:
        match event.data:
            case SeatResigned(seat):
                self.gone.append(seat)
            case HandDealt() as dealt:
                self.hand += 1
                assert (dealt.hand, dealt.eldest) == (self.hand, rulebook.eldest(self.hand))
                self.turn = dealt.eldest
                self.bids, self.tricks, self.played, self.trump = {}, [], [], None
            case TrumpTurnedUp() as turned:
                self.trump = turned.suit
            case BidMade(seat, bid):
                assert seat == (rulebook.eldest(self.hand) + len(self.bids)) % 4
                self.bids[seat] = bid
            case CardPlayed(seat):
                assert seat == self.turn
                self.turn = (seat + 1) % 4
            case TrickTaken() as trick:
                self.tricks.append([(play.seat, play.card) for play in trick.plays])
                assert trick.seat == rulebook.taker(self.tricks[-1], self.trump)
                self.turn = trick.seat
            case HandScored() as scored:
                self._scored(scored)
            case CoinFlipped(_, seats, winner):
                assert list(seats) == rulebook.ahead(self.scores, self.exact, self.gone)
                self.coin = [winner]
            case GameEnded(reason, winners):
                ahead = self.coin or rulebook.ahead(self.scores, self.exact, self.gone)
                assert reason == "resignation" or (list(winners), self.hand) == (ahead, 13)

    def _scored(self, scored: HandScored) -> None:
        bids = [self.bids[seat] for seat in range(4)]
        wanted = rulebook.judge_hand(self.tricks, bids, self.trump, self.scores)
        assert (list(scored.bids), list(scored.tricks)) == (bids, wanted.taken)
        assert (list(scored.changes), list(scored.scores)) == (wanted.changes, wanted.scores)
        assert (scored.hand, scored.pegs, scored.counts, scored.made) == (self.hand, (), (), None)
        self.scores = wanted.scores
        self.exact = [old + new for old, new in zip(self.exact, wanted.exact, strict=True)]


def moved(table: Table, *, leaving: bool) -> tuple[Entry, ...]:
    """Make a random move, or let the last person leave. Bids are mostly low, so that some are exact."""
    choice = table.entropy(1)[0]
    if leaving:
        return table.says(Resign(table.state.persons[-1]))
    hand = table.state.hand
    low = hand is not None and table.state.phase is Phase.AUCTION
    return table.moves(choice % (2 + hand.number // 3) if low and hand else choice)


def played(table: Table, moves: int, *, leaving: bool = False) -> Table:
    """Play that many moves, or fewer if the game ends, and compare every event with the rule sheet."""
    judge = Judge()
    for event in table.events:
        judge.sees(event)
    for _ in range(moves):
        if table.state.result is not None:
            break
        (seat,) = table.state.turn
        assert list(legal_moves(table.state, seat)) == allowed(table.state, seat)
        for entry in moved(table, leaving=leaving and table.entropy(1)[0] == 255):
            judge.sees(entry.event)
    return table


@pytest.mark.parametrize("hook", [pytest.param(True, id="B3 hook"), pytest.param(False, id="B4 no hook")])
def test_whole_games_follow_the_rule_sheet(hook: bool) -> None:
    for seed in range(6):
        table = played(Table(variant="blackout", seed=seed, hook=hook, inorder=seed % 2 == 0), 1000)
        assert table.state.result
        assert table.state.result.reason == "hands"


def test_games_with_seats_that_leave_follow_the_rule_sheet() -> None:
    reasons = set()
    for seed in range(8):
        table = played(Table(variant="blackout", seed=seed), 1000, leaving=True)
        assert table.state.result
        reasons.add((table.state.result.reason, len(table.state.still_in) < 4))
    assert reasons >= {("resignation", True), ("hands", True)}


OVER = Table(variant="blackout", seed=1).plays_out().state
"""A finished game whose scores the tests replace."""


@FEW
@given(
    st.tuples(*[st.integers(88, 90)] * 4),
    st.tuples(*[st.integers(3, 5)] * 4),
    st.lists(st.integers(0, 3), unique=True, max_size=2),
)
def test_B24_B25_B26_R_B12_R_B14_the_seats_ahead_at_any_scores(scores: Four, exact: Four, gone: list[int]) -> None:
    still_in = tuple(seat for seat in range(4) if seat not in gone)
    state = replace(OVER, scores=scores, exact_hands=exact, still_in=still_in, coin=None, result=None)
    ahead = tuple(rulebook.ahead(scores, exact, gone))
    assert (tied_leaders(state), is_coin_due(state)) == (ahead, len(ahead) > 1)
    assert verdict(state) == (None if len(ahead) > 1 else Verdict("hands", ahead))
