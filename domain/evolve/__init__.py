"""`evolve` folds events into the state of a game. It copies what the facts say and holds no rule of play.

The server folds every event with it, and a view folds the events that its viewer has seen.
"""

from typing import Any

from domain.events import Event, require_every_fact
from domain.evolve import dealing, disputes, play, table_talk  # noqa: F401  they fill HANDLERS
from domain.evolve.helpers import HANDLERS
from domain.state import State

__all__ = ["evolve"]

require_every_fact(HANDLERS, __name__)


def evolve(state: State, event: Event[Any]) -> State:
    """Return the state after `event`."""
    return HANDLERS[type(event.data)](state, event)
