"""Scoring a hand: who won which point, whether the pitcher was set, and what is credited in pegging order."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from domain.cards import RANK, SUIT, Card, Suit
from domain.events import Peg
from domain.rules import Award, Ending, Point, Rules, Settle

GAME_COUNT = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card counts towards the point for game (S29)."""


class Contract(NamedTuple):
    """What the pitcher has bid."""

    seat: int
    bid: int


@dataclass(frozen=True)
class Played:
    """A hand when its last trick is gathered. `taken[seat]` are the cards and `tricks[seat]` the tricks it took.

    `trump` and `contract` are None in a hand that has none.
    """

    trump: Suit | None
    contract: Contract | None
    sides: tuple[tuple[int, ...], ...]
    taken: tuple[tuple[Card, ...], ...]
    tricks: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """What comes of a hand: pegs in order, whether the bid was made, and changes and new scores per seat.

    `made` is None where there was no contract.
    """

    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool | None
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
    bidders = [] if hand.contract is None or hand.contract.bid < rules.auction.highest else [hand.contract.seat]
    return _sweeper(hand, point, won, bidders)


Winner = tuple[int | None, Card | None]
"""The seat that won a point, None for nobody, and the card it was won with."""

AWARDS: dict[Award, Callable[[Rules, Played, Point, dict[str, int]], Winner]] = {
    Award.HIGHEST: lambda rules, hand, _point, _won: _extreme(rules, hand, max),  # S23, R-S10
    Award.LOWEST: lambda rules, hand, _point, _won: _extreme(rules, hand, min),  # S24, R-S10
    Award.CARD: lambda _rules, hand, point, _won: _one_card(hand, point),  # S25, S31
    Award.COUNT: lambda _rules, hand, _point, _won: (_most(hand), None),  # S26
    Award.SWEEP: lambda _rules, hand, point, won: (_sweeper(hand, point, won, range(len(hand.taken))), None),  # R-S12
    Award.SWEEP_BID: lambda rules, hand, point, won: (_swept_as_bid(rules, hand, point, won), None),
}
"""Who wins a point, by its award; `won` are the seats of the points before it."""


def pegged(rules: Rules, hand: Played) -> tuple[Peg, ...]:
    """The points somebody won, in pegging order, none credited yet (S22, S39)."""
    won: dict[str, int] = {}
    pegs = []
    for point in rules.points:
        seat, card = AWARDS[point.award](rules, hand, point, won)
        if seat is not None:
            won[point.name] = seat
            pegs.append(Peg(point.name, point.worth, seat, card, credited=False))
    return tuple(pegs)


def _credit(
    rules: Rules,
    hand: Played,
    pegs: Sequence[Peg],
    before: Sequence[int],
    deaf: Collection[int],
    still_in: Collection[int],
) -> tuple[tuple[Peg, ...], list[int]]:
    """Credit `pegs` one at a time on top of `before`, none to the seats in `deaf`, until a seat still in has the goal.

    Answers the pegs and the scores after them.
    """
    side_of, scores = {seat: side for side in hand.sides for seat in side}, list(before)
    credited = []
    for peg in pegs:
        ended = any(scores[seat] >= rules.goal for seat in still_in)  # S44, S45, R-S14, R-S15
        counts = not ended and peg.seat not in deaf
        credited.append(replace(peg, credited=True) if counts else peg)
        for seat in side_of[peg.seat] if counts else ():
            scores[seat] += peg.worth
    return tuple(credited), scores


def scored(rules: Rules, hand: Played, scores: Sequence[int], still_in: Collection[int]) -> Result:
    """The hand's result on top of `scores`; `still_in` are the seats whose reaching the goal ends the game.

    A set pitcher's side gets none of its points and loses the bid, before anything is credited (S42, R-S13, R-S16);
    who made more than the bid keeps it all (S10, S43).
    """
    pegs, contract = pegged(rules, hand), hand.contract
    if contract is None:
        return _result(hand, scores, *_credit(rules, hand, pegs, scores, (), still_in), made=None)
    bidders = next(side for side in hand.sides if contract.seat in side)
    if sum(peg.worth for peg in pegs if peg.seat in bidders) >= contract.bid:
        return _result(hand, scores, *_credit(rules, hand, pegs, scores, (), still_in), made=True)
    if rules.settle is Settle.POINTS_FIRST:
        credited, after = _credit(rules, hand, pegs, scores, (), still_in)
        if contract.seat in still_in and after[contract.seat] >= rules.goal:
            return _result(hand, scores, credited, after, made=False)
    less = [score - contract.bid * (seat in bidders) for seat, score in enumerate(scores)]
    return _result(hand, scores, *_credit(rules, hand, pegs, less, bidders, still_in), made=False)


def _result(
    hand: Played, before: Sequence[int], pegs: tuple[Peg, ...], after: Sequence[int], *, made: bool | None
) -> Result:
    changes = tuple(new - old for new, old in zip(after, before, strict=True))
    return Result(pegs, game_counts(hand.taken), made, changes, tuple(after))


def _at_goal(rules: Rules, scores: Sequence[int], still_in: Collection[int]) -> tuple[int, ...]:
    return tuple(seat for seat in sorted(still_in) if scores[seat] >= rules.goal)


ENDINGS = {Ending.FIRST_TO_GOAL: _at_goal}
"""Who has won when a hand is scored, by how the game ends."""


def winners(rules: Rules, scores: Sequence[int], still_in: Collection[int]) -> tuple[int, ...]:
    """The seats still in that have won; with FIRST_TO_GOAL one side at most, since crediting stops there (S21, S45)."""
    return ENDINGS[rules.ending](rules, scores, still_in)
