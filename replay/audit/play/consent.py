"""What is said out of turn: undo and draw by consent, and leaving."""

from collections.abc import Iterator

from domain.events import DrawAnswered, DrawProposed, MovesTakenBack, SeatResigned, UndoAnswered, UndoAsked
from replay.fold import HandRead, Position, earlier_position


def check_undo_asked(position: Position, fact: UndoAsked) -> Iterator[str]:
    """A seat asks for its own last move, and nothing of the play has followed it."""
    yield from _may_propose(position, fact.seat)
    then, after = earlier_position(position, fact.to_version), earlier_position(position, fact.to_version + 1)
    just_before = then and after and after.hand is not then.hand and then.left == position.left
    same_rules = then and then.in_force == position.in_force
    if not then or not just_before or not same_rules or moving_seat(then.hand, position.hand) != fact.seat:
        yield f"version {fact.to_version} is not where seat {fact.seat} stood before its last move"


def moving_seat(then: HandRead | None, now: HandRead | None) -> int | None:
    """Which seat has made exactly one move between two positions of a hand, one that can be taken back."""
    if then is None or now is None or now.turns != then.turns + 1 or _course(then) != _course(now):
        return None
    if (then.said, then.table) != (now.said[: len(then.said)], now.table[: len(then.table)]):
        return None
    seats = [seat for seat, _ in now.said[len(then.said) :]] + [play.seat for play in now.table[len(then.table) :]]
    if seats:
        return seats[0]
    return now.won.seat if now.won else None


def _course(hand: HandRead) -> tuple[object, ...]:
    """What no undo goes back behind: tricks, an auction won, a partner revealed, discards, changes that wait."""
    return hand.takers, hand.won, hand.settled, hand.discarded, hand.deferred


def _may_propose(position: Position, seat: int) -> Iterator[str]:
    if position.asked is not None:
        yield "another proposal is still open"
    yield from _in(position, seat)


def _in(position: Position, seat: int) -> Iterator[str]:
    if seat in position.left:
        yield f"seat {seat} has left the game"


def check_draw_proposed(position: Position, fact: DrawProposed) -> Iterator[str]:
    """A draw is for people alone."""
    yield from _may_propose(position, fact.seat)
    if any(player.kind != "human" for player in position.players):
        yield "a draw is proposed with a bot in the game"


def check_answer(position: Position, fact: UndoAnswered | DrawAnswered) -> Iterator[str]:
    """One answer from each other person, to the proposal that is open."""
    asked = position.asked
    yield from _in(position, fact.seat)
    if asked is None or fact.seat in asked.agreed or (asked.to_version is None) != isinstance(fact, DrawAnswered):
        yield f"seat {fact.seat} has nothing of this kind to answer"


def check_moves_taken_back(position: Position, fact: MovesTakenBack) -> Iterator[str]:
    """The play stands again exactly as it did: the asker's move, the version asked for, the turn as it was."""
    asked, then = position.asked, earlier_position(position, fact.to_version)
    if asked is None or not is_undo_granted(position):
        yield "a move is taken back that not everybody agreed to"
    elif (asked.agreed[0], asked.to_version) != (fact.seat, fact.to_version):
        yield f"seat {asked.agreed[0]} asked for version {asked.to_version}, and something else is taken back"
    if then is not None and fact.next != then.turn:
        yield f"the turn goes to {list(fact.next)} where it was with {list(then.turn)} at version {fact.to_version}"


def check_seat_resigned(position: Position, fact: SeatResigned) -> Iterator[str]:
    """A seat leaves once, and only a person can."""
    yield from _in(position, fact.seat)


def is_undo_granted(position: Position) -> bool:
    """Whether every person still in agrees to the open undo (R-P7)."""
    asked = position.asked
    return asked is not None and asked.to_version is not None and set(position.persons) <= set(asked.agreed)


def is_draw_granted(position: Position) -> bool:
    """Whether every person still in agrees to the open draw (R-P8)."""
    asked = position.asked
    return asked is not None and asked.to_version is None and set(position.persons) <= set(asked.agreed)
