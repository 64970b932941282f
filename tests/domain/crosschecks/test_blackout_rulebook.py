"""Blackout compared with the second reading of its rules in tests/rulebooks/blackout.py, and properties of every game.

Whole games of random legal moves: at every turn the legal bids or cards, then the taker of each trick, the score of
each hand and the winner.
"""

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import DECK_52, Card
from domain.commands import Command, MakeBid, PassBid, PlayCard, Resign
from domain.decide import decide
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
    StockLaid,
    TrickTaken,
    TrumpTurnedUp,
)
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE, State
from domain.store.aggregate import Entry
from tests.games.strategies import seat_commands
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
        """Compare the next event."""
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


@pytest.mark.parametrize("inorder", [pytest.param(True, id="B2 in order"), pytest.param(False, id="R-B1 drawn")])
@pytest.mark.parametrize("hook", [pytest.param(True, id="B3 hook"), pytest.param(False, id="B4 no hook")])
def test_whole_games_follow_the_rule_sheet(hook: bool, inorder: bool) -> None:
    for seed in range(6):
        table = played(Table(variant="blackout", seed=seed, hook=hook, inorder=inorder), 1000)
        assert table.state.result
        assert table.state.result.reason == "hands"


def test_games_with_seats_that_leave_follow_the_rule_sheet() -> None:
    reasons = set()
    for seed in range(20):
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


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"B26 R-B12 seed {seed}") for seed in (2, 16, 89)])
def test_games_that_end_by_a_coin_follow_the_rule_sheet(seed: int) -> None:
    judge, table = Judge(), Table(variant="blackout", seed=seed).plays_out()
    for event in table.events:
        judge.sees(event)
    assert judge.coin == [table.state.coin]


@st.composite
def tables(draw: st.DrawFn, most: int = 200) -> Table:
    """Draw a game, in play or over, after up to `most` moves."""
    table = Table(
        variant="blackout",
        seed=draw(st.integers(0, 2**16)),
        bots=draw(st.sampled_from([(), (1,)])),
        reveal=draw(st.sampled_from(["hand", "game"])),
        hook=draw(st.booleans()),
        inorder=draw(st.booleans()),
    )
    return played(table, draw(st.integers(0, most)), leaving=draw(st.booleans()))


def states(events: list[Event[Any]]) -> list[State]:
    """Yield the state after each event."""
    return list(accumulate(events, evolve, initial=EMPTY_STATE))[1:]


@FEW
@given(tables())
def test_every_card_is_in_one_place_after_every_event(table: Table) -> None:
    stock, laid = tuple[Card, ...](), False
    for event, state in zip(table.events, states(table.events), strict=True):
        hand = state.hand
        if isinstance(event.data, HandDealt):
            stock, laid = (), False
        if isinstance(event.data, StockLaid):
            stock, laid = event.data.cards, True
        if hand is None or not laid:
            continue
        held = [card for cards in hand.cards for card in cards or ()]
        on_table = [play.card for play in hand.trick.plays] if hand.trick else []
        taken = [card for cards in hand.taken for card in cards]
        assert sorted([*held, *on_table, *taken, *stock]) == sorted(DECK_52)
        assert hand.upcard == stock[0] or hand.upcard is None


@FEW
@given(tables())
def test_tricks_add_up_to_the_hand_and_with_the_hook_some_seat_misses_its_bid(table: Table) -> None:
    before: tuple[int, ...] = (0, 0, 0, 0)
    for event in table.events:
        if isinstance(event.data, HandScored):
            scored = event.data
            exact = [bid == tricks for bid, tricks in zip(scored.bids, scored.tricks, strict=True)]
            assert sum(scored.tricks) == scored.hand
            assert not (table.state.rules.auction.hook and all(exact))  # B15
            assert [bool(change) for change in scored.changes] == exact  # B12, B13, R-B13
            assert scored.scores == tuple(old + new for old, new in zip(before, scored.changes, strict=True))
            before = scored.scores


def accepted(state: State, command: Command) -> bool:
    """Return whether the decider accepts the command."""
    try:
        return bool(decide(state, command))
    except Rejected:
        return False


@FEW
@given(tables())
def test_the_legal_moves_are_exactly_the_accepted_moves(table: Table) -> None:
    state = table.state
    for seat in range(4):
        asked: list[Command] = [PassBid(seat), *(MakeBid(seat, bid) for bid in range(-1, 15))]
        asked += [PlayCard(seat, card) for card in DECK_52]
        assert [command for command in asked if accepted(state, command)] == list(legal_moves(state, seat))


@FEW
@given(tables(), st.lists(seat_commands, max_size=10))
def test_a_refused_command_writes_nothing(table: Table, asked: list[Command]) -> None:
    table.hears(asked)


@FEW
@given(tables())
def test_replaying_the_log_gives_the_same_game(table: Table) -> None:
    again = table.read_again()
    assert (again.state, again.root) == (table.state, table.game.root)


@FEW
@given(tables(most=8))
def test_R_B8_in_hand_1_no_seat_sees_its_own_card_before_it_is_played(table: Table) -> None:
    fell = False
    for event in table.events:
        fell = fell or isinstance(event.data, CardPlayed)
        own = getattr(event.data, "cards", ())
        if not fell and own and event.seen_by != ():
            assert event.seen_by is not None
            assert event.data.seat not in event.seen_by
            assert len(event.seen_by) == 3
