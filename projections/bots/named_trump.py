"""The simple bot in games for points in which trump isn't pitched: it's named, turned up, or always the same."""

from collections.abc import Iterable, Iterator, Sequence

from domain.cards import JOKERS, RANK, SUITS, Card, Suit
from domain.engine.tricks import kept_plays
from domain.events import Play
from domain.rules.choices import Award
from domain.rules.model import Point
from projections.bots.bot_view import BotView, Move, Pick
from projections.bots.pitched_trump import card_count

STRONG_TRUMPS = 3
"""How many of the highest trumps count as likely to take a trick."""


def bid(view: BotView) -> Move:
    """Make the minimum bid if the cards are worth it with the trump, or with their best suit, else pass.

    No cards are worth the moon, which is more than all the points: the bot never bids it.
    """
    worth = max(_worth(view, suit) for suit in ([view.trump] if view.trump else SUITS))
    good = [move for move in view.bids if move["bid"] <= worth]
    return good[0] if good else view.legal[0]


def suit(view: BotView, pick: Pick) -> Move:
    """Name the suit with the highest estimate."""
    return max(view.legal, key=lambda move: _worth(view, move["suit"]))


def _worth(view: BotView, trump: Suit) -> float:
    return worth_as_trump(view.cards, view.trumps_in_order(trump), view.rules.total)


def worth_as_trump(cards: Iterable[Card], order: Sequence[Card], total: int) -> float:
    """Estimate the points that a side wins of `total`, from the number and the height of its trumps in `order`."""
    places = [len(order) - 1 - order.index(card) for card in cards if card in order]
    strength = sum([1.0 / (1 + 0.4 * place) for place in places])
    return total * min(1.0, 0.1 + 0.12 * strength + 0.04 * len(places))


def points(view: BotView, trump: Suit) -> dict[Card, float]:
    """Return the points on each card, plus a little for its game count if the game count wins a point."""
    worth = dict.fromkeys(view.rules.deck, 0.0)
    for point in view.rules.points:
        for card in _scoring(view, trump, point):
            if card in worth:
                worth[card] += point.worth
        if point.award is Award.COUNT:
            worth |= {card: worth[card] + card_count(view.rules, card) / 20 for card in worth}
    return worth


def _scoring(view: BotView, trump: Suit, point: Point) -> Iterator[Card]:
    """Yield the cards that score the point, or probably do."""
    order = view.trumps_in_order(trump)
    match point.award:
        case Award.CARD:
            yield point.card(trump)
        case Award.JOKERS | Award.FIRST_JOKER:
            yield from JOKERS
        case Award.HIGHEST:
            yield order[-1]
        case Award.LOWEST:
            yield next(card for card in order if RANK[card] != "X")


def discard(view: BotView, pick: Pick) -> Move:
    """Throw away all cards except trumps, and the lowest trumps if there are too many."""
    choice, trump = view.json["you"]["choose"], view.trump
    order = () if trump is None else view.trumps_in_order(trump)
    must = list(choice["must"])
    rest = sorted((card for card in choice["from"] if card not in must), key=lambda card: _value(view, card))
    useless = len(must) + sum(card not in order for card in rest)
    count = max(choice["min"], min(choice["max"], useless))
    return {"type": "discard", "cards": must + rest[: count - len(must)]}


def _value(view: BotView, card: Card) -> tuple[float, int]:
    """Return the cost of losing `card`: the points on it, then its rank among the trumps."""
    worth = 0.0 if view.trump is None else points(view, view.trump)[card]
    return worth, view.strengths[card]


def call(view: BotView, pick: Pick) -> Move:
    """Call the highest trump that the bot doesn't hold."""
    order = view.rules.deck if view.trump is None else (*view.rules.deck, *view.trumps_in_order(view.trump))
    return {"type": "call_partner", "card": next(card for card in reversed(order) if card not in view.cards)}


def card(view: BotView) -> Card:
    """Win points for the bot's side."""
    trump = view.trump
    worth = {} if trump is None else points(view, trump)
    cards = sorted(view.playable, key=lambda card: (_risk(view, worth, card), view.strengths[card]))
    return _follow(view, worth, cards) if view.plays else _lead(view, cards)


def _risk(view: BotView, worth: dict[Card, float], card: Card) -> float:
    """Return the points on `card` that another seat can take: none if the card stays with its player (C23)."""
    stays = kept_plays(view.rules, (Play(view.seat, card),), view.trump)
    return 0.0 if stays else worth[card]


def _is_strong(view: BotView, card: Card) -> bool:
    return view.trump is not None and card in view.trumps_in_order(view.trump)[-STRONG_TRUMPS:]


def _lead(view: BotView, cards: list[Card]) -> Card:
    """Lead the highest trump if it is likely to win, else the least valuable card."""
    best = max(cards, key=view.strengths.__getitem__)
    return best if _is_strong(view, best) else cards[0]


def _follow(view: BotView, worth: dict[Card, float], cards: list[Card]) -> Card:
    """Play points to a trick that the bot's side will win, a high card to a valuable trick, else the cheapest card.

    `cards` are sorted, the cheapest first.
    """
    takers = [card for card in cards if view.would_take(card)]
    rivals = [seat for seat in view.seats_to_come if seat not in view.partners]
    if view.winning_seat in view.partners and (not rivals or _is_strong(view, _best(view))):
        return _gift(view, worth, cards)
    stake = sum(_risk(view, worth, play.card) for play in view.plays)
    if takers and not rivals:
        paying = max(takers, key=lambda card: (worth[card], -view.strengths[card]))
        return paying if stake + worth[paying] > 0.5 else cards[0]
    high = max(takers, key=view.strengths.__getitem__, default=None)
    if high is not None and stake >= 1 and view.winning_seat not in view.partners:
        return high
    return cards[0]


def _best(view: BotView) -> Card:
    return next(play.card for play in view.plays if play.seat == view.winning_seat)


def _gift(view: BotView, worth: dict[Card, float], cards: list[Card]) -> Card:
    """Return the lowest card with the most points at risk; high trumps can win their own points."""

    def brings(card: Card) -> tuple[float, int]:
        return 0.0 if _is_strong(view, card) else _risk(view, worth, card), -view.strengths[card]

    return max(cards, key=brings)
