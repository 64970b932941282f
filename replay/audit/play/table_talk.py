"""Checks of undos, draws, resignations, hand-overs of seats, and delay of game.

R-P7 to R-P9, R-P13 and R-P14, and C28, C29, R-C39 and R-C63 are the clauses.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from domain.events import (
    DelayCalled,
    DelayDropped,
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    Event,
    HandoverAnswered,
    HandoverAsked,
    MovesTakenBack,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    UndoAnswered,
    UndoAsked,
)
from domain.events.declaring import add_to
from domain.rules.choices import Undo
from replay.audit.play.checking import CHECKS, checks, time_of
from replay.audit.play.deadlines import check_seat_forfeited, check_taken_by_clock
from replay.fold import HandRead, Position, earlier_position
from replay.fold.clocks import elapsed_ms


class MoveBegun(NamedTuple):
    """A person's move: its seat, and the version just before it."""

    seat: int
    version: int


def check_practice_undo(position: Position, fact: UndoAsked) -> Iterator[str]:
    """Check that a person goes back to just before their last move that can be taken back."""
    if position.players[fact.seat].kind != "human":
        yield f"seat {fact.seat} is a bot, but asks to take a move back"
    last = last_move(position)
    if last is None:
        yield f"seat {fact.seat} goes back to version {fact.to_version}, but no move can be taken back here"
    elif last != (fact.seat, fact.to_version):
        yield (
            f"seat {fact.seat} goes back to version {fact.to_version}, but the last move that can be taken back"
            f" is that of seat {last.seat} after version {last.version}"
        )


def last_move(position: Position) -> MoveBegun | None:
    """Return the last move of a person that stands, or None without one, or if something ended its undo.

    A position with fewer turns is before the latest move that stands: an undo sets the turns back with the play.
    """
    hand, after = position.hand, position
    if hand is None or hand.over:
        return None
    turns = hand.turns
    while (before := after.past) is not None and before.hand is not None and _barriers(before) == _barriers(after):
        if before.hand.turns < turns:
            seat = _mover(before.hand, after.live)
            if position.players[seat].kind == "human":
                return MoveBegun(seat, _version_before(before, before.hand))
            turns = before.hand.turns
        after = before
    return None


def _barriers(position: Position) -> tuple[object, ...]:
    """Return what only facts change that no undo goes past: reveals, exchanges, rules, and the people at the table."""
    hand = position.hand
    exchange = () if hand is None else (hand.settled, hand.discarded, hand.stock_left, hand.deferred, hand.upcard)
    return *exchange, position.in_force, position.left, position.players, position.ceremonies


def _mover(before: HandRead, after: HandRead) -> int:
    """Return the seat that bid, passed or played a card, else the pitcher, who named trump or called a partner."""
    if len(after.calls) > len(before.calls):
        return after.calls[-1][0]
    return after.table[-1].seat if len(after.table) > len(before.table) or after.won is None else after.won.seat


def _version_before(position: Position, hand: HandRead) -> int:
    """Return the version before the move that follows: a first lead begins with the trump that it makes."""
    past = None if position.past is None else position.past.hand
    pitched = past is not None and past.marker is None and hand.marker is not None
    return position.version - 1 if pitched else position.version


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


@add_to(CHECKS, MovesTakenBack)
def _check_undo(position: Position, event: Event[Any], _: object) -> Iterator[str]:
    yield from check_moves_taken_back(position, event.data)
    if event.v > 1 and not event.data.begins_turn:
        yield "the turn goes on after the undo, as only after undos of version 1"


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


FORFEIT_REASON = "handover"
"""Why a seat is forfeit that would go from the last person to a bot."""


def is_deal_pending(position: Position) -> bool:
    """Tell whether a ceremony was opened that hasn't dealt or drawn anything yet."""
    return any(not each.dealt and not each.closed for each in position.ceremonies.values())


def due_after_agreement(position: Position) -> str | None:
    """Return the fact that is due because everybody agrees to the open question, or None."""
    question = position.question
    if question is None or not set(position.persons) <= set(question.agreed) or is_deal_pending(position):
        return None
    last_person = question.asked.kind != "human" and position.persons == (question.asked.seat,)
    return "SeatForfeited" if last_person else "SeatHandedOver"


