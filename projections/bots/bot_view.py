"""A seat's view as a bot reads it: the rules, the visible cards, and their order in the trick."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from domain.cards import RANK, Card, Suit
from domain.engine.rule_menu import apply_change, current_choices
from domain.engine.tricks import taker, trumps
from domain.events import Play
from domain.rules.model import Rules

Pick = Callable[[int], int]
"""Returns a random whole number from 0 up to, but not including, its argument."""
Move = dict[str, Any]
"""A move as it is posted (docs/views.md)."""


class NothingToDo(LookupError):
    """The seat has nothing to do now."""


def expected_move_type(view: Mapping[str, Any]) -> str:
    """Return the type of move that the seat should make, `bid` for a pass; raise NothingToDo if there isn't one."""
    you = view["you"]
    if you["legal"]:
        kind: str = you["legal"][-1]["type"]
        return "bid" if kind == "pass" else kind
    if you["choose"]:
        return str(you["choose"]["type"])
    if "vote" in you["may"]:
        return "vote"
    raise NothingToDo("this seat has nothing to do now")


def rules_in_force(opened: Rules, view: Mapping[str, Any]) -> Rules:
    """Return the rules of an opening with the changes that a view shows."""
    shown, rules = view["rules"], opened
    if "points" not in shown:
        return rules
    on = {True: "on", False: "off"}
    settings = (
        f"points:{shown['points']}",
        f"dirty:{on[shown['dirty']]}",
        f"reverse:{on[shown['reverse']]}",
        f"partners:{shown['partners']}",
    )
    for setting in settings:
        if setting not in current_choices(rules):
            rules = apply_change(rules, setting)
    return rules


@dataclass(frozen=True)
class BotView:
    """A seat's view with names for the parts that bots use; `json` is the view itself.

    `rules` are the rules in force, which everybody sees whole in GameOpened and RulesChanged.
    """

    json: Mapping[str, Any]
    rules: Rules

    @property
    def seat(self) -> int:
        """The bot's own seat."""
        return int(self.json["you"]["seat"])

    @property
    def legal(self) -> Sequence[Move]:
        """The moves of the turn."""
        moves: Sequence[Move] = self.json["you"]["legal"]
        return moves

    @property
    def bids(self) -> list[Move]:
        """The legal bids, the lowest first."""
        return [move for move in self.legal if move["type"] == "bid"]

    @property
    def cards(self) -> list[Card]:
        """The bot's cards; empty if it can't see them itself."""
        return list(self.json["you"]["cards"] or ())

    @property
    def playable(self) -> list[Card]:
        """The cards that are legal to play."""
        return [move["card"] for move in self.legal]

    @property
    def hand(self) -> Mapping[str, Any]:
        """The part of the view about the hand."""
        shown: Mapping[str, Any] = self.json["hand"]
        return shown

    @property
    def trump(self) -> Suit | None:
        """The trump suit, if there is one yet."""
        suit: Suit | None = self.hand["trump"]
        return suit

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The cards on the table."""
        trick = self.hand["trick"]
        return tuple(Play(each["seat"], each["card"]) for each in trick["plays"]) if trick else ()

    @cached_property
    def partners(self) -> frozenset[int]:
        """The other seats on the bot's side."""
        side: Sequence[int] = next((side for side in self.json["sides"] if self.seat in side), ())
        return frozenset(side) - {self.seat}

    @cached_property
    def seats_to_come(self) -> tuple[int, ...]:
        """The seats that can still play to the trick after the bot, in order."""
        seats = self.json["seats"]
        leader = self.hand["trick"]["leader"]
        left = (leader - self.seat - 1) % len(seats)
        order = [(self.seat + turn) % len(seats) for turn in range(1, left + 1)]
        return tuple(seat for seat in order if seats[seat]["count"])

    @property
    def first_joker(self) -> Card | None:
        """The first joker played in the hand, if there is one yet."""
        joker: Card | None = self.hand.get("first_joker")
        return joker

    def trumps_in_order(self, trump: Suit) -> tuple[Card, ...]:
        """Return every trump if `trump` were the suit, the lowest first."""
        return trumps(self.rules, trump, self.first_joker)

    @cached_property
    def strengths(self) -> dict[Card, int]:
        """The strength of each card by rank, trumps from 100 up."""
        ranks = self.rules.ranks[::-1] if self.rules.reverse else self.rules.ranks
        place = {card: ranks.index(rank) for card, rank in RANK.items() if rank in ranks}
        trumps = () if self.trump is None else self.trumps_in_order(self.trump)
        high = {card: 100 + at for at, card in enumerate(trumps)}
        return place | high

    @cached_property
    def winning_seat(self) -> int | None:
        """The seat whose card takes the trick so far."""
        return taker(self.rules, self.plays, self.trump, self.first_joker) if self.plays else None

    def would_take(self, card: Card) -> bool:
        """Return whether `card` would take the trick so far."""
        plays = (*self.plays, Play(self.seat, card))
        return taker(self.rules, plays, self.trump, self.first_joker) == self.seat
