"""Pitch, Setback and Blackout compared with the second readings of their rules.

Whole games of random legal moves: at every turn the seat to move and its legal bids or cards, and the taker of each
trick, are those of tests/rulebooks; the audit finds nothing wrong with the deals, the auctions, the scores and the end.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.cards import Card
from domain.commands import Command, MakeBid, PlayCard, Resign
from domain.engine.legal_moves import legal_moves
from domain.events import AuctionWon, BidMade, BidPassed, CardPlayed, Event, HandDealt, TrickTaken, TrumpTurnedUp
from domain.rules.choices import Phase
from domain.state import Hand, current_hand
from domain.store.aggregate import Entry
from replay.audit import audit
from tests.games.setback_hands import call
from tests.games.tables import Table
from tests.replay.asking import history_of
from tests.rulebooks import rulebook

NO_TRUMP = "none"
"""Stands for the trump of hand 13 of Blackout."""


class Judge:
    """Follows a game of Pitch event by event and compares each event with the rule sheet."""

    def __init__(self, table: Table) -> None:
        assert table.state.opened
        self.options, self.players = table.state.opened.options, len(table.state.seats)
        self.said, self.eldest, self.turn, self.trump = list[int](), 0, 0, ""
        for event in table.events:
            self.sees(event)

    def sees(self, event: Event[Any]) -> None:
        match event.data:
            case HandDealt() as dealt:
                self.said, self.trump = [], ""
                self.eldest = self.turn = dealt.eldest
            case BidMade() | BidPassed() as spoken:
                assert spoken.seat == self.next_bidder
                self.said.append(getattr(spoken, "bid", 0))
            case AuctionWon() as won:
                self.turn = won.seat
            case CardPlayed(seat, card):
                assert seat == self.turn
                self.turn, self.trump = (seat + 1) % self.players, self.trump or rulebook.suit(card)
            case TrickTaken() as trick:
                assert trick.seat == rulebook.taker([(play.seat, play.card) for play in trick.plays], self.trump)
                self.turn = trick.seat

    @property
    def next_bidder(self) -> int:
        return (self.eldest + len(self.said)) % self.players

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
    """Legal cards and takers of tricks are word for word those of gamerz Pitch (T17-T23, S33-S37)."""

    def bids(self, _hand: Hand) -> Sequence[int]:
        """T5-T10, R-T2, R-T3."""
        high, is_dealer = max(self.said, default=0), len(self.said) == self.players - 1
        if is_dealer and high == 0:
            return [2] if self.options["stick"] == "least" else [2, 3, 4]
        if is_dealer and self.options["dealer"] == "ties":
            return [0, high]
        return [0, *(bid for bid in (2, 3, 4) if bid > high - is_dealer)]


class BlackoutJudge(Judge):
    def sees(self, event: Event[Any]) -> None:
        super().sees(event)
        match event.data:
            case HandDealt():
                self.trump = NO_TRUMP
            case TrumpTurnedUp() as turned:
                self.trump = turned.suit

    def bids(self, hand: Hand) -> Sequence[int]:
        """B6, B7, B14, R-B5; a hand has as many tricks as its number says."""
        forbidden = hand.number - sum(self.said) if self.options["hook"] and len(self.said) == 3 else None
        return [bid for bid in range(hand.number + 1) if bid != forbidden]

    def cards(self, held: Sequence[str], led: str | None) -> Sequence[str]:
        """B20, B21."""
        return [card for card in held if led and rulebook.suit(card) == rulebook.suit(led)] or held

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
    """Play to the end, and compare every turn and every event with the second readings."""
    judge = JUDGES[table.state.rules.variant](table)
    while table.state.result is None:
        (seat,) = table.state.turn
        assert seat == (judge.next_bidder if table.state.phase is Phase.AUCTION else judge.turn)
        assert list(legal_moves(table.state, seat)) == judge.allowed(table, seat)
        for entry in moved(table, leaving=leaving):
            judge.sees(entry.event)
    assert audit(history_of(table)).findings == []
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
