"""Bots: players that choose their moves from the view of their seat alone.

A strategy gets a view and a source of chance, and nothing else: no state, no store, no clock.
"""

from collections.abc import Callable, Mapping
from typing import Any

from projections.bots import random_bot, simple_bot
from projections.bots.bot_view import BotView, Move, NothingToDo, Pick, expected_move_type

__all__ = ["STRATEGIES", "Move", "NothingToDo", "Pick", "choose"]

STRATEGIES: dict[str, Mapping[str, Callable[[BotView, Pick], Move]]] = {
    "random": random_bot.MOVES,
    "simple": simple_bot.MOVES,
}
"""For each strategy that a seat can name, a function for each type of move."""


def choose(strategy: str, view: Mapping[str, Any], pick: Pick) -> Move:
    """Return a legal move, or the card or discard to choose, or a vote; `pick` is the source of chance.

    Raise NothingToDo if the seat has nothing to do, and KeyError for an unknown strategy.
    """
    return STRATEGIES[strategy][expected_move_type(view)](BotView(view), pick)
