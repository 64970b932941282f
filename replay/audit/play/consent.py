"""Checks of undo and draw proposals, of their answers, and of resignations."""

from collections.abc import Iterator

from domain.events import DrawAnswered, DrawProposed, MovesTakenBack, SeatResigned, UndoAnswered, UndoAsked
from domain.rules.choices import Undo
from replay.audit.play.checking import checks
from replay.audit.play.practice import check_practice_undo
from replay.fold import HandRead, Position, earlier_position


@checks(UndoAsked)
def check_undo_asked(position: Position, fact: UndoAsked) -> Iterator[str]:
    """Check that the game allows undos, and that a seat asks to undo its own last move."""
    yield from _check_proposer(position, fact.seat)
    if position.opening.undo == Undo.NONE:
        yield f"seat {fact.seat} asks for an undo, but no move of this game can be taken back"
    elif position.opening.undo == Undo.PRACTICE:
        yield from check_practice_undo(position, fact)
    else:
        yield from _check_nothing_followed(position, fact)


def _check_nothing_followed(position: Position, fact: UndoAsked) -> Iterator[str]:
    """Check that the seat's move is the last one, and that no trick has followed it."""
    earlier, after = earlier_position(position, fact.to_version), earlier_position(position, fact.to_version + 1)
    same_people = earlier and earlier.left == position.left and earlier.players == position.players
    just_before = same_people and earlier and after and after.hand is not earlier.hand
    same_rules = earlier and earlier.in_force == position.in_force
    if not earlier or not just_before or not same_rules or moving_seat(earlier.hand, position.hand) != fact.seat:
        yield f"version {fact.to_version} is not the version just before the last move of seat {fact.seat}"


def moving_seat(earlier: HandRead | None, now: HandRead | None) -> int | None:
    """Return the seat of the only move between two positions of a hand, or None if no undo can take it back."""
    if earlier is None or now is None or now.turns != earlier.turns + 1 or _undo_limits(earlier) != _undo_limits(now):
        return None
    bids, plays = len(earlier.calls), len(earlier.table)
    if (earlier.calls, earlier.table) != (now.calls[:bids], now.table[:plays]):
        return None
    seats = [seat for seat, _ in now.calls[bids:]] + [play.seat for play in now.table[plays:]]
    if seats:
        return seats[0]
    return now.won.seat if now.won else None


def _undo_limits(hand: HandRead) -> tuple[object, ...]:
    """Return what no undo can revert: tricks, a won auction, a revealed partner, discards, stock, deferred changes."""
    return hand.takers, hand.won, hand.settled, hand.discarded, hand.stock_left, hand.deferred


def check_proposal_count(position: Position, seat: int) -> Iterator[str]:
    """Check that a proposal, or a change by the host, is within the limit of the game for this hand."""
    limits = position.opening.limits
    if limits is not None and position.proposed[seat] >= limits.proposals:
        yield f"seat {seat} makes proposal {position.proposed[seat] + 1} of this hand, but may make {limits.proposals}"


def _check_proposer(position: Position, seat: int) -> Iterator[str]:
    yield from check_proposal_count(position, seat)
    if position.proposal is not None:
        yield "another proposal is still open"
    yield from _check_still_in(position, seat)


def _check_still_in(position: Position, seat: int) -> Iterator[str]:
    if seat in position.left:
        yield f"seat {seat} has left the game"


@checks(DrawProposed)
def check_draw_proposed(position: Position, fact: DrawProposed) -> Iterator[str]:
    """Check that a draw is proposed in a game without bots."""
    yield from _check_proposer(position, fact.seat)
    if any(player.kind != "human" for player in position.players):
        yield "a draw is proposed in a game with a bot"


@checks(UndoAnswered, DrawAnswered)
def check_answer(position: Position, fact: UndoAnswered | DrawAnswered) -> Iterator[str]:
    """Check that the answer is to the open proposal, from a seat that hasn't agreed to it yet, or withdraws its own."""
    proposal = position.proposal
    yield from _check_still_in(position, fact.seat)
    answers_draw = isinstance(fact, DrawAnswered)
    may_not = () if proposal is None else proposal.agreed if fact.accept else proposal.agreed[1:]
    if proposal is None or fact.seat in may_not or (proposal.to_version is None) != answers_draw:
        yield f"seat {fact.seat} has no {'draw' if answers_draw else 'undo'} proposal to answer"


def check_moves_taken_back(position: Position, fact: MovesTakenBack) -> Iterator[str]:
    """Check that the undo was granted, and that seat, version and turn are those of the proposal."""
    proposal, earlier = position.proposal, earlier_position(position, fact.to_version)
    if proposal is None or not is_undo_granted(position):
        yield "a move is taken back, but not every player agreed to it"
    elif (proposal.agreed[0], proposal.to_version) != (fact.seat, fact.to_version):
        yield (
            f"seat {fact.seat} goes back to version {fact.to_version}, "
            f"but seat {proposal.agreed[0]} asked for version {proposal.to_version}"
        )
    if earlier is not None and fact.next != earlier.turn:
        turn = f"it was {list(earlier.turn)} at version {fact.to_version}"
        yield f"the turn goes to {list(fact.next)}, but {turn}"


@checks(SeatResigned)
def check_seat_resigned(position: Position, fact: SeatResigned) -> Iterator[str]:
    """Check that the seat hasn't left the game before."""
    yield from _check_still_in(position, fact.seat)


def is_undo_granted(position: Position) -> bool:
    """Tell whether every person still in agrees to the open undo proposal (R-P7)."""
    proposal = position.proposal
    if proposal is None or proposal.to_version is None:
        return False
    return set(position.persons) <= set(proposal.agreed)


def is_draw_granted(position: Position) -> bool:
    """Tell whether every person still in agrees to the open draw proposal (R-P8)."""
    proposal = position.proposal
    if proposal is None or proposal.to_version is not None:
        return False
    return set(position.persons) <= set(proposal.agreed)
