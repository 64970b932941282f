"""Several processes on one store, and a failing store: no stale reads, no duplicates, no losses."""

import multiprocessing
import resource
import select
import socket
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Thread

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from domain.commands import AnswerProposal, Command, PassBid, ProposeDraw
from domain.rejections import NoProposal, ProposalOpen
from domain.store import Commit, RaceLost, StoreUnavailable, utc_now
from tests.conftest import Database
from tests.domain.store.recording import when_back
from tests.domain.store.storing import at, command_id, open_game, play
from tests.logs.tables import log_tables
from tests.postgres import Cluster
from tests.waiting import wait_until

PATIENCE = 240  # seconds until a test that hangs fails
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine
fresh = multiprocessing.get_context("spawn")  # nothing of the parent's connections gets into a child


@contextmanager
def child(target: Callable[..., None], *args: object) -> Iterator[Connection]:
    """Run a process during the block; its first argument is its end of the connection."""
    ours, theirs = fresh.Pipe()
    process: BaseProcess = fresh.Process(target=target, args=(theirs, *args))
    process.start()
    theirs.close()
    try:
        yield ours
        ours.close()
        process.join(PATIENCE)
        assert process.exitcode == 0
    finally:
        process.kill()
        process.join()


def receive(connection: Connection) -> object:
    assert connection.poll(PATIENCE), "the other process doesn't answer"
    return connection.recv()


HASTY = {"POSTGRES_CONNECT_TIMEOUT": "3"}
"""Settings of a process that notices quickly that the store is down, in seconds."""


# No stale reads


def one_move_each_time(asked: Connection, database: Database, game: str, seed: int) -> None:
    """On request, send the version seen, make a move, and send the version and root after it."""
    chance = Random(seed)
    with at(database) as games, closing(asked):
        asked.send("ready")
        while True:
            try:
                asked.recv()
            except EOFError:
                return
            seen = games.snapshot(game)
            commit = play(games, game, 1, chance)[0]
            asked.send((seen[0].version, seen[1], commit.state.version, commit.root))


@pytest.mark.lengthy
def test_processes_that_take_turns_never_see_a_stale_game(database: Database) -> None:
    with at(database) as games:
        game = open_game(games)
        version, root = games.state(game).version, games.snapshot(game)[1]
        with child(one_move_each_time, database, game, 1) as one, child(one_move_each_time, database, game, 2) as two:
            assert (receive(one), receive(two)) == ("ready", "ready")
            for turn in range(40):
                other = (one, two)[turn % 2]
                other.send("move")
                answer = receive(other)
                assert isinstance(answer, tuple)
                assert answer[:2] == (version, root)
                version, root = answer[2:]
                assert games.snapshot(game)[1] == root


# No duplicates


def quarrel(asked: Connection, database: Database, game: str, seat: int) -> None:
    """Propose and reject draws until told to stop, each command twice; then send the accepted commands."""
    with at(database) as games, closing(asked):
        asked.send("ready")
        asked.recv()
        held: dict[str, list[int]] = {}
        chance = Random(seat)
        while not asked.poll():
            known = command_id(chance.getrandbits(64))
            command = AnswerProposal(seat, accept=False) if games.state(game).proposal else ProposeDraw(seat)
            try:
                first = games.act(game, command, by=f"p{seat}", command_id=known)
                again = games.act(game, command, by=f"p{seat}", command_id=known)
            except (NoProposal, ProposalOpen, RaceLost):
                continue
            assert again.repeated
            assert again.entries == first.entries
            held[known] = [entry.event.version for entry in first.entries]
        asked.send(held)


@pytest.mark.lengthy
def test_processes_racing_on_one_game_store_each_command_once_and_each_version_once(database: Database) -> None:
    with at(database) as games, ExitStack() as stack:
        game = open_game(games)
        others = [stack.enter_context(child(quarrel, database, game, seat)) for seat in range(4)]
        assert [receive(other) for other in others] == ["ready"] * 4
        for word in ("go", "stop"):
            for other in others:
                other.send(word)
            if word == "go":
                wait_until(lambda: games.state(game).version >= 40, within_s=PATIENCE)
        held: dict[str, list[int]] = {}
        for other in others:
            answer = receive(other)
            assert isinstance(answer, dict)
            held |= answer
        stored: dict[str, list[int]] = {}
        for entry in games.entries(game, 9):
            stored.setdefault(entry.event.command, []).append(entry.event.version)
        assert held == stored
        assert len(held) > 20
        with at(database) as reader:
            assert reader.snapshot(game) == games.snapshot(game)


# A reply that is lost on its way back from PostgreSQL


class Wire:
    """A socket in front of PostgreSQL's. While `losing`, it drops the answer to the next pass and its connection.

    If it also `falls`, it lets no data through until `down` is reset.
    """

    def __init__(self, folder: Path, server: str) -> None:
        host = str(conninfo_to_dict(server)["host"])
        self.direct, self.url, self._server = server, server.replace(host, str(folder)), f"{host}/.s.PGSQL.5432"
        self.losing = self.falls = self.down = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                Thread(target=self._carry, args=(self._listener.accept()[0],), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(self._server)
            lost = False
            while not self.down:
                for source in select.select([client, server], [], [], 0.05)[0]:
                    said = source.recv(1 << 16)
                    if not said or (lost and source is server):
                        self.down = self.falls if said else self.down
                        return
                    if self.losing and b"BidPassed/1" in said:
                        self.losing, lost = False, True
                    (server if source is client else client).sendall(said)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()


@pytest.fixture
def wire(fresh_postgres: str) -> Iterator[Wire]:
    with (
        tempfile.TemporaryDirectory(prefix="wire-") as folder,  # whose name is short enough for a socket
        closing(Wire(Path(folder), fresh_postgres)) as made,
    ):
        yield made


@pytest.mark.parametrize("follow_up", [False, True], ids=["of a player", "of the autoplayer"])
def test_a_commit_whose_reply_was_lost_is_not_a_lost_race_on_postgres(
    wire: Wire, tmp_path: Path, follow_up: bool
) -> None:
    with at(Database(wire.url, tmp_path)) as games:
        game = open_game(games)
        wire.losing = True
        commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=9, follow_up=follow_up)
        assert not wire.losing
        assert (commit.repeated, commit.state.version) == (False, 10)
        assert games.snapshot(game) == (commit.state, commit.root)
        assert games.entries_of_command(game, command_id(1)) == commit.entries == tuple(games.entries(game)[9:])


