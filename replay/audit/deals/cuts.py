"""Cuts: promised by seals, made after the commitment, waited for until the window closes (fairdeal/1)."""

from collections.abc import Iterator

from domain.events import CutOpened, HandDealt, Seats
from domain.protocols import fairdeal
from domain.rules.choices import Cuts
from replay.audit.play.deadlines import CLOSING_FACTS, add_time, game_deadline
from replay.fold import Position, Promise


def promise_waiting_for_cuts(position: Position) -> tuple[int, Promise] | None:
    """The ceremony whose deal is due, with its number."""
    return position.deal_due


def cutters(position: Position) -> Seats:
    """The people still in whose cuts count."""
    if position.opening.fairness.cuts == Cuts.NONE:
        return ()
    return tuple(seat for seat in position.persons if seat not in position.barred)


def seats_to_cut(position: Position, promise: Promise) -> Seats:
    """Who has yet to cut."""
    return tuple(seat for seat in cutters(position) if seat not in promise.cuts)


def seals(position: Position) -> dict[str, str]:
    """The seals that count for the next deal."""
    return {str(seat): seal for seat in cutters(position) if (seal := position.sealed.get(seat)) is not None}


def check_cut_opened(position: Position, fact: CutOpened, game: str) -> Iterator[str]:
    """A cut for the deal that is due: once a seat, by who may cut, and the one it had sealed."""
    due = promise_waiting_for_cuts(position)
    if due is None or due[0] != fact.n:
        yield f"it cuts for ceremony {fact.n}, whose deal is not due"
        return
    promise = due[1]
    if fact.seat not in seats_to_cut(position, promise):
        yield f"seat {fact.seat} cuts where no cut of it is awaited"
    sealed = promise.seals.get(str(fact.seat))
    if sealed is not None and fairdeal.seal(game, str(fact.seat), bytes.fromhex(fact.cut)).hex() != sealed:
        yield f"its cut is not the one seat {fact.seat} had sealed"
    if fact.next_seal is not None and position.opening.fairness.cuts != Cuts.SEALED:
        yield "it seals a cut at a table of open cuts"


def check_mix(position: Position, fact: HandDealt, at: str) -> Iterator[str]:
    """The deal rests on the cuts that were made, by seat, and waited for the others as long as the table said."""
    promise = position.promises[fact.n]
    made = [[str(seat), cut] for seat, cut in sorted(promise.cuts.items())]
    if [list(each) for each in fact.cuts] != made:
        yield f"it names other cuts than were made for ceremony {fact.n}"
    if missing := seats_to_cut(position, promise):
        closes = _closes(position)
        if closes is not None and at < closes:
            yield f"it is dealt at {at} without the cuts of seats {list(missing)}, for which it waits until {closes}"


def _closes(position: Position) -> str | None:
    window = position.opening.fairness.window_s
    return None if window is None else add_time(position.promised_at, 0, seconds=window)


def facts_due_while_cutting(position: Position) -> frozenset[str]:
    """What may come while a deal waits for cuts; only the deal once all have cut; nothing at a table without cuts."""
    open_one = promise_waiting_for_cuts(position)
    if open_one is None or position.opening.fairness.cuts == Cuts.NONE:
        return frozenset()
    if not seats_to_cut(position, open_one[1]):
        return frozenset({"HandDealt"})
    over = frozenset() if game_deadline(position) is None else CLOSING_FACTS - {"GameEnded"}
    return over | {"CutOpened", "HandDealt", "SeatResigned", "DrawProposed", "DrawAnswered"}
