"""The random bot: any legal move, but cautious bids, because with uniform bids games would never end."""

from collections.abc import Callable, Mapping

from domain.rules.choices import Tally
from projections.bots.bot_view import BotView, Move, Pick


def bid(view: BotView, pick: Pick) -> Move:
    """Pass three times in four if possible, else bid the minimum; for exact bids, bid about an even share of tricks."""
    bids, legal = view.bids, view.legal
    if view.rules.tally is Tally.EXACT:
        return _share(view, bids, pick)
    may_pass = len(bids) < len(legal)
    return legal[0] if not bids or (may_pass and pick(4)) else bids[0]


def _share(view: BotView, bids: list[Move], pick: Pick) -> Move:
    """Return the legal bid nearest to the tricks that this seat would get if each were drawn among the seats."""
    seats = view.json["seats"]
    tricks = sum(pick(len(seats)) == 0 for _ in range(seats[view.seat]["count"]))
    return min(bids, key=lambda move: abs(move["bid"] - tricks))


def any_legal_move(view: BotView, pick: Pick) -> Move:
    """Return any legal card or suit."""
    return view.legal[pick(len(view.legal))]


def discard(view: BotView, pick: Pick) -> Move:
    """Throw away random cards, as many as a random number allows."""
    choice = view.json["you"]["choose"]
    must = list(choice["must"])
    rest = [card for card in choice["from"] if card not in must]
    more = choice["min"] + pick(choice["max"] - choice["min"] + 1) - len(must)
    return {"type": "discard", "cards": must + [rest.pop(pick(len(rest))) for _ in range(more)]}


def call(view: BotView, pick: Pick) -> Move:
    """Call any card that the bot doesn't hold."""
    others = [card for card in view.rules.deck if card not in view.cards]
    return {"type": "call_partner", "card": others[pick(len(others))]}


def vote(view: BotView, pick: Pick) -> Move:
    """Vote guilty or not guilty at random."""
    return {"type": "vote", "guilty": pick(2) == 0}


MOVES: Mapping[str, Callable[[BotView, Pick], Move]] = {
    "bid": bid,
    "play": any_legal_move,
    "name_trump": any_legal_move,
    "discard": discard,
    "call_partner": call,
    "vote": vote,
}
