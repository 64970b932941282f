"""Readers of disputes and rulings, and the list of finished deals that disputes refer to."""

from typing import Any

from domain.events import DisputeOpened, DisputeWithdrawn, Event, HandScored, RulingAppealed, RulingDecided, RulingGiven
from domain.struct import replace
from replay.fold.declaring import Role, reads
from replay.fold.hand import HandRead
from replay.fold.position import Change, DealRead, DisputeRead, MisplacedFact, Position

DISPUTE_FACTS = (DisputeOpened, DisputeWithdrawn, RulingGiven, RulingAppealed, RulingDecided)
"""The facts that may also come after the end of a game."""


@reads(Role.PARTY, DisputeOpened)
def read_dispute_opened(position: Position, fact: DisputeOpened) -> Change:
    """Add a dispute."""
    return {"disputes": (*position.disputes, DisputeRead(fact))}


@reads(Role.PARTY, DisputeWithdrawn)
def read_withdrawal(position: Position, fact: DisputeWithdrawn) -> Change:
    """Set that a dispute was withdrawn."""
    return _change_dispute(position, fact.dispute, withdrawn=True)


@reads(Role.RULING, RulingGiven)
def read_ruling(position: Position, fact: RulingGiven) -> Change:
    """Add a ruling. If it voids the deal in play, end that deal and drop its deferred changes.

    A ruling of version 1 also dropped an open delay call.
    """
    change = _change_dispute(position, fact.dispute, ruling=fact)
    hand = position.hand
    if fact.voids is None or hand is None or hand.dealt.n != fact.voids:
        return change
    if hand.over or position.ended:
        raise MisplacedFact(f"it voids the deal of ceremony {fact.voids}, which isn't in play")
    over = replace(hand, over=True, misdealt=True, deferred=())
    call = None if fact.drops_call else position.delay_call
    return change | {"hand": over, "turn": (), "proposal": None, "delay_call": call}


@reads(Role.PARTY, RulingAppealed)
def read_appeal(position: Position, fact: RulingAppealed) -> Change:
    """Add an appeal."""
    return _change_dispute(position, fact.dispute, appealed_by=fact.seat)


@reads(Role.RULING, RulingDecided)
def read_decision(position: Position, fact: RulingDecided) -> Change:
    """Add the decision on an appeal."""
    return _change_dispute(position, fact.dispute, decision=fact.decision)


def _change_dispute(position: Position, dispute: int, **fields: Any) -> Change:
    if not 1 <= dispute <= len(position.disputes):
        raise MisplacedFact(f"there is no dispute {dispute}")
    before, after = position.disputes[: dispute - 1], position.disputes[dispute:]
    return {"disputes": (*before, replace(position.disputes[dispute - 1], **fields), *after)}


def read_arbiter(position: Position, event: Event[Any]) -> Change:
    """Set the arbiter who ruled: the author of the event, not a field of the fact."""
    return {"arbiters": {**position.arbiters, event.data.dispute: event.by}}


def close_deal(position: Position, hand: HandRead | None, fact: Any) -> Change:
    """Add the hand to the finished deals if this fact ends it; `hand` is the hand after the fact."""
    before = position.hand
    if hand is None or not hand.over or before is None or before.over:
        return {}
    ceremony = position.ceremonies.get(hand.dealt.n)
    scored = fact.changes if isinstance(fact, HandScored) else None
    deal = DealRead(hand.dealt.hand, ceremony.version if ceremony else 0, scored)
    return {"deals": (*position.deals, deal)}
