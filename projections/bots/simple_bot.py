"""The simple bot: it looks at its cards and at the trick, and remembers nothing that its view doesn't show."""

from collections.abc import Callable, Mapping

from domain.rules.choices import Tally, Trump
from projections.bots import exact_tricks, named_trump, pitched_trump
from projections.bots.bot_view import BotView, Move, Pick

DELAY_LIMIT_MS = 30_000
"""The bot votes guilty if a turn lasted longer than this, twice what the rules allow."""


def bid(view: BotView, pick: Pick) -> Move:
    """Bid by tricks in a game of exact bids, else by points, with the suit that is trump or that the bot would make."""
    if view.rules.tally is Tally.EXACT:
        return exact_tricks.bid(view)
    return pitched_trump.bid(view) if view.rules.trump is Trump.PITCHED else named_trump.bid(view)


def play(view: BotView, pick: Pick) -> Move:
    """Play for the exact number of tricks, or for the points."""
    if view.rules.tally is Tally.EXACT:
        card = exact_tricks.card(view)
    else:
        card = pitched_trump.card(view) if view.rules.trump is Trump.PITCHED else named_trump.card(view)
    return {"type": "play", "card": card}


def vote(view: BotView, pick: Pick) -> Move:
    """Vote guilty if the turn has lasted twice as long as it may."""
    return {"type": "vote", "guilty": view.json["delay"]["waited_ms"] > DELAY_LIMIT_MS}


MOVES: Mapping[str, Callable[[BotView, Pick], Move]] = {
    "bid": bid,
    "play": play,
    "name_trump": named_trump.suit,
    "discard": named_trump.discard,
    "call_partner": named_trump.call,
    "vote": vote,
}
