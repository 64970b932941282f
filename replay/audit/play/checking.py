"""The checks of the audit, by fact. The line above a check says which facts it is for, and what it needs of them.

@checks(TurnReminded, given=time_of)
def check_turn_reminded(position, fact, at): ...
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

from domain.events import Event
from domain.events.declaring import add_to
from replay.fold import Position
from replay.fold.declaring import Role, facts_of
from replay.fold.position import RESULTS

MOVE_FACTS = facts_of(Role.MOVE)
TABLE_TALK_FACTS = facts_of(Role.TALK)
CHANGE_FACTS = facts_of(Role.CHANGE)
BEFORE_DEAL_FACTS = facts_of(Role.CUT, Role.BEACON)
PARTY_FACTS = facts_of(Role.PARTY)
RULING_FACTS = facts_of(Role.RULING)
DISPUTE_FACTS = PARTY_FACTS | RULING_FACTS
"""Facts that may come whenever the table waits, and after the end of the game."""
SECRET_FACTS = frozenset({"SeedKept", "CardsDealt", "StockLaid", "CardsBuried", "CardsTaken"})
"""Facts that may be withheld until their ceremony is revealed."""
SERVER = "server"
"""The author of facts that no player, host or arbiter caused."""


Check = Callable[[Position, Event[Any], Any], Iterator[str]]
"""It gets the position before the event, the event, and the ledger of the deals (`replay.audit.deals.deal_ledger`)."""
T = TypeVar("T")
Given = Callable[[Position, Event[Any], Any], Any]
FactCheck = TypeVar("FactCheck", bound=Callable[..., Iterator[str]])

CHECKS: dict[type[Any], Check] = {}


def checks(*kinds: type[Any], given: Given | None = None) -> Callable[[FactCheck], FactCheck]:
    """Enter the decorated check of the position before a fact, the fact, and what `given` returns, if it's given."""

    def enter(check: FactCheck) -> FactCheck:
        if given is None:
            add_to(CHECKS, *kinds)(lambda position, event, _: check(position, event.data))
        else:
            add_to(CHECKS, *kinds)(
                lambda position, event, deals: check(position, event.data, given(position, event, deals))
            )
        return check

    return enter


def time_of(_: Position, event: Event[Any], deals: Any) -> str:
    return event.at


def author_of(_: Position, event: Event[Any], deals: Any) -> str:
    return event.by


def game_of(_: Position, event: Event[Any], deals: Any) -> str:
    return event.game


def key_of_ceremony(_: Position, event: Event[Any], deals: Any) -> bytes | None:
    """Return the key of the fact's ceremony, or None if its seed isn't known."""
    key: bytes | None = deals.key_of(event.data.n)
    return key


def deal_key(position: Position, _: Event[Any], deals: Any) -> bytes | None:
    """Return the key of the deal in play, or None if its seed isn't known."""
    key: bytes | None = deals.key(position)
    return key


def recomputed_deal(position: Position, _: Event[Any], deals: Any) -> Any:
    """Return the deal in play as its seed deals it, or None if the seed isn't known."""
    return deals.recomputed(position.hand.dealt.n if position.hand else None)


def memoize_on_position(compute: Callable[[Position], T]) -> Callable[[Position], T]:
    """Compute a function of a position once for each position, and store the result with the position."""

    @wraps(compute)
    def memoized(position: Position) -> T:
        stored = position.__dict__
        results: dict[object, Any] = stored[RESULTS] if RESULTS in stored else stored.setdefault(RESULTS, {})
        if compute not in results:
            results[compute] = compute(position)
        result: T = results[compute]
        return result

    return memoized
