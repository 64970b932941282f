"""Checks of the score of a hand: points from tricks, changes from points and bids, scores from changes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain.events import HandScored, Peg, Seats
from domain.rules.choices import Credit, Double, Miss, Moon, Settle, Tally
from domain.rules.model import Rules
from replay.audit.play.auction import is_moon
from replay.audit.play.checking import checks, memoize_on_position
from replay.audit.scoring.points import current_sides, game_counts, pegs_due
from replay.fold import HandRead, Position

EXACT_BID_BONUS = 10
"""The points for an exact bid, added to the bid (B12)."""


@dataclass(frozen=True)
class HandTotal:
    """The recomputed score of a hand: pegs, game counts, whether the bid was made, and changes by seat."""

    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool | None
    changes: tuple[int, ...]


@checks(HandScored)
def check_hand_scored(position: Position, fact: HandScored) -> Iterator[str]:
    """Check everything in a hand's score against the cards and bids before it."""
    hand, due = position.live, hand_total(position, position.live)
    if fact.hand != hand.dealt.hand:
        yield f"hand {fact.hand} is scored, but hand {hand.dealt.hand} ends"
    yield from check_row("bids", fact.bids, hand.bids)
    yield from check_row("tricks", fact.tricks, hand.tricks)
    yield from check_row("game counts", fact.counts, due.counts)
    yield from _check_pegs(fact.pegs, due.pegs)
    if fact.made != due.made:
        yield f"the bid is recorded as {_made_text(fact.made)}, but the points say {_made_text(due.made)}"
    yield from check_row("changes", fact.changes, due.changes)
    after = tuple(old + change for old, change in zip(position.scores, fact.changes, strict=True))
    yield from check_row("scores", fact.scores, after)


def check_row(name: str, recorded: tuple[int | None, ...], due: tuple[int | None, ...]) -> Iterator[str]:
    """Check that a row of numbers, such as the scores, is the one that is due."""
    if recorded != due:
        yield f"the {name} are {list(recorded)}, but should be {list(due)}"


def _made_text(made: bool | None) -> str:
    return {True: "made", False: "not made", None: "no bid"}[made]


def _check_pegs(recorded: Sequence[Peg], due: Sequence[Peg]) -> Iterator[str]:
    """Yield findings about pegs that weren't won, won pegs that are missing, and their order."""
    for peg in recorded:
        if peg not in due:
            yield f"{_peg_text(peg)} is recorded, but does not follow from the cards"
    for peg in due:
        if peg not in recorded:
            yield f"{_peg_text(peg)} is missing"
    if tuple(recorded) != tuple(due) and sorted(recorded, key=str) == sorted(due, key=str):
        yield f"the pegs are in the order {', '.join(peg.point for peg in recorded)}, which is not pegging order"


def _peg_text(peg: Peg) -> str:
    card = f" for {peg.card}" if peg.card else ""
    return f"{peg.point} ({peg.worth}) to seat {peg.seat}{card}, {'' if peg.credited else 'not '}credited"


def score_changes(position: Position, hand: HandRead) -> tuple[int, ...]:
    """Return the score changes that a hand makes, by seat."""
    return hand_total(position, hand).changes


def hand_total(position: Position, hand: HandRead) -> HandTotal:
    """Return the score of a hand under the rules in force at its end."""
    return _live_total(position) if hand is position.hand else _compute_total(position, hand)


@memoize_on_position
def _live_total(position: Position) -> HandTotal:
    return _compute_total(position, position.live)


def _compute_total(position: Position, hand: HandRead) -> HandTotal:
    if position.rules.tally is Tally.EXACT:
        rows = zip(hand.bids, hand.tricks, strict=True)
        return HandTotal((), (), None, tuple(_exact_score(position.rules, bid, tricks) for bid, tricks in rows))
    pegs, pitchers = pegs_due(position, hand), _pitchers(position, hand)
    made = sum(peg.worth for peg in pegs if peg.seat in pitchers) >= _needed(position, hand) if hand.won else None
    if position.rules.tally is Tally.DIFFERENCE:
        return _difference_total(position, hand, pegs, made, pitchers)
    if made and is_moon(position.rules, hand.bid):
        return _moon_total(position, hand, pegs, pitchers)
    if position.rules.settle is Settle.WHOLE_HAND:
        return _whole_hand_total(position, hand, pegs, made, pitchers)
    return _peg_by_peg_total(position, hand, pegs, made, pitchers)


def _exact_score(rules: Rules, bid: int | None, tricks: int) -> int:
    """Return what a seat scores for its bid and its tricks; nothing if it has passed."""
    if bid is None:
        return 0
    if bid == tricks:
        return bid + EXACT_BID_BONUS
    missed = {
        Miss.NOTHING: 0,
        Miss.TRICKS: tricks,
        Miss.BID: -bid,
        Miss.BID_AND_TEN: -bid - 10,
        Miss.TEN_EACH: -bid - 10 * abs(bid - tricks),
    }
    return missed[rules.miss]


def _needed(position: Position, hand: HandRead) -> int:
    """Return the points that the pitcher's side must win: the bid, or for the moon all of them."""
    return position.rules.total if is_moon(position.rules, hand.bid) else hand.bid


