"""Keep one `next` in each commit: that of the last fact that can name the next turn (docs/events.md)."""

from collections.abc import Sequence
from typing import Any

from domain.events import Fact, GameEnded, HandScored, HandThrownIn, MisdealDeclared
from domain.struct import replace

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
