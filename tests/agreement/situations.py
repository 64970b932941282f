"""Every situation of a table, and every command in it: an enumeration, not a sample.

`explore` plays a table on, and in each situation that it hasn't met it tries every command of every seat, of the table,
of the clock and of arbiters. From each command that opens a matter, such as a proposal, a delay call or a dispute, it
plays on with that matter open, so that it meets the later phases with it, too.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, get_args

from domain.cards import SUITS, Card
from domain.commands import (
    AnswerHandover,
    AnswerProposal,
    AppealRuling,
    AskHandover,
    AskUndo,
    BringChange,
    CallDelay,
    CallPartner,
    ChangeRules,
    ClaimTime,
    Command,
    CutDeck,
    DealHand,
    DecideAppeal,
    Discard,
    DrawChange,
    DrawDealer,
    DrawSeats,
    EndGame,
    EndSession,
    FlipCoin,
    GiveRuling,
    HandOver,
    MakeBid,
    NameTrump,
    OpenCeremony,
    OpenDispute,
    OpenGame,
    PassBid,
    PlayCard,
    ProposeDraw,
    RecordBeacon,
    Resign,
    ReturnSeat,
    RevealCeremony,
    Tick,
    TimeTurn,
    VoidCeremony,
    VoteDelay,
    WithdrawDispute,
    require_every_command,
)
from domain.decide.rule_changes import prospective_rules
from domain.decide.stand_in import stand_in_move
from domain.engine.auction import possible_bids
from domain.engine.cuts import ceremony_awaiting_cuts, cut_mode, is_beacon_missing, missing_cutters
from domain.engine.deadlines import is_clock_due, running_clock
from domain.engine.legal_moves import legal_discards, legal_moves
from domain.engine.rule_menu import available_changes
from domain.events import Evidence
from domain.protocols import fairdeal
from domain.protocols.beacon import LEAD_S
from domain.rejections import Rejected
from domain.rules.choices import Cuts, Phase
from domain.state import SERVER, Ceremony, Dispute, Hand, State, is_call_due
from domain.store.aggregate import Draft
from tests.agreement.reading import Readings
from tests.replay.playing import RECORDED, WINDOW_S, Table

NOTE = "cd" * 32
JUDGE, OTHER_JUDGE = "judge", "other-judge"
DAY_S = 24 * 3600
DELAY_S = 20
"""A wait after which delay of game can be called."""
WAITS_S = (0, WINDOW_S + 1, 8 * DAY_S, 22 * DAY_S, 400 * DAY_S)
"""Waits until the clock ticks: for nothing, the window for cuts, a reminder, a forfeit, the end of everything."""
LAST_HAND = 2
"""The hand in whose play the exploring ends."""


class Attempt(NamedTuple):
    """A command, and how many seconds it comes later than the one before it at once would."""

    command: Command
    wait_s: int = 0


class Accepted(NamedTuple):
    """A command that was accepted, the names of the facts of its commit, and the table after it."""

    command: Command
    facts: tuple[str, ...]
    table: Table


class Situation(NamedTuple):
    """The differences between two states in the commands that they accept; `matters` are open beside the play."""

    stage: tuple[object, ...]
    matters: tuple[str, ...]


@dataclass
class Explored:
    """The counts of a run: situations, commands tried and accepted by name, and the facts of those read."""

    situations: set[Situation] = field(default_factory=set)
    tried: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


# The commands


def _seats(state: State) -> range:
    return range(len(state.seats))


def _held(state: State, seat: int) -> tuple[Card, ...]:
    return () if state.hand is None else state.hand.cards[seat] or ()


def _bids(made: Table) -> Iterator[Command]:
    hand = made.state.hand
    for seat in _seats(made.state):
        for bid in possible_bids(made.state.rules, 1 if hand is None else hand.number):
            yield MakeBid(seat, bid)


def _calls(made: Table) -> Iterator[CallPartner]:
    for seat in _seats(made.state):
        held, deck = _held(made.state, seat), made.state.rules.deck
        yield from (CallPartner(seat, card) for card in (*held[:1], *[card for card in deck if card not in held][-1:]))


def _discards(made: Table) -> Iterator[Discard]:
    for seat in _seats(made.state):
        options = legal_discards(made.state, seat)
        if options is None:
            yield Discard(seat, ())
            continue
        others = [card for card in options.optional if card not in options.required]
        for number in {options.minimum, options.maximum}:
            yield Discard(seat, (*options.required, *others[: number - len(options.required)]))


def _cuts(made: Table) -> Iterator[Command]:
    ceremony = made.state.pending_deal
    for seat in _seats(made.state):
        if ceremony is None:
            yield CutDeck(seat, 1, NOTE, NOTE)
        else:
            yield cut(made, seat, ceremony, None)
            yield cut(made, seat, ceremony, seal(made, seat))


def own(seat: int) -> bytes:
    """Return the bytes that a seat always cuts with."""
    return bytes([seat + 1]) * 32


def seal(made: Table, seat: int) -> str | None:
    """Return the seal of a seat's next cut, if the table has sealed cuts."""
    return fairdeal.seal(made.game.game, str(seat), own(seat)).hex() if cut_mode(made.state) == Cuts.SEALED else None


