"""Scoring a hand: whether the pitcher was set, and which seats are credited."""

from collections.abc import Callable, Sequence

from domain.engine.auction import is_moon
from domain.engine.points import award_pegs, game_counts
from domain.engine.sides import bidding_side, current_sides
from domain.events import HandScored, Peg, Seats
from domain.rules.choices import Credit, Double, Miss, Moon, Settle, Tally
from domain.rules.model import Rules
from domain.state import Hand, State, current_hand
from domain.struct import Value, replace

EXACT_BONUS = 10
"""The points for an exact bid in addition to the bid (B12)."""


class HandResult(Value, frozen=True):
    """The result of a hand: pegs in order, game counts, whether the bid was made, and the scores after it.

    `made` is None if there was no contract.
    """

    pegs: tuple[Peg, ...]
    counts: tuple[int, ...]
    made: bool | None
    scores: tuple[int, ...]


def score_hand(state: State) -> HandScored:
    """Return the score of the current hand, whose last trick has been taken (S38, T24)."""
    hand = current_hand(state)
    result = TALLIES[state.rules.tally](state.rules, hand, state.scores, state.still_in)
    return HandScored(
        hand=hand.number,
        pegs=result.pegs,
        counts=result.counts,
        made=result.made,
        changes=tuple([new - old for new, old in zip(result.scores, state.scores, strict=True)]),
        scores=result.scores,
        tricks=hand.tricks,
        bids=hand.bids,
    )


def _score_exact_bids(rules: Rules, hand: Hand, scores: Sequence[int], still_in: Seats) -> HandResult:
    """Score the bid and ten more for an exact bid, and `miss` for any other (B12, B13, R-B13)."""
    bids = zip(scores, hand.bids, hand.tricks, strict=True)
    after = [old if bid is None else old + _exact_score(rules.miss, bid, took) for old, bid, took in bids]
    return HandResult((), (), None, tuple(after))


def _exact_score(miss: Miss, bid: int, took: int) -> int:
    """Return the score of a seat that bid `bid` and took `took` tricks."""
    if bid == took:
        return bid + EXACT_BONUS
    missed = {
        Miss.NOTHING: 0,
        Miss.TRICKS: took,
        Miss.BID: -bid,
        Miss.BID_AND_TEN: -bid - EXACT_BONUS,
        Miss.TEN_EACH: -bid - EXACT_BONUS * abs(bid - took),
    }
    return missed[miss]


def score_points(rules: Rules, hand: Hand, scores: Sequence[int], still_in: Seats) -> HandResult:
    """Score points to their winners; the game ends when a seat of `still_in` reaches the goal.

    A set pitcher's side scores none of its points and loses the bid (S42, R-S13, R-S16, T38, C22). A side that won
    more than the bid keeps it all (S10, S43).
    """
    pegs, bidders = award_pegs(rules, hand), bidding_side(rules, hand)
    made = _is_made(rules, hand, pegs, bidders)
    if is_moon(rules, hand):
        return _score_moon(rules, hand, pegs, scores, still_in, made=bool(made))
    if made is not False:
        return _result(rules, hand, made, *_credit(rules, hand, pegs, scores, (), still_in))
    if rules.settle is Settle.POINTS_FIRST:
        pegs_then, after = _credit(rules, hand, pegs, scores, (), still_in)
        if any(seat in still_in and rules.goal is not None and after[seat] >= rules.goal for seat in bidders):
            return _result(rules, hand, made, pegs_then, after)
    less = [old - _cost(rules, hand) * (seat in bidders) for seat, old in enumerate(scores)]
    return _result(rules, hand, made, *_credit(rules, hand, pegs, less, bidders, still_in))


def _is_made(rules: Rules, hand: Hand, pegs: tuple[Peg, ...], bidders: Seats) -> bool | None:
    """Return whether the pitcher's side has the points of its bid, for the moon all of them; None without a pitcher."""
    needed = rules.total if is_moon(rules, hand) else hand.bid
    return None if needed is None else _worth(pegs, bidders) >= needed


def _worth(pegs: tuple[Peg, ...], seats: Seats) -> int:
    return sum(peg.worth for peg in pegs if peg.seat in seats)


def _score_moon(
    rules: Rules, hand: Hand, pegs: tuple[Peg, ...], scores: Sequence[int], still_in: Seats, *, made: bool
) -> HandResult:
    """Score a moon (H8). Nobody's points win it, so its side is credited none; the others are if it fails."""
    bidders = bidding_side(rules, hand)
    if made:
        after = [_after_moon(rules, old) if seat in bidders else old for seat, old in enumerate(scores)]
        return _result(rules, hand, True, pegs, after)
    cost = rules.total if rules.auction.moon is Moon.GAME else 2 * rules.total
    less = [old - cost * (seat in bidders) for seat, old in enumerate(scores)]
    return _result(rules, hand, False, *_credit(rules, hand, pegs, less, bidders, still_in))


