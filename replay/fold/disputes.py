"""Reading disputes, and the deals they are about."""

from typing import Any

from domain.events import DisputeOpened, Event, HandScored, RulingAppealed, RulingDecided, RulingGiven
from domain.struct import replace
from replay.fold.position import Change, DealRead, DisputeRead, HandRead, MisplacedFact, Position

DISPUTE_FACTS = (DisputeOpened, RulingGiven, RulingAppealed, RulingDecided)
"""What is heard after the end of a game, too."""


def read_dispute_opened(position: Position, fact: DisputeOpened) -> Change:
    """A hand is contested."""
    return {"disputes": (*position.disputes, DisputeRead(fact))}


def read_ruling(position: Position, fact: RulingGiven) -> Change:
    """An arbiter has ruled; the deal in play that is void is over, and what was held back in it is gone."""
    change = _change_dispute(position, fact.dispute, ruling=fact)
    hand = position.hand
    if fact.voids is None or hand is None or hand.dealt.n != fact.voids:
        return change
    if hand.over or position.ended:
        raise MisplacedFact(f"it voids the deal of ceremony {fact.voids}, which is not in play")
    over = replace(hand, over=True, misdealt=True, deferred=())
    return change | {"hand": over, "turn": (), "asked": None, "accused": None}


def read_appeal(position: Position, fact: RulingAppealed) -> Change:
    """Another arbiter is to look at it."""
    return _change_dispute(position, fact.dispute, appealed_by=fact.seat)


def read_decision(position: Position, fact: RulingDecided) -> Change:
    """The last word."""
    return _change_dispute(position, fact.dispute, decision=fact.decision)


def _change_dispute(position: Position, dispute: int, **fields: Any) -> Change:
    if not 1 <= dispute <= len(position.disputes):
        raise MisplacedFact(f"there is no dispute {dispute}")
    before, after = position.disputes[: dispute - 1], position.disputes[dispute:]
    return {"disputes": (*before, replace(position.disputes[dispute - 1], **fields), *after)}


def read_arbiter(position: Position, event: Event[Any]) -> Change:
    """Who ruled, which stands around the fact and not in it."""
    return {"arbiters": {**position.arbiters, event.data.dispute: event.by}}


def close_deal(position: Position, hand: HandRead | None, fact: Any) -> Change:
    """A hand that this fact ends joins the deals that are over; `hand` is what it leaves of it."""
    before = position.hand
    if hand is None or not hand.over or before is None or before.over:
        return {}
    promise = position.promises.get(hand.dealt.n)
    scored = fact.changes if isinstance(fact, HandScored) else None
    deal = DealRead(hand.dealt.hand, promise.version if promise else 0, scored)
    return {"deals": (*position.deals, deal)}
