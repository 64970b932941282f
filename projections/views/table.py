"""The parts of a view about the table: the hand, an open deal, question or delay call, and the clock (R-P15)."""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired, TypedDict, cast

from msgspec.structs import asdict

from domain.cards import Suit
from domain.engine.cuts import cut_deadline, missing_cutters
from domain.engine.deadlines import running_clock
from domain.engine.paces import time_left_ms
from domain.events import Play, TrickTaken, TurnPace
from domain.json_fields import CardText, Hash, PlayerKind, Time, says
from domain.protocols.beacon import publication_time
from domain.state import Ceremony, DelayCall, Hand, State, Trick, TurnClock


class PlayedCard(TypedDict):
    """A card on the table and the seat that played it."""

    seat: int
    card: CardText


class TableTrick(TypedDict):
    """The trick on the table."""

    number: int
    leader: int
    plays: list[PlayedCard]


class LastTrick(TypedDict):
    """The trick gathered last; its plays are empty if won cards lie face down."""

    number: int
    seat: Annotated[int, says("The seat that took it.")]
    plays: list[PlayedCard]


class DealtRound(TypedDict):
    """The round of a beacon that the promise of a deal named."""

    source: Annotated[str, says("The name of the round.")]
    counts: Annotated[bool, says("Whether the deal rests on it; false if its signature didn't come in time.")]


class HandOptions(TypedDict, total=False):
    """The parts of a hand that only some tables have."""

    beacon: DealtRound
    first_joker: Annotated[CardText | None, says("The joker that was played first.")]


class TableHand(HandOptions):
    """The hand on the table. A field is null until there is a value for it."""

    number: int
    redeal: Annotated[int, says("How often it was dealt again.")]
    dealer: int
    eldest: int
    bids: Annotated[list[int | None], says("A bid for each seat as it stands.")]
    passed: Annotated[list[int], says("The seats that have passed.")]
    pitcher: int | None
    bid: int | None
    trump: Suit | None
    marker: Annotated[CardText | None, says("The card that made trump by being led.")]
    upcard: Annotated[CardText | None, says("The card that was turned up for trump.")]
    called: Annotated[CardText | None, says("The card that the pitcher called.")]
    trick: TableTrick | None
    last_trick: LastTrick | None
    commit: Annotated[Hash, says("The commitment of the deal.")]
    grade: Annotated[str, says("How the deal's fairness is graded.")]


def hand_json(state: State, hand: Hand) -> TableHand:
    face_down = state.rules.won_face_down
    return {
        "number": hand.number,
        "redeal": hand.redeal,
        "dealer": hand.dealer,
        "eldest": hand.eldest,
        "bids": list(hand.bids),
        "passed": sorted(hand.passed),
        "pitcher": hand.pitcher,
        "bid": hand.bid,
        "trump": hand.trump,
        "marker": hand.marker,
        "upcard": hand.upcard,
        "called": hand.called,
        "trick": _trick(state.trick),
        "last_trick": _last_trick(hand.last_trick, face_down=face_down),
        "commit": hand.commit,
        "grade": hand.grade,
        **_options(state, hand),
    }


def _options(state: State, hand: Hand) -> HandOptions:
    shown = HandOptions()
    if hand.beacon is not None:
        shown["beacon"] = {"source": hand.beacon, "counts": hand.has_beacon}
    if state.rules.jokers:
        shown["first_joker"] = hand.first_joker
    return shown


def _plays(plays: Iterable[Play]) -> list[PlayedCard]:
    return [{"seat": play.seat, "card": play.card} for play in plays]


def _trick(trick: Trick | None) -> TableTrick | None:
    return None if trick is None else {"number": trick.number, "leader": trick.leader, "plays": _plays(trick.plays)}


def _last_trick(trick: TrickTaken | None, *, face_down: bool) -> LastTrick | None:
    """Return the last gathered trick, without its cards if won cards lie face down (T16, R-T12)."""
    if trick is None:
        return None
    return {"number": trick.trick, "seat": trick.seat, "plays": [] if face_down else _plays(trick.plays)}


class NamedRound(TypedDict):
    """The round of a beacon that a waiting deal named."""

    source: Annotated[str, says("The name of the round.")]
    published: Annotated[Time | None, says("When the round is published.")]
    recorded: Annotated[bool, says("Whether its signature is recorded.")]


class WaitingDeal(TypedDict):
    """A deal that waits for cuts or a beacon."""

    n: int
    subject: str
    commit: Hash
    seals: Annotated[dict[str, Hash], says("The seals of cuts promised before, by seat.")]
    cuts: Annotated[list[int], says("The seats that have cut.")]
    waits_for: Annotated[list[int], says("The seats that may still cut.")]
    deadline: Annotated[Time, says("When the table deals without them.")]
    beacon: NotRequired[NamedRound]


class OpenProposal(TypedDict):
    """The open undo or draw."""

    kind: str
    seat: Annotated[int, says("The seat that asked.")]
    accepted: Annotated[list[int], says("The seats that agree.")]
    to_version: Annotated[int | None, says("The version that an undo goes back to.")]