def test_a_lost_reply_is_not_a_third_lost_race_on_postgres(wire: Wire, tmp_path: Path) -> None:
    with at(Database(wire.direct, tmp_path)) as others:
        game = open_game(others)
        ahead: list[Command] = [AnswerProposal(2, accept=False), ProposeDraw(3)]

        def clock() -> str:
            if ahead:
                others.act(game, ahead.pop(), by=f"p{2 + len(ahead)}", command_id=command_id(2 + len(ahead)))
            else:
                wire.losing = True
            return utc_now()

        with at(Database(wire.url, tmp_path), clock=clock) as games:
            commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert (commit.repeated, commit.state.version, wire.losing) == (False, 12, False)
        assert others.entries_of_command(game, command_id(1)) == commit.entries


def test_a_commit_whose_reply_was_lost_with_the_store_is_found_later_by_its_command_on_postgres(
    wire: Wire, tmp_path: Path
) -> None:
    with at(Database(wire.url, tmp_path), settings=HASTY) as games:
        game = open_game(games)
        wire.losing = wire.falls = True
        with pytest.raises(StoreUnavailable):
            games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        with pytest.raises(StoreUnavailable):
            games.state(game)
        wire.falls = wire.down = False
        commit = when_back(lambda: games.act(game, PassBid(0), by="p0", command_id=command_id(1)), StoreUnavailable)
        assert (commit.repeated, commit.state.version) == (True, 10)


# A store that fails


@contextmanager
def nobody_else_writes(database: Database) -> Iterator[None]:
    """Let another program lock the store."""
    if database.url:
        with psycopg.connect(database.url) as held:
            for table in log_tables(database.url):
                held.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE".encode())
            yield
    else:
        with closing(sqlite3.connect(database.data / "log.db", isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            yield


@pytest.mark.lengthy
def test_a_store_that_refuses_writes_is_unavailable_and_works_afterwards(database: Database) -> None:
    patience = {"SQLITE_LOCK_TIMEOUT": "1", "POSTGRES_LOCK_TIMEOUT": "1"}
    with at(database, settings=patience) as games:
        game = open_game(games)
        with nobody_else_writes(database):
            with pytest.raises(StoreUnavailable):
                games.act(game, PassBid(0), by="p0", command_id=command_id(1))
            assert games.state(game).version == 9
        commit = when_back(lambda: games.act(game, PassBid(0), by="p0", command_id=command_id(1)), StoreUnavailable)
        assert (commit.repeated, commit.state.version) == (False, 10)


def fill_the_disk(asked: Connection, database: Database, game: str) -> None:
    """Play until files can't grow, and continue when they can again. Send the acknowledged commands.

    The decks are the same in every run, since another card might need less room than the one that didn't fit.
    """
    with at(database, entropy=Random(9).randbytes) as games, closing(asked):
        made, chance = play(games, game, 5), Random(9)
        room = (database.data / "log.db-wal").stat().st_size + 40_000
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        with suppress(StoreUnavailable):
            while True:
                made += play(games, game, 1, chance)
        with pytest.raises(StoreUnavailable):
            play(games, game, 1, Random(11))
        version = games.state(game).version
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        last = play(games, game, 1, Random(11))[0]
        commits: list[Commit] = [*made, last, *play(games, game, 5, Random(10))]
        asked.send((len(made), version, [[entry.raw for entry in commit.entries] for commit in commits]))


def test_a_full_disk_loses_nothing_on_sqlite(tmp_path: Path) -> None:
    database = Database(None, tmp_path)
    with at(database) as games:
        game = open_game(games)
        with child(fill_the_disk, database, game) as other:
            answer = receive(other)
        assert isinstance(answer, tuple)
        before, version, acknowledged = answer
        assert before > 5
        kept = sum(map(len, acknowledged[:before]))
        assert version == 9 + kept
        assert [entry.raw for entry in games.entries(game, 9)] == [raw for commit in acknowledged for raw in commit]


def test_a_killed_server_loses_no_acknowledged_event_on_postgres(postgres_cluster: Cluster, tmp_path: Path) -> None:
    with at(Database(postgres_cluster.server.dsn, tmp_path), settings=HASTY) as games:
        game = open_game(games)
        acknowledged = play(games, game, 15)
        postgres_cluster.kill()
        with pytest.raises(StoreUnavailable):
            games.state(game)
        with pytest.raises(StoreUnavailable):
            games.act(game, ProposeDraw(0), by="p0", command_id=command_id(1))
        postgres_cluster.start()
        entries = when_back(lambda: games.entries(game, 9), StoreUnavailable)
        assert [entry.raw for entry in entries] == [entry.raw for commit in acknowledged for entry in commit.entries]
        assert games.snapshot(game) == (acknowledged[-1].state, acknowledged[-1].root)
        assert not games.act(game, ProposeDraw(0), by="p0", command_id=command_id(1)).repeated
