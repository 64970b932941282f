"""The winner of each point of a hand: pegs in pegging order."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from domain.cards import JOKERS, RANK, Card, Rank
from domain.engine.sides import bidding_side, current_sides
from domain.engine.tricks import trumps
from domain.events import Peg, Seats
from domain.memo import memoize_by_identity
from domain.rules.choices import FIXED_PARTNERS, Award, Quirk, Worth
from domain.rules.model import Point, Rules
from domain.state import Hand

GAME_COUNT: dict[Rank, int] = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""The count of a card toward the point for game (S29, T32)."""
PEGGING = (
    *("high", "low", "jack", "game", "smudge", "off_jack", "joker", "ten", "three", "two"),
    *("ace", "off_ace", "off_two", "off_three", "off_ten", "five"),
)
"""The names of points in the pegging order of games with the quirk `pegging_list`."""
Winner = tuple[int, Card | None]
"""The seat that won a point, and the card that won it, if any."""


class PointContext(NamedTuple):
    """A hand after its last trick: the owner of each card, trumps from the lowest, and the point winners so far."""

    rules: Rules
    hand: Hand
    sides: tuple[Seats, ...]
    owner: dict[Card, int]
    order: tuple[Card, ...]
    won: dict[str, int]


def game_counts(taken: Sequence[Sequence[Card]], joker_count: int) -> tuple[int, ...]:
    """Return each seat's own game count (S29, S41)."""
    count = GAME_COUNT | {"X": joker_count}
    return tuple([sum([count.get(RANK[card], 0) for card in cards]) for cards in taken])


def _first_played(context: PointContext, order: Iterable[Card]) -> Card | None:
    """Return the first card of `order` that was played (R-S10, R-C57)."""
    return next((card for card in order if card in context.owner), None)


def _highest(context: PointContext, point: Point) -> list[Winner]:
    card = _first_played(context, reversed(context.order))
    return [] if card is None else [(context.owner[card], card)]


def _lowest(context: PointContext, point: Point) -> list[Winner]:
    order = context.order
    if Quirk.LOW_JOKER not in context.rules.quirks:
        order = tuple([card for card in order if card not in JOKERS])  # H6
    card = _first_played(context, order)
    return [] if card is None else [(_low_winner(context, card), card)]


def _low_winner(context: PointContext, card: Card) -> int:
    """Return who took the low card's trick, or who played it if low cards weren't carried (S24, T28, R-C56)."""
    for gathered in context.hand.gathered:
        for play in gathered.trick.plays:
            if play.card == card:
                return play.seat if gathered.clean else gathered.trick.seat
    return context.owner[card]


def _card(context: PointContext, point: Point) -> list[Winner]:
    suit = context.hand.trump
    named = () if suit is None else (point.card(suit),)
    return [(context.owner[card], card) for card in named if card in context.owner]


def _jokers(context: PointContext, point: Point) -> list[Winner]:
    return [(context.owner[card], card) for card in JOKERS if card in context.owner]


def _first_joker(context: PointContext, point: Point) -> list[Winner]:
    card = context.hand.first_joker
    return [] if card is None or card not in context.owner else [(context.owner[card], card)]


def _highest_count(context: PointContext, point: Point) -> list[Winner]:
    """The side with the strictly highest count wins; nobody wins a tie (S30, R-S17, T35, R-C58)."""
    counts, sides = game_counts(context.hand.taken, context.rules.joker_count), context.sides
    by_side = [sum(counts[seat] for seat in side) for side in sides]
    best = max(by_side)
    return [(_pegging_seat(context, sides[by_side.index(best)]), None)] if by_side.count(best) == 1 else []


def _pegging_seat(context: PointContext, side: Seats) -> int:
    """Return the seat that pegs a side's joint point: a pitcher with a chosen partner (R-C58), else the lowest seat."""
    chosen = context.rules.partners not in FIXED_PARTNERS
    return context.hand.pitcher if chosen and context.hand.pitcher in side else min(side)


def _sweep(context: PointContext, point: Point) -> list[Winner]:
    """A seat wins that took every trick and each point that the sweep needs (S27)."""
    for seat, tricks in enumerate(context.hand.tricks):
        if tricks and tricks == sum(context.hand.tricks) and all(context.won.get(name) == seat for name in point.needs):
            return [(seat, None)]
    return []


