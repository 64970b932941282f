"""Rebuilds commands from facts: the duties of the table, and the commands of players."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from domain import events as facts
from domain.cards import SUIT, Card
from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AppealRuling,
    AskHandover,
    AskUndo,
    CallDelay,
    CallPartner,
    ChangeRules,
    ClaimTime,
    Command,
    CutDeck,
    DecideAppeal,
    Discard,
    GiveRuling,
    MakeBid,
    NameTrump,
    OpenDispute,
    PassBid,
    PlayCard,
    ProposeDraw,
    RecordBeacon,
    Resign,
    ReturnSeat,
    Tick,
    TimeTurn,
    VoteDelay,
    WithdrawDispute,
)
from domain.decide.dealer_duties import next_duty
from domain.decide.rule_changes import prospective_rules
from domain.decide.stand_in import stand_in_move
from domain.engine.deadlines import has_end_time, is_clock_due, is_timing_due
from domain.engine.rule_menu import apply_change, available_changes
from domain.events import Event, SeedKept, require_every_fact
from domain.events.table_talk import Intervals
from domain.rules.choices import Sight
from domain.state import SERVER, State
from replay.fold.declaring import Role, facts_of

NO_SEED = bytes(32)
TURN_COMMANDS = (MakeBid, PassBid, NameTrump, CallPartner, Discard, PlayCard)
Events = Sequence[Event[Any]]


TIMED_FACTS = (facts.CeremonyOpened, facts.HandDealt)
"""Duties of the table that depend on their time: the beacon's round follows from it, and a tick closes a cut window."""


def due_command(state: State, rest: Events) -> Command | None:
    """Return the table's own next command, if it has a duty; a new ceremony gets the seed recorded next."""
    seeds = list[bytes]()
    for event in rest[:2]:
        if isinstance(event.data, SeedKept):
            seeds.append(bytes.fromhex(event.data.seed))
    timed = bool(rest) and isinstance(rest[0].data, TIMED_FACTS)
    now = rest[0].at if timed and not is_clock_due(state, rest[0].at) else state.at
    duty = next_duty(state, partial(bytes, seeds[0] if seeds else NO_SEED), now)
    return TimeTurn(_closed_times(rest)) if duty is None and is_timing_due(state) else duty


def _closed_times(rest: Events) -> Intervals:
    """Return the closed times that the record brings; none if the clock of the turn isn't recorded next."""
    return rest[0].data.closed if rest and isinstance(rest[0].data, facts.TurnTimed) else ()


ROUTINE_FACTS = frozenset({"CardPlayed", "TrickTaken", "BidMade", "BidPassed"})
"""Facts that never end a hand by themselves or change rules, scores or players, and only close proposals."""


def has_no_new_duty(state: State, recorded: Events) -> bool:
    """Return whether a table without a duty before these last events certainly has none after them.

    True only for cards, tricks and bids that leave a seat to move, without randomizer, delay call, end time or hidden
    cards.
    """
    for event in recorded:
        if event.fact not in ROUTINE_FACTS:
            return False
    hand, opened = state.hand, state.opened
    if hand is None or opened is None or not state.turn or hand.deferred or state.delay is not None:
        return False
    rules = state.rules
    return (
        opened.timing.pace is None
        and rules.changes.randomizer is None
        and not has_end_time(opened.timing)
        and rules.sight(hand.number) is Sight.OWN
    )


def player_command(state: State, rest: Events) -> Command | None:
    """Return the command that the record answers next, first the clock's; None if no command leads to the fact."""
    head = rest[0]
    if is_clock_due(state, head.at) and not isinstance(head.data, facts.TurnTimed):
        return _tick(state, rest)
    build = _COMMANDS.get(type(head.data))
    command = None if build is None else build(state, rest)
    if head.by == SERVER and isinstance(command, TURN_COMMANDS):
        return stand_in_move(state, command.seat)
    return command


def ends_early(rest: Events) -> bool:
    """Return whether the record ends before the fact that completes the command: a seed or face-down discards."""
    if len(rest) > 1:
        return False
    fact = rest[0].data
    thrown = isinstance(fact, facts.CardsDiscarded) and fact.count > len(fact.shown)
    return thrown or isinstance(fact, facts.CeremonyOpened)


def _card(state: State, rest: Events) -> Command | None:
    seat, card = rest[0].data.seat, rest[0].data.card
    return _play(seat, card) if card in SUIT else None


@lru_cache(maxsize=512)
def _play(seat: int, card: Card) -> PlayCard:
    """Return a cached command: there are at most seats times cards of them."""
    return PlayCard(seat, card)


def _tick(_: State, rest: Events) -> Tick:
    """Return the tick; only the facts about a seat say how long the clock was held."""
    return Tick(rest[0].at, _held_ms(rest))


def _held_ms(rest: Events) -> int:
    """Return how long the clock was held, as the next fact says; 0 if it doesn't."""
    return getattr(rest[0].data, "held_ms", 0) if rest else 0


def _cut(state: State, rest: Events) -> Command:
    """Return the cut; the commitment that it quoted is that of its ceremony."""
    cut = rest[0].data
    commit = next((each.commit for each in state.ceremonies if each.n == cut.n), "")
    return CutDeck(cut.seat, cut.n, commit, cut.cut, cut.next_seal)


