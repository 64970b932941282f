"""What a seat's view says to who has to move: the rules it shows, the cards in sight, how they stand in the trick."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from domain.cards import RANK, Card, Suit
from domain.engine.rule_menu import with_version
from domain.engine.tricks import taker, trumps
from domain.events import Play
from domain.rules.choices import Partners
from domain.rules.model import Rules
from domain.rules.variants import variant
from domain.rules.variants.corellian_versions import VERSIONS

Pick = Callable[[int], int]
"""A whole number below the one given: where all chance comes from."""
Move = dict[str, Any]
"""A move as it is posted (docs/views.md)."""


class NothingToDo(LookupError):
    """Nothing is asked of this seat now."""


def expected_move_type(view: Mapping[str, Any]) -> str:
    """The type of move the seat should make, a pass counted as a bid; NothingToDo where there is none."""
    you = view["you"]
    if you["legal"]:
        kind: str = you["legal"][-1]["type"]
        return "bid" if kind == "pass" else kind
    if you["choose"]:
        return str(you["choose"]["type"])
    if "vote" in you["may"]:
        return "vote"
    raise NothingToDo("nothing is asked of this seat")


def rules_from_view(view: Mapping[str, Any]) -> Rules:
    """The variant's rules with what the view shows of those in force; what it does not show is as usual."""
    shown = view["rules"]
    if "points" not in shown:
        return _with_low(view["variant"], dirty=shown.get("dirty"))
    return _changed(view["variant"], shown["points"], shown["dirty"], shown["reverse"], shown["partners"])


@lru_cache(maxsize=64)
def _with_low(name: str, dirty: bool | None) -> Rules:
    rules = variant(name).rules
    return rules if dirty is None else replace(rules, dirty=dirty)


@lru_cache(maxsize=1024)
def _changed(name: str, points: str, dirty: bool, reverse: bool, partners: str) -> Rules:
    rules = with_version(variant(name).rules, VERSIONS[points])
    return replace(rules, dirty=dirty, reverse=reverse, partners=Partners(partners))


@dataclass(frozen=True)
class BotView:
    """A seat's view, read."""

    view: Mapping[str, Any]

    @cached_property
    def rules(self) -> Rules:
        """The rules as far as the view shows them."""
        return rules_from_view(self.view)

    @property
    def seat(self) -> int:
        """The own seat."""
        return int(self.view["you"]["seat"])

    @property
    def legal(self) -> Sequence[Move]:
        """The moves of the turn."""
        moves: Sequence[Move] = self.view["you"]["legal"]
        return moves

    @property
    def bids(self) -> list[Move]:
        """Those of them that are bids, the lowest first."""
        return [move for move in self.legal if move["type"] == "bid"]

    @property
    def cards(self) -> list[Card]:
        """The own cards; none where they are hidden from their owner."""
        return list(self.view["you"]["cards"] or ())

    @property
    def playable(self) -> list[Card]:
        """The cards that may be played now."""
        return [move["card"] for move in self.legal]

    @property
    def hand(self) -> Mapping[str, Any]:
        """What the table shows of the hand."""
        shown: Mapping[str, Any] = self.view["hand"]
        return shown

    @property
    def trump(self) -> Suit | None:
        """Trump, where there is one."""
        suit: Suit | None = self.hand["trump"]
        return suit

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The cards on the table."""
        trick = self.hand["trick"]
        return tuple(Play(each["seat"], each["card"]) for each in trick["plays"]) if trick else ()

    @cached_property
    def partners(self) -> frozenset[int]:
        """Who else is on the own side."""
        side: Sequence[int] = next((side for side in self.view["sides"] if self.seat in side), ())
        return frozenset(side) - {self.seat}

    @cached_property
    def to_come(self) -> tuple[int, ...]:
        """The seats that may still play to the trick after this one, in order."""
        seats = self.view["seats"]
        leader = self.hand["trick"]["leader"]
        left = (leader - self.seat - 1) % len(seats)
        order = [(self.seat + turn) % len(seats) for turn in range(1, left + 1)]
        return tuple(seat for seat in order if seats[seat]["count"])

    @property
    def first_joker(self) -> Card | None:
        """The joker played first in the hand, once there is one."""
        joker: Card | None = self.hand.get("first_joker")
        return joker

    def order(self, trump: Suit) -> tuple[Card, ...]:
        """Every trump if `trump` were the suit, the lowest first."""
        return trumps(self.rules, trump, self.first_joker)

    @cached_property
    def places(self) -> dict[Card, int]:
        """How high each card stands, trumps from 100 up; without a trump suit by rank alone."""
        ranks = self.rules.ranks[::-1] if self.rules.reverse else self.rules.ranks
        place = {card: ranks.index(rank) for card, rank in RANK.items() if rank in ranks}
        high = {} if self.trump is None else {card: 100 + at for at, card in enumerate(self.order(self.trump))}
        return place | high

    @cached_property
    def winning(self) -> int | None:
        """The seat whose card takes the trick as it lies."""
        return taker(self.rules, self.plays, self.trump, self.first_joker) if self.plays else None

    def takes(self, card: Card) -> bool:
        """Whether `card` would take the trick as it lies."""
        plays = (*self.plays, Play(self.seat, card))
        return taker(self.rules, plays, self.trump, self.first_joker) == self.seat