def cut(made: Table, seat: int, ceremony: Ceremony, next_seal: str | None) -> CutDeck:
    """Return a seat's cut for a deal."""
    return CutDeck(seat, ceremony.n, ceremony.commit, own(seat).hex(), next_seal)


def _beacons(made: Table) -> Iterator[Attempt]:
    ceremony = made.state.pending_deal
    source = "" if ceremony is None else ceremony.beacon or ""
    for seat in _seats(made.state):
        n = 0 if ceremony is None else ceremony.n
        yield Attempt(RecordBeacon(seat, n, source, RECORDED.get(source, "")), LEAD_S)


def _disputes(made: Table) -> Iterator[Command]:
    hand = made.state.hand
    for seat in _seats(made.state):
        for number in range(1, 3 if hand is None else hand.number + 2):
            yield OpenDispute(seat, number, made.state.version, "revoke", NOTE)


def _rulings(made: Table) -> Iterator[Command]:
    evidence, seats = Evidence(made.state.version, made.game.root), len(made.state.seats)
    for dispute in made.state.disputes:
        for decision, changes in (("none", ()), ("void", ()), ("adjust", (2, *(-1,) * (seats - 1)))):
            yield GiveRuling(JUDGE, dispute.number, decision, changes, "S34", "likely", evidence, NOTE)


Tried = Callable[[Table], Iterator[Command | Attempt]]


def _of_seats(*make: Callable[[int], Command], wait_s: int = 0) -> Tried:
    return lambda made: (Attempt(each(seat), wait_s) for seat in _seats(made.state) for each in make)


def _only(*commands: Command | Attempt) -> Tried:
    return lambda _: iter(commands)


def _of_ceremonies(make: Callable[[int], Command]) -> Tried:
    return lambda made: (make(ceremony.n) for ceremony in made.state.ceremonies)


