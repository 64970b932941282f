"""Several processes on one store, and a failing store: no stale reads, no duplicates, no losses."""

import multiprocessing
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from domain.commands import AnswerProposal, Command, PassBid, ProposeDraw
from domain.rejections import NoProposal, ProposalOpen
from domain.store import RaceLost, StoreUnavailable, utc_now
from tests.campaigns.network_faults.proxy import Proxy, running_proxy
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


@pytest.mark.both_stores
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


@pytest.fixture
def proxy(fresh_postgres: str) -> Iterator[tuple[Proxy, str]]:
    """Yield a proxy for a new database, and the URL of the database behind it."""
    host = str(conninfo_to_dict(fresh_postgres)["host"])
    with (
        tempfile.TemporaryDirectory(prefix="wire-") as folder,  # whose name is short enough for a socket
        running_proxy(Path(folder), Path(host)) as running,
    ):
        yield running, fresh_postgres.replace(host, folder)


@pytest.mark.parametrize("follow_up", [False, True], ids=["of a player", "of the autoplayer"])
def test_a_commit_whose_reply_was_lost_is_not_a_lost_race_on_postgres(
    proxy: tuple[Proxy, str], tmp_path: Path, follow_up: bool
) -> None:
    with at(Database(proxy[1], tmp_path)) as games:
        game = open_game(games)
        proxy[0].cut_next("after")
        commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1), if_match=9, follow_up=follow_up)
        assert proxy[0].cuts == 1
        assert (commit.repeated, commit.state.version) == (False, 10)
        assert games.snapshot(game) == (commit.state, commit.root)
        assert games.entries_of_command(game, command_id(1)) == commit.entries == tuple(games.entries(game)[9:])


def test_a_lost_reply_is_not_a_third_lost_race_on_postgres(
    proxy: tuple[Proxy, str], fresh_postgres: str, tmp_path: Path
) -> None:
    with at(Database(fresh_postgres, tmp_path)) as others:
        game = open_game(others)
        ahead: list[Command] = [AnswerProposal(2, accept=False), ProposeDraw(3)]

        def clock() -> str:
            if ahead:
                others.act(game, ahead.pop(), by=f"p{2 + len(ahead)}", command_id=command_id(2 + len(ahead)))
            else:
                proxy[0].cut_next("after")
            return utc_now()

        with at(Database(proxy[1], tmp_path), clock=clock) as games:
            commit = games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert (commit.repeated, commit.state.version, proxy[0].cuts) == (False, 12, 1)
        assert others.entries_of_command(game, command_id(1)) == commit.entries


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


@pytest.mark.both_stores
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
