"""Setback compared with the second reading of its rules in tests/rulebooks/setback.py, and properties of every game.

Whole games of random legal moves: at every turn the legal bids or cards, then the taker of each trick, the score of
each hand and the winner.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import Card
from domain.commands import Command, PlayCard, Resign
from domain.engine.endings import Verdict, verdict
from domain.engine.legal_moves import legal_moves
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    Event,
    GameEnded,
    HandDealt,
    HandScored,
    SeatResigned,
    TrickTaken,
)
from domain.rules.choices import Phase
from domain.state import State
from domain.store.aggregate import Entry
from tests.games.setback_hands import call
from tests.games.tables import Table
from tests.rulebooks import setback as rulebook
from tests.rulebooks.rulebook import suit
from tests.values import replace

FEW = settings(max_examples=40, deadline=None)
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"low": 2},
    {"dealer": "ties_or_raises"},
    {"stick": "any"},
    {"low": 2, "dealer": "ties_or_raises", "stick": "any"},
)


OVER = {players: Table(players, variant="setback", seed=1).plays_out().state for players in (3, 4)}
"""A finished match whose scores the tests replace."""


def allowed(state: State, seat: int, options: dict[str, Any]) -> list[Command]:
    """Return the bids or cards that the rule sheet allows `seat`, whose turn it is."""
    hand = state.hand
    assert hand
    if state.phase is Phase.AUCTION:
        order = [(hand.eldest + turn) % len(state.seats) for turn in range(hand.auction_turns)]
        said = [hand.bids[each] or 0 for each in order]
        how = {name: value for name, value in options.items() if name != "low"}
        return [call(seat, bid) for bid in rulebook.legal_bids(said, len(state.seats), **how)]
    led = hand.trick.plays[0].card if hand.trick else None
    return [PlayCard(seat, Card(card)) for card in rulebook.playable(hand.cards[seat] or (), led, hand.trump)]


class Judge:
    """Follows a game event by event and compares each event with the rule sheet."""

    def __init__(self, players: int, low: int) -> None:
        self.players, self.low = players, low
        self.scores, self.gone, self.winners = [0] * players, list[int](), list[int]()
        self.said, self.eldest = list[int](), 0
        self.tricks: list[list[tuple[int, str]]] = []

    def sees(self, event: Event[Any]) -> None:
        match event.data:
            case SeatResigned(seat):
                self.gone.append(seat)
            case HandDealt() as dealt:
                assert self.winners == []
                self.said, self.tricks, self.eldest = [], [], dealt.eldest
            case BidMade() | BidPassed() as spoken:
                assert spoken.seat == (self.eldest + len(self.said)) % self.players
                self.said.append(getattr(spoken, "bid", 0))
            case AuctionWon() as won:
                assert won.seat == rulebook.pitcher(self.said, self.eldest)
                assert (won.bid, won.forced) == (max(self.said), rulebook.is_forced(self.said))
                own = rulebook.side_of(won.seat, self.players)
                others = [tuple(side) for side in rulebook.sides(self.players) if side != own]
                assert won.sides == (tuple(own), *others)
            case TrickTaken() as trick:
                self.tricks.append([(play.seat, play.card) for play in trick.plays])
                assert trick.seat == rulebook.taker(self.tricks[-1], suit(self.tricks[0][0][1]))
            case HandScored() as scored:
                self._scored(scored)
            case GameEnded(reason, winners):
                assert reason == "resignation" or list(winners) == self.winners

    def _scored(self, scored: HandScored) -> None:
        wanted = rulebook.judge_hand(self.tricks, max(self.said), self.scores, self.low, self.gone)
        pegs = [(peg.point, peg.worth, peg.seat, peg.card, peg.credited) for peg in scored.pegs]
        assert (pegs, list(scored.counts), scored.made) == (wanted.pegs, wanted.counts, wanted.made)
        assert (list(scored.changes), list(scored.scores)) == (wanted.changes, wanted.scores)
        self.scores, self.winners = wanted.scores, wanted.winners


def moved(table: Table, *, leaving: bool) -> tuple[Entry, ...]:
    """Make a move, or let the last person leave. One bid in six is high; more would keep matches from ending."""
    choice = table.entropy(1)[0]
    if leaving:
        return table.says(Resign(table.state.persons[-1]))
    return table.moves(0 if table.state.phase is Phase.AUCTION and choice % 6 else choice // 6)


def played(table: Table, options: dict[str, Any], moves: int, *, leaving: bool = False) -> Table:
    """Play that many moves, or fewer if the match ends, and compare every event with the rule sheet."""
    judge = Judge(len(table.state.seats), options.get("low", 1))
    for event in table.events:
        judge.sees(event)
    for _ in range(moves):
        if table.state.result is not None:
            break
        (seat,) = table.state.turn
        assert list(legal_moves(table.state, seat)) == allowed(table.state, seat, options)
        for entry in moved(table, leaving=leaving and table.entropy(1)[0] > 253):
            judge.sees(entry.event)
    assert (table.state.result is not None) == (judge.winners != []) or leaving
    return table


@pytest.mark.parametrize("options", [pytest.param(each, id=f"T41-T43 {each}") for each in OPTIONS])
@pytest.mark.parametrize("players", [3, 4])
def test_whole_matches_follow_the_rule_sheet(players: int, options: dict[str, Any]) -> None:
    for seed in range(2):
        table = played(Table(players, variant="setback", seed=seed, **options), options, 2000)
        assert table.state.result
        assert table.state.result.reason == "goal"


@FEW
@given(
    st.lists(st.integers(8, 13), min_size=4, max_size=4),
    st.booleans(),
    st.integers(0, 3),
    st.lists(st.integers(0, 3), unique=True, max_size=3),
    st.sampled_from([3, 4]),
)
def test_T41_T42_T43_the_winners_at_any_scores(
    each: list[int], made: bool, pitcher: int, left: list[int], players: int
) -> None:
    table = OVER[players]
    pitcher, gone = pitcher % players, [seat for seat in left if seat < players]
    scores = [each[side[0]] for seat in range(players) for side in [rulebook.side_of(seat, players)]]
    assert table.hand
    assert table.last_hand
    sides = rulebook.sides(players)
    if sum(bool(set(side) - set(gone)) for side in sides) < 2:
        return
    hand = replace(table.hand, pitcher=pitcher, sides=tuple(map(tuple, sides)))
    still_in = tuple(seat for seat in range(players) if seat not in gone)
    last = replace(table.last_hand, made=made)
    state = replace(table, scores=tuple(scores), hand=hand, last_hand=last, still_in=still_in, result=None)
    wanted = rulebook.winners(scores, rulebook.side_of(pitcher, players), made, gone)
    assert verdict(state) == (Verdict("goal", tuple(wanted)) if wanted else None)


@pytest.mark.parametrize("players", [3, 4])
def test_matches_with_seats_that_leave_follow_the_rule_sheet(players: int) -> None:
    reasons = set()
    for seed in range(8):
        table = played(Table(players, variant="setback", seed=seed), {}, 2000, leaving=True)
        assert table.state.result
        reasons.add((table.state.result.reason, len(table.state.still_in) < players))
    assert reasons >= {("resignation", True), ("goal", True)}
