"""The author and the audience of a fact, and the one `next` of a commit (docs/events.md)."""

from collections.abc import Sequence
from typing import Any

from domain.events import (
    CardPlayed,
    CardsBuried,
    CardsDealt,
    CardsTaken,
    Fact,
    GameEnded,
    HandScored,
    HandThrownIn,
    MisdealDeclared,
    Seats,
)
from domain.events.declaring import DECLARATIONS, Audience, Author
from domain.rules.choices import Sight
from domain.state import SERVER, Seat, State, current_hand
from domain.struct import replace


def fact_author(fact: Any, state: State, asker: str) -> str:
    """Return the id of the player that a fact is by, or "server"; `asker` is the player whose command caused it."""
    match DECLARATIONS[type(fact)].author:
        case Author.OPENER | Author.ARBITER | Author.BRINGER:
            return asker
        case Author.LENDER:
            lender: str = fact.to
            return lender
        case Author.PARTY:
            party: Seat = state.seats[fact.seat]
            return party.player
        case Author.SEAT if state.seats[fact.seat].state == "in" and not _is_automatic_play(fact, state):
            sitting: Seat = state.seats[fact.seat]
            return sitting.player
        case Author.CAUSE if fact.cause == "host":
            return asker
        case _:
            return SERVER


def _is_automatic_play(fact: Any, state: State) -> bool:
    if not isinstance(fact, CardPlayed) or state.hand is None:
        return False
    return state.rules.sight(state.hand.number) is Sight.OTHERS


def fact_audience(fact: Fact, state: State) -> Seats | None:
    """Return the seats that see a fact, None for everybody; each fact has one audience."""
    match DECLARATIONS[type(fact)].audience:
        case Audience.EVERYBODY:
            return None
        case Audience.SIGHT if isinstance(fact, CardsDealt | CardsBuried | CardsTaken):
            return _seats_in_sight(fact.seat, state)
        case _:
            return ()


def _seats_in_sight(seat: int, state: State) -> Seats:
    if state.rules.sight(current_hand(state).number) is Sight.OWN:
        return (seat,)
    return tuple(other for other in range(len(state.seats)) if other != seat)


TURN_ENDING_FACTS = (HandThrownIn, HandScored, MisdealDeclared, GameEnded)
"""Facts after which nobody moves in the hand that they end."""


def with_single_next(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts of a commit; `next` is empty if a later fact names it, or ends the hand or the game."""
    later, out = False, list[Any]()
    each: Any
    for each in reversed(facts):
        turns = getattr(each, "next", None)
        out.append(replace(each, next=()) if later and turns else each)
        later = later or turns is not None or isinstance(each, TURN_ENDING_FACTS)
    return tuple(reversed(out))
