"""A game as an aggregate: its state, the frontier of its hashes, the end of its log, and its pending events."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Protocol
from uuid import UUID

from domain.commands import (
    AppealRuling,
    AskHandover,
    CallDelay,
    ClaimTime,
    Command,
    GiveRuling,
    OpenDispute,
    RecordBeacon,
    ReturnSeat,
    SeatCommand,
    Tick,
    TimeTurn,
    WithdrawDispute,
)
from domain.decide import decide
from domain.decide.commits import fact_audience, fact_author, with_single_next
from domain.decide.dealer_duties import next_duty
from domain.engine.deadlines import counts_from, is_timing_due, people_to_move, running_clock, turn_time_ms
from domain.engine.paces import has_closed_hours
from domain.events import FACT_VERSIONS, Event, Fact, GameOpened
from domain.events.codec import TooNew, Unreadable, decode, encode
from domain.events.table_talk import Intervals
from domain.evolve import evolve
from domain.protocols import merkle_log
from domain.protocols.merkle_log import EMPTY, Frontier, GrowingLog
from domain.rejections import NotSeated, SeatLeft
from domain.state import EMPTY_STATE, SERVER, State, require
from domain.struct import Value, redacted_repr

Entropy = Callable[[int], bytes]
"""A function that returns that many secret random bytes, such as secrets.token_bytes."""
FOLD_ERRORS = (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError)
"""The errors that evolve raises for a log that this program never wrote: it has no rules to refuse it by."""
_KINDS = (int, str, bytes)
HOLDER_COMMANDS = SeatCommand | AskHandover | OpenDispute | WithdrawDispute | AppealRuling
"""The commands that only the player who holds the seat can give."""
PREV_SIZE = 32
"""The number of bytes of `prev`, which are stored before an event's canonical bytes."""
RECENT_ENTRIES = 64
"""How many of its last entries a game holds, so that following it needs no database read."""
CHECKPOINT_ENTRIES = 64
"""How many entries at least are between two checkpoints, from which older entries are read again."""
_uuid = lru_cache(4096)(UUID)


class Corrupt(Exception):
    """The stored log isn't the one that was written. `version` is the first event that doesn't fit.

    `too_new` means that a newer program may be able to read that event.
    """

    def __init__(self, game: str, version: int, what: str, *, too_new: bool = False) -> None:
        super().__init__(f"event {version} of game {game}: {what}")
        self.game = game
        self.version = version
        self.what = what
        self.too_new = too_new


class Entry(Value, frozen=True):
    """An event in the log: its canonical bytes, its leaf, and the root of all leaves before it.

    For the eventsourcing library it's a domain event, with the attributes that the library expects of one.
    """

    event: Event[Any]
    raw: bytes
    prev: bytes
    leaf: bytes

    __repr__ = redacted_repr("raw")

    @property
    def originator_id(self) -> UUID:
        """The game's id."""
        return _uuid(self.event.game)

    @property
    def originator_version(self) -> int:
        """The version, from 1."""
        return self.event.version

    @property
    def stored(self) -> bytes:
        """The value of the state column: `prev`, then the canonical bytes."""
        return self.prev + self.raw


class Hours(Protocol):
    """The closed times of all players: nights, weekends and vacations, in which a clock doesn't run (R-P16).

    They are kept beside the log.
    """

    def closed_intervals(self, player: str, since: str, time_ms: int) -> Intervals:
        """Return the player's closed times from `since` on, until `time_ms` of open time have passed (UTC)."""

    def count(self, player: str, closed: Intervals) -> None:
        """Note that the log counts with these closed times, so that the player can't take them back."""


class AlwaysOpen:
    """The hours of players who have no closed times, as in tests and tools."""

    def closed_intervals(self, _player: str, _since: str, _time_ms: int) -> Intervals:
        return ()

    def count(self, _player: str, _closed: Intervals) -> None:
        pass


ALWAYS_OPEN = AlwaysOpen()


@dataclass(frozen=True)
class Request:
    """The player id of a command's author, the command id, and the time (UTC, six decimals).

    `held_ms` is how long the clock was held since the turn began; only Tick and ClaimTime need it.
    """

    by: str
    command: str
    at: str
    held_ms: int = 0


@dataclass(frozen=True)
class Draft:
    """A commit that isn't saved yet: its entries, and the game's state and frontier after them."""

    entries: tuple[Entry, ...]
    state: State
    frontier: Frontier


def read_row(game: str, version: int, topic_name: str, stored: bytes) -> Entry:
    """Return the entry in a stored row. `Game.read` checks whether its link fits the events before it.

    Raise Corrupt if the bytes can't be read, or if they name another game, version or fact than their row. A damaged
    SQLite file can return values of any type.
    """
    if (type(version), type(topic_name), type(stored)) != _KINDS:
        raise Corrupt(game, version, "its row holds values of another kind")
    raw = stored[PREV_SIZE:]
    return Entry(read_event(game, version, topic_name, raw), raw, stored[:PREV_SIZE], merkle_log.leaf(raw))


