"""The declaration of a fact for the second reading: what comes of it, and how it comes about.

    @reads(Role.MOVE, BidMade, BidPassed)
    def read_call(position, fact): ...

Nothing of it follows from the declaration in domain/events: the audit compares what both say.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from domain.events.declaring import add_to
from replay.fold.position import Change, Position

Reader = Callable[[Position, Any], Change]


class Role(Enum):
    """How a fact comes about."""

    MOVE = auto()
    """a move that a seat makes in turn"""
    TALK = auto()
    """a proposal, an answer, a resignation, a delay call or a vote, which a seat can make out of turn"""
    CUT = auto()
    """a cut that a seat opens before a deal"""
    BEACON = auto()
    """a round of a beacon, which a player or the server brings before a deal"""
    CLAIM = auto()
    """the claim of another seat's time"""
    RETURN = auto()
    """the return of a seat to a player who lent it"""
    CHANGE = auto()
    """a change of the rules by the host, the randomizer, or an earlier change that waited"""
    DEADLINE = auto()
    """a deadline brings it about for a seat"""
    PARTY = auto()
    """a seat's part in a dispute"""
    RULING = auto()
    """an arbiter's part in a dispute"""
    CARDS = auto()
    """the cards that a seat throws, draws or takes, after its move"""
    TABLE = auto()
    """the table's own: it follows another fact, or a duty of the table"""


READERS: dict[type[Any], Reader] = {}
ROLES: dict[str, Role] = {}


def reads(role: Role, *kinds: type[Any]) -> Callable[[Reader], Reader]:
    """Declare facts of one role. The decorated function returns the fields of a position that such a fact changes."""
    ROLES.update({kind.__name__: role for kind in kinds})
    return add_to(READERS, *kinds)


def facts_of(*roles: Role) -> frozenset[str]:
    """Return the names of all facts of these roles."""
    return frozenset(name for name, role in ROLES.items() if role in roles)
