"""A player who leaves it to chance, as far as that makes a game: uniform bids would end none."""

from collections.abc import Callable, Mapping

from domain.rules.choices import Tally
from projections.bots.bot_view import BotView, Move, Pick


def bid(outlook: BotView, pick: Pick) -> Move:
    """Passes three times in four where it may, else bids the least; where tricks are promised, an even share or so."""
    bids, legal = outlook.bids, outlook.legal
    if outlook.rules.tally is Tally.EXACT:
        return _share(outlook, bids, pick)
    may_pass = len(bids) < len(legal)
    return legal[0] if not bids or (may_pass and pick(4)) else bids[0]


def _share(outlook: BotView, bids: list[Move], pick: Pick) -> Move:
    """As many tricks as a fair draw of each among the seats would bring, or the legal bid next to it."""
    seats = outlook.view["seats"]
    tricks = sum(pick(len(seats)) == 0 for _ in range(seats[outlook.seat]["count"]))
    return min(bids, key=lambda move: abs(move["bid"] - tricks))


def any_of_them(outlook: BotView, pick: Pick) -> Move:
    """Any legal card or suit."""
    return outlook.legal[pick(len(outlook.legal))]


def discard(outlook: BotView, pick: Pick) -> Move:
    """Any cards that may be thrown away, as many as any number allowed."""
    choice = outlook.view["you"]["choose"]
    must = list(choice["must"])
    rest = [card for card in choice["from"] if card not in must]
    more = choice["min"] + pick(choice["max"] - choice["min"] + 1) - len(must)
    return {"type": "discard", "cards": must + [rest.pop(pick(len(rest))) for _ in range(more)]}


def call(outlook: BotView, pick: Pick) -> Move:
    """Any card it does not hold."""
    others = [card for card in outlook.rules.deck if card not in outlook.cards]
    return {"type": "call_partner", "card": others[pick(len(others))]}


def vote(outlook: BotView, pick: Pick) -> Move:
    """Guilty or not."""
    return {"type": "vote", "guilty": pick(2) == 0}


ANSWERS: Mapping[str, Callable[[BotView, Pick], Move]] = {
    "bid": bid,
    "play": any_of_them,
    "name_trump": any_of_them,
    "discard": discard,
    "call_partner": call,
    "vote": vote,
}
