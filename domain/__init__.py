"""The games: facts, commands, and the rules that judge them. Pure, but for the store and its recorders."""

from domain.decide import decide
from domain.evolve import evolve

__all__ = ["decide", "evolve"]