TRIED: dict[type[Any], Tried] = {
    OpenGame: lambda made: iter([OpenGame(made.game.game, 1, "pitch", {}, ())]),
    MakeBid: _bids,
    PassBid: _of_seats(PassBid),
    NameTrump: lambda made: (NameTrump(seat, suit) for seat in _seats(made.state) for suit in SUITS),
    CallPartner: _calls,
    Discard: _discards,
    PlayCard: lambda made: (PlayCard(seat, card) for seat in _seats(made.state) for card in _held(made.state, seat)),
    AskUndo: _of_seats(AskUndo),
    ProposeDraw: _of_seats(ProposeDraw),
    AnswerProposal: _of_seats(lambda seat: AnswerProposal(seat, True), lambda seat: AnswerProposal(seat, False)),
    Resign: _of_seats(Resign),
    CallDelay: lambda made: (
        Attempt(CallDelay(seat, accused), DELAY_S) for seat in _seats(made.state) for accused in _seats(made.state)
    ),
    VoteDelay: _of_seats(lambda seat: VoteDelay(seat, True), lambda seat: VoteDelay(seat, False)),
    ChangeRules: lambda made: (
        ChangeRules(seat, word)
        for seat in _seats(made.state)
        for word in available_changes(prospective_rules(made.state)) or ("points:4",)
    ),
    CutDeck: _cuts,
    RecordBeacon: _beacons,
    AskHandover: _of_seats(
        lambda seat: AskHandover(seat, "somebody", "human"),
        lambda seat: AskHandover(seat, "bot:simple:9", "bot", "simple"),
    ),
    AnswerHandover: _of_seats(lambda seat: AnswerHandover(seat, True), lambda seat: AnswerHandover(seat, False)),
    HandOver: _of_seats(HandOver),
    ReturnSeat: _of_seats(ReturnSeat),
    ClaimTime: lambda made: chain(_of_seats(ClaimTime)(made), _of_seats(ClaimTime, wait_s=22 * DAY_S)(made)),
    OpenDispute: _disputes,
    WithdrawDispute: lambda made: (
        WithdrawDispute(seat, each.number) for seat in _seats(made.state) for each in made.state.disputes
    ),
    GiveRuling: _rulings,
    AppealRuling: lambda made: (
        AppealRuling(seat, each.number) for seat in _seats(made.state) for each in made.state.disputes
    ),
    DecideAppeal: lambda made: (
        DecideAppeal(judge, each.number, decision)
        for each in made.state.disputes
        for judge in (JUDGE, OTHER_JUDGE)
        for decision in ("upheld", "reversed")
    ),
    RevealCeremony: _of_ceremonies(RevealCeremony),
    VoidCeremony: _of_ceremonies(VoidCeremony),
    BringChange: _only(BringChange()),
    EndGame: _only(EndGame()),
    Tick: _only(*(Attempt(Tick(), wait_s) for wait_s in WAITS_S)),
    TimeTurn: _only(TimeTurn()),
}
"""The commands to try at a table, by their kind."""
DRAWN = (DealHand, DrawSeats, DrawDealer, FlipCoin, DrawChange, EndSession, OpenCeremony)
"""Commands that the table makes of its seeds, right after the command that makes them due, and that nobody can send."""
require_every_command(get_args(Command), (*TRIED, *DRAWN), __name__)


def author(state: State, command: Any) -> str:
    """Return whose command it is."""
    match command:
        case GiveRuling() | DecideAppeal():
            return str(command.arbiter)
        case ReturnSeat():
            sitting = state.seats[command.seat]
            return sitting.lenders[0] if sitting.lenders else sitting.player
        case HandOver():
            return SERVER
        case RecordBeacon() if state.seats[command.seat].kind == "bot":
            return SERVER  # a bot brings none; the server does, in the name of any seat
        case _:
            return state.seats[command.seat].player if hasattr(command, "seat") else SERVER


def accepted(made: Table, command: Command, wait_s: int) -> Accepted | None:
    """Return what follows from a command at a copy of the table; None if it's refused or has no facts.

    None, too, for a command in whose place the clock's duty would be done.
    """
    clock = made.clock
    made.clock += wait_s + 1
    try:
        if is_clock_due(made.state, made.now) and not isinstance(command, Tick):
            return None
        draft = made.draft(command, author(made.state, command))
    except Rejected:
        return None
    finally:
        made.clock = clock
    return _after(made, command, wait_s, draft) if draft.entries else None


def _after(made: Table, command: Command, wait_s: int, draft: Draft) -> Accepted:
    after = made.fork()
    after.clock += wait_s + 1
    after.take(draft)
    return Accepted(command, tuple(entry.event.fact for entry in draft.entries), after)


# The situations


def matters(state: State) -> tuple[str, ...]:
    """Return what is open at the table beside the play, and what has changed for good."""
    hand = state.hand
    found = {
        f"delay call, {len(state.delay.votes) if state.delay else 0} votes": state.delay is not None,
        f"a proposal: {state.proposal.kind if state.proposal else ''}": state.proposal is not None,
        f"a hand-over to a {state.handover.kind if state.handover else ''}": state.handover is not None,
        "changes wait": hand is not None and not hand.over and bool(hand.deferred),
        "rules changed": state.opened is not None and state.in_force != state.opened.rules,
        "a seat left": bool(state.left),
        "a seat lent": any(each.lenders for each in state.seats),
        "a seat withheld a cut": bool(state.barred),
    }
    return (*(name for name, open_ in found.items() if open_), *(f"dispute: {_stage(each)}" for each in state.disputes))


def _stage(dispute: Dispute) -> str:
    if dispute.decision is not None:
        return dispute.decision
    if dispute.appealed_by is not None:
        return "appealed"
    return "open" if dispute.ruling is None else dispute.ruling.decision


