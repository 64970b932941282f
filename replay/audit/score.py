"""The score of a hand, and the end of a game, added up: pegs to changes, changes to scores, counts from cards won."""

from collections.abc import Iterator, Sequence

from domain.cards import RANK
from domain.events import AuctionWon, GameEnded, HandScored, Peg, Seats
from domain.rules import Award, Point
from replay.audit.order import at_goal, draw_granted, last_side
from replay.fold import HandRead, Position

WORTH = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
"""What a card won counts towards game (S29)."""


def scored(position: Position, fact: HandScored) -> Iterator[str]:
    """Everything in a hand's score that follows from the cards and bids before it."""
    hand, won = position.live, position.live.won
    sides = _sides(position, hand)
    if fact.hand != hand.dealt.hand:
        yield f"it scores hand {fact.hand} where hand {hand.dealt.hand} ends"
    yield from _recorded("bids", fact.bids, hand.bids)
    yield from _recorded("tricks", fact.tricks, hand.tricks)
    yield from _recorded("game counts", fact.counts, counted(hand))
    yield from _pegs(position, hand, sides, fact)
    if fact.made != (made := _made(won, fact.pegs)):
        yield f"whether the bid was made is recorded as {fact.made}; the pegs say {made}"
    yield from _recorded("changes", fact.changes, added_up(position, hand, fact))
    after = tuple(old + change for old, change in zip(position.scores, fact.changes, strict=True))
    yield from _recorded("scores", fact.scores, after)


def _recorded(what: str, recorded: tuple[int | None, ...], due: tuple[int | None, ...]) -> Iterator[str]:
    if recorded != due:
        yield f"its {what} are {list(recorded)} and should be {list(due)}"


def counted(hand: HandRead) -> tuple[int, ...]:
    """Each seat's game count, from the cards it took."""
    return tuple(sum(WORTH.get(RANK[card], 0) for card in pile) for pile in hand.taken)


def _sides(position: Position, hand: HandRead) -> Sequence[Seats]:
    return hand.won.sides if hand.won is not None else position.opening.sides


def added_up(position: Position, hand: HandRead, fact: HandScored) -> tuple[int, ...]:
    """The changes that the pegs of `fact` make in this hand."""
    return changes(hand.won, _sides(position, hand), fact)


def changes(won: AuctionWon | None, sides: Sequence[Seats], fact: HandScored) -> tuple[int, ...]:
    """What the credited pegs and a bid that was set change, by seat; a side's points are each partner's."""
    out = [0] * len(fact.scores)
    for side in sides:
        for seat in side:
            out[seat] = sum(peg.worth for peg in fact.pegs if peg.credited and peg.seat in side)
    if won is not None and fact.made is False:
        pitchers = _pitchers(won)
        rescued = any(peg.credited and peg.seat in pitchers for peg in fact.pegs)
        for seat in () if rescued else pitchers:
            out[seat] -= won.bid
    return tuple(out)


def _pitchers(won: AuctionWon) -> Seats:
    return next(side for side in won.sides if won.seat in side)


def _made(won: AuctionWon | None, pegs: tuple[Peg, ...]) -> bool | None:
    """Whether the pitcher's side has pegged what was bid; None where nobody pitched."""
    if won is None:
        return None
    return sum(peg.worth for peg in pegs if peg.seat in _pitchers(won)) >= won.bid


def _pegs(position: Position, hand: HandRead, sides: Sequence[Seats], fact: HandScored) -> Iterator[str]:
    points = {point.name: point for point in position.opening.rules.points}
    names = [peg.point for peg in fact.pegs]
    if names != [name for name in points if name in names]:
        yield f"its pegs are {', '.join(names)}, which are not the points of this game in their order"
    for peg in fact.pegs:
        point = points.get(peg.point)
        if point is not None:
            yield from _peg(hand, sides, point, peg)


def _peg(hand: HandRead, sides: Sequence[Seats], point: Point, peg: Peg) -> Iterator[str]:
    if peg.worth != point.worth:
        yield f"its {peg.point} is worth {peg.worth} and should be worth {point.worth}"
    if peg.card is not None and peg.card not in hand.taken[peg.seat]:
        yield f"its {peg.point} goes to seat {peg.seat}, which did not win {peg.card}"
    match point.award:
        case Award.HIGHEST | Award.LOWEST | Award.CARD:
            yield from _trump(hand, point, peg)
        case Award.COUNT:
            yield from _most(hand, sides, peg)
        case Award.SWEEP | Award.SWEEP_BID if hand.tricks[peg.seat] != len(hand.takers) or peg.card:
            yield f"its {peg.point} goes to seat {peg.seat}, which did not take every trick"
        case _:
            pass


def _trump(hand: HandRead, point: Point, peg: Peg) -> Iterator[str]:
    trumps = {card for pile in hand.taken for card in pile if card.endswith(str(hand.trump))}
    if peg.card not in trumps:
        yield f"its {peg.point} is for {peg.card or 'no card'}, which is no trump somebody won"
    elif point.rank is not None and peg.card != f"{point.rank}{hand.trump}":
        yield f"its {peg.point} is for {peg.card} and should be for {point.rank}{hand.trump}"


def _most(hand: HandRead, sides: Sequence[Seats], peg: Peg) -> Iterator[str]:
    counts = counted(hand)
    by_side = {side: sum(counts[seat] for seat in side) for side in sides}
    best = [side for side, count in by_side.items() if count == max(by_side.values())]
    if len(best) > 1 or peg.seat not in best[0] or peg.card:
        yield f"its {peg.point} goes to seat {peg.seat} where the sides count {list(by_side.values())}"


def ended(position: Position, fact: GameEnded) -> Iterator[str]:
    """The last fact: why the game is over, who won it, and the scores as they stand."""
    due = _winners(position, fact.reason)
    if due is None:
        yield f'the game ends for "{fact.reason}", which nothing before it brings about'
    elif fact.winners != due:
        yield f"it is won by seats {list(fact.winners)} and should be won by {list(due)}"
    if (fact.n, fact.label) != (None, None):
        yield "it names a draw that never was"
    yield from _recorded("scores", fact.scores, position.scores)


def _winners(position: Position, reason: str) -> Seats | None:
    """Who wins a game that ends for `reason`; None when the facts so far bring no such end about."""
    reasons = {
        "draw": () if draw_granted(position) else None,
        "resignation": last_side(position) or None,
        "void": () if not position.persons else None,
        "goal": at_goal(position) or None,
    }
    return reasons.get(reason)
