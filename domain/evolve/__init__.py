"""`evolve` folds events into the state of a game. It copies what the facts say and holds no rule of play.

The server folds every event with it, and a view folds the events that its viewer has seen.
"""

from domain.events import require_every_fact
from domain.evolve import dealing, disputes, play, table_talk  # noqa: F401  they fill HANDLERS
from domain.evolve.folding import HANDLERS, evolve

__all__ = ["evolve"]

require_every_fact(HANDLERS, __name__)
