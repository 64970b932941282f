"""The games in the store: each command is one commit, and each read is up to date with the store.

Safe for concurrent use by several threads and processes, each with a `Games` on one store. The primary key (game,
version) decides: of two commits for one version one wins, and the other command is decided again on the new state.
"""

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from eventsourcing.persistence import IntegrityError, PersistenceError

from domain.commands import ClaimTime, Command, GiveRuling, OpenGame, Tick
from domain.engine.deadlines import is_clock_due
from domain.events import Event, Evidence, GameOpened, TurnTimed
from domain.rejections import NotARuling, Rejected, WrongEvidence
from domain.rules.variants import KNOWN
from domain.state import SERVER, State, require
from domain.store.aggregate import ALWAYS_OPEN, Draft, Entropy, Entry, Game, Hours, Request
from domain.store.application import (
    CACHED,
    GameRepository,
    LogDamaged,
    NoSuchGame,
    StoreUnavailable,
    parse_uuid,
    require_uuid,
    store_unavailable,
    translate_errors,
)
from domain.store.group_commit import StoreObserver
from domain.store.held_clock import Holds, NeverHeld, held_at_command, held_in_turn, must_time_again, utc_now
from domain.store.log import LogPosition, Numbers
from domain.store.shards.opening import open_log

ATTEMPTS = 3
"""How many times to decide a command if other commits keep taking its version."""
RECENT = 4096
"""How many of its last commits a process knows, to look whether the log still has them."""
RULES = "rules"
"""The name of the rules inside facts, which have a version of their own; no fact begins in lower case."""
TOO_NEW = (
    "Another server of this store still runs release {release}, which can't read this yet. Send the request again when"
    " the upgrade is done."
)


class StaleVersion(Exception):
    """The game has moved since the version that the caller knew. `version` is the current one."""

    def __init__(self, if_match: int, state: State) -> None:
        now = f"the game last moved at version {state.moved} and is at version {state.version}"
        super().__init__(f"version {if_match} is out of date: {now}")
        self.if_match, self.moved, self.version = if_match, state.moved, state.version


class RaceLost(Exception):
    """Other commits were quicker every time. The command can be sent again at once."""


class CommandReused(Exception):
    """The key of an earlier command was used for another request."""


@dataclass(frozen=True)
class Commit:
    """The result of a command: its entries, and the state and root after the last of them.

    `position` is the position of the game's shard then or later. If the command is repeated, `entries` are those of
    the first time and of everything that followed under the same command id.
    """

    game: str
    entries: tuple[Entry, ...]
    state: State
    root: str
    position: LogPosition
    repeated: bool = False


class FactTooNew(StoreUnavailable):
    """Another node that shares the store can't read a fact of this commit. Nothing was stored."""


class WriteGuard:
    """Judges commits before they are stored, by what others have found out. Safe for use by several threads."""

    def __init__(self) -> None:
        self.damage: str | None = None
        """Why this isn't the log that was written, if it isn't."""
        self.unknown: Mapping[str, str] = {}
        """The facts that another node can't read as this one writes them, with that node's release."""

    def check(self, entries: Sequence[Entry] = ()) -> None:
        """Raise LogDamaged if the log isn't whole, and FactTooNew unless every node can read these entries."""
        if self.damage is not None:
            raise LogDamaged(self.damage)
        if not self.unknown:
            return
        for entry in entries:
            release = self.unknown.get(entry.event.fact)
            if release is None and getattr(entry.event.data, RULES, None) is not None:
                release = self.unknown.get(RULES)
            if release is not None:
                raise FactTooNew(TOO_NEW.format(release=release))


