"""Decide disputes: a seat contests a hand, an arbiter rules, another arbiter decides the appeal (docs/disputes.md).

Disputes are allowed at any time, even when the game is over. The game doesn't wait for them, and nothing that was
played changes, except that a ruling can void the hand in play.
"""

import re

from domain.commands import AppealRuling, DecideAppeal, GiveRuling, OpenDispute, WithdrawDispute
from domain.decide.dealing import next_deal
from domain.engine.cuts import is_hex
from domain.engine.rulings import is_score_void, ruled_outcome
from domain.engine.timestamps import add_time
from domain.engine.wording import count_of, one_of
from domain.events import (
    DelayDropped,
    DisputeOpened,
    DisputeWithdrawn,
    Evidence,
    Fact,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
    Timing,
)
from domain.events.disputes import AppealOutcome, DisputeKind, Ruling, StandardOfProof
from domain.rejections import (
    AlreadyAppealed,
    AlreadyDisputed,
    AlreadyRuled,
    AlreadyWithdrawn,
    AppealTimeOver,
    ArbiterSeated,
    HandInPlay,
    NoAppeal,
    NoSuchDispute,
    NotADispute,
    NotARuling,
    NothingToVoid,
    NotRuled,
    NotSeated,
    SameArbiter,
    TooMany,
)
from domain.state import Dispute, PastDeal, State, current_hand, is_in_hand, require
from domain.struct import replace

CLAUSE_PATTERN = re.compile(r"(R-)?[A-Z][0-9]{1,3}", re.ASCII)
"""A clause of the rule sheets, such as S34 or R-C13."""
MAX_ADJUSTMENT = 1000
"""The most points that a ruling gives to or takes from a seat."""


def open_dispute(state: State, command: OpenDispute) -> tuple[Fact, ...]:
    """Record a dispute by a person who sits or has sat here, once per hand, about what is in the log by now.

    A withdrawn dispute leaves the hand open to another one, but counts among the most that a seat may open.
    """
    _require_party(state, command.seat)
    if command.kind not in tuple(DisputeKind) or not is_hex(command.note):
        raise NotADispute(f"A dispute is about {one_of(DisputeKind)}, and its note is a hash of 64 hex digits.")
    last = _last_hand_number(state)
    if not 1 <= command.hand <= last:
        raise NotADispute(_hands_so_far(last))
    first = _first_version(state, command.hand)
    if not first <= command.at_version <= state.version:
        raise NotADispute(f"You can contest hand {command.hand} as of versions {first} to {state.version}.")
    if any((each.seat, each.hand) == (command.seat, command.hand) and not each.withdrawn for each in state.disputes):
        raise AlreadyDisputed(f"You have already contested hand {command.hand}.")
    own = sum(each.seat == command.seat for each in state.disputes)
    if command.most is not None and own >= command.most:
        opened_before = count_of(own, "dispute")
        raise TooMany(f"You have already opened {opened_before} in this game, the most that this server allows.")
    number = len(state.disputes) + 1
    opened = DisputeOpened(number, command.seat, command.hand, command.at_version, command.kind, command.note)
    return (opened,)


def withdraw_dispute(state: State, command: WithdrawDispute) -> tuple[Fact, ...]:
    """Record that the player who opened a dispute takes it back before a ruling. Play has never waited for one."""
    _require_party(state, command.seat)
    dispute = _dispute(state, command.dispute)
    if dispute.seat != command.seat or dispute.opened_by != state.seats[command.seat].player:
        raise NotSeated(f"Only the player who opened dispute {dispute.number} can withdraw it.")
    _require_standing(dispute)
    if dispute.ruling is not None:
        raise AlreadyRuled(f"Dispute {dispute.number} has already been ruled on. You can appeal.")
    return (DisputeWithdrawn(dispute.number, command.seat),)


def _require_standing(dispute: Dispute) -> None:
    if dispute.withdrawn:
        raise AlreadyWithdrawn(f"Dispute {dispute.number} was withdrawn by the player who opened it.")


def _hands_so_far(last: int) -> str:
    if not last:
        return "No hand has been promised yet."
    return "Hand 1 is the only hand so far." if last == 1 else f"The hands so far are 1 to {last}."


def _require_party(state: State, seat: int) -> None:
    if not 0 <= seat < len(state.seats) or state.seats[seat].kind != "human":
        raise NotSeated("Only people who sit or have sat at this table can dispute its hands.")


