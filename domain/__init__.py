"""The games: facts, commands, and the rules that judge them.

Pure, except for the store: no clock, no randomness, no network. Knows nothing of HTTP, accounts or views.
"""

from domain.decide import decide
from domain.evolve import evolve

__all__ = ["decide", "evolve"]