def _beacon(state: State, rest: Events) -> Command:
    """Return the command of a player, or of the server, which brings a beacon in the name of any seat."""
    fact, seat = rest[0].data, state.seat_of(rest[0].by)
    return RecordBeacon(seat or 0, fact.n, fact.source, fact.signature, rest[0].at)


def _discard(state: State, rest: Events) -> Command:
    thrown = rest[0].data
    after = rest[1].data if len(rest) > 1 else None
    return Discard(thrown.seat, (*thrown.shown, *(after.cards if isinstance(after, facts.CardsBuried) else ())))


def _change(state: State, rest: Events) -> Command | None:
    """Return the command with the menu entry that leads to the recorded rules; an empty entry is refused."""
    fact, rules = rest[0].data, prospective_rules(state)
    if fact.cause != "host":
        return None
    words = [word for word in available_changes(rules) if apply_change(rules, word) == fact.rules]
    return ChangeRules(state.seat_of(state.host) or 0, words[0] if words else "")


def _ask_handover(_: State, rest: Events) -> Command:
    fact = rest[0].data
    return AskHandover(fact.seat, fact.to, fact.kind, fact.bot)


def _dispute(state: State, rest: Events) -> Command:
    fact = rest[0].data
    return OpenDispute(fact.seat, fact.hand, fact.at_version, fact.kind, fact.note)


def _ruling(state: State, rest: Events) -> Command:
    """Return the ruling, with its changes only for an adjustment: `decide` computes the changes of a void."""
    fact = rest[0].data
    changes = fact.changes if fact.decision == "adjust" else ()
    grounds = (fact.basis, fact.standard, fact.evidence, fact.note)
    at = "" if fact.appeal_until is None else rest[0].at
    return GiveRuling(rest[0].by, fact.dispute, fact.decision, changes, *grounds, drops_call=fact.drops_call, at=at)


_COMMANDS: dict[type[Any], Callable[[State, Events], Command | None]] = {
    facts.BidMade: lambda _, rest: MakeBid(rest[0].data.seat, rest[0].data.bid),
    facts.BidPassed: lambda _, rest: PassBid(rest[0].data.seat),
    facts.TrumpNamed: lambda _, rest: NameTrump(rest[0].data.seat, rest[0].data.suit),
    facts.PartnerCalled: lambda _, rest: CallPartner(rest[0].data.seat, rest[0].data.card),
    facts.CardsDiscarded: _discard,
    facts.TrumpPitched: _card,
    facts.CardPlayed: _card,
    facts.UndoAsked: lambda _, rest: AskUndo(rest[0].data.seat),
    facts.DrawProposed: lambda _, rest: ProposeDraw(rest[0].data.seat),
    facts.UndoAnswered: lambda _, rest: AnswerProposal(rest[0].data.seat, rest[0].data.accept),
    facts.DrawAnswered: lambda _, rest: AnswerProposal(rest[0].data.seat, rest[0].data.accept),
    facts.SeatResigned: lambda _, rest: Resign(rest[0].data.seat),
    facts.CutOpened: _cut,
    facts.BeaconRecorded: _beacon,
    facts.DelayCalled: lambda _, rest: CallDelay(rest[0].data.seat, rest[0].data.accused, rest[0].at),
    facts.DelayVoted: lambda _, rest: VoteDelay(rest[0].data.seat, rest[0].data.guilty),
    facts.SeatForfeited: _tick,
    facts.TurnReminded: _tick,
    facts.TimeClaimed: lambda _, rest: ClaimTime(rest[0].data.seat, rest[0].at, _held_ms(rest[1:])),
    facts.SeatHandedOver: _tick,
    facts.TurnTimed: lambda _, rest: TimeTurn(rest[0].data.closed, rest[0].data.held_ms),
    facts.HandoverAsked: _ask_handover,
    facts.HandoverAnswered: lambda _, rest: AnswerHandover(rest[0].data.seat, rest[0].data.accept),
    facts.SeatReturned: lambda _, rest: ReturnSeat(rest[0].data.seat, rest[0].data.to),
    facts.DisputeOpened: _dispute,
    facts.DisputeWithdrawn: lambda _, rest: WithdrawDispute(rest[0].data.seat, rest[0].data.dispute),
    facts.RulingGiven: _ruling,
    facts.RulingAppealed: lambda _, rest: AppealRuling(rest[0].data.seat, rest[0].data.dispute, rest[0].at),
    facts.RulingDecided: lambda _, rest: DecideAppeal(rest[0].by, rest[0].data.dispute, rest[0].data.decision),
    facts.RulesChanged: _change,
    facts.RulesChangeDeferred: _change,
    facts.CeremonyRevealed: _tick,
    facts.CeremonyVoided: _tick,
    facts.GameEnded: _tick,
}
"""The command that each fact follows from. A fact of the role TABLE or CARDS needs none: it can follow another fact."""
require_every_fact({*facts_of(Role.TABLE, Role.CARDS), *_COMMANDS}, __name__)