def _current_deal(state: State) -> PastDeal | None:
    """Return the deal that is due or in play; a deal that the end of the game broke off stays current."""
    ceremony = state.pending_deal
    if ceremony is not None:
        return PastDeal(next_deal(state).hand, ceremony.version, None)
    return PastDeal(state.hand.number, state.hand.ceremony_version, None) if state.hand and is_in_hand(state) else None


def _live_deal(state: State) -> PastDeal | None:
    """Return the current deal while it can still be played, or None."""
    return _current_deal(state) if state.result is None else None


def _deals(state: State) -> tuple[PastDeal, ...]:
    """Return every deal so far, in order."""
    last = _current_deal(state)
    return state.past_deals if last is None else (*state.past_deals, last)


def _last_hand_number(state: State) -> int:
    """Return the number of the last hand that was dealt or promised; 0 before the first."""
    deals = _deals(state)
    return deals[-1].hand if deals else 0


def _first_version(state: State, hand: int) -> int:
    """Return the version at which the first ceremony of `hand` was opened."""
    return next(deal.ceremony_version for deal in _deals(state) if deal.hand == hand)


def give_ruling(state: State, command: GiveRuling) -> tuple[Fact, ...]:
    """Record a ruling by an arbiter who doesn't sit here, once per dispute, and compute what it changes.

    `none` changes nothing and `adjust` applies the arbiter's `changes`. `void` takes back the score of a hand, or ends
    one that is promised or in play, which is then dealt again. The store, not this function, verifies that `evidence`
    matches the log.
    """
    dispute = _dispute_for_arbiter(state, command.arbiter, command.dispute)
    _require_standing(dispute)
    if dispute.ruling is not None:
        raise AlreadyRuled(f"Dispute {dispute.number} has already been ruled on. A party can appeal.")
    _validate_ruling(state, dispute, command)
    changes, voids = _outcome(state, dispute, command)
    ruling = RulingGiven(
        dispute=dispute.number,
        decision=command.decision,
        changes=changes,
        basis=command.basis,
        standard=command.standard,
        evidence=command.evidence,
        note=command.note,
        voids=voids,
        ruled=None,
        drops_call=command.drops_call and voids is not None,
        appeal_until=appeal_until(state, command.at),
    )
    ruling = replace(ruling, ruled=ruled_outcome(_with_dispute(state, replace(dispute, ruling=ruling))))
    return ruling, *_dropped_call(state, ruling)


def appeal_until(state: State, at: str) -> str | None:
    """Return when a ruling of the time `at` can't be appealed any more: after the days that a player has for a move.

    At a table without such days, they are those of a table that names none (R-P10).
    """
    days = require(state.opened).timing.forfeit_days or Timing().forfeit_days
    return add_time(at, days=require(days))


def _dropped_call(state: State, ruling: RulingGiven) -> tuple[DelayDropped, ...]:
    """Return the end of a delay call about the hand that a ruling ends; a call about an earlier hand stays (R-C39)."""
    call = state.delay
    if call is None or ruling.drops_call or call.n != ruling.voids:
        return ()
    return (DelayDropped(call.seat, call.accused),)


def _dispute_for_arbiter(state: State, arbiter: str, number: int) -> Dispute:
    """Return the dispute of that number; refuse an arbiter who has a seat in the game."""
    if state.has_held(arbiter):
        raise ArbiterSeated("You can't judge a game in which you play or have played.")
    return _dispute(state, number)


def _dispute(state: State, number: int) -> Dispute:
    if not 1 <= number <= len(state.disputes):
        raise NoSuchDispute(f"There's no dispute {number} in this game.")
    return state.disputes[number - 1]


def _with_dispute(state: State, dispute: Dispute) -> State:
    """Return the state with this dispute in place of the one of its number."""
    disputes = tuple(dispute if each.number == dispute.number else each for each in state.disputes)
    return replace(state, disputes=disputes)


def _validate_ruling(state: State, dispute: Dispute, command: GiveRuling) -> None:
    if (
        command.decision not in tuple(Ruling)
        or command.standard not in tuple(StandardOfProof)
        or not is_hex(command.note)
    ):
        choices = f"The decision is {one_of(Ruling)}, and the standard is {one_of(StandardOfProof)}."
        raise NotARuling(f"{choices} The note is a hash of 64 hex digits.")
    if command.basis is not None and CLAUSE_PATTERN.fullmatch(command.basis) is None:
        raise NotARuling("The basis of a ruling is null or a clause of the rules, such as S34 or R-C13.")
    _validate_evidence(state, dispute, command.evidence)


