"""The strong bot: it deals the cards that it can't see at random, many times, and tries each move in all these worlds.

It reads a state folded from the facts that its seat saw, and nothing else. Its chance comes from the ceremony of the
hand, so that anybody can derive each of its choices again once the hand is revealed (docs/bots.md).
"""

from projections.bots.strong.analysis import DRAWS, KINDS, Analysis, OutOfTime, think
from projections.bots.strong.knowledge import Knowledge

__all__ = ["DRAWS", "KINDS", "Analysis", "Knowledge", "OutOfTime", "think"]