@checks(HandoverAsked)
def check_handover_asked(position: Position, fact: HandoverAsked) -> Iterator[str]:
    """Check that a person asks, one question at a time, for somebody who has never held a seat here."""
    if fact.seat not in position.persons:
        yield f"seat {fact.seat} asks to hand itself over, but no person plays it"
    if position.question is not None:
        yield "another hand-over is still being asked about"
    if fact.to in position.sat:
        yield f"seat {fact.seat} is to go to {fact.to}, who has or had a seat in this game"
    if fact.kind not in {"human", "bot"} or (fact.kind == "bot") is not (fact.bot is not None):
        yield f"a player of the kind {fact.kind!r} can't have the strategy {fact.bot!r}"
    if is_deal_pending(position):
        yield "a hand-over is asked for while a deal is pending"
    yield from check_proposal_count(position, fact.seat)


@checks(HandoverAnswered)
def check_handover_answered(position: Position, fact: HandoverAnswered) -> Iterator[str]:
    """Check that a person answers who hasn't agreed yet."""
    question = position.question
    if question is None or fact.seat in question.agreed or fact.seat not in position.persons:
        yield f"seat {fact.seat} has no question about a hand-over to answer"


def is_taken_by_clock(position: Position, fact: SeatHandedOver) -> bool:
    """Tell whether the seat is handed over though the table hasn't agreed to it: no question is open, or answered."""
    question = position.question
    is_agreed = question is not None and question.asked.seat == fact.seat and due_after_agreement(position) is not None
    return position.opening.autopilot.startswith("bot:") and not is_agreed


@checks(SeatHandedOver, given=time_of)
def check_handed_over(position: Position, fact: SeatHandedOver, at: str) -> Iterator[str]:
    """Check that everybody agreed, and that seat and players are those of the question, or that the clock took it."""
    question = position.question
    if is_taken_by_clock(position, fact):
        yield from check_taken_by_clock(position, fact, at)
        yield from _check_giver(position, fact)
        return
    if question is None or due_after_agreement(position) != "SeatHandedOver":
        yield f"seat {fact.seat} is handed over, but not every other person agreed to it, or a deal is pending"
        return
    asked = question.asked
    recorded, due = (fact.seat, fact.to, fact.kind, fact.bot), (asked.seat, asked.to, asked.kind, asked.bot)
    if recorded != due:
        yield f"seat {fact.seat} goes to {fact.to}, but the question was about seat {asked.seat} and {asked.to}"
    yield from _check_giver(position, fact)


def _check_giver(position: Position, fact: SeatHandedOver) -> Iterator[str]:
    if fact.giver != position.players[fact.seat].player:
        yield f"seat {fact.seat} comes from {fact.giver}, but {position.players[fact.seat].player} holds it"


@checks(SeatReturned)
def check_returned(position: Position, fact: SeatReturned) -> Iterator[str]:
    """Check that the seat is still in, goes to a player who lent it, and that no deal is pending."""
    if fact.seat in position.left:
        yield f"seat {fact.seat} is returned, but it has left the game"
    if fact.to not in position.lent.get(fact.seat, ()):
        yield f"seat {fact.seat} is returned to {fact.to}, who did not hand it over"
    if is_deal_pending(position):
        yield f"seat {fact.seat} is returned while a deal is pending"


@add_to(CHECKS, SeatForfeited)
def _check_forfeit(position: Position, event: Event[Any], _: object) -> Iterator[str]:
    if event.data.reason == FORFEIT_REASON:
        return check_forfeited_instead(position, event.data)
    return check_seat_forfeited(position, event.data, event.at)


def check_forfeited_instead(position: Position, fact: SeatForfeited) -> Iterator[str]:
    """Check that the last person at the table was about to hand this seat to a bot."""
    question = position.question
    due = question is not None and due_after_agreement(position) == "SeatForfeited"
    if not due or question is None or question.asked.seat != fact.seat or fact.held_ms:
        yield f'seat {fact.seat} forfeits for "{fact.reason}", but its player isn\'t the last person at the table'


