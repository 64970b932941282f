"""Readers of rule changes, delay of game, proposals, hand-overs, departures and the end."""

from domain.events import (
    BidScaled,
    DelayCalled,
    DelayDropped,
    DelayJudged,
    DelayVoted,
    DrawAnswered,
    DrawProposed,
    GameEnded,
    HandoverAnswered,
    HandoverAsked,
    MovesTakenBack,
    PartnersChanged,
    Player,
    RulesChanged,
    RulesChangeDeferred,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    TimeClaimed,
    TurnReminded,
    TurnTimed,
    UndoAnswered,
    UndoAsked,
)
from domain.struct import replace
from replay.fold.clocks import ClockRead
from replay.fold.declaring import Role, reads
from replay.fold.play import change_partners
from replay.fold.position import (
    Change,
    DelayCallRead,
    HandoverRead,
    MisplacedFact,
    Position,
    ProposalRead,
    earlier_position,
)


@reads(Role.CHANGE, RulesChanged)
def read_rules_changed(position: Position, fact: RulesChanged) -> Change:
    """Set the rules in force; if the change was deferred, remove it from the waiting ones."""
    change: Change = {"in_force": fact.rules, "turn": fact.next, "proposal": None, **_count_host(position, fact)}
    if position.hand is None:
        return change
    hand = position.hand
    if fact.cause == "deferred":
        hand = replace(hand, deferred=hand.deferred[1:])
    if fact.cause == "randomizer":
        hand = replace(hand, drawn=hand.turns)
    if fact.rules.partners is not position.rules.partners:
        hand = change_partners(hand, fact.rules.partners)
    return change | {"hand": hand}


@reads(Role.CHANGE, RulesChangeDeferred)
def read_change_deferred(position: Position, fact: RulesChangeDeferred) -> Change:
    """Add a deferred change, and close the open proposal."""
    hand = position.live
    drawn = hand.turns if fact.cause == "randomizer" else hand.drawn
    hand = replace(hand, deferred=(*hand.deferred, fact), drawn=drawn)
    return {"hand": hand, "proposal": None, **_count_host(position, fact)}


def _count_host(position: Position, fact: RulesChanged | RulesChangeDeferred) -> Change:
    """Count a change that the host made."""
    hosts = [seat for seat, each in enumerate(position.players) if each.player == position.host]
    return count_proposal(position, hosts[0]) if fact.cause == "host" and hosts else {}


def count_proposal(position: Position, seat: int) -> Change:
    """Count a proposal of a seat in this hand."""
    counts = list(position.proposed)
    counts[seat] += 1
    return {"proposed": tuple(counts)}


@reads(Role.TABLE, BidScaled)
def read_bid_scaled(position: Position, fact: BidScaled) -> Change:
    """Set the new number of a bid."""
    hand = position.live
    return {"hand": replace(hand, scaled={**hand.scaled, fact.seat: fact.after})}


@reads(Role.TABLE, PartnersChanged)
def read_partners_changed(position: Position, fact: PartnersChanged) -> Change:
    """Set the new sides."""
    return {"hand": replace(position.live, sides=fact.sides)}


@reads(Role.TALK, DelayCalled)
def read_delay_called(position: Position, fact: DelayCalled) -> Change:
    """Open a delay call: rule changes wait from now on."""
    hand = replace(position.live, held=True, acquitted=False)
    call = DelayCallRead(fact.accused, ((fact.seat, True),), hand.dealt.n)
    return {"delay_call": call, "hand": hand, "delayed": position.began}


@reads(Role.TALK, DelayVoted)
def read_delay_voted(position: Position, fact: DelayVoted) -> Change:
    """Add a vote on the delay call."""
    if position.delay_call is None:
        raise MisplacedFact("no delay call is open")
    votes = (*position.delay_call.votes, (fact.seat, fact.guilty))
    return {"delay_call": replace(position.delay_call, votes=votes)}


@reads(Role.TABLE, DelayJudged)
def read_delay_judged(position: Position, fact: DelayJudged) -> Change:
    """Close the delay call."""
    hand = position.hand and replace(position.hand, acquitted=not fact.guilty)
    return {"delay_call": None, "scores": fact.scores, "hand": hand}


@reads(Role.TABLE, DelayDropped)
def read_delay_dropped(position: Position, fact: DelayDropped) -> Change:
    """Close the delay call without a verdict."""
    return {"delay_call": None}


@reads(Role.TALK, UndoAsked, DrawProposed)
def read_proposal(position: Position, fact: UndoAsked | DrawProposed) -> Change:
    """Open a proposal."""
    proposal = ProposalRead((fact.seat,), fact.to_version if isinstance(fact, UndoAsked) else None)
    return {"proposal": proposal, **count_proposal(position, fact.seat)}


