"""Scoring a hand: who won which point, whether the pitcher was set, and what is credited in pegging order."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from domain.cards import RANK, SUIT, Card, Suit
from domain.events import Peg
from domain.rules import Award, Ending, Point, Rules, Settle

GAME_COUNT = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card counts towards the point for game (S29)."""


@dataclass(frozen=True)
class Played:
    """A hand when its last trick is gathered. `taken[seat]` are the cards and `tricks[seat]` the tricks it took."""

    trump: Suit
    pitcher: int
    bid: int
    sides: tuple[tuple[int, ...], ...]
    taken: tuple[tuple[Card, ...], ...]
    tricks: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """What comes of a hand: pegs in order, whether the bid was made, and changes and new scores per seat."""

    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool
    changes: tuple[int, ...]
    scores: tuple[int, ...]


def game_counts(taken: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """Each seat's own game count (S29, S41)."""
    return tuple(sum(GAME_COUNT.get(RANK[card], 0) for card in cards) for cards in taken)


def _extreme(rules: Rules, hand: Played, choose: Callable[..., Card]) -> tuple[int, Card]:
    trumps = {card: seat for seat, cards in enumerate(hand.taken) for card in cards if SUIT[card] == hand.trump}
    card = choose(trumps, key=lambda trump: rules.ranks.index(RANK[trump]))
    return trumps[card], card


def _one_card(hand: Played, point: Point) -> tuple[int | None, Card]:
    wanted = Card(f"{point.rank}{hand.trump}")
    return next((seat for seat, cards in enumerate(hand.taken) if wanted in cards), None), wanted


def _most(hand: Played) -> int | None:
    """The lowest seat of the side with the strictly highest count; a tie is nobody's (S30, R-S17)."""
    counts = game_counts(hand.taken)
    by_side = [sum(counts[seat] for seat in side) for side in hand.sides]
    best = max(by_side)
    return min(hand.sides[by_side.index(best)]) if by_side.count(best) == 1 else None


def _sweeper(hand: Played, point: Point, won: dict[str, int], among: Iterable[int]) -> int | None:
    """Who of `among` took every trick and each point the sweep needs (S27)."""
    for seat in among:
        if hand.tricks[seat] == sum(hand.tricks) and all(won.get(name) == seat for name in point.needs):
            return seat
    return None


def _swept_as_bid(rules: Rules, hand: Played, point: Point, won: dict[str, int]) -> int | None:
    return _sweeper(hand, point, won, (hand.pitcher,)) if hand.bid == rules.auction.highest else None


def _winner(rules: Rules, hand: Played, point: Point, won: dict[str, int]) -> tuple[int | None, Card | None]:
    match point.award:
        case Award.HIGHEST:  # S23, R-S10
            return _extreme(rules, hand, max)
        case Award.LOWEST:  # S24, R-S10
            return _extreme(rules, hand, min)
        case Award.CARD:  # S25, S31
            return _one_card(hand, point)
        case Award.COUNT:  # S26
            return _most(hand), None
        case Award.SWEEP:  # R-S12
            return _sweeper(hand, point, won, range(len(hand.taken))), None
        case Award.SWEEP_BID:
            return _swept_as_bid(rules, hand, point, won), None


def pegged(rules: Rules, hand: Played) -> tuple[Peg, ...]:
    """The points somebody won, in pegging order, none credited yet (S22, S39)."""
    won: dict[str, int] = {}
    pegs = []
    for point in rules.points:
        seat, card = _winner(rules, hand, point, won)
        if seat is not None:
            won[point.name] = seat
            pegs.append(Peg(point.name, point.worth, seat, card, credited=False))
    return tuple(pegs)


def _credit(
    rules: Rules, hand: Played, pegs: Sequence[Peg], scores: list[int], deaf: Collection[int], still_in: Collection[int]
) -> tuple[Peg, ...]:
    """Credit `pegs` one at a time into `scores`, none to the seats in `deaf`, until a seat still in has the goal."""
    side_of = {seat: side for side in hand.sides for seat in side}
    credited = []
    for peg in pegs:
        ended = any(scores[seat] >= rules.goal for seat in still_in)  # S44, S45, R-S14, R-S15
        counts = not ended and peg.seat not in deaf
        credited.append(replace(peg, credited=True) if counts else peg)
        for seat in side_of[peg.seat] if counts else ():
            scores[seat] += peg.worth
    return tuple(credited)


def scored(rules: Rules, hand: Played, scores: Sequence[int], still_in: Collection[int]) -> Result:
    """The hand's result on top of `scores`; `still_in` are the seats whose reaching the goal ends the game.

    A set pitcher's side gets none of its points and loses the bid, before anything is credited (S42, R-S13, R-S16);
    who made more than the bid keeps it all (S10, S43).
    """
    pegs = pegged(rules, hand)
    bidders = next(side for side in hand.sides if hand.pitcher in side)
    made = sum(peg.worth for peg in pegs if peg.seat in bidders) >= hand.bid
    after = list(scores)
    out: tuple[Peg, ...] | None = None
    if not made and rules.settle is Settle.POINTS_FIRST:
        out = _points_first(rules, hand, pegs, after, still_in)
    if out is None:
        for seat in () if made else bidders:
            after[seat] -= hand.bid
        out = _credit(rules, hand, pegs, after, () if made else bidders, still_in)
    changes = tuple(new - old for new, old in zip(after, scores, strict=True))
    return Result(out, game_counts(hand.taken), made, changes, tuple(after))


def _points_first(
    rules: Rules, hand: Played, pegs: Sequence[Peg], scores: list[int], still_in: Collection[int]
) -> tuple[Peg, ...] | None:
    """The credited pegs when the pitcher's points carry him over the goal before he is set, else None."""
    trial = list(scores)
    credited = _credit(rules, hand, pegs, trial, (), still_in)
    if hand.pitcher not in still_in or trial[hand.pitcher] < rules.goal:
        return None
    scores[:] = trial
    return credited


def winners(rules: Rules, scores: Sequence[int], still_in: Collection[int]) -> tuple[int, ...]:
    """The seats still in that have won; with FIRST_TO_GOAL one side at most, since crediting stops there (S21, S45)."""
    match rules.ending:
        case Ending.FIRST_TO_GOAL:
            return tuple(seat for seat in sorted(still_in) if scores[seat] >= rules.goal)
