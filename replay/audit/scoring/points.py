"""The winners of the points of a hand, recomputed from the tricks, in pegging order (S22 to S31, R-C56 to R-C59)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from domain.cards import JOKERS, RANK, Card
from domain.events import Peg, Seats
from domain.rules.choices import Award, Quirk, Worth
from domain.rules.model import Point, Rules
from replay.audit.play.auction import FIXED_SIDES
from replay.audit.play.trumps import jokers_of, scoring_card, trump_cards, trump_height
from replay.fold import HandRead, Position

GAME_COUNT_BY_RANK = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""The game count of a card that was taken, by rank; other ranks count 0 (S29, T32)."""
GAME_COUNT_BY_CARD = {card: GAME_COUNT_BY_RANK.get(rank, 0) for card, rank in RANK.items()}
PEGGING_ORDER = (
    *("high", "low", "jack", "game", "smudge", "off_jack", "joker", "ten", "three", "two"),
    *("ace", "off_ace", "off_two", "off_three", "off_ten", "five"),
)
"""The points of several versions in pegging order, for games with the quirk of one list (docs/events.md)."""
CARD_AWARDS = (Award.CARD, Award.JOKERS, Award.FIRST_JOKER)
"""The awards of points for certain cards."""


@dataclass(frozen=True)
class FinishedHand:
    """A hand that is over: the seat that has each card, trumps from the lowest, jokers in the order played."""

    rules: Rules
    hand: HandRead
    sides: Sequence[Seats]
    owners: Mapping[Card, int]
    trumps: tuple[Card, ...]
    jokers: Sequence[Card]


def game_counts(rules: Rules, hand: HandRead) -> tuple[int, ...]:
    """Return each seat's game count, from the cards it took."""
    by_card = _count_by_card(rules.joker_count)
    return tuple([sum([by_card[card] for card in pile]) for pile in hand.taken])


@cache
def _count_by_card(joker_count: int) -> dict[Card, int]:
    return GAME_COUNT_BY_CARD | dict.fromkeys(JOKERS, joker_count)


def current_sides(position: Position, hand: HandRead) -> Sequence[Seats]:
    return hand.sides or position.opening.sides


def pegs_due(position: Position, hand: HandRead) -> list[Peg]:
    """Return the points that were won, none of them credited yet."""
    rules, jokers = position.rules, jokers_of([play.card for play in hand.played])
    owners = {card: seat for seat, pile in enumerate(hand.taken) for card in pile}
    all_trumps = frozenset[Card]() if hand.trump is None else trump_cards(rules.off, hand.trump)
    taken = [card for card in owners if card in all_trumps]
    trumps = sorted(taken, key=lambda card: trump_height(rules, hand.trump, card, jokers))
    finished = FinishedHand(rules, hand, current_sides(position, hand), owners, tuple(trumps), jokers)
    pegs = list[Peg]()
    for point, cards in _points_and_cards(finished):
        winners = _winners(finished, point, cards, pegs)
        pegs += [Peg(point.name, point.worth, seat, card, False) for seat, card in winners]
    if rules.worth is Worth.AT_END:
        return pegs
    place = {name: at for at, name in enumerate(_pegging_order(rules))}
    return sorted(pegs, key=lambda peg: (place.get(peg.point, len(place)), peg.card or ""))


def _pegging_order(rules: Rules) -> list[str]:
    """Return the names of points in pegging order: those of the version in force, then those of the others."""
    if Quirk.PEGGING_LIST in rules.quirks:
        return list(PEGGING_ORDER)
    others = [point for version in rules.changes.versions for point in version.points]
    return list(dict.fromkeys(point.name for point in (*rules.points, *others)))