def situation(made: Table) -> Situation:
    """Return the situation of a table."""
    state, hand, deal = made.state, made.state.hand, made.state.pending_deal
    live = hand is not None and not hand.over
    return Situation(
        (
            state.phase,
            deal and (bool(missing_cutters(state, deal)), is_beacon_missing(deal), bool(deal.cuts), bool(deal.seals)),
            deal and made.entries[-1].event.fact,
            hand and (hand.over, hand.misdealt, hand.defers_changes and live, is_call_due(state.rules, hand)),
            _progress(state, hand) if hand is not None and live else None,
            [state.seats[seat].kind if seat in state.still_in else "left" for seat in state.turn] == ["human"],
            state.undo_point is not None,
            running_clock(state) is not None,
            state.reminder_turn == state.turn_version,
        ),
        matters(state),
    )


def _progress(state: State, hand: Hand) -> tuple[object, ...]:
    """Return how far a hand is, as far as it matters: the last bid, discard or card, the first trick, a first lead."""
    seats = len(state.seats)
    if state.phase is Phase.AUCTION:
        return (hand.auction_turns == seats - 1, hand.high is None)
    if state.phase is Phase.DISCARDING:
        return (len(hand.discarded) == seats - 1,)
    plays = 0 if hand.trick is None else len(hand.trick.plays)
    return (plays > 0, plays == seats - 1, not hand.gathered, sum(hand.counts) == 1)


def play_on(made: Table) -> None:
    """Make the next move: each cuts, the first to bid bids the least, the others pass, and the first legal card."""
    state = made.state
    deal = ceremony_awaiting_cuts(state, state.at)
    if deal is not None:
        seats = missing_cutters(state, deal)
        if seats:
            return made.says(cut(made, seats[0], deal, seal(made, seats[0])))
        made.clock += WINDOW_S
        return made.do(Tick(), SERVER)
    (seat,) = state.turn
    if seat not in state.still_in:
        return made.do(stand_in_move(state, seat), SERVER)
    moves = legal_moves(state, seat)
    if state.phase is Phase.AUCTION and state.hand is not None and state.hand.high is None:
        return made.says(next((move for move in moves if isinstance(move, MakeBid)), moves[0]))
    others = _calls(made) if legal_discards(state, seat) is None else _discards(made)
    return made.says(moves[0] if moves else next(each for each in others if each.seat == seat))


def explore(make: Callable[[], Table], most_matters: int, *, every: bool = False) -> Explored:
    """Explore the situations of a table with at most that many open matters, up to the play of hand 2.

    Of the commands that are accepted in a situation and make the same facts and matters, one is read, or `every` one.
    """
    found = Explored()
    made = make()
    found.facts.update(entry.event.fact for entry in made.entries)
    queue = deque([(made, Readings().read_on(made.entries))])
    while queue:
        made, readings = queue.popleft()
        while not _is_far_enough(made):
            if (here := situation(made)) not in found.situations:
                found.situations.add(here)
                for after in _try_all(made, here, readings, found, every=every):
                    now = situation(after.table)
                    if now not in found.situations and now.matters != here.matters and len(now.matters) <= most_matters:
                        queue.append((after.table, readings.read_on(after.table.entries[len(made.entries) :])))
            size = len(made.entries)
            play_on(made)
            readings = readings.read_on(made.entries[size:])
    return found


def _is_far_enough(made: Table) -> bool:
    hand = made.state.hand
    return made.over or (hand is not None and hand.number >= LAST_HAND and made.state.phase is Phase.PLAY)


def _try_all(made: Table, here: Situation, readings: Readings, found: Explored, *, every: bool) -> Iterator[Accepted]:
    read = set[object]()
    for kind, commands in TRIED.items():
        for each in commands(made):
            command, wait_s = each if isinstance(each, Attempt) else Attempt(each)
            found.tried[kind.__name__] += 1
            after = accepted(made, command, wait_s)
            if after is None:
                continue
            found.accepted[kind.__name__] += 1
            form = (kind, after.facts, matters(after.table.state))
            if every or form not in read:
                read.add(form)
                found.facts.update(after.facts)
                faults = readings.read_on(after.table.entries[len(made.entries) :]).faults()
                found.faults += [f"{command} in {here}: {fault}" for fault in faults]
                yield after
