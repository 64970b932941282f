"""Games in which the highest bidder names trump and cards are points by name (Corellian Pitch)."""

from collections.abc import Iterator

from domain.cards import JOKERS, RANK, SUITS, Card, Suit
from domain.engine.points import GAME_COUNT
from domain.engine.tricks import kept_plays
from domain.events import Play
from domain.rules.choices import Award
from domain.rules.model import Point
from projections.bots.bot_view import BotView, Move, Pick

STRONG = 3
"""So many of the highest trumps are likely to take a trick."""


def bid(outlook: BotView) -> Move:
    """The least bid there is, as long as the cards are worth it with the best suit as trump."""
    worth = max(_worth(outlook, suit) for suit in SUITS)
    good = [move for move in outlook.bids if move["bid"] <= worth]
    return good[0] if good else outlook.legal[0]


def suit(outlook: BotView, pick: Pick) -> Move:
    """The suit worth most."""
    return max(outlook.legal, key=lambda move: _worth(outlook, move["suit"]))


def _worth(outlook: BotView, trump: Suit) -> float:
    """About how many points the own side wins with `trump`: a share that grows with trumps, and how high they are."""
    order = outlook.order(trump)
    places = [len(order) - 1 - order.index(card) for card in outlook.cards if card in order]
    strength = sum(1.0 / (1 + 0.4 * place) for place in places)
    return outlook.rules.total * min(1.0, 0.1 + 0.12 * strength + 0.04 * len(places))


def points(outlook: BotView, trump: Suit) -> dict[Card, float]:
    """What cards are worth by name, and a little for what they count where that brings a point."""
    worth = dict.fromkeys(outlook.rules.deck, 0.0)
    for point in outlook.rules.points:
        for card in _scoring(outlook, trump, point):
            worth[card] += point.worth
        if point.award is Award.COUNT:
            worth |= {card: worth[card] + GAME_COUNT.get(RANK[card], 0) / 20 for card in worth}
    return worth


def _scoring(outlook: BotView, trump: Suit, point: Point) -> Iterator[Card]:
    """The cards that will score the point, or most likely will."""
    order = outlook.order(trump)
    match point.award:
        case Award.CARD:
            yield point.card(trump)
        case Award.JOKERS | Award.FIRST_JOKER:
            yield from JOKERS
        case Award.HIGHEST:
            yield order[-1]
        case Award.LOWEST:
            yield order[0]


def discard(outlook: BotView, pick: Pick) -> Move:
    """Everything but trumps, and the lowest of those where too many are held."""
    choice, trump = outlook.view["you"]["choose"], outlook.trump
    order = () if trump is None else outlook.order(trump)
    must = list(choice["must"])
    rest = sorted((card for card in choice["from"] if card not in must), key=lambda card: _value(outlook, card))
    useless = len(must) + sum(card not in order for card in rest)
    count = max(choice["min"], min(choice["max"], useless))
    return {"type": "discard", "cards": must + rest[: count - len(must)]}


def _value(outlook: BotView, card: Card) -> tuple[float, int]:
    """What it costs to lose `card`: the points on it, then its place among the trumps."""
    worth = 0.0 if outlook.trump is None else points(outlook, outlook.trump)[card]
    return worth, outlook.places[card]


def call(outlook: BotView, pick: Pick) -> Move:
    """The highest trump it lacks."""
    order = outlook.rules.deck if outlook.trump is None else (*outlook.rules.deck, *outlook.order(outlook.trump))
    return {"type": "call_partner", "card": next(card for card in reversed(order) if card not in outlook.cards)}


def card(outlook: BotView) -> Card:
    """Brings home points, the own and the partner's."""
    trump = outlook.trump
    worth = {} if trump is None else points(outlook, trump)
    cards = sorted(outlook.playable, key=lambda card: (_risk(outlook, worth, card), outlook.places[card]))
    return _follow(outlook, worth, cards) if outlook.plays else _lead(outlook, cards)


def _risk(outlook: BotView, worth: dict[Card, float], card: Card) -> float:
    """The points on `card` that somebody else can take: none on what stays with who plays it (C23)."""
    stays = kept_plays(outlook.rules, (Play(outlook.seat, card),), outlook.trump)
    return 0.0 if stays else worth[card]


def _strong(outlook: BotView, card: Card) -> bool:
    return outlook.trump is not None and card in outlook.order(outlook.trump)[-STRONG:]


def _lead(outlook: BotView, cards: list[Card]) -> Card:
    """The highest trump if it is likely to win; else what it can best do without."""
    best = max(cards, key=outlook.places.__getitem__)
    return best if _strong(outlook, best) else cards[0]


def _follow(outlook: BotView, worth: dict[Card, float], cards: list[Card]) -> Card:
    """Points to a trick that is safe with the own side, a high card to a trick that pays; else the least.

    `cards` are sorted, the least costly first.
    """
    takers = [card for card in cards if outlook.takes(card)]
    rivals = [seat for seat in outlook.to_come if seat not in outlook.partners]
    if outlook.winning in outlook.partners and (not rivals or _strong(outlook, _best(outlook))):
        return _gift(outlook, worth, cards)
    stake = sum(_risk(outlook, worth, play.card) for play in outlook.plays)
    if takers and not rivals:
        paying = max(takers, key=lambda card: (worth[card], -outlook.places[card]))
        return paying if stake + worth[paying] > 0.5 else cards[0]
    high = max(takers, key=outlook.places.__getitem__, default=None)
    if high is not None and stake >= 1 and outlook.winning not in outlook.partners:
        return high
    return cards[0]


def _best(outlook: BotView) -> Card:
    return next(play.card for play in outlook.plays if play.seat == outlook.winning)


def _gift(outlook: BotView, worth: dict[Card, float], cards: list[Card]) -> Card:
    """The most points that are at risk elsewhere, on the lowest card that has them; high trumps can take their own."""

    def brings(card: Card) -> tuple[float, int]:
        return 0.0 if _strong(outlook, card) else _risk(outlook, worth, card), -outlook.places[card]

    return max(cards, key=brings)