def _validate_evidence(state: State, dispute: Dispute, evidence: Evidence) -> None:
    if not dispute.at_version <= evidence.size <= state.version or not is_hex(evidence.root):
        span = f"{dispute.at_version} to {state.version}"
        raise NotARuling(f"The evidence is the log at a size of {span}, and its root at that size in hex.")


def _outcome(state: State, dispute: Dispute, command: GiveRuling) -> tuple[tuple[int, ...], int | None]:
    """Return what the ruling changes by seat, and the ceremony whose deal it ends, if any."""
    nothing = (0,) * len(state.seats)
    if command.decision == Ruling.ADJUST:
        return _adjustment(state, dispute, command.changes), None
    if any(command.changes):
        raise NotARuling("Only an adjustment has changes of its own. Send zeros; the changes of a void are computed.")
    if command.decision == Ruling.NONE:
        return nothing, None
    live = _live_deal(state)
    if live is not None and live.hand == dispute.hand:
        return nothing, _voided_ceremony(state, live, dispute)
    return _score_reversal(state, dispute), None


def _adjustment(state: State, dispute: Dispute, changes: tuple[int, ...]) -> tuple[int, ...]:
    live = _live_deal(state)
    if live is not None and live.hand == dispute.hand:
        raise HandInPlay(f"Hand {dispute.hand} isn't over. It can be played on (none) or dealt again (void).")
    if len(changes) != len(state.seats) or not any(changes) or any(abs(change) > MAX_ADJUSTMENT for change in changes):
        raise NotARuling(
            f"An adjustment changes each seat by -{MAX_ADJUSTMENT} to {MAX_ADJUSTMENT} points, and not all by 0."
        )
    if any(len({changes[seat] for seat in side}) > 1 for side in state.rules.sides(len(state.seats))):
        raise NotARuling("Partners who share one score must have equal changes.")
    return changes


def _voided_ceremony(state: State, live: PastDeal, dispute: Dispute) -> int:
    """Return the ceremony of the deal that is promised or in play, if it is the one contested."""
    if dispute.at_version < live.ceremony_version:
        raise NothingToVoid("The contested deal is already gone, and the hand is dealt again.")
    ceremony = state.pending_deal
    return current_hand(state).n if ceremony is None else ceremony.n


def _score_reversal(state: State, dispute: Dispute) -> tuple[int, ...]:
    """Return the negated score changes of the contested deal."""
    deal = [
        each for each in state.past_deals if each.hand == dispute.hand and each.ceremony_version <= dispute.at_version
    ][-1:]
    if not deal or deal[0].changes is None:
        raise NothingToVoid(f"The contested deal of hand {dispute.hand} scored nothing.")
    if is_score_void(state.disputes, dispute.hand):
        raise NothingToVoid(f"Hand {dispute.hand} is already void.")
    return tuple(-change for change in deal[0].changes)


def appeal_ruling(state: State, command: AppealRuling) -> tuple[Fact, ...]:
    """Record an appeal by a person who sits or has sat here, once per ruling, before its time for appeals is over.

    The ruling stays in force meanwhile.
    """
    _require_party(state, command.seat)
    dispute = _dispute(state, command.dispute)
    _require_standing(dispute)
    if dispute.ruling is None:
        raise NotRuled(f"Dispute {dispute.number} hasn't been ruled on yet.")
    if dispute.appealed_by is not None:
        raise AlreadyAppealed("The ruling has already been appealed. A ruling can be appealed once.")
    until = dispute.ruling.appeal_until
    if until is not None and command.at >= until:
        raise AppealTimeOver(f"The ruling on dispute {dispute.number} could be appealed until {until}.")
    return (RulingAppealed(dispute.number, command.seat),)


def decide_appeal(state: State, command: DecideAppeal) -> tuple[Fact, ...]:
    """Record the final decision by another arbiter, who doesn't sit here. A hand that was dealt again stays so."""
    dispute = _dispute_for_arbiter(state, command.arbiter, command.dispute)
    if command.decision not in tuple(AppealOutcome):
        raise NotARuling(f"The decision on an appeal is {one_of(AppealOutcome)}.")
    if dispute.appealed_by is None or dispute.decision is not None:
        raise NoAppeal(f"No appeal against the ruling on dispute {dispute.number} is open.")
    if command.arbiter == dispute.ruled_by:
        raise SameArbiter("An arbiter other than the one who ruled must decide the appeal.")
    after = _with_dispute(state, replace(dispute, decision=command.decision))
    return (RulingDecided(dispute.number, command.decision, ruled_outcome(after)),)