def _moon_total(position: Position, hand: HandRead, pegs: Sequence[Peg], pitchers: Seats) -> HandTotal:
    """Score a moon that was made: twice the points, or a score of 0 or more to the goal, and one below 0 to 0.

    No peg is credited to the pitcher's side.
    """
    rules, changes = position.rules, [0] * position.seats
    for seat in pitchers:
        score = position.scores[seat]
        rise = -score if score < 0 else max(0, (rules.goal or 0) - score)
        changes[seat] = 2 * rules.total if rules.auction.moon is Moon.DOUBLE else rise
    return HandTotal(tuple(pegs), game_counts(rules, hand), True, tuple(changes))


def _difference_total(
    position: Position, hand: HandRead, pegs: Sequence[Peg], made: bool | None, pitchers: Seats
) -> HandTotal:
    """Score the difference to the side with more points; after a set bid, the others' points and the bid to them."""
    own = sum(peg.worth for peg in pegs if peg.seat in pitchers)
    others = sum(peg.worth for peg in pegs) - own
    ours, theirs = (max(0, own - others), max(0, others - own)) if made else (0, others + hand.bid)
    changes = tuple(ours if seat in pitchers else theirs for seat in range(position.seats))
    results = tuple([_with_credit(peg, bool(made) or peg.seat not in pitchers) for peg in pegs])
    return HandTotal(results, game_counts(position.rules, hand), made, changes)


def _pitchers(position: Position, hand: HandRead) -> Seats:
    won = hand.won
    return next((side for side in current_sides(position, hand) if won and won.seat in side), ())


def _peg_by_peg_total(
    position: Position, hand: HandRead, pegs: Sequence[Peg], made: bool | None, pitchers: Seats
) -> HandTotal:
    """Credit pegs in order until a seat still in has the goal; a set pitcher pays and gets none (R-S13 to R-S15)."""
    counts = game_counts(position.rules, hand)
    points_first = position.rules.settle is Settle.POINTS_FIRST and not is_moon(position.rules, hand.bid)
    if made is False and points_first:
        credited, after = _credit_pegs(position, hand, pegs, position.scores, ())
        if any(seat in position.still_in and _has_goal(position, after[seat]) for seat in pitchers):
            return HandTotal(credited, counts, made, _differences(after, position.scores))
    set_seats = pitchers if made is False else ()
    before = tuple(old - _set_cost(position, hand) * (seat in set_seats) for seat, old in enumerate(position.scores))
    credited, after = _credit_pegs(position, hand, pegs, before, set_seats)
    return HandTotal(credited, counts, made, _differences(after, position.scores))


def _has_goal(position: Position, score: int) -> bool:
    goal = position.rules.goal
    return goal is not None and score >= goal


def _differences(after: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    return tuple(new - old for new, old in zip(after, before, strict=True))


def _credit_pegs(
    position: Position, hand: HandRead, pegs: Sequence[Peg], before: Sequence[int], set_seats: Seats
) -> tuple[tuple[Peg, ...], list[int]]:
    """Return the pegs, credited or not, and the scores after them; `set_seats` get no credit."""
    scores, results = list(before), list[Peg]()
    side_of = {seat: side for side in current_sides(position, hand) for seat in side}
    for peg in pegs:
        stopped = any(_has_goal(position, scores[seat]) for seat in position.still_in)
        credited = not stopped and peg.seat not in set_seats
        results.append(_with_credit(peg, credited))
        for seat in side_of[peg.seat] if credited else ():
            scores[seat] += peg.worth
    return tuple(results), scores


def _with_credit(peg: Peg, credited: bool) -> Peg:
    return Peg(peg.point, peg.worth, peg.seat, peg.card, credited)


def _whole_hand_total(
    position: Position, hand: HandRead, pegs: Sequence[Peg], made: bool | None, pitchers: Seats
) -> HandTotal:
    """Divide each side's points among its seats by the rules; a set pitcher's side pays (T36 to T38, C21, C22)."""
    changes, credited = [0] * position.seats, set[int]()
    for side in current_sides(position, hand):
        credit = position.rules.credit if side == pitchers or not pitchers else position.rules.defenders
        if side == pitchers and made is False:
            for seat in side:
                changes[seat] = -_set_cost(position, hand)
        elif credit is not Credit.NONE:
            credited.update(side)
            for seat in side:
                changes[seat] = _share(hand, pegs, side, seat, credit)
    results = tuple([_with_credit(peg, peg.seat in credited) for peg in pegs])
    return HandTotal(results, game_counts(position.rules, hand), made, tuple(changes))


def _share(hand: HandRead, pegs: Sequence[Peg], side: Seats, seat: int, credit: Credit) -> int:
    """Return a seat's share of its side's points; the pitcher or the lowest seat gets the larger half (R-C34)."""
    points = {each: sum(peg.worth for peg in pegs if peg.seat == each) for each in side}
    total = sum(points.values())
    if credit is Credit.OWN:
        return points[seat]
    if credit is not Credit.HALF:
        return total
    first = hand.won.seat if hand.won and hand.won.seat in side else min(side)
    share, remainder = divmod(total, len(side))
    return share + remainder if seat == first else share


def _set_cost(position: Position, hand: HandRead) -> int:
    """Return the points that each seat of a set side loses: the bid, or twice the bid (S42, T38, R-C35, R-C37).

    A moon that failed costs all the points, or twice as many.
    """
    if is_moon(position.rules, hand.bid):
        return position.rules.total * (2 if position.rules.auction.moon is Moon.DOUBLE else 1)
    double = {
        Double.WHEN_MADE: hand.won is not None and hand.won.max,
        Double.AT_END: hand.bid == position.rules.total,
    }.get(position.rules.double, False)
    return hand.bid * 2 if double else hand.bid