def _points_and_cards(finished: FinishedHand) -> Iterator[tuple[Point, Mapping[Card, int]]]:
    """Yield each point, and the owners of the cards that can win it: all cards, or those taken under its version."""
    if finished.rules.worth is Worth.AT_END:
        yield from ((point, finished.owners) for point in finished.rules.points)
        return
    yield from ((point, finished.owners) for point in finished.rules.points if point.award not in CARD_AWARDS)
    for trick in finished.hand.gathered:
        cards = {play.card: finished.owners[play.card] for play in trick.plays if play.card in finished.owners}
        yield from ((point, cards) for point in trick.rules.points if point.award in CARD_AWARDS)


def _winners(
    finished: FinishedHand, point: Point, cards: Mapping[Card, int], pegs: Sequence[Peg]
) -> Iterator[tuple[int, Card | None]]:
    award = point.award
    if award in CARD_AWARDS:
        yield from ((cards[card], card) for card in _named_cards(finished, point) if card in cards)
    elif award is Award.HIGHEST:
        yield from ((cards[card], card) for card in finished.trumps[-1:])
    elif award is Award.LOWEST:
        yield from ((_winner_of_low(finished, card), card) for card in _trumps_for_low(finished)[:1])
    elif award is Award.COUNT:
        yield from ((seat, None) for seat in _winner_of_game(finished))
    elif award is Award.LAST_TRICK:
        yield from ((seat, None) for seat in finished.hand.takers[-1:])
    elif award is Award.ALL_TRICKS:
        yield from ((seat, None) for seat in _winner_of_all_tricks(finished))
    else:
        yield from ((seat, None) for seat in _winner_of_sweep(finished, point, pegs))


def _trumps_for_low(finished: FinishedHand) -> Sequence[Card]:
    """Return the trumps that can be low, from the lowest: a joker only with the quirk."""
    if Quirk.LOW_JOKER in finished.rules.quirks:
        return finished.trumps
    return [card for card in finished.trumps if card not in JOKERS]


def _winner_of_all_tricks(finished: FinishedHand) -> Seats:
    """Return the pitcher if they bid all the points and their side took every trick."""
    won, takers = finished.hand.won, set(finished.hand.takers)
    if won is None or not won.max or not takers:
        return ()
    return tuple(won.seat for side in finished.sides if won.seat in side and takers <= set(side))


def _winner_of_low(finished: FinishedHand, card: Card) -> int:
    """Return the seat that took the low card, or at a clean table the seat that played it (T27, T28, R-C56)."""
    for trick in finished.hand.gathered:
        for play in trick.plays:
            if play.card == card:
                return trick.seat if trick.rules.dirty else play.seat
    return finished.owners[card]


def _named_cards(finished: FinishedHand, point: Point) -> Sequence[Card]:
    if point.award is CARD_AWARDS[0]:
        suit = finished.hand.trump
        return [] if suit is None else [scoring_card(point, suit)]
    return JOKERS if point.award is Award.JOKERS else finished.jokers[:1]


def _winner_of_game(finished: FinishedHand) -> Seats:
    """Return a seat of the one side with the highest count: its pitcher if the bid makes sides, or lowest (R-C58)."""
    counts = game_counts(finished.rules, finished.hand)
    by_side = {side: sum(counts[seat] for seat in side) for side in finished.sides}
    best = [side for side, count in by_side.items() if count == max(by_side.values())]
    if len(best) != 1:
        return ()
    sides_by_auction = finished.rules.partners not in FIXED_SIDES
    pitcher = finished.hand.won.seat if finished.hand.won and sides_by_auction else None
    return (pitcher,) if pitcher in best[0] and pitcher is not None else (min(best[0]),)


def _winner_of_sweep(finished: FinishedHand, point: Point, pegs: Sequence[Peg]) -> Seats:
    """Return the seat with every trick and needed point; for SWEEP_BID, a pitcher who bid the maximum (S27, R-S12)."""
    takers, winner_of = set(finished.hand.takers), {peg.point: peg.seat for peg in pegs}
    if len(takers) != 1 or any(winner_of.get(name) not in takers for name in point.needs):
        return ()
    pitcher = finished.hand.won
    if point.award is Award.SWEEP_BID and not (pitcher and pitcher.max and pitcher.seat in takers):
        return ()
    return tuple(takers)
