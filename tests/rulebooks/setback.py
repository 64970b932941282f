"""A second implementation of the rules of Setback, written from the rule sheet alone; it shares no code with domain/.

Slow and simple on purpose: cards are texts like "10C", seats 0..n-1, 0 is a pass. `said` are the bids so far in the
order of bidding, the eldest's first and the dealer's last. What may be played and who takes a trick is word for word
as in gamerz Pitch (T17-T23, S33-S37), so `playable` and `taker` are those of tests/rulebooks/rulebook.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.rulebooks import rulebook
from tests.rulebooks.rulebook import WORTH, Peg, Trick, height, suit

GOAL = 11
BIDS = (2, 3, 4)
playable, taker = rulebook.playable_cards, rulebook.taker


def legal_bids(said: Sequence[int], seats: int, dealer: str = "ties", stick: str = "least") -> list[int]:
    """T5-T10, R-T2, R-T3; `dealer` "ties" or "ties_or_raises", `stick` "least" or "any"."""
    high = max(said, default=0)
    if len(said) < seats - 1:
        return [0, *(bid for bid in BIDS if bid > high)]
    if high == 0:
        return [2] if stick == "least" else [2, 3, 4]
    if dealer == "ties":
        return [0, high]
    return [0, *(bid for bid in BIDS if bid >= high)]


def pitcher(said: Sequence[int], eldest: int = 0) -> int:
    """T11: the highest bidder, and of two equal bids the later, which can only be the dealer's."""
    last = max(place for place, bid in enumerate(said) if bid == max(said))
    return (eldest + last) % len(said)


def is_forced(said: Sequence[int]) -> bool:
    """T10: the dealer had to bid because all others passed."""
    return not any(said[:-1])


def sides(seats: int) -> list[list[int]]:
    """T2, R-T14."""
    return [[0, 2], [1, 3]] if seats == 4 else [[seat] for seat in range(seats)]


def side_of(seat: int, seats: int) -> list[int]:
    """Return the seat and its partner, lowest first."""
    return next(side for side in sides(seats) if seat in side)


@dataclass(frozen=True)
class Judged:
    """A hand by the rule sheet; `counts` are each seat's own trick points, `winners` the seats, [] before the end."""

    pegs: list[Peg]
    counts: list[int]
    made: bool
    changes: list[int]
    scores: list[int]
    winners: list[int]


def points_won(
    tricks: Sequence[Trick], seats: int, low: int = 1
) -> tuple[list[tuple[str, int, str | None]], list[int]]:
    """[(point, seat, card)] in order (T26-T35, T39, R-T5 to R-T7), and each seat's trick points (T32)."""
    trump = suit(tricks[0][0][1])
    dealt, taken = dict[str, int](), dict[str, int]()
    for trick in tricks:
        for seat, card in trick:
            dealt[card], taken[card] = seat, taker(trick, trump)
    trumps = sorted((card for card in taken if suit(card) == trump), key=height)
    lowest = trumps[0]
    points: list[tuple[str, int, str | None]] = [("high", taken[trumps[-1]], trumps[-1])]
    points.append(("low", taken[lowest] if low == 1 else dealt[lowest], lowest))
    if "J" + trump in taken:
        points.append(("jack", taken["J" + trump], "J" + trump))
    counts = [sum(WORTH.get(card[:-1], 0) for card in taken if taken[card] == seat) for seat in range(seats)]
    pools = [(sum(counts[seat] for seat in side), side[0]) for side in sides(seats)]
    best = [first for pool, first in pools if pool == max(pools)[0]]
    if len(best) == 1:
        points.append(("game", best[0], None))
    return points, counts


def judge_hand(
    tricks: Sequence[Trick], bid: int, scores: Sequence[int], low: int = 1, gone: Sequence[int] = ()
) -> Judged:
    """T24-T43; the pitcher led the first trick, `scores` are those before the hand, the seats in `gone` have left."""
    seats = len(scores)
    own = side_of(tricks[0][0][0], seats)
    points, counts = points_won(tricks, seats, low)
    made = sum(seat in own for _, seat, _ in points) >= bid
    pegs = [(point, 1, seat, card, made or seat not in own) for point, seat, card in points]
    changes = [0] * seats
    for _, _, winner, _, credited in pegs:
        for seat in side_of(winner, seats):
            changes[seat] += credited
    if not made:
        for seat in own:
            changes[seat] -= bid
    after = [old + new for old, new in zip(scores, changes, strict=True)]
    return Judged(pegs, counts, made, changes, after, winners(after, own, made, gone))


def winners(scores: Sequence[int], own: Sequence[int], made: bool, gone: Sequence[int] = ()) -> list[int]:
    """T41-T43, R-T8, R-T9, after a hand; `own` is the pitcher's side. [] means another deal.

    A side without players can't win, and its score doesn't stop others from winning.
    """
    able = [side for side in sides(len(scores)) if set(side) - set(gone)]
    up = [side for side in able if scores[side[0]] >= GOAL]
    if made and list(own) in up:
        up = [list(own)]
    best = [side for side in up if scores[side[0]] == max(scores[each[0]] for each in up)]
    return [seat for seat in best[0] if seat not in gone] if len(best) == 1 else []