def read_event(game: str, version: int, topic_name: str, raw: bytes) -> Event[Any]:
    """Return the event in a row's canonical bytes. Raise Corrupt as `read_row` does."""
    fact, v = _fact_and_version(topic_name)
    try:
        event = decode(raw, fact)
    except Unreadable as error:
        raise Corrupt(game, version, str(error), too_new=isinstance(error, TooNew)) from error
    if event.game != game or event.version != version or event.fact != fact or event.v != v:
        raise Corrupt(game, version, "its row names another game, version or fact than its bytes")
    return event


@lru_cache(maxsize=256)
def _fact_and_version(topic_name: str) -> tuple[str, int | None]:
    """Return the fact and the version that a topic names; no version if it isn't spelled as `topic` spells it."""
    fact, _, v = topic_name.partition("/")
    return fact, int(v) if len(v) < 9 and v.isdecimal() and v == str(int(v)) else None


def require_next(game: str, log: GrowingLog, entry: Entry) -> Entry:
    """Return the entry if it follows the events of `log`. Raise Corrupt if its version or its link doesn't fit."""
    version = entry.event.version
    if version != log.size + 1:
        raise Corrupt(game, version, f"event {log.size + 1} is missing before it")
    if entry.prev != log.root:
        what = f"its link is not the root of the events before it: {_link_suspects(version)}"
        raise Corrupt(game, version, what)
    return entry