class Games:
    """The games in the file `data`/log.db, or in the PostgreSQL database at `url`. Open it after a fork, and close it.

    `settings` are the library's: COMPRESSOR_TOPIC, CIPHER_KEY (base64 of 16, 24 or 32 bytes), CIPHER_TOPIC, and those
    of `timeout_settings` and `shard_settings`. With another compressor or cipher than the log was written with, every
    game is Corrupt. Environment variables have no effect. `log` is the log of all games in order, by shard.
    `cache` is how many folded games stay in memory. Every method raises StoreUnavailable if the database fails, and
    Corrupt if the log isn't the one that was written.
    """

    def __init__(
        self,
        data: Path | None = None,
        url: str | None = None,
        *,
        entropy: Entropy = secrets.token_bytes,
        clock: Callable[[], str] = utc_now,
        holds: Holds | None = None,
        settings: Mapping[str, str] | None = None,
        cache: int = CACHED,
        migrate: bool = True,
    ) -> None:
        if data is None and url is None:
            raise ValueError("give a folder or a URL for the games")
        chosen = {"CREATE_TABLE": "y" if migrate else "n", **(settings or {})}
        with translate_errors():
            self.log = open_log(data or Path(), url, chosen, cache)
        self.guard = WriteGuard()
        """Judges what is stored, by what its owner is told."""
        self._entropy, self._clock, self._holds = entropy, clock, holds or NeverHeld()
        self._hours: Hours = ALWAYS_OPEN
        self.recent = deque[LogPosition](maxlen=RECENT)
        """The positions of the last commits of this process."""

    def report_to(self, observer: StoreObserver) -> None:
        """Report to `observer` from now on."""
        self.log.group.observer = self.log.cache.observer = observer

    @property
    def write_error(self) -> Exception | None:
        """The error of the last transaction of this process, or None if it was stored."""
        return self.log.group.error

    def use_hours(self, hours: Hours) -> None:
        """Ask `hours` from now on in which times a player's clock doesn't run."""
        self._hours = hours

    def open(self, command: OpenGame, *, by: str, command_id: str) -> Commit:
        """Open a game under the UUID in the command (lower case, with hyphens)."""
        if parse_uuid(command.game) is None:
            raise ValueError("the id of a game is a UUID in lower case")
        return self._commit(command.game, command, by, command_id, None, follow_up=False)

    def act(
        self,
        game: str,
        command: Command,
        *,
        by: str,
        command_id: str,
        if_match: int | None = None,
        follow_up: bool = False,
        at: str | None = None,
    ) -> Commit:
        """Decide `command` and store its facts. A refusal raises Rejected and stores nothing.

        `if_match` is the version that the caller knew; raise StaleVersion if the game has moved. Set `follow_up` for
        moves of the server that follow a command, under the same id. A repeated command id gets the first answer again.
        `at` is the time of the facts, if it was fixed before the command was chosen; None for the time now.
        Raise CommandReused if only its first half (before "-") is the same, and RaceLost after three lost races.
        """
        if isinstance(command, OpenGame):
            raise TypeError("open a game with Games.open")
        return self._commit(game, command, by, command_id, if_match, follow_up=follow_up, fixed=at)

    def now(self) -> str:
        """Return the time by the clock of the games, in the format of events."""
        return self._clock()

    def state(self, game: str) -> State:
        """Return the game's current state."""
        return self.snapshot(game)[0]

    def snapshot(self, game: str) -> tuple[State, str]:
        """Return the game's current state, and the root of its log in hex."""
        with self._loaded(game) as (_, loaded):
            return loaded.state, loaded.root

    def seat_of(self, game: str, player: str) -> int | None:
        """Return the seat that the player holds, or None. A cached game is loaded again only if it says None.

        `act` judges by the newest version whether the player still holds the seat.
        """
        cached = self.log.cache.find(require_uuid(game))
        seat = None if cached is None else cached.state.seat_of(player)
        return self.state(game).seat_of(player) if seat is None else seat

    def opening(self, game: str) -> GameOpened:
        """Return the fact that opened the game. It never changes, so a cached game isn't loaded again."""
        cached = self.log.cache.find(require_uuid(game))
        return require((self.state(game) if cached is None else cached.state).opened)

    def entries(self, game: str, after: int = 0, upto: int | None = None) -> list[Entry]:
        """Return the entries above version `after`, up to and including `upto`. All links are checked."""
        with self._loaded(game) as (repository, loaded):
            return repository.entries(loaded, after, upto)

    def read_at_position(self, game: str, upto: Numbers | None) -> tuple[State, list[Entry]]:
        """Return the game's state and entries as of positions of the log; None: as of now.

        Check each link; bypass the cache.
        """
        return self._read_at_version(game, self.log.version_at(require_uuid(game), upto))

    def first_entry(self, game: str) -> Entry:
        """Return the entry that opens the game. Bypasses the cache."""
        return self._read_at_version(game, 1)[1][0]

    def _read_at_version(self, game: str, version: int) -> tuple[State, list[Entry]]:
        uuid = require_uuid(game)
        return self.log.application_of(uuid).repository.read_at_version(uuid, version)

    def entries_of_command(self, game: str, command_id: str) -> tuple[Entry, ...]:
        """Return every entry under this command id, the player's and the server's. Empty if there's no such game."""
        try:
            with self._loaded(game) as (repository, loaded):
                return _command_entries(repository, loaded, command_id)
        except NoSuchGame:
            return ()

    def history(self, game: str, upto: Numbers) -> Iterator[Event[Any]]:
        """Yield the game's events up to positions of the log, with every link checked. Bypasses the cache.

        Raise Corrupt at the first event that can't be read or doesn't fit, and NoSuchGame for a game without events.
        """
        uuid = require_uuid(game)
        entries = self.log.application_of(uuid).repository.iter_entries(uuid, self.log.version_at(uuid, upto))
        return (entry.event for entry in entries)

    @contextmanager
    def _loaded(self, game: str) -> Iterator[tuple[GameRepository, Game]]:
        """Hold the lock of a game with every event in the store."""
        uuid = require_uuid(game)
        repository = self.log.application_of(uuid).repository
        with self.log.cache.lock_of(uuid):
            yield repository, repository.get(uuid)

    def close(self) -> None:
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _commit(
        self,
        game: str,
        command: Command,
        by: str,
        command_id: str,
        if_match: int | None,
        *,
        follow_up: bool,
        fixed: str | None = None,
    ) -> Commit:
        lost: list[Draft] = []
        uuid, cache = require_uuid(game), self.log.cache
        repository = self.log.application_of(uuid).repository
        self.guard.check()
        with cache.lock_of(uuid):
            remembered = cache.find(uuid)
            if remembered is not None and (follow_up or not _is_known(remembered, command_id)):
                draft = self._act_from_memory(remembered, command, by, command_id, if_match, fixed)
                if draft is not None:
                    with suppress(IntegrityError):
                        return _to_commit(game, draft, self._save(remembered, draft))
                    lost.append(draft)
            attempts = len(lost) + ATTEMPTS
            while True:
                current = _load(repository, uuid, new=isinstance(command, OpenGame))
                if lost and _is_stored(repository, current, lost[-1]):
                    return _to_commit(game, lost[-1], self.log.head(game))
                if not follow_up and (again := self._repeat(repository, current, command_id)) is not None:
                    return again
                _require_match(current.state, if_match)
                if len(lost) == attempts:
                    raise RaceLost("Three times, another command was stored first. Send the request again.")
                at = max(fixed or self._clock(), current.state.at)
                if not isinstance(command, Tick) and self._is_clock_due(current.state, at):
                    self._apply_deadlines(current, at)
                    continue
                held = held_at_command(self._holds, current.state, command, at)
                draft = self._act(current, command, Request(by, command_id, at, held))
                if not draft.entries:  # a Tick before any deadline
                    return _to_commit(game, draft, self.log.head(game))
                lost.append(draft)
                with suppress(IntegrityError):
                    return _to_commit(game, draft, self._save(current, draft))

    def _act_from_memory(
        self,
        remembered: Game,
        command: Command,
        by: str,
        command_id: str,
        if_match: int | None,
        fixed: str | None,
    ) -> Draft | None:
        """Act if the game is as this process last saw it; the store refuses it otherwise.

        Return None for everything that must be judged on the newest state, since nothing would be stored: refusals,
        commands that are out of date, and time-outs.
        """
        if isinstance(command, Tick | ClaimTime):
            return None
        at = max(fixed or self._clock(), remembered.state.at)
        if self._is_clock_due(remembered.state, at):
            return None
        try:
            _require_match(remembered.state, if_match)
            return self._act(remembered, command, Request(by, command_id, at))
        except (Rejected, StaleVersion):
            return None

    def _is_clock_due(self, state: State, at: str) -> bool:
        """Return whether a Tick must come first, for a time-out or because the clock of the turn was held."""
        return is_clock_due(state, at) or must_time_again(self._holds, state, at)

    def _act(self, game: Game, command: Command, request: Request) -> Draft:
        draft = game.draft(command, request, self._entropy, self._hours)
        if isinstance(command, GiveRuling):
            self._verify_evidence(game, command.evidence)
            _verify_basis(require(game.state.opened).variant, command.basis)
        return game.pend(draft)

    def _verify_evidence(self, game: Game, evidence: Evidence) -> None:
        """Raise WrongEvidence unless this log has the root that the ruling quotes, at the size that it quotes."""
        if self.log.application_of(game.id).repository.root(game, evidence.size) != evidence.root:
            raise WrongEvidence(f"The log has a different root at size {evidence.size}. Quote its root at that size.")

    def _apply_deadlines(self, game: Game, at: str) -> None:
        """End a game or forfeit a seat whose time is up, before any other command is decided (C6, R-C42, R-P10)."""
        command_id = f"{self._entropy(8).hex()}-{self._entropy(8).hex()}"
        clock = Request(SERVER, command_id, at, held_in_turn(self._holds, game.state, at))
        with suppress(IntegrityError):
            self._save(game, game.act(Tick(), clock, self._entropy, self._hours))

    def _save(self, game: Game, draft: Draft) -> LogPosition:
        """Store what is pending and cache the game. After a failure other than a lost race, it's read again."""
        self.log.cache.evict(game.id)
        self.guard.check(draft.entries)
        try:
            recordings = self.log.application_of(game.id).save(game)
        except IntegrityError:
            self.log.cache.put(game.id, game)
            raise
        except PersistenceError as error:
            raise store_unavailable(error) from error
        self.log.cache.put(game.id, game)
        self._count_closed_times(draft)
        position = self.log.position_of(game.id, recordings[-1].notification.id, draft.entries[-1].leaf)
        self.recent.append(position)
        return position

    def _count_closed_times(self, draft: Draft) -> None:
        """Count the closed times of a stored commit. A command that is refused or lost a race counts none."""
        for entry in draft.entries:
            timed = entry.event.data
            if isinstance(timed, TurnTimed) and timed.closed:
                self._hours.count(draft.state.seats[timed.seat].player, timed.closed)

    def _repeat(self, repository: GameRepository, game: Game, command_id: str) -> Commit | None:
        if not _is_known(game, command_id):
            return None
        if game.command_ids[command_id.partition("-")[0]] != command_id:
            raise CommandReused("this key was used for another request")
        last = game.commands[command_id][-1]
        then = game if last == game.version else repository.get(game.id, version=last)
        entries = _command_entries(repository, game, command_id)
        return Commit(game.game, entries, then.state, then.root, self.log.head(game.game), repeated=True)


