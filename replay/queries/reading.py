"""Helpers for queries: the events of a history with the positions of the second fold, and its deals."""

from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from domain.events import CeremonyOpened, CeremonyVoided, Event, HandDealt
from projections.views.audience import revealed_ceremonies
from replay.fold import START, Position, apply_event, skip_withheld
from replay.history import History, NoSuchHand


class Transition(NamedTuple):
    """A shown event, and the positions before and after it."""

    before: Position
    event: Event[Any]
    after: Position


class Deal(NamedTuple):
    """A deal of a hand, its version, and whether its cards are public."""

    dealt: HandDealt
    version: int
    revealed: bool

    @property
    def name(self) -> str:
        """`hand 3`, or `hand 3 redeal 1`."""
        again = f" redeal {self.dealt.redeal}" if self.dealt.redeal else ""
        return f"hand {self.dealt.hand}{again}"


def transitions(history: History) -> Iterator[Transition]:
    """Yield each shown event with its positions. Raise MisplacedFact if an event can't follow the events before it."""
    position = START
    for line in history.lines:
        if line.event is None:
            position = skip_withheld(position, line.version)
            continue
        before, position = position, apply_event(position, line.event)
        yield Transition(before, line.event, position)


def deals(history: History, hand: int | None = None) -> list[Deal]:
    """Return the deals in order, or those of one hand. Raise NoSuchHand if it wasn't dealt."""
    shown = revealed_ceremonies(history.events)
    selected = [
        Deal(event.data, event.version, event.data.n in shown)
        for event in history.events
        if isinstance(event.data, HandDealt) and hand in (None, event.data.hand)
    ]
    if hand is not None and not selected:
        raise NoSuchHand(_waiting_deal(history, hand) or f"there is no hand {hand} in this history")
    return selected


def _waiting_deal(history: History, hand: int) -> str | None:
    """Return a message on a hand that waits for cuts, or None if no ceremony for the hand is open."""
    facts = [event.data for event in history.events]
    over = {fact.n for fact in facts if isinstance(fact, CeremonyVoided)}
    due = f"deal hand {hand} "
    for fact in facts:
        if isinstance(fact, CeremonyOpened) and fact.n not in over and f"{fact.subject} ".startswith(due):
            return f"{fact.subject} waits for cuts and is not dealt yet; its commitment is {fact.commit}"
    return None


def unrevealed_notes(selected: list[Deal]) -> tuple[str, ...]:
    """Return a note for each deal whose cards aren't public yet."""
    return tuple(f"{each.name} is not revealed yet" for each in selected if not each.revealed)


def player_names(history: History, position: Position) -> dict[int, str]:
    """Return the name of each seat, as the players sit at `position`."""
    names = history.header.players
    return {seat: names.get(each.player, each.player) for seat, each in enumerate(position.players)}


def is_in_shown_deal(hand: int | None, shown: Container[int], transition: Transition) -> bool:
    """Return whether an event is in a shown deal of hand `hand`, or of any hand if it's None."""
    dealt = transition.before.hand.dealt if transition.before.hand else None
    return dealt is not None and dealt.n in shown and hand in (None, dealt.hand)