def _sweep_bid(context: PointContext, point: Point) -> list[Winner]:
    return [winner for winner in _sweep(context, point) if context.hand.max and winner[0] == context.hand.pitcher]


def _last_trick(context: PointContext, point: Point) -> list[Winner]:
    trick = context.hand.last_trick
    return [] if trick is None else [(trick.seat, None)]


def _all_tricks(context: PointContext, point: Point) -> list[Winner]:
    """The pitcher wins if their side took every trick, and the bid was for all the points."""
    hand, pitcher = context.hand, context.hand.pitcher
    if pitcher is None or not hand.max or not hand.gathered:
        return []
    side = bidding_side(context.rules, hand)
    return [(pitcher, None)] if sum(hand.tricks[seat] for seat in side) == len(hand.gathered) else []


AWARDS: dict[Award, Callable[[PointContext, Point], list[Winner]]] = {
    Award.HIGHEST: _highest,  # S23, R-S10
    Award.LOWEST: _lowest,  # S24, R-S10
    Award.CARD: _card,  # S25, S31
    Award.JOKERS: _jokers,
    Award.FIRST_JOKER: _first_joker,
    Award.COUNT: _highest_count,  # S26
    Award.SWEEP: _sweep,  # R-S12
    Award.SWEEP_BID: _sweep_bid,
    Award.LAST_TRICK: _last_trick,
    Award.ALL_TRICKS: _all_tricks,
}
"""How the winners of a point are found, by its award."""
NAMED_CARD_AWARDS = (Award.CARD, Award.JOKERS, Award.FIRST_JOKER)
"""Awards for cards that score by name."""


def award_pegs(rules: Rules, hand: Hand) -> tuple[Peg, ...]:
    """Return the points that were won, in pegging order, none of them credited yet (S22, S39)."""
    owner = {card: seat for seat, cards in enumerate(hand.taken) for card in cards}
    order = () if hand.trump is None else trumps(rules, hand.trump, hand.first_joker)
    context = PointContext(rules, hand, current_sides(rules, hand), owner, order, {})
    if rules.worth is Worth.WHEN_TAKEN:
        return _pegs_by_trick_version(context)
    return tuple(peg for point in rules.points for peg in _pegs(context, point))


def _pegs(context: PointContext, point: Point) -> list[Peg]:
    winners = AWARDS[point.award](context, point)
    context.won.update((point.name, seat) for seat, _ in winners)
    return [Peg(point.name, point.worth, seat, card, credited=False) for seat, card in winners]


def _pegs_by_trick_version(context: PointContext) -> tuple[Peg, ...]:
    """Score each card by the version under which its trick was gathered (R-C20's other answer).

    The points in force peg first, then those of the other versions, in their order.
    """
    pegs = [
        peg for point in context.rules.points if point.award not in NAMED_CARD_AWARDS for peg in _pegs(context, point)
    ]
    for name in dict.fromkeys(gathered.version for gathered in context.hand.gathered):
        pegs += _pegs_in_version(context, name)
    order = PEGGING if Quirk.PEGGING_LIST in context.rules.quirks else _pegging_order(context.rules)
    return tuple(sorted(pegs, key=lambda peg: (order.index(peg.point), str(peg.card))))


@memoize_by_identity
def _pegging_order(rules: Rules) -> tuple[str, ...]:
    """Return the names of all points of these rules: those in force, then those of each version (H10)."""
    versions = (rules.points, *(version.points for version in rules.changes.versions))
    return tuple(dict.fromkeys(point.name for points in versions for point in points))


def _pegs_in_version(context: PointContext, name: str) -> list[Peg]:
    """Return the pegs for cards in tricks that were gathered under version `name`."""
    tricks = [gathered.trick for gathered in context.hand.gathered if gathered.version == name]
    cards = {play.card for trick in tricks for play in trick.plays}
    in_version = context._replace(owner={card: seat for card, seat in context.owner.items() if card in cards})
    return [
        peg
        for point in context.rules.points_of(name)
        if point.award in NAMED_CARD_AWARDS
        for peg in _pegs(in_version, point)
    ]