@reads(Role.TALK, UndoAnswered, DrawAnswered)
def read_answer(position: Position, fact: UndoAnswered | DrawAnswered) -> Change:
    """Add an agreement, or close the proposal after a refusal."""
    if position.proposal is None:
        raise MisplacedFact("nothing has been proposed")
    agreed = (*position.proposal.agreed, fact.seat)
    return {"proposal": replace(position.proposal, agreed=agreed) if fact.accept else None}


@reads(Role.TABLE, MovesTakenBack)
def read_moves_taken_back(position: Position, fact: MovesTakenBack) -> Change:
    """Return to an earlier position of the hand; a delay call made since then stands."""
    then = earlier_position(position, fact.to_version)
    if then is None or then.hand is None or position.live.over:
        raise MisplacedFact(f"the hand has no version {fact.to_version} to return to")
    now = position.live
    hand = replace(then.hand, held=now.held, acquitted=now.acquitted)
    return {"hand": hand, "turn": fact.next, "proposal": None}


@reads(Role.TALK, SeatResigned)
def read_seat_left(position: Position, fact: SeatResigned | SeatForfeited) -> Change:
    """Mark a seat as left: the table plays for it from now on."""
    question = position.question
    lapses = question is not None and question.asked.seat == fact.seat
    return {"left": (*position.left, fact.seat), "proposal": None, "question": None if lapses else question}


@reads(Role.DEADLINE, SeatForfeited)
def read_seat_forfeited(position: Position, fact: SeatForfeited) -> Change:
    """Mark a seat as left because its time ran out."""
    return read_seat_left(position, fact) | {"forfeited": (*position.forfeited, fact.seat), "claimed": None}


@reads(Role.DEADLINE, TurnReminded)
def read_reminder(position: Position, fact: TurnReminded) -> Change:
    """Mark a seat as reminded in this turn, and note for how long the clock was held in it."""
    return {"reminded": (*position.reminded, fact.seat), "held_ms": fact.held_ms}


@reads(Role.CLAIM, TimeClaimed)
def read_time_claimed(position: Position, fact: TimeClaimed) -> Change:
    """Note the seat whose time was claimed: it must be forfeit next."""
    return {"claimed": fact.late}


@reads(Role.TABLE, TurnTimed)
def read_turn_timed(position: Position, fact: TurnTimed) -> Change:
    """Set the clock of the turn. It runs since the turn began, or since a bot gave the seat back."""
    return {"clock": ClockRead(fact, position.began, max(position.since, position.back.get(fact.seat, "")))}


@reads(Role.TABLE, GameEnded)
def read_game_ended(position: Position, fact: GameEnded) -> Change:
    """End the game."""
    return {"ended": fact, "turn": (), "proposal": None, "question": None}


@reads(Role.TALK, HandoverAsked)
def read_handover_asked(position: Position, fact: HandoverAsked) -> Change:
    """Open the question, which counts as a proposal of its seat."""
    return {"question": HandoverRead(fact, (fact.seat,)), **count_proposal(position, fact.seat)}


@reads(Role.TALK, HandoverAnswered)
def read_handover_answered(position: Position, fact: HandoverAnswered) -> Change:
    """Add an agreement, or close the question after a refusal."""
    if position.question is None:
        raise MisplacedFact("no hand-over was asked for")
    agreed = (*position.question.agreed, fact.seat)
    return {"question": replace(position.question, agreed=agreed) if fact.accept else None}


@reads(Role.TABLE, SeatHandedOver)
def read_handed_over(position: Position, fact: SeatHandedOver) -> Change:
    """Seat the new player; the old one can take the seat back."""
    lent = {**position.lent, fact.seat: (*position.lent.get(fact.seat, ()), fact.giver)}
    sat, question = position.sat | {fact.to}, position.question
    return {
        **_seat(position, fact.seat, Player(fact.to, fact.kind, fact.bot)),
        "lent": lent,
        "sat": sat,
        "question": None if question is None or question.asked.seat == fact.seat else question,
    }


@reads(Role.RETURN, SeatReturned)
def read_returned(position: Position, fact: SeatReturned) -> Change:
    """Seat the player again who lent the seat, and with them everybody's right to take it back from them."""
    lenders, question = position.lent.get(fact.seat, ()), position.question
    if fact.to not in lenders:
        raise MisplacedFact(f"{fact.to} did not hand seat {fact.seat} over")
    change = _seat(position, fact.seat, Player(fact.to, "human"))
    change["lent"] = {**position.lent, fact.seat: lenders[: lenders.index(fact.to)]}
    if question is not None:
        agreed = tuple(seat for seat in question.agreed if seat != fact.seat)
        change["question"] = None if question.asked.seat == fact.seat else replace(question, agreed=agreed)
    return change


def _seat(position: Position, seat: int, player: Player) -> Change:
    """Return the change of a seat's player: its seal lapses, and so does what was proposed."""
    players = (*position.players[:seat], player, *position.players[seat + 1 :])
    return {"players": players, "sealed": {**position.sealed, seat: None}, "proposal": None}