def _verify_basis(variant: str, basis: str | None) -> None:
    """Raise NotARuling for a clause that the sheets of this game don't have. Stored rulings can name any clause."""
    known = KNOWN.get(variant)
    if basis is not None and known is not None and not known.has_clause(basis):
        there = f"There are {known.sheet_summary}: read them on the page /rules/{known.sheet.page}."
        raise NotARuling(f"The rules of this game have no clause {basis}. {there}")


def _load(repository: GameRepository, game: UUID, *, new: bool) -> Game:
    """Return a game; one without events if it's `new` and isn't in the store."""
    try:
        return repository.get(game)
    except NoSuchGame:
        if not new:
            raise
        return Game(str(game))


def _to_commit(game: str, draft: Draft, position: LogPosition) -> Commit:
    return Commit(game, draft.entries, draft.state, draft.frontier.root().hex(), position)


def _is_stored(repository: GameRepository, game: Game, draft: Draft) -> bool:
    """Return whether a commit that seemed to fail was stored: its data is in the log, but the reply was lost."""
    first = draft.entries[0].event.version
    return [entry.raw for entry in repository.entries(game, first - 1, first)] == [draft.entries[0].raw]


def _command_entries(repository: GameRepository, game: Game, command_id: str) -> tuple[Entry, ...]:
    versions = game.commands.get(command_id)
    if not versions:
        return ()
    run = repository.entries(game, versions[0] - 1, versions[-1])
    return tuple(entry for entry in run if entry.event.command == command_id)


def _is_known(game: Game, command_id: str) -> bool:
    return command_id.partition("-")[0] in game.command_ids


def _require_match(state: State, if_match: int | None) -> None:
    if if_match is not None and not state.moved <= if_match <= state.version:
        raise StaleVersion(if_match, state)