def _after_moon(rules: Rules, score: int) -> int:
    """Return the score of a seat whose side made a moon."""
    if rules.auction.moon is Moon.DOUBLE:
        return score + 2 * rules.total
    return 0 if score < 0 else max(score, rules.goal or 0)


def _score_difference(rules: Rules, hand: Hand, scores: Sequence[int], still_in: Seats) -> HandResult:
    """Score the difference to the side with more points; if the bid is set, the others their points and the bid (N9).

    A set pitcher's side loses nothing.
    """
    pegs, bidders = award_pegs(rules, hand), bidding_side(rules, hand)
    made = _is_made(rules, hand, pegs, bidders)
    others = tuple([seat for seat in range(len(scores)) if seat not in bidders])
    lead = _worth(pegs, bidders) - _worth(pegs, others)
    won = (max(lead, 0), max(-lead, 0)) if made else (0, _worth(pegs, others) + (hand.bid or 0))
    after = [old + won[seat not in bidders] for seat, old in enumerate(scores)]
    credited = tuple([replace(peg, credited=True) if made or peg.seat in others else peg for peg in pegs])
    return _result(rules, hand, made, credited, after)


def _result(rules: Rules, hand: Hand, made: bool | None, pegs: tuple[Peg, ...], after: Sequence[int]) -> HandResult:
    return HandResult(pegs, game_counts(hand.taken, rules.joker_count), made, tuple(after))


def _cost(rules: Rules, hand: Hand) -> int:
    """Return what each seat of a set pitcher's side loses: the bid, or twice the bid (S42, C33, R-C37)."""
    bid = hand.bid or 0
    doubled = {
        Double.NEVER: False,
        Double.WHEN_MADE: hand.max,
        Double.AT_END: bid == rules.total,
    }
    return 2 * bid if doubled[rules.double] else bid


_PegsAndScores = tuple[tuple[Peg, ...], list[int]]
"""The pegs, marked if credited, and the scores after them."""


def _credit(
    rules: Rules, hand: Hand, pegs: tuple[Peg, ...], before: Sequence[int], excluded: Seats, still_in: Seats
) -> _PegsAndScores:
    """Credit `pegs` to the scores in `before`, except to the seats in `excluded`."""
    if rules.settle is Settle.WHOLE_HAND:
        return _credit_whole_hand(rules, hand, pegs, before, excluded)
    return _credit_in_order(rules, hand, pegs, before, excluded, still_in)


def _credit_in_order(
    rules: Rules, hand: Hand, pegs: tuple[Peg, ...], before: Sequence[int], excluded: Seats, still_in: Seats
) -> _PegsAndScores:
    """Credit one peg at a time until a seat still in has the goal (S44, S45, R-S14, R-S15)."""
    side_of, scores = {seat: side for side in current_sides(rules, hand) for seat in side}, list(before)
    credited = []
    for peg in pegs:
        ended = rules.goal is not None and any(scores[seat] >= rules.goal for seat in still_in)
        counts = not ended and peg.seat not in excluded
        credited.append(replace(peg, credited=True) if counts else peg)
        for seat in side_of[peg.seat] if counts else ():
            scores[seat] += peg.worth
    return tuple(credited), scores


def _credit_whole_hand(
    rules: Rules, hand: Hand, pegs: tuple[Peg, ...], before: Sequence[int], excluded: Seats
) -> _PegsAndScores:
    """Credit each side's points to its seats as the rules divide them (T36, T37, C21, R-C34, R-C36)."""
    scores, paid = list(before), set[int]()
    for side in current_sides(rules, hand):
        how = rules.credit if hand.pitcher in side or hand.pitcher is None else rules.defenders
        if how is not Credit.NONE and not set(side) & set(excluded):
            paid.update(side)
            for seat in side:
                scores[seat] += _share(how, pegs, side, seat, hand.pitcher)
    return tuple(replace(peg, credited=True) if peg.seat in paid else peg for peg in pegs), scores


def _share(how: Credit, pegs: tuple[Peg, ...], side: Seats, seat: int, pitcher: int | None) -> int:
    """Return what `seat` gets of its side's points."""
    own = sum(peg.worth for peg in pegs if peg.seat == seat)
    everything = sum(peg.worth for peg in pegs if peg.seat in side)
    if how is not Credit.HALF:
        return own if how is Credit.OWN else everything
    first = pitcher if pitcher in side else side[0]
    return everything // len(side) + everything % len(side) * (seat == first)


TALLIES: dict[Tally, Callable[[Rules, Hand, Sequence[int], Seats], HandResult]] = {
    Tally.POINTS: score_points,
    Tally.EXACT: _score_exact_bids,
    Tally.DIFFERENCE: _score_difference,
}
"""How a hand is scored, by tally."""
