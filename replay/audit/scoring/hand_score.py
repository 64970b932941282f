"""The score of a hand added up: points from tricks, changes from points and bids, scores from changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain.events import HandScored, Peg, Seats
from domain.rules.choices import Credit, Double, Settle, Tally
from replay.audit.scoring.points import current_sides, game_counts, pegs_due
from replay.fold import HandRead, Position, memoize_on_position

EXACT_BID_BONUS = 10
"""What an exact bid brings besides the bid (B12)."""


@dataclass(frozen=True)
class HandTotal:
    """What a hand comes to."""

    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool | None
    changes: tuple[int, ...]


def check_hand_scored(position: Position, fact: HandScored) -> Iterator[str]:
    """Everything in a hand's score that follows from the cards and bids before it."""
    hand, due = position.live, hand_total(position, position.live)
    if fact.hand != hand.dealt.hand:
        yield f"it scores hand {fact.hand} where hand {hand.dealt.hand} ends"
    yield from check_row("bids", fact.bids, hand.bids)
    yield from check_row("tricks", fact.tricks, hand.tricks)
    yield from check_row("game counts", fact.counts, due.counts)
    yield from _pegs(fact.pegs, due.pegs)
    if fact.made != due.made:
        yield f"whether the bid was made is recorded as {fact.made}; the points say {due.made}"
    yield from check_row("changes", fact.changes, due.changes)
    after = tuple(old + change for old, change in zip(position.scores, fact.changes, strict=True))
    yield from check_row("scores", fact.scores, after)


def check_row(what: str, recorded: tuple[int | None, ...], due: tuple[int | None, ...]) -> Iterator[str]:
    """A row of numbers that is not the one that is due."""
    if recorded != due:
        yield f"its {what} are {list(recorded)} and should be {list(due)}"


def _pegs(recorded: Sequence[Peg], due: Sequence[Peg]) -> Iterator[str]:
    """Points that were not won so, points that were and are missing, and their order."""
    for peg in recorded:
        if peg not in due:
            yield f"{_told(peg)} is recorded, which the cards do not say"
    for peg in due:
        if peg not in recorded:
            yield f"{_told(peg)} is missing"
    if tuple(recorded) != tuple(due) and sorted(recorded, key=str) == sorted(due, key=str):
        yield f"its pegs stand as {', '.join(peg.point for peg in recorded)}, out of their order"


def _told(peg: Peg) -> str:
    card = f" for {peg.card}" if peg.card else ""
    return f"{peg.point} ({peg.worth}) to seat {peg.seat}{card}, {'' if peg.credited else 'not '}credited"


def score_changes(position: Position, hand: HandRead) -> tuple[int, ...]:
    """The changes a hand makes, by seat."""
    return hand_total(position, hand).changes


def hand_total(position: Position, hand: HandRead) -> HandTotal:
    """What the hand comes to under the rules in force at its end."""
    return _as_it_stands(position) if hand is position.hand else _summed(position, hand)


@memoize_on_position
def _as_it_stands(position: Position) -> HandTotal:
    return _summed(position, position.live)


def _summed(position: Position, hand: HandRead) -> HandTotal:
    if position.rules.tally is Tally.EXACT:
        rows = zip(hand.bids, hand.tricks, strict=True)
        return HandTotal((), (), None, tuple((bid or 0) + EXACT_BID_BONUS if bid == took else 0 for bid, took in rows))
    pegs, pitchers = pegs_due(position, hand), _pitchers(position, hand)
    made = sum(peg.worth for peg in pegs if peg.seat in pitchers) >= hand.bid if hand.won else None
    if position.rules.settle is Settle.WHOLE_HAND:
        return _whole(position, hand, pegs, made, pitchers)
    return _one_by_one(position, hand, pegs, made, pitchers)


def _pitchers(position: Position, hand: HandRead) -> Seats:
    won = hand.won
    return next((side for side in current_sides(position, hand) if won and won.seat in side), ())


def _one_by_one(
    position: Position, hand: HandRead, pegs: Sequence[Peg], made: bool | None, pitchers: Seats
) -> HandTotal:
    """Peg by peg until somebody still in has the goal; a set pitcher has paid and gets nothing (R-S13 to R-S15)."""
    counts = game_counts(hand)
    if made is False and position.rules.settle is Settle.POINTS_FIRST:
        first = _credited(position, hand, pegs, position.scores, ())
        if any(seat in position.still_in and _has_goal(position, first[1][seat]) for seat in pitchers):
            return HandTotal(first[0], counts, made, _less(first[1], position.scores))
    deaf = pitchers if made is False else ()
    before = tuple(old - _cost(position, hand) * (seat in deaf) for seat, old in enumerate(position.scores))
    credited, after = _credited(position, hand, pegs, before, deaf)
    return HandTotal(credited, counts, made, _less(after, position.scores))


def _has_goal(position: Position, score: int) -> bool:
    goal = position.rules.goal
    return goal is not None and score >= goal


def _less(after: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    return tuple(new - old for new, old in zip(after, before, strict=True))


def _credited(
    position: Position, hand: HandRead, pegs: Sequence[Peg], before: Sequence[int], deaf: Seats
) -> tuple[tuple[Peg, ...], list[int]]:
    scores, out = list(before), list[Peg]()
    side_of = {seat: side for side in current_sides(position, hand) for seat in side}
    for peg in pegs:
        stopped = any(_has_goal(position, scores[seat]) for seat in position.still_in)
        counts = not stopped and peg.seat not in deaf
        out.append(_paid(peg, counts))
        for seat in side_of[peg.seat] if counts else ():
            scores[seat] += peg.worth
    return tuple(out), scores


def _paid(peg: Peg, credited: bool) -> Peg:
    return Peg(peg.point, peg.worth, peg.seat, peg.card, credited)


def _whole(position: Position, hand: HandRead, pegs: Sequence[Peg], made: bool | None, pitchers: Seats) -> HandTotal:
    """Each side's points to its seats as the rules divide them; a set pitcher's side pays (T36 to T38, C21, C22)."""
    changes, credited = [0] * position.seats, set[int]()
    for side in current_sides(position, hand):
        how = position.rules.credit if side == pitchers or not pitchers else position.rules.defenders
        if side == pitchers and made is False:
            for seat in side:
                changes[seat] = -_cost(position, hand)
        elif how is not Credit.NONE:
            credited.update(side)
            for seat in side:
                changes[seat] = _share(hand, pegs, side, seat, how)
    paid = tuple([_paid(peg, peg.seat in credited) for peg in pegs])
    return HandTotal(paid, game_counts(hand), made, tuple(changes))


def _share(hand: HandRead, pegs: Sequence[Peg], side: Seats, seat: int, how: Credit) -> int:
    """What one seat gets of what its side won; of halves the pitcher, or the lowest seat, has the larger (R-C34)."""
    won = {each: sum(peg.worth for peg in pegs if peg.seat == each) for each in side}
    together = sum(won.values())
    if how is Credit.OWN:
        return won[seat]
    if how is not Credit.HALF:
        return together
    first = hand.won.seat if hand.won and hand.won.seat in side else min(side)
    each, over = divmod(together, len(side))
    return each + over if seat == first else each


def _cost(position: Position, hand: HandRead) -> int:
    """What each of a set side loses: the bid as it stands, or twice as much (S42, T38, R-C35, R-C37)."""
    double = {
        Double.WHEN_MADE: hand.won is not None and hand.won.max,
        Double.AT_END: hand.bid == position.rules.total,
    }.get(position.rules.double, False)
    return hand.bid * 2 if double else hand.bid