@checks(DelayCalled, given=time_of)
def check_delay_called(position: Position, fact: DelayCalled, at: str) -> Iterator[str]:
    """Check that the accused is another seat that is to play a card, late enough, and the first time in this turn.

    `at` is the time of the call.
    """
    delay = position.rules.delay
    if position.phase != "play" or fact.accused not in position.turn or fact.accused == fact.seat:
        yield f"seat {fact.seat} calls delay of game on seat {fact.accused}, which is not another seat to play a card"
    if position.delay_call is not None or position.delayed == position.began:
        yield "delay of game is called twice in one turn"
    waited = elapsed_ms(position.since, at)
    if waited is None or fact.waited_ms != waited:
        yield f"seat {fact.accused} is recorded to have taken {fact.waited_ms} ms, but by the log it took {waited} ms"
    if delay is None or fact.waited_ms <= delay.after_ms:
        allowed = "the table has no delay calls" if delay is None else f"only allowed after {delay.after_ms} ms"
        yield f"delay of game is called after {fact.waited_ms} ms, but {allowed}"


@checks(DelayVoted)
def check_delay_voted(position: Position, fact: DelayVoted) -> Iterator[str]:
    """Check that the seat votes once, that it isn't accused, and that it votes not guilty if it left."""
    call = position.delay_call
    if call is not None and (fact.seat == call.seat or fact.seat in dict(call.votes)):
        yield f"seat {fact.seat} votes on this delay call, but is accused or has voted already"
    if fact.seat in position.left and fact.guilty:
        yield f"seat {fact.seat} votes guilty, but it left the game, and the table votes not guilty for it"


@checks(DelayJudged)
def check_delay_judged(position: Position, fact: DelayJudged) -> Iterator[str]:
    """Check that the verdict is guilty only if all votes are, and that it costs only the accused points."""
    call, delay = position.delay_call, position.rules.delay
    if call is None or delay is None:
        yield "a verdict is given, but no delay call is open"
        return
    votes = dict(call.votes)
    guilty = all(votes.values()) and len(votes) == position.seats - 1
    if (fact.accused, fact.guilty) != (call.seat, guilty):
        due = f"the votes on seat {call.seat} say {_verdict(guilty)}"
        yield f"the verdict on seat {fact.accused} is {_verdict(fact.guilty)}, but {due}"
    costs = delay.costs if fact.guilty else 0
    scores = tuple(score - costs * (seat == fact.accused) for seat, score in enumerate(position.scores))
    if fact.scores != scores:
        yield f"the scores are {list(fact.scores)}, but should be {list(scores)}"


def is_verdict_due(position: Position) -> bool:
    """Tell whether the votes on the open delay call decide it: one acquits, and after the last one no more can come."""
    call = position.delay_call
    if call is None:
        return False
    votes = dict(call.votes)
    return False in votes.values() or len(votes) >= position.seats - 1


def is_drop_due(position: Position) -> bool:
    """Tell whether an open delay call is about the hand that a ruling just ended (R-C39)."""
    call, hand = position.delay_call, position.hand
    return call is not None and hand is not None and hand.over and hand.misdealt and call.n == hand.dealt.n


@checks(DelayDropped)
def check_delay_dropped(position: Position, fact: DelayDropped) -> Iterator[str]:
    """Check that the call that ends without a verdict is about the hand that a ruling ended."""
    call = position.delay_call
    if call is None or not is_drop_due(position):
        yield "a delay call is dropped, but no ruling ended the hand of an open call"
    elif (fact.seat, fact.accused) != (call.votes[0][0], call.seat):
        recorded, due = f"seat {fact.seat} on seat {fact.accused}", f"seat {call.votes[0][0]} on seat {call.seat}"
        yield f"the call of {recorded} is dropped, but the open call is that of {due}"


def _verdict(guilty: bool) -> str:
    return "guilty" if guilty else "not guilty"
