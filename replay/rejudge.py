"""Today's rules over yesterday's game: every command rebuilt from the facts, decided anew, and the facts compared.

The rules themselves are those the game recorded; the code that reads them is today's. A difference says that they
disagree, not who is right: the record stands (design, second law), and its game goes on from what it says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from domain.cards import SUIT
from domain.commands import (
    AnswerProposal,
    AskUndo,
    Command,
    MakeBid,
    PassBid,
    PlayCard,
    ProposeDraw,
    Resign,
)
from domain.croupier import owed
from domain.decider import decide
from domain.events import (
    BidMade,
    BidPassed,
    CardPlayed,
    CeremonyOpened,
    DrawAnswered,
    DrawProposed,
    Event,
    Fact,
    GameOpened,
    SeatResigned,
    SeedKept,
    TrumpPitched,
    UndoAnswered,
    UndoAsked,
)
from domain.evolve import evolve
from domain.rejections import Rejected
from domain.standing_in import stand_in
from domain.state import NEW, SERVER, State
from replay.findings import Finding, section
from replay.history import History

NO_SEED = bytes(32)
ASTRAY = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""What the rules may run into on a record they never could have written."""


@dataclass(frozen=True)
class Rejudged:
    """The versions at which the judged commands begin, the last version judged, and each difference.

    `waits` says why it stopped before the end of the record.
    """

    heads: tuple[int, ...]
    upto: int
    findings: tuple[Finding, ...]
    waits: str | None = None

    @property
    def commands(self) -> int:
        """How many commands were judged."""
        return len(self.heads)

    def within(self, first: int, last: int) -> "Rejudged":
        """What of it is about the versions from `first` to `last`."""
        found = tuple(each for each in self.findings if each.version is not None and first <= each.version <= last)
        heads = tuple(version for version in self.heads if first <= version <= last)
        return Rejudged(heads, min(self.upto, last), found, None if last <= self.upto else self.waits)

    def json(self) -> dict[str, object]:
        """The section of a report."""
        return {
            "commands": self.commands,
            "upto": self.upto,
            "waits": self.waits,
            **section(self.findings),
        }


class _Unfoldable(Exception):
    """The record is not one the fold can take."""


def rejudge(history: History) -> Rejudged:
    """Judge the whole of `history` anew, as far as its events are shown."""
    events = _shown(history)
    waits = None if len(events) == len(history.lines) else f"event {len(events) + 1} is not shown, or cannot be read"
    state, place = NEW, 0
    heads: list[int] = []
    found: list[Finding] = []
    while place < len(events):
        try:
            judged, differences = _judge(state, events[place:])
            if waits is not None and place + judged == len(events):
                break
            found += differences
            for event in events[place : place + judged]:
                state = _fold(state, event)
        except _Unfoldable as error:
            found.append(Finding(events[place].version, str(error)))
            waits = "the record cannot be followed any further"
            break
        heads.append(events[place].version)
        place += judged
    return Rejudged(tuple(heads), place, tuple(found), waits)


def _shown(history: History) -> list[Event[Any]]:
    """The events up to the first that is not shown."""
    shown: list[Event[Any]] = []
    for line in history.lines:
        if line.event is None:
            break
        shown.append(line.event)
    return shown


def _fold(state: State, event: Event[Any]) -> State:
    try:
        return evolve(state, event)
    except ASTRAY as error:
        raise _Unfoldable(f"{event.fact} cannot follow what is recorded before it") from error


def _judge(state: State, rest: Sequence[Event[Any]]) -> tuple[int, list[Finding]]:
    """How many of the recorded events the next command accounts for, one at least, and how they differ."""
    head = rest[0]
    if isinstance(head.data, GameOpened) and state is NEW:
        return 1, []  # the rules are taken as recorded, whatever the catalogue offers today
    if isinstance(head.data, CeremonyOpened) and len(rest) == 1:
        return 1, []  # the record ends before the seed that would tell
    try:
        command = _command(state, rest)
        if command is None:
            return 1, [Finding(head.version, f"{head.fact} is recorded where the table owes nothing and no seat acts")]
        facts = decide(state, command)
    except Rejected as refusal:
        return 1, [Finding(head.version, f"today's rules refuse it: {refusal}")]
    except ASTRAY as error:
        raise _Unfoldable(f"{head.fact} cannot be judged after what is recorded before it") from error
    return _compare(rest, facts)


def _command(state: State, rest: Sequence[Event[Any]]) -> Command | None:
    """The command that brought the next events about: what the table owed, or what a seat asked."""
    head = rest[0]
    seeds = [bytes.fromhex(event.data.seed) for event in rest[:2] if isinstance(event.data, SeedKept)]
    due = owed(state, lambda: seeds[0] if seeds else NO_SEED)
    if due is not None:
        return due
    asked = _asked(head.data)
    if head.by == SERVER and isinstance(asked, MakeBid | PassBid | PlayCard):
        return stand_in(state, asked.seat)
    return asked


def _asked(fact: Fact) -> Command | None:
    match fact:
        case BidMade(seat, bid):
            return MakeBid(seat, bid)
        case BidPassed(seat):
            return PassBid(seat)
        case TrumpPitched(seat, _, card) | CardPlayed(seat, card):
            return PlayCard(seat, card) if card in SUIT else None
        case UndoAsked(seat):
            return AskUndo(seat)
        case DrawProposed(seat):
            return ProposeDraw(seat)
        case UndoAnswered(seat, accept) | DrawAnswered(seat, accept):
            return AnswerProposal(seat, accept)
        case SeatResigned(seat):
            return Resign(seat)
        case _:
            return None


def _compare(rest: Sequence[Event[Any]], facts: Sequence[Fact]) -> tuple[int, list[Finding]]:
    """The recorded events against today's facts, as far as they are of the same kinds."""
    found: list[Finding] = []
    for place, fact in enumerate(facts):
        name = type(fact).__name__
        if place == len(rest):
            return place, found
        event = rest[place]
        if event.fact != name:
            found.append(Finding(event.version, f"today's rules bring {name} about, where {event.fact} is recorded"))
            return max(1, place), found
        found += [Finding(event.version, says) for says in _differences(event.data, fact)]
    return len(facts), found


def _differences(recorded: Fact, today: Fact) -> Iterator[str]:
    for name, value in vars(recorded).items():
        if value != (now := getattr(today, name)):
            yield f"its {name} is recorded as {_shown_value(value)}; today's rules say {_shown_value(now)}"


def _shown_value(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)
