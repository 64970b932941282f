"""What the server's own players do, from what their seat sees and nothing else."""

from collections.abc import Callable, Mapping
from typing import Any

from projections.bots import random_bot as chance
from projections.bots import simple_bot as simple
from projections.bots.bot_view import BotView, Move, NothingToDo, Pick, expected_move_type

__all__ = ["STRATEGIES", "Move", "NothingToDo", "Pick", "choose"]

STRATEGIES: dict[str, Mapping[str, Callable[[BotView, Pick], Move]]] = {
    "random": chance.ANSWERS,
    "simple": simple.ANSWERS,
}
"""The strategies a table may seat, by name: what each answers to what it may be asked for."""


def choose(strategy: str, view: Mapping[str, Any], pick: Pick) -> Move:
    """A move of the turn, else the card or discard the view asks for, else a vote it hears.

    NothingToDo where the view asks the seat for nothing, KeyError for an unknown strategy. Chance comes from `pick`.
    """
    return STRATEGIES[strategy][expected_move_type(view)](BotView(view), pick)
