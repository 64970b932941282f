"""Pitch, Setback and Blackout compared with the second readings of their rules in tests/rulebooks.

Whole games of random legal moves: at every turn the seat to move and its legal bids or cards, then the taker of each
trick, the score of each hand and the winner.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import Card
from domain.commands import Command, MakeBid, PlayCard, Resign
from domain.engine.endings import Verdict, is_coin_due, tied_leaders, verdict
from domain.engine.legal_moves import legal_moves
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
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
from domain.state import Hand, current_hand
from domain.store.aggregate import Entry
from tests.games.setback_hands import call
from tests.games.tables import Table
from tests.rulebooks import blackout, rulebook, setback
from tests.values import replace

FEW = settings(max_examples=40, deadline=None)
NO_TRUMP = "none"
"""Stands for the trump of hand 13 of Blackout."""
Four = tuple[int, ...]


class Judge:
    """Follows a game of Pitch event by event and compares each event with the rule sheet."""

    def __init__(self, table: Table) -> None:
        assert table.state.opened
        self.options, self.players = table.state.opened.options, len(table.state.seats)
        self.scores, self.gone, self.winners = [0] * self.players, list[int](), list[int]()
        self.said, self.eldest, self.turn, self.trump = list[int](), 0, 0, ""
        self.tricks: list[list[tuple[int, str]]] = []
        for event in table.events:
            self.sees(event)

    def sees(self, event: Event[Any]) -> None:
        match event.data:
            case SeatResigned(seat):
                self.gone.append(seat)
            case HandDealt() as dealt:
                assert self.winners == []
                self.said, self.tricks, self.trump = [], [], ""
                self.eldest = self.turn = dealt.eldest
            case BidMade() | BidPassed() as spoken:
                assert spoken.seat == self.next_bidder
                self.said.append(getattr(spoken, "bid", 0))
            case AuctionWon() as won:
                self.sees_bidder(won)
                self.turn = won.seat
            case CardPlayed(seat, card):
                assert seat == self.turn
                self.turn, self.trump = (seat + 1) % self.players, self.trump or rulebook.suit(card)
            case TrickTaken() as trick:
                self.tricks.append([(play.seat, play.card) for play in trick.plays])
                assert trick.seat == rulebook.taker(self.tricks[-1], self.trump)
                self.turn = trick.seat
            case HandScored() as scored:
                self.sees_score(scored)
            case GameEnded(reason, winners):
                assert reason == "resignation" or list(winners) == self.winners

    @property
    def next_bidder(self) -> int:
        return (self.eldest + len(self.said)) % self.players

    def sees_bidder(self, won: AuctionWon) -> None:
        highest = (self.eldest + self.said.index(max(self.said))) % self.players
        assert (won.seat, won.bid) == (highest, max(self.said))

    def sees_score(self, scored: HandScored) -> None:
        wanted = rulebook.judge_hand(self.tricks, max(self.said), self.scores, self.options["win"], self.gone)
        assert [(peg.point, peg.seat, peg.credited) for peg in scored.pegs] == wanted.pegs
        assert (list(scored.counts), scored.made, list(scored.scores)) == (wanted.counts, wanted.made, wanted.scores)
        self.scores, self.winners = wanted.scores, [] if wanted.winner is None else [wanted.winner]

    def bids(self, _hand: Hand) -> Sequence[int]:
        return rulebook.legal_bids(max(self.said, default=0))

    def cards(self, held: Sequence[str], led: str | None) -> Sequence[str]:
        return rulebook.playable_cards(held, led, self.trump or None)

    def allowed(self, table: Table, seat: int) -> list[Command]:
        """Return the bids or cards that the rule sheet allows `seat`, whose turn it is."""
        hand = current_hand(table.state)
        if table.state.phase is Phase.AUCTION:
            return [self.call(seat, bid) for bid in self.bids(hand)]
        led = hand.trick.plays[0].card if hand.trick else None
        return [PlayCard(seat, Card(card)) for card in self.cards(hand.cards[seat] or (), led)]

    def call(self, seat: int, bid: int) -> Command:
        return call(seat, bid)


class SetbackJudge(Judge):
    def sees_bidder(self, won: AuctionWon) -> None:
        assert won.seat == setback.pitcher(self.said, self.eldest)
        assert (won.bid, won.forced) == (max(self.said), setback.is_forced(self.said))
        own = setback.side_of(won.seat, self.players)
        assert won.sides == (tuple(own), *(tuple(side) for side in setback.sides(self.players) if side != own))

    def sees_score(self, scored: HandScored) -> None:
        wanted = setback.judge_hand(self.tricks, max(self.said), self.scores, self.options["low"], self.gone)
        pegs = [(peg.point, peg.worth, peg.seat, peg.card, peg.credited) for peg in scored.pegs]
        assert (pegs, list(scored.counts), scored.made) == (wanted.pegs, wanted.counts, wanted.made)
        assert (list(scored.changes), list(scored.scores)) == (wanted.changes, wanted.scores)
        self.scores, self.winners = wanted.scores, wanted.winners

    def bids(self, _hand: Hand) -> Sequence[int]:
        return setback.legal_bids(self.said, self.players, self.options["dealer"], self.options["stick"])


class BlackoutJudge(Judge):
    def __init__(self, table: Table) -> None:
        self.exact, self.hand, self.coin = [0] * 4, 0, list[int]()
        super().__init__(table)

    def sees(self, event: Event[Any]) -> None:
        super().sees(event)
        match event.data:
            case HandDealt() as dealt:
                self.hand += 1
                assert (dealt.hand, dealt.eldest) == (self.hand, blackout.eldest(self.hand))
                self.trump = NO_TRUMP
            case TrumpTurnedUp() as turned:
                self.trump = turned.suit
            case CoinFlipped(_, seats, winner):
                assert list(seats) == self.ahead
                self.winners = [winner]

    @property
    def ahead(self) -> list[int]:
        return blackout.ahead(self.scores, self.exact, self.gone)

    def sees_score(self, scored: HandScored) -> None:
        bids = [self.said[(seat - self.eldest) % 4] for seat in range(4)]
        wanted = blackout.judge_hand(self.tricks, bids, self.trump, self.scores)
        assert (list(scored.bids), list(scored.tricks)) == (bids, wanted.taken)
        assert (list(scored.changes), list(scored.scores)) == (wanted.changes, wanted.scores)
        assert (scored.hand, scored.pegs, scored.counts, scored.made) == (self.hand, (), (), None)
        self.scores = wanted.scores
        self.exact = [old + new for old, new in zip(self.exact, wanted.exact, strict=True)]
        self.winners = self.ahead if self.hand == 13 else []

    def bids(self, hand: Hand) -> Sequence[int]:
        return blackout.legal_bids(self.said, hand.number, self.options["hook"])

    def cards(self, held: Sequence[str], led: str | None) -> Sequence[str]:
        return blackout.playable_cards(held, led)

    def call(self, seat: int, bid: int) -> Command:
        return MakeBid(seat, bid)


JUDGES = {"pitch": Judge, "setback": SetbackJudge, "blackout": BlackoutJudge}


def moved(table: Table, *, leaving: bool) -> tuple[Entry, ...]:
    """Make a random move, or let the last person leave. Bids are mostly low, so that games end and bids are exact."""
    choice = table.entropy(1)[0]
    if leaving and choice > 253:
        return table.says(Resign(table.state.persons[-1]))
    if table.state.phase is not Phase.AUCTION:
        return table.moves(choice)
    hand = current_hand(table.state)
    return table.moves(choice % (2 + hand.number // 3) if table.state.rules.variant == "blackout" else choice % 6 // 5)


def played(table: Table, *, leaving: bool = False) -> Table:
    """Play to the end, and compare every turn and every event with the rule sheet."""
    judge = JUDGES[table.state.rules.variant](table)
    while table.state.result is None:
        (seat,) = table.state.turn
        assert seat == (judge.next_bidder if table.state.phase is Phase.AUCTION else judge.turn)
        assert list(legal_moves(table.state, seat)) == judge.allowed(table, seat)
        for entry in moved(table, leaving=leaving):
            judge.sees(entry.event)
    return table


GAMES: dict[str, tuple[dict[str, Any], int]] = {
    **{f"S21 {n} players": ({"players": n, "win": (7, 11, 21)[n % 3]}, 3) for n in range(2, 8)},
    **{f"T41-T43 {n} players": ({"variant": "setback", "players": n}, 2) for n in (3, 4)},
    **{f"T28 low to its player, {n} players": ({"variant": "setback", "players": n, "low": 2}, 2) for n in (3, 4)},
    "R-T3 the dealer raises": ({"variant": "setback", "dealer": "ties_or_raises"}, 4),
    "R-T2 the dealer bids any": ({"variant": "setback", "stick": "any"}, 4),
    "B3 hook": ({"variant": "blackout"}, 6),
    "B4 no hook": ({"variant": "blackout", "hook": False, "inorder": True}, 6),
}
"""The options of each kind of game, and how many are played."""


@pytest.mark.parametrize(("options", "games"), GAMES.values(), ids=GAMES)
def test_whole_games_follow_the_rule_sheet(options: dict[str, Any], games: int) -> None:
    for seed in range(games):
        result = played(Table(seed=seed, **options)).state.result
        assert result
        assert result.reason == ("hands" if options.get("variant") == "blackout" else "goal")


@pytest.mark.parametrize(
    "options",
    [{"players": 4}, {"variant": "setback", "players": 3}, {"variant": "setback"}, {"variant": "blackout"}],
    ids=str,
)
def test_games_with_seats_that_leave_follow_the_rule_sheet(options: dict[str, Any]) -> None:
    ends = set()
    for seed in range(8):
        table = played(Table(seed=seed, **options), leaving=True)
        assert table.state.result
        ends.add((table.state.result.reason == "resignation", len(table.state.still_in) < len(table.state.seats)))
    assert ends >= {(True, True), (False, True)}


BLACKOUT = Table(variant="blackout", seed=1).plays_out().state
SETBACK = {players: Table(players, variant="setback", seed=1).plays_out().state for players in (3, 4)}
"""Finished games whose scores the tests replace."""


@FEW
@given(
    st.tuples(*[st.integers(88, 90)] * 4),
    st.tuples(*[st.integers(3, 5)] * 4),
    st.lists(st.integers(0, 3), unique=True, max_size=2),
)
def test_B24_B25_B26_R_B12_R_B14_the_seats_ahead_at_any_scores(scores: Four, exact: Four, gone: list[int]) -> None:
    still_in = tuple(seat for seat in range(4) if seat not in gone)
    state = replace(BLACKOUT, scores=scores, exact_hands=exact, still_in=still_in, coin=None, result=None)
    ahead = tuple(blackout.ahead(scores, exact, gone))
    assert (tied_leaders(state), is_coin_due(state)) == (ahead, len(ahead) > 1)
    assert verdict(state) == (None if len(ahead) > 1 else Verdict("hands", ahead))


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
    over, sides = SETBACK[players], setback.sides(players)
    pitcher, gone = pitcher % players, [seat for seat in left if seat < players]
    scores = [each[setback.side_of(seat, players)[0]] for seat in range(players)]
    if sum(bool(set(side) - set(gone)) for side in sides) < 2:
        return
    assert over.last_hand
    hand = replace(current_hand(over), pitcher=pitcher, sides=tuple(map(tuple, sides)))
    still_in = tuple(seat for seat in range(players) if seat not in gone)
    last = replace(over.last_hand, made=made)
    state = replace(over, scores=tuple(scores), hand=hand, last_hand=last, still_in=still_in, result=None)
    wanted = setback.winners(scores, setback.side_of(pitcher, players), made, gone)
    assert verdict(state) == (Verdict("goal", tuple(wanted)) if wanted else None)