@dataclass(repr=False)
class Game:
    """A game folded from its log, with every link checked: an aggregate, as the eventsourcing library calls it.

    `game` is its id as text. `commands` holds each command id's versions, and `command_ids` each id by its first half.
    """

    game: str
    state: State = EMPTY_STATE
    frontier: Frontier = EMPTY
    commands: dict[str, list[int]] = field(default_factory=dict)
    command_ids: dict[str, str] = field(default_factory=dict)
    recent: deque[Entry] = field(default_factory=lambda: deque(maxlen=RECENT_ENTRIES))
    """The last entries of the log."""
    checkpoints: list[Frontier] = field(default_factory=lambda: [EMPTY])
    """The frontier at some versions."""
    pending_events: tuple[Entry, ...] = ()
    """The events of commands that aren't stored yet; the state and the frontier are those after them."""
    _stored: tuple[State, Frontier] | None = None
    """The state and the frontier before the pending events."""

    def __repr__(self) -> str:
        return f"Game({self.game!r}, version={self.version})"  # its state has secrets

    @property
    def id(self) -> UUID:
        """The id, by which the repository finds the game."""
        return _uuid(self.game)

    @property
    def version(self) -> int:
        """The number of events, with those that are pending."""
        return self.frontier.size

    @property
    def root(self) -> str:
        """The log's root in hex."""
        return self.frontier.root().hex()

    def read(self, rows: Iterable[tuple[int, str, bytes]]) -> list[Entry]:
        """Fold stored rows (version, topic, state) that follow. Raise Corrupt at the first that doesn't fit."""
        return [*self.follow(read_row(self.game, *row) for row in rows)]

    def follow(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Fold stored entries that follow, and yield each. Raise Corrupt at the first that doesn't fit.

        The frontier and the version are right again once the iteration has ended.
        """
        log = GrowingLog(self.frontier)
        try:
            for entry in entries:
                event = require_next(self.game, log, entry).event
                if isinstance(event.data, GameOpened) is not (self.state is EMPTY_STATE):
                    raise Corrupt(self.game, event.version, "a game is opened by its first event, and by no other")
                try:
                    self.state = evolve(self.state, event)
                except FOLD_ERRORS as error:
                    raise Corrupt(self.game, event.version, "it cannot follow the events before it") from error
                log.append(entry.leaf)
                self._remember(entry)
                if log.size >= self.checkpoints[-1].size + CHECKPOINT_ENTRIES:
                    self.checkpoints.append(log.frontier())
                yield entry
        finally:
            self.frontier = log.frontier()

    def _remember(self, entry: Entry) -> None:
        command, version = entry.event.command, entry.event.version
        self.recent.append(entry)
        if command in self.commands:
            self.commands[command].append(version)
        else:
            self.commands[command] = [version]
            self.command_ids[command.partition("-")[0]] = command

    def act(self, command: Command, request: Request, entropy: Entropy, hours: Hours = ALWAYS_OPEN) -> Draft:
        """Decide a command as `draft` does: its facts become pending events. After a refusal, nothing is pending."""
        return self.pend(self.draft(command, request, entropy, hours))

    def pend(self, draft: Draft) -> Draft:
        """Make the events of a draft pending, and return the draft."""
        if not self.pending_events:
            self._stored = self.state, self.frontier
        self.pending_events += draft.entries
        self.state, self.frontier = draft.state, draft.frontier
        return draft

    def collect_events(self) -> Sequence[Entry]:
        """Return the pending events, and hold them until `keep` or `discard` says if they were stored."""
        return self.pending_events

    def keep(self) -> None:
        """Take the pending events as stored."""
        for entry in self.pending_events:
            self._remember(entry)
        if self.frontier.size >= self.checkpoints[-1].size + CHECKPOINT_ENTRIES:
            self.checkpoints.append(self.frontier)
        self.pending_events, self._stored = (), None

    def discard(self) -> None:
        """Drop the pending events: the game is as it was before its commands."""
        if self.pending_events and self._stored is not None:
            self.state, self.frontier = self._stored
        self.pending_events, self._stored = (), None

    def apply_draft(self, draft: Draft) -> None:
        """Apply a draft as `act` does, and take it as stored."""
        self.pend(draft)
        self.keep()

    def draft(self, command: Command, request: Request, entropy: Entropy, hours: Hours = ALWAYS_OPEN) -> Draft:
        """Return the commit of `command` and of what the table itself does next. A refusal raises Rejected.

        `hours` says in which times the clock of the awaited player doesn't run. The times in CallDelay, RecordBeacon,
        GiveRuling, AppealRuling, ClaimTime and Tick, and the player in ReturnSeat, are the request's. A seat that left
        can act in disputes only, and a player who doesn't hold a seat can only take it back.
        """
        _require_holder(self.state, command, request.by)
        if isinstance(command, CallDelay | RecordBeacon | GiveRuling | AppealRuling):
            command = replace(command, at=request.at)
        elif isinstance(command, ReturnSeat):
            command = replace(command, to=request.by)
        elif isinstance(command, ClaimTime):
            command = replace(command, at=request.at, held_ms=request.held_ms)
        elif isinstance(command, Tick):
            command = Tick(request.at, request.held_ms)
        drafting = _Drafting(self, request, entropy)
        drafting.add(decide(self.state, command))
        while (due := next_duty(drafting.state, lambda: entropy(32), drafting.at)) is not None:
            drafting.add(decide(drafting.state, due))
        self._time_turn(drafting, hours)
        facts = [entry.event.data for entry in drafting.entries]
        if (once := with_single_next(facts)) != tuple(facts):
            drafting = _Drafting(self, request, entropy)
            drafting.add(once)
        return Draft(tuple(drafting.entries), drafting.state, drafting.frontier)

    def _time_turn(self, drafting: "_Drafting", hours: Hours) -> None:
        """Start the clock of a turn that has begun, or set it again, as the last of the commit."""
        state, held = drafting.state, drafting.request.held_ms
        held = 0 if running_clock(state) is None else held
        if is_timing_due(state, held):
            player = state.seats[people_to_move(state)[0]].player
            pace, time_ms = require(require(state.opened).timing.pace), turn_time_ms(state) + held
            closed = hours.closed_intervals(player, counts_from(state), time_ms) if has_closed_hours(pace) else ()
            drafting.add(decide(state, TimeTurn(closed, held)))


def _require_holder(state: State, command: Command, by: str) -> None:
    """Refuse a player's command for a seat that left, or that another player holds by now."""
    if by == SERVER or not isinstance(command, HOLDER_COMMANDS) or not 0 <= command.seat < len(state.seats):
        return
    if isinstance(command, SeatCommand) and command.seat not in state.still_in:
        raise SeatLeft(f"Seat {command.seat} has left the game. The table plays for it.")
    if not isinstance(command, ReturnSeat) and state.seats[command.seat].player != by:
        raise NotSeated(f"You don't hold seat {command.seat} in this game.")


def _link_suspects(version: int) -> str:
    """Return what may have been changed if all earlier links are right: the event before, or this link."""
    return f"event {version - 1} or this link was changed"


class _Drafting:
    """Puts facts in their envelopes one by one and folds them."""

    def __init__(self, game: Game, request: Request, entropy: Entropy) -> None:
        self.game = game.game
        self.state, self.frontier = game.state, game.frontier
        self.request, self.entropy = request, entropy
        self.at = max(request.at, game.state.at)  # times within a game never decrease
        self.entries: list[Entry] = []

    def add(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            event = self._event(fact)
            raw, prev = encode(event), self.frontier.root()
            entry = Entry(event, raw, prev, merkle_log.leaf(raw))
            self.entries.append(entry)
            self.state, self.frontier = evolve(self.state, event), self.frontier.append(entry.leaf)

    def _event(self, fact: Fact) -> Event[Fact]:
        name = type(fact).__name__
        return Event(
            at=self.at,
            by=fact_author(fact, self.state, self.request.by),
            command=self.request.command,
            data=fact,
            fact=name,
            game=self.game,
            salt=self.entropy(16).hex(),
            seen_by=fact_audience(fact, self.state),
            v=FACT_VERSIONS[name],
            version=self.frontier.size + 1,
        )
