"""Bots: players that choose their moves from the view of their seat and the rules of the table.

A strategy gets a view, the rules, and a source of chance, and nothing else: no state, no store, no clock. The simple
bot looks at its cards and at the trick, and remembers nothing that its view doesn't show.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from domain.rules.choices import Tally, Trump
from domain.rules.model import Rules
from projections.bots import exact_tricks, named_trump, pitched_trump, random_bot
from projections.bots.bot_view import BotView, Move, NothingToDo, Pick, expected_move_type, rules_in_force

__all__ = [
    "BOTS",
    "STRATEGIES",
    "Move",
    "NothingToDo",
    "Pick",
    "bot_of",
    "choose",
    "rules_in_force",
    "strategy_of",
    "worlds_of",
]

DELAY_LIMIT_MS = 30_000
"""The simple bot votes guilty if a turn lasted longer than this, twice what the rules allow."""


def _bid(view: BotView, pick: Pick) -> Move:
    """Bid by tricks in a game of exact bids, else by points, with the suit that is trump or that the bot would make."""
    if view.rules.tally is Tally.EXACT:
        return exact_tricks.bid(view)
    return pitched_trump.bid(view) if view.rules.trump is Trump.PITCHED else named_trump.bid(view)


def _play(view: BotView, pick: Pick) -> Move:
    """Play for the exact number of tricks, or for the points."""
    if view.rules.tally is Tally.EXACT:
        card = exact_tricks.card(view)
    else:
        card = pitched_trump.card(view) if view.rules.trump is Trump.PITCHED else named_trump.card(view)
    return {"type": "play", "card": card}


def _vote(view: BotView, pick: Pick) -> Move:
    return {"type": "vote", "guilty": view.json["delay"]["waited_ms"] > DELAY_LIMIT_MS}


STRATEGIES: dict[str, Mapping[str, Callable[[BotView, Pick], Move]]] = {
    "random": random_bot.MOVES,
    "simple": {
        "bid": _bid,
        "play": _play,
        "name_trump": named_trump.suit,
        "discard": named_trump.discard,
        "call_partner": named_trump.call,
        "vote": _vote,
    },
}
"""For each strategy that a seat can name, a function for each type of move."""

_STRONG = re.compile("strong/1:([1-9][0-9]{0,4})")
WORLDS = 100
"""How many worlds the strong bot draws for a choice."""
BOTS = (*STRATEGIES, "strong")
"""The names of the bots that a seat can be given to."""


def strategy_of(bot: str) -> str:
    """Return the strategy that a game records for a bot: for the strong one, with its version and its worlds."""
    return f"strong/1:{WORLDS}" if bot == "strong" else bot


def bot_of(strategy: str) -> str:
    """Return the name of the bot with this strategy."""
    return strategy.partition("/")[0]


def worlds_of(strategy: str | None) -> int | None:
    """Return how many worlds this strategy draws for a choice, or None if it isn't one of the strong bot."""
    match = _STRONG.fullmatch(strategy or "")
    return None if match is None else int(match[1])


def choose(strategy: str, view: Mapping[str, Any], rules: Rules, pick: Pick) -> Move:
    """Return a legal move, or the card or discard to choose, or a vote.

    `rules` are those in force; `pick` is the source of chance.

    A strong bot only votes here; `projections.bots.strong` makes its moves. Raise NothingToDo if the seat has nothing
    to do, and KeyError for an unknown strategy.
    """
    kind = expected_move_type(view)
    if kind == "vote" and worlds_of(strategy) is not None:
        strategy = "simple"  # votes draw nothing
    return STRATEGIES[strategy][kind](BotView(view, rules), pick)
