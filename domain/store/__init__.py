"""The games in the store: each command is one commit, and each read is up to date with the store.

Safe for concurrent use by several threads and processes, each with a `Games` on one store. The primary key (game,
version) decides: of two commits for one version one wins, and the other command is decided again on the new state.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from eventsourcing.persistence import IntegrityError, PersistenceError, Subscription

from domain.commands import Command, GiveRuling, OpenGame, Tick
from domain.engine.deadlines import is_clock_due
from domain.events import Evidence
from domain.rejections import WrongEvidence
from domain.state import SERVER, State
from domain.store.aggregate import Draft, Entropy, Entry, Request
from domain.store.cache import (
    AggregateCache,
    CachedGame,
    NoSuchGame,
    StoreUnavailable,
    parse_uuid,
    require_uuid,
    store_unavailable,
    translate_errors,
)
from domain.store.mapper import SHARD, FactMapper, Shard, StoredEntry
from domain.store.recorder import recorder_env
from domain.store.results import CommandReused, Commit, Notice, RaceLost, StaleVersion

__all__ = [
    "CommandReused",
    "Commit",
    "Follower",
    "Games",
    "NoSuchGame",
    "Notice",
    "RaceLost",
    "StaleVersion",
    "StoreUnavailable",
    "utc_now",
]

ATTEMPTS = 3
"""How many times to decide a command if other commits keep taking its version."""
CIPHER = "eventsourcing.cryptography:AESCipher"


def utc_now() -> str:
    """Return the current time in the format of events: UTC, six decimals."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Games:
    """The games in the file `data`/log.db, or in the PostgreSQL database at `url`. Open it after a fork, and close it.

    `settings` are the library's: COMPRESSOR_TOPIC, CIPHER_KEY (base64 of 16, 24 or 32 bytes) and CIPHER_TOPIC.
    Environment variables have no effect. `cache` is how many folded games stay in memory. Every method raises
    StoreUnavailable if the database fails, and Corrupt if the log isn't the one that was written.
    """

    def __init__(
        self,
        data: Path | None = None,
        url: str | None = None,
        *,
        entropy: Entropy = secrets.token_bytes,
        clock: Callable[[], str] = utc_now,
        settings: Mapping[str, str] | None = None,
        cache: int = 1000,
        migrate: bool = True,
    ) -> None:
        if data is None and url is None:
            raise ValueError("give a folder or a URL for the games")
        chosen = {"CREATE_TABLE": "y" if migrate else "n", **(settings or {})}
        if chosen.get("CIPHER_KEY"):
            chosen.setdefault("CIPHER_TOPIC", CIPHER)
        with translate_errors():
            self.application = Shard(recorder_env(data or Path(), url, name=SHARD, **chosen))
        self._recorder, self._mapper = self.application.recorder, self.application.mapper
        self._entropy, self._clock = entropy, clock
        self._cache = AggregateCache(self._recorder, self._mapper, cache)

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
    ) -> Commit:
        """Decide `command` and store its facts. A refusal raises Rejected and stores nothing.

        `if_match` is the version that the caller knew; raise StaleVersion if the game has moved. Set `follow_up` for
        moves of the server that follow a command, under the same id. A repeated command id gets the first answer again.
        Raise CommandReused if only its first half (before "-") is the same, and RaceLost after three lost races.
        """
        if isinstance(command, OpenGame):
            raise TypeError("open a game with Games.open")
        return self._commit(game, command, by, command_id, if_match, follow_up=follow_up)

    def state(self, game: str) -> State:
        """Return the game's current state."""
        return self.snapshot(game)[0]

    def snapshot(self, game: str) -> tuple[State, str]:
        """Return the game's current state, and the root of its log in hex."""
        with self._cache.lock(game):
            cached = self._cache.load(game)
            return cached.game.state, cached.game.root

    def seat_of(self, game: str, player: str) -> int | None:
        """Return the player's seat, or None. Players never change seats, so a cached game isn't loaded again."""
        cached = self._cache.cached(game)
        return (self.state(game) if cached is None else cached.game.state).seat_of(player)

    def entries(self, game: str, after: int = 0, upto: int | None = None) -> list[Entry]:
        """Return the entries above version `after`, up to and including `upto`. All links are checked."""
        with self._cache.lock(game):
            return self._cache.entries(self._cache.load(game), after, upto)

    def openings(self, after: int, upto: int, limit: int) -> list[tuple[int, str]]:
        """Return (position, id) of games opened above position `after`, up to and including `upto`, in order."""
        with translate_errors():
            return [(at, str(game)) for at, game in self._recorder.openings(after, upto, limit)]

    def read_at_position(self, game: str, position: int) -> tuple[State, list[Entry]]:
        """Return the game's state and entries as of a position of the log. Checks each link; bypasses the cache."""
        with translate_errors():
            version = self._recorder.version_at(require_uuid(game), position) or 0
        return self._cache.read_at_version(game, version)

    def first_entry(self, game: str) -> Entry:
        """Return the entry that opens the game. Bypasses the cache."""
        return self._cache.read_at_version(game, 1)[1][0]

    def entries_of_command(self, game: str, command_id: str) -> tuple[Entry, ...]:
        """Return every entry under this command id, the player's and the server's. Empty if there's no such game."""
        try:
            with self._cache.lock(game):
                return self._command_entries(self._cache.load(game), command_id)
        except NoSuchGame:
            return ()

    def notifications(self, after: int, limit: int) -> list[Notice]:
        """Return the next events of all games above a position, in the order of their commits."""
        with translate_errors():
            rows = self._recorder.select_notifications(after, limit, inclusive_of_start=False)
        return [_notice(row.id, self._mapper.to_domain_event(row)) for row in rows]

    def subscribe(self, after: int = 0) -> "Follower":
        """Follow every event above a position: `with games.subscribe(position) as follower: for notice in follower`."""
        with translate_errors():
            return Follower(self._recorder.subscribe(gt=after), self._mapper)

    def last_position(self) -> int:
        """Return the position of the last commit, 0 in an empty log."""
        with translate_errors():
            return self._recorder.max_notification_id() or 0

    def close(self) -> None:
        """Close the database."""
        self.application.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _commit(
        self, game: str, command: Command, by: str, command_id: str, if_match: int | None, *, follow_up: bool
    ) -> Commit:
        lost: list[Draft] = []
        with self._cache.lock(game):
            while True:
                cached = self._cache.load(game, new=isinstance(command, OpenGame))
                if lost and self._is_stored(cached, lost[-1]):
                    return self._to_commit(game, lost[-1], self.last_position())
                if not follow_up and (again := self._repeat(cached, command_id)) is not None:
                    return again
                _require_match(cached.game.state, if_match)
                if len(lost) == ATTEMPTS:
                    raise RaceLost("Three times, another command was stored first. Send the request again.")
                request = Request(by, command_id, self._clock())
                if is_clock_due(cached.game.state, max(request.at, cached.game.state.at)) and not isinstance(
                    command, Tick
                ):
                    self._apply_deadlines(cached, request.at)
                    continue
                draft = cached.game.draft(command, request, self._entropy)
                if isinstance(command, GiveRuling):
                    self._verify_evidence(cached, command.evidence)
                if not draft.entries:  # a Tick before any deadline
                    return self._to_commit(game, draft, self.last_position())
                lost.append(draft)
                with suppress(IntegrityError):
                    return self._to_commit(game, draft, self._save(cached, draft))

    def _verify_evidence(self, cached: CachedGame, evidence: Evidence) -> None:
        """Raise WrongEvidence unless this log has the root that the ruling quotes, at the size that it quotes."""
        if self._cache.root(cached, evidence.size) != evidence.root:
            raise WrongEvidence(f"The log has a different root at size {evidence.size}. Quote its root at that size.")

    def _apply_deadlines(self, cached: CachedGame, at: str) -> None:
        """End a game or forfeit a seat whose time is up, before any other command is decided (C6, R-C42, R-P10)."""
        clock = Request(SERVER, f"{self._entropy(8).hex()}-{self._entropy(8).hex()}", at)
        with suppress(IntegrityError):
            self._save(cached, cached.game.draft(Tick(), clock, self._entropy))

    def _save(self, cached: CachedGame, draft: Draft) -> int:
        """Store a draft and cache the game. After a failure the game is read from the store again."""
        self._cache.evict(cached)
        recorded = [StoredEntry(cached.uuid, entry.event.version, entry) for entry in draft.entries]
        try:
            recordings = self.application.events.put(recorded)
        except IntegrityError:
            raise
        except PersistenceError as error:
            raise store_unavailable(error) from error
        cached.game.apply_draft(draft)
        cached.add(draft.entries)
        self._cache.put(cached)
        return recordings[-1].notification.id

    def _to_commit(self, game: str, draft: Draft, position: int) -> Commit:
        return Commit(game, draft.entries, draft.state, draft.frontier.root().hex(), position)

    def _is_stored(self, cached: CachedGame, draft: Draft) -> bool:
        """Return whether a commit that seemed to fail was stored: its data is in the log, but the reply was lost."""
        first = draft.entries[0].event.version
        return [entry.raw for entry in self._cache.entries(cached, first - 1, first)] == [draft.entries[0].raw]

    def _repeat(self, cached: CachedGame, command_id: str) -> Commit | None:
        known = cached.command_ids.get(command_id.partition("-")[0])
        if known is None:
            return None
        if known != command_id:
            raise CommandReused("this key was used for another request")
        last = cached.game.commands[command_id][-1]
        then = cached.game if last == cached.game.version else self._cache.read(cached, last)[0]
        entries = self._command_entries(cached, command_id)
        return Commit(cached.game.id, entries, then.state, then.root, self.last_position(), repeated=True)

    def _command_entries(self, cached: CachedGame, command_id: str) -> tuple[Entry, ...]:
        versions = cached.game.commands.get(command_id)
        if not versions:
            return ()
        run = self._cache.entries(cached, versions[0] - 1, versions[-1])
        return tuple(entry for entry in run if entry.event.command == command_id)


class Follower:
    """An iterator over notices that waits for the next one. Use it in a `with`; `stop()` ends it from any thread."""

    def __init__(self, subscription: Subscription[Any], mapper: FactMapper) -> None:
        self._subscription, self._mapper = subscription, mapper

    def __enter__(self) -> Self:
        self._subscription.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._subscription.__exit__(kind, error, at)

    def __iter__(self) -> Iterator[Notice]:
        return self

    def __next__(self) -> Notice:
        with translate_errors():
            row = next(self._subscription)
        return _notice(row.id, self._mapper.to_domain_event(row))

    def stop(self) -> None:
        """End the iteration, also for a thread that waits for the next notice."""
        self._subscription.stop()


def _notice(position: int, recorded: StoredEntry) -> Notice:
    event = recorded.entry.event
    return Notice(position, event.game, event)


def _require_match(state: State, if_match: int | None) -> None:
    if if_match is not None and not state.moved <= if_match <= state.version:
        raise StaleVersion(if_match, state)
