"""Who won which point of a hand, worked out anew from the tricks, in pegging order (S22 to S31, R-C56 to R-C59)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from domain.cards import JOKERS, RANK, Card
from domain.events import Peg, Seats
from domain.rules.choices import Award, Partners, Worth
from domain.rules.model import Point, Rules
from replay.audit.play.trumps import is_trump, jokers_of, scoring_card, trump_height
from replay.fold import HandRead, Position

GAME_COUNT_BY_RANK = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card won counts towards game (S29, T32)."""
GAME_COUNT_BY_CARD = {card: GAME_COUNT_BY_RANK.get(rank, 0) for card, rank in RANK.items()}
PEGGING_ORDER = (
    *("high", "low", "jack", "game", "smudge", "off_jack", "joker", "ten", "three", "two"),
    *("ace", "off_ace", "off_two", "off_three", "off_ten", "five"),
)
"""The points in pegging order (docs/events.md)."""
CARD_AWARDS = (Award.CARD, Award.JOKERS, Award.FIRST_JOKER)


@dataclass(frozen=True)
class FinishedHand:
    """A hand that is over: where each card played lies, its trumps from the lowest, its jokers as they fell."""

    rules: Rules
    hand: HandRead
    sides: Sequence[Seats]
    lies: Mapping[Card, int]
    trumps: tuple[Card, ...]
    jokers: Sequence[Card]


def game_counts(hand: HandRead) -> tuple[int, ...]:
    """Each seat's game count, from the cards it took."""
    return tuple([sum([GAME_COUNT_BY_CARD[card] for card in pile]) for pile in hand.taken])


def current_sides(position: Position, hand: HandRead) -> Sequence[Seats]:
    """The sides as they stand."""
    return hand.sides or position.opening.sides


def pegs_due(position: Position, hand: HandRead) -> list[Peg]:
    """The points somebody won, none credited."""
    rules, jokers = position.rules, jokers_of([play.card for play in hand.played])
    lies = {card: seat for seat, pile in enumerate(hand.taken) for card in pile}
    trumps = sorted(
        (card for card in lies if is_trump(rules, hand.trump, card)),
        key=lambda card: trump_height(rules, hand.trump, card, jokers),
    )
    won = FinishedHand(rules, hand, current_sides(position, hand), lies, tuple(trumps), jokers)
    pegs = list[Peg]()
    for point, cards in _scoring(won):
        pegs += [Peg(point.name, point.worth, seat, card, False) for seat, card in _winners(won, point, cards, pegs)]
    return sorted(pegs, key=lambda peg: (_place(peg.point), peg.card or ""))


def _place(point: str) -> int:
    return PEGGING_ORDER.index(point) if point in PEGGING_ORDER else len(PEGGING_ORDER)


def _scoring(won: FinishedHand) -> Iterator[tuple[Point, Mapping[Card, int]]]:
    """Each point, and where the cards lie that can win it: all, or those of tricks taken while its version held."""
    if won.rules.worth is Worth.AT_END:
        yield from ((point, won.lies) for point in won.rules.points)
        return
    yield from ((point, won.lies) for point in won.rules.points if point.award not in CARD_AWARDS)
    for trick in won.hand.gathered:
        cards = {play.card: won.lies[play.card] for play in trick.plays if play.card in won.lies}
        yield from ((point, cards) for point in trick.rules.points if point.award in CARD_AWARDS)


def _winners(
    won: FinishedHand, point: Point, cards: Mapping[Card, int], pegs: Sequence[Peg]
) -> Iterator[tuple[int, Card | None]]:
    match point.award:
        case Award.HIGHEST:
            yield from ((cards[card], card) for card in won.trumps[-1:])
        case Award.LOWEST:
            yield from ((_of_the_low(won, card), card) for card in won.trumps[:1])
        case Award.COUNT:
            yield from ((seat, None) for seat in _most(won))
        case Award.SWEEP | Award.SWEEP_BID:
            yield from ((seat, None) for seat in _sweeper(won, point, pegs))
        case _:
            yield from ((cards[card], card) for card in _named(won, point) if card in cards)


def _of_the_low(won: FinishedHand, card: Card) -> int:
    """Who played the low card where it was not carried, else who took its trick (T27, T28, R-C56)."""
    for trick in won.hand.gathered:
        for play in trick.plays:
            if play.card == card:
                return trick.seat if trick.rules.dirty else play.seat
    return won.lies[card]


def _named(won: FinishedHand, point: Point) -> Sequence[Card]:
    """The cards a point names."""
    if point.award is Award.JOKERS:
        return JOKERS
    if point.award is Award.FIRST_JOKER:
        return won.jokers[:1]
    suit = won.hand.trump
    return [] if suit is None else [scoring_card(point, suit)]


def _most(won: FinishedHand) -> Seats:
    """A seat of the side with the strictly highest count: a pitcher who chose his partner, else the lowest (R-C58)."""
    counts = game_counts(won.hand)
    by_side = {side: sum(counts[seat] for seat in side) for side in won.sides}
    best = [side for side, count in by_side.items() if count == max(by_side.values())]
    if len(best) != 1:
        return ()
    chosen = won.rules.partners not in (Partners.ALONE, Partners.PAIRS)
    pitcher = won.hand.won.seat if won.hand.won and chosen else None
    return (pitcher,) if pitcher in best[0] and pitcher is not None else (min(best[0]),)


def _sweeper(won: FinishedHand, point: Point, pegs: Sequence[Peg]) -> Seats:
    """Who took every trick and the points it needs; with SWEEP_BID a pitcher who bid all there was (S27, R-S12)."""
    takers, by = set(won.hand.takers), {peg.point: peg.seat for peg in pegs}
    if len(takers) != 1 or any(by.get(name) not in takers for name in point.needs):
        return ()
    pitcher = won.hand.won
    if point.award is Award.SWEEP_BID and not (pitcher and pitcher.max and pitcher.seat in takers):
        return ()
    return tuple(takers)
