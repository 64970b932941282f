"""A player that looks at its cards and at the trick, and keeps no count: what it knows is in the view."""

from collections.abc import Callable, Mapping

from domain.rules.choices import Tally, Trump
from projections.bots import exact_tricks as exact
from projections.bots import named_trump as named
from projections.bots import pitched_trump as pitched
from projections.bots.bot_view import BotView, Move, Pick

PATIENCE_MS = 30_000
"""How long a turn may last before it votes guilty: twice what the rules allow."""


def bid(outlook: BotView, pick: Pick) -> Move:
    """By tricks where they are promised, else by points: of the suit it would name, or the one it would pitch."""
    if outlook.rules.tally is Tally.EXACT:
        return exact.bid(outlook)
    return named.bid(outlook) if outlook.rules.trump is Trump.NAMED else pitched.bid(outlook)


def play(outlook: BotView, pick: Pick) -> Move:
    """To take as many tricks as promised, or the points."""
    if outlook.rules.tally is Tally.EXACT:
        card = exact.card(outlook)
    else:
        card = named.card(outlook) if outlook.rules.trump is Trump.NAMED else pitched.card(outlook)
    return {"type": "play", "card": card}


def vote(outlook: BotView, pick: Pick) -> Move:
    """Guilty when the turn has lasted twice as long as it may."""
    return {"type": "vote", "guilty": outlook.view["delay"]["waited_ms"] > PATIENCE_MS}


ANSWERS: Mapping[str, Callable[[BotView, Pick], Move]] = {
    "bid": bid,
    "play": play,
    "name_trump": named.suit,
    "discard": named.discard,
    "call_partner": named.call,
    "vote": vote,
}