class OpenHandover(TypedDict):
    """The open question whether a seat changes hands."""

    seat: int
    to: Annotated[str, says("The player or bot who would get it.")]
    kind: PlayerKind
    accepted: Annotated[list[int], says("The seats that agree.")]


class DelayVote(TypedDict):
    """A vote on a delay call."""

    seat: int
    guilty: bool


class OpenDelayCall(TypedDict):
    """The open call of delay of game."""

    seat: int
    accused: int
    waited_ms: int
    votes: list[DelayVote]


def waiting_deal_json(state: State) -> WaitingDeal | None:
    """Return the deal that waits: commitment, seals, seats that cut, seats that haven't, beacon, and the deadline."""
    ceremony = state.pending_deal
    if ceremony is None or (closes := cut_deadline(state, ceremony)) is None:
        return None
    waiting: WaitingDeal = {
        "n": ceremony.n,
        "subject": ceremony.subject,
        "commit": ceremony.commit,
        "seals": {str(seat): seal for seat, seal in ceremony.seals},
        "cuts": sorted(seat for seat, _ in ceremony.cuts),
        "waits_for": list(missing_cutters(state, ceremony)),
        "deadline": closes,
    }
    if ceremony.beacon is not None:
        waiting["beacon"] = _named_round(ceremony, ceremony.beacon)
    return waiting


def _named_round(ceremony: Ceremony, source: str) -> NamedRound:
    """Return the round that the ceremony named, when it's published, and whether its signature is recorded."""
    recorded = ceremony.beacon_cut is not None
    return {"source": source, "published": publication_time(source), "recorded": recorded}


def proposal_json(state: State) -> OpenProposal | None:
    """Return the open undo or draw: who asked, who has agreed so far, and the version that an undo goes back to."""
    proposal = state.proposal
    return (
        None
        if proposal is None
        else {
            "kind": proposal.kind,
            "seat": proposal.accepted[0],
            "accepted": sorted(proposal.accepted),
            "to_version": proposal.to_version,
        }
    )


def handover_json(state: State) -> OpenHandover | None:
    """Return the open question about a seat: which one, who would get it, and who has agreed so far."""
    asked = state.handover
    if asked is None:
        return None
    return {"seat": asked.seat, "to": asked.to, "kind": asked.kind, "accepted": sorted(asked.accepted)}


def delay_call_json(call: DelayCall) -> OpenDelayCall:
    """Return the open delay call and the votes so far."""
    votes: list[DelayVote] = [{"seat": seat, "guilty": guilty} for seat, guilty in call.votes]
    return {"seat": call.seat, "accused": call.accused, "waited_ms": call.waited_ms, "votes": votes}


class ClockPace(TypedDict):
    """A clock in seconds. A field that the table doesn't use is missing."""

    kind: Literal["live", "daily", "bank"]
    base_s: NotRequired[int]
    move_s: NotRequired[int]
    increment_s: NotRequired[int]
    auction_s: NotRequired[int]
    cap_s: NotRequired[int]


class RunningClock(TypedDict):
    """The clock of the turn. Its deadline is that of the turn."""

    seat: int
    since: Annotated[Time, says("When it began to run.")]
    left_ms: Annotated[int, says("The seat's time then.")]
    held_ms: Annotated[int, says("For how long the clock was held in this turn.")]
    closed: list[list[Time]]


class TableClock(TypedDict):
    """The clock of the table, and what becomes of a seat that is out of time."""

    pace: ClockPace | None
    autopilot: Annotated[str, says("`forfeit`, `claim`, or `bot:` and a strategy.")]
    running: RunningClock | None
    left_ms: Annotated[list[int | None], says("Each seat's time left after its last turn; empty without a pace.")]


def clock_json(state: State, *, is_commit_end: bool) -> TableClock | None:
    """Return the pace, the autopilot, the running clock and the seats' times; None if time is in days and forfeits."""
    opened = state.opened
    if opened is None or (opened.timing.pace is None and opened.autopilot == "forfeit"):
        return None
    pace, running = opened.timing.pace, running_clock(state) if is_commit_end else None
    return {
        "pace": None if pace is None else _pace(pace),
        "autopilot": opened.autopilot,
        "running": None if running is None else _running(running),
        "left_ms": [] if pace is None else [_left_ms(state, pace, seat) for seat in range(len(state.seats))],
    }


def _pace(pace: TurnPace) -> ClockPace:
    return cast("ClockPace", {name: value for name, value in asdict(pace).items() if value is not None})


def _running(clock: TurnClock) -> RunningClock:
    """Return the clock of the turn. Its time is over at the deadline, which counts the closed and held times."""
    closed = [list(times) for times in clock.closed]
    return {
        "seat": clock.seat,
        "since": clock.since,
        "left_ms": clock.left_ms,
        "held_ms": clock.held_ms,
        "closed": closed,
    }


def _left_ms(state: State, pace: TurnPace, seat: int) -> int | None:
    """Return what a seat had left when its last turn ended; None for a bot, a seat that left, and a clock of days."""
    if pace.base_s is None or seat not in state.persons:
        return None
    last = state.clocks[seat] if state.clocks else None
    return pace.base_s * 1000 if last is None else time_left_ms(last)
