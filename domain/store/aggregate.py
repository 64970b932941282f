"""A game as its log: the state, the frontier of hashes and the ids of its commands; and how a commit is drafted."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from domain.commands import CallDelay, Command, SeatCommand, Tick
from domain.decide import decide
from domain.decide.dealer_duties import next_duty
from domain.decide.envelope import fact_audience, fact_author
from domain.decide.whose_turn import with_single_next
from domain.events import FACT_VERSIONS, Event, Fact, GameOpened
from domain.events.codec import Unreadable, decode, encode, topic
from domain.evolve import evolve
from domain.protocols import merkle_log
from domain.protocols.merkle_log import EMPTY, Frontier
from domain.rejections import SeatLeft
from domain.state import EMPTY_STATE, SERVER, State

Entropy = Callable[[int], bytes]
"""A function that returns that many secret random bytes, such as secrets.token_bytes."""
FOLD_ERRORS = (ArithmeticError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError)
"""What evolve raises for a log that this program never wrote: it has no rules to refuse it by."""
PREV_SIZE = 32
"""The number of bytes of `prev`, which are stored before an event's canonical bytes."""


class Corrupt(Exception):
    """The stored log isn't the one that was written. `version` is the first event that doesn't fit."""

    def __init__(self, game: str, version: int, what: str) -> None:
        super().__init__(f"event {version} of game {game}: {what}")
        self.game = game
        self.version = version


@dataclass(frozen=True)
class Entry:
    """An event in the log: its canonical bytes, its leaf, and the root of all leaves before it."""

    event: Event[Any]
    raw: bytes = field(repr=False)
    prev: bytes
    leaf: bytes

    @property
    def stored(self) -> bytes:
        """The value of the state column: `prev`, then the canonical bytes."""
        return self.prev + self.raw


@dataclass(frozen=True)
class Request:
    """The player id of a command's author, the command id, and the time (UTC, six decimals)."""

    by: str
    command: str
    at: str


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
    if not all(map(isinstance, (version, topic_name, stored), (int, str, bytes))):
        raise Corrupt(game, version, "its row holds values of another kind")
    raw = stored[PREV_SIZE:]
    try:
        event = decode(raw, topic_name.partition("/")[0])
    except Unreadable as error:
        raise Corrupt(game, version, str(error)) from error
    if event.game != game or event.version != version or topic_name != topic(event):
        raise Corrupt(game, version, "its row names another game, version or fact than its bytes")
    return Entry(event, raw, stored[:PREV_SIZE], merkle_log.leaf(raw))


@dataclass
class Game:
    """A game folded from its log, with every link checked; `commands` holds each command id's versions."""

    id: str
    state: State = EMPTY_STATE
    frontier: Frontier = EMPTY
    commands: dict[str, list[int]] = field(default_factory=dict)

    @property
    def version(self) -> int:
        """The number of events in the log."""
        return self.frontier.size

    @property
    def root(self) -> str:
        """The log's root in hex."""
        return self.frontier.root().hex()

    def read(self, rows: Iterable[tuple[int, str, bytes]]) -> list[Entry]:
        """Fold more stored rows (version, topic, state). Raise Corrupt at the first that doesn't fit."""
        return list(self.iter_read(rows))

    def iter_read(self, rows: Iterable[tuple[int, str, bytes]]) -> Iterator[Entry]:
        """Fold rows as `read` does, but yield one entry at a time, so that the caller needn't hold all of them."""
        for version, topic_name, stored in rows:
            frontier, entry = self.frontier, read_row(self.id, version, topic_name, stored)
            if version != frontier.size + 1:
                raise Corrupt(self.id, version, f"event {frontier.size + 1} is missing before it")
            if entry.prev != frontier.root():
                what = f"its link is not the root of the events before it: {_link_suspects(version)}"
                raise Corrupt(self.id, version, what)
            self._add(entry, self._after(entry.event), frontier.append(entry.leaf))
            yield entry

    def _after(self, event: Event[Any]) -> State:
        """Return the state after a stored event. Raise Corrupt if it can't follow, even though its hashes fit."""
        if isinstance(event.data, GameOpened) != (self.state is EMPTY_STATE):
            raise Corrupt(self.id, event.version, "a game is opened by its first event, and by no other")
        try:
            return evolve(self.state, event)
        except FOLD_ERRORS as error:
            raise Corrupt(self.id, event.version, "it cannot follow the events before it") from error

    def apply_draft(self, draft: Draft) -> None:
        """Apply a draft that has been saved."""
        for entry in draft.entries:
            self._add(entry, draft.state, draft.frontier)

    def _add(self, entry: Entry, state: State, frontier: Frontier) -> None:
        self.commands.setdefault(entry.event.command, []).append(entry.event.version)
        self.state, self.frontier = state, frontier

    def draft(self, command: Command, request: Request, entropy: Entropy) -> Draft:
        """Return the commit of `command` and of what the table itself does next. A refusal raises Rejected.

        The time in CallDelay and Tick is the request's. A seat that left can act in disputes only.
        """
        if isinstance(command, SeatCommand) and request.by != SERVER and _has_left(self.state, command.seat):
            raise SeatLeft(f"Seat {command.seat} has left the game. The table plays for it.")
        if isinstance(command, CallDelay | Tick):
            command = replace(command, at=request.at)
        drafting = _Drafting(self, request, entropy)
        drafting.add(decide(self.state, command))
        while (due := next_duty(drafting.state, lambda: entropy(32), drafting.at)) is not None:
            drafting.add(decide(drafting.state, due))
        facts = [entry.event.data for entry in drafting.entries]
        if (once := with_single_next(facts)) != tuple(facts):
            drafting = _Drafting(self, request, entropy)
            drafting.add(once)
        return Draft(tuple(drafting.entries), drafting.state, drafting.frontier)


def _has_left(state: State, seat: int) -> bool:
    return bool(state.seats) and seat not in state.still_in


def _link_suspects(version: int) -> str:
    """Return what may have been changed if all earlier links are right: the event before, or this link."""
    return f"event {version - 1} or this link was changed"


class _Drafting:
    """Puts facts in their envelopes one by one and folds them."""

    def __init__(self, game: Game, request: Request, entropy: Entropy) -> None:
        self.game = game.id
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
