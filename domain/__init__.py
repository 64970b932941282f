"""The games: facts, commands, and the rules that judge them. Pure, except for the store."""

from domain.decide import decide
from domain.evolve import evolve

__all__ = ["decide", "evolve"]
