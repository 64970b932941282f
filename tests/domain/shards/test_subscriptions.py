"""Live subscriptions: the library's own classes follow a log on both stores, across shards, processes and outages."""

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count, groupby
from multiprocessing.process import BaseProcess
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from eventsourcing.persistence import PersistenceError, Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.projection import ApplicationSubscription
from eventsourcing.sqlite import SQLiteTrackingRecorder
from eventsourcing.tests import projection as shipped

from domain.store import wakeups
from domain.store.aggregate import Entry
from domain.store.recorder import recorder_env
from domain.store.shards import subscription
from domain.store.shards.opening import LogShard, projection_envs, shard_settings
from tests.conftest import Database
from tests.domain.store.recording import await_length, events, following, open_recorder, when_back
from tests.domain.store.storing import SEALED, at, id_in, open_game, play
from tests.logs.reading import all_notices
from tests.postgres import Cluster
from tests.waiting import wait_until

pytestmark = pytest.mark.no_tables

NEVER_S = 10_000.0
fresh = multiprocessing.get_context("spawn")  # nothing of the parent's connections gets into a child


@pytest.fixture
def without_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a subscription look once for commits of other processes, and never again."""
    monkeypatch.setattr(wakeups, "LOOK_S", NEVER_S)
    monkeypatch.setattr(wakeups, "IDLE_LOOK_S", NEVER_S)


@pytest.mark.usefixtures("without_polls")
def test_a_commit_of_this_process_arrives_without_a_look(database: Database) -> None:
    with open_recorder(database.data, database.url) as log, log.subscribe() as live, following(live, live.stop) as seen:
        for first in (1, 3):
            log.insert_events(events(uuid4(), 1, 2))
            await_length(seen, first + 1)
        assert log.insert_batches([events(uuid4(), 1, 2), events(uuid4(), 2, 2)]) == [[5, 6], None]
        await_length(seen, 6)
        assert [row.id for row in seen] == [1, 2, 3, 4, 5, 6]


def test_a_commit_of_another_process_arrives(database: Database) -> None:
    with ExitStack() as stack:
        log, other = (stack.enter_context(open_recorder(database.data, database.url)) for _ in range(2))
        live = stack.enter_context(log.subscribe())
        seen = stack.enter_context(following(live, live.stop))
        for length in (2, 4):
            other.insert_events(events(uuid4(), 1, 2))
            await_length(seen, length)
        assert seen == other.select_notifications(1, 10)


def test_pages_leave_nothing_out_and_pass_over_other_topics(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription, "PAGE", 3)
    with open_recorder(database.data, database.url) as log, ExitStack() as stack:
        for number in range(6):
            log.insert_events(events(uuid4(), 1, 2, ("CardPlayed", "TrickTaken")[number % 2]))
        rows, found = log.select_notifications(1, 100), list[list[Any]]()
        for gt, topics in ((None, ()), (None, ["TrickTaken"]), (rows[4].id, ["TrickTaken", "CardPlayed"])):
            live = stack.enter_context(log.subscribe(gt, topics))
            found.append(stack.enter_context(following(live, live.stop)))
        wanted = [rows, [row for row in rows if row.topic == "TrickTaken"], rows[5:]]
        for seen, want in zip(found, wanted, strict=True):
            await_length(seen, len(want))
        log.insert_events(events(uuid4(), topic="TrickTaken"))
        for seen, want in zip(found, wanted, strict=True):
            await_length(seen, len(want) + 1)
            assert seen == [*want, *log.select_notifications(rows[-1].id, 100, inclusive_of_start=False)]


@pytest.mark.usefixtures("without_polls")
def test_closing_a_log_ends_its_subscriptions(database: Database) -> None:
    with at(database) as games:
        live = games.log.subscribe()
        with following(live, games.close) as seen:
            open_game(games)
            await_length(seen, 9)


def test_a_log_that_cannot_be_read_at_first_is_an_error(database: Database) -> None:
    with open_recorder(database.data, database.url, CREATE_TABLE="n") as log, pytest.raises(PersistenceError):
        next(log.subscribe())


@pytest.mark.lengthy
def test_a_subscription_outlives_a_database_that_is_away(
    postgres_cluster: Cluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url, hasty = postgres_cluster.server.dsn, {"POSTGRES_CONNECT_TIMEOUT": "1"}
    with open_recorder(tmp_path, url, **hasty) as log, log.subscribe() as live, following(live, live.stop) as seen:
        log.insert_events(events(uuid4(), 1, 3))
        await_length(seen, 3)
        postgres_cluster.kill()
        wait_until(lambda: "waits until the log can be read" in caplog.text, "the subscription doesn't notice")
        postgres_cluster.start()
        stored = when_back(lambda: log.insert_events(events(uuid4(), 1, 3)))
        await_length(seen, 6)
        assert [row.id for row in seen[3:]] == stored


def test_one_iterator_follows_all_shards(database: Database) -> None:
    with at(database, settings=shard_settings(4)) as games:
        for seed in range(8):
            play(games, open_game(games, str(id_in(seed % 4, 4))), 5, Random(seed))
        names = [f"games0{shard}of04" for shard in range(4)]
        starts = dict(zip(names, (None, 3, 0, games.log.last_numbers()[3]), strict=True))
        live = games.log.subscribe(starts.get)
        with live, following(live, live.stop) as seen:
            wanted = [note for note in all_notices(games) if note.position > (starts[names[note.shard]] or 0)]
            await_length(seen, len(wanted))
            play(games, open_game(games), 5)
            wanted = [note for note in all_notices(games) if note.position > (starts[names[note.shard]] or 0)]
            await_length(seen, len(wanted))
        entries = [(entry, each) for entry, each in seen if isinstance(entry, Entry)]
        found = [(each.application_name, each.notification_id, entry.event) for entry, each in entries]
        assert sorted(found, key=itemgetter(0, 1)) == [(names[n.shard], n.position, n.event) for n in wanted]
        for _, positions in groupby(sorted(found, key=itemgetter(0)), itemgetter(0)):  # sorting is stable
            numbers = [number for _, number, _ in positions]
            assert numbers == sorted(numbers)


def test_the_application_of_a_shard_opens_by_its_env_alone(database: Database) -> None:
    with at(database, settings=SEALED) as games:
        game = open_game(games)
        shard = games.log.head(game).shard
        env = projection_envs("Variants", database.data, database.url, SEALED)[shard]
        with closing(LogShard(env)) as application, ApplicationSubscription(application) as live:
            found = [next(live) for _ in range(9)]
            assert [entry for entry, _ in found] == games.entries(game)
            assert application.name == games.log.applications[shard].name
            assert [tracking for _, tracking in found] == [Tracking(application.name, at) for at in range(1, 10)]
            assert [row.id for row in application.notification_log.select(1, 10)] == [*range(1, 10)]


def write_forever(database: Database, seed: int) -> None:
    """Play game after game, until this process is killed."""
    with at(database) as games:
        for chance in map(Random, count(seed)):
            play(games, open_game(games), 20, chance)


@contextmanager
def writer(database: Database, seed: int) -> Iterator[BaseProcess]:
    process = fresh.Process(target=write_forever, args=(database, seed), daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


@pytest.mark.process
def test_live_events_arrive_in_order_across_a_kill_of_the_writer(database: Database) -> None:
    with at(database) as games:
        live = games.log.subscribe()
        with live, following(live, live.stop) as seen:
            for seed, length in ((0, 150), (1000, 400)):
                with writer(database, seed) as process:
                    await_length(seen, length)
                    process.kill()
                    process.join()
                    assert process.exitcode == -signal.SIGKILL
            # the database may end a commit of the writer after the writer is gone
            wait_until(lambda: len(seen) == len(all_notices(games)))
        stored = all_notices(games)
        assert len(stored) >= 400
        order = [(each.application_name, each.notification_id) for _, each in seen]
        names = [shard.name for shard in games.log.applications]
        assert sorted(order, key=itemgetter(0)) == [(names[note.shard], note.position) for note in stored]


class Counters(shipped.EventCountersView):
    """The view of the library's own suite, in the words that the recorders of both databases understand."""

    datastore: Any
    mark = "?"

    def _create_table(self, cursor: Any) -> None:
        super()._create_table(cursor)  # type: ignore[misc]
        cursor.execute("CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, number INTEGER)")

    def _count(self, name: str, tracking: Tracking) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            self._insert_tracking(cursor, tracking)  # type: ignore[attr-defined]
            insert = f"INSERT INTO counters VALUES ({self.mark}, 1)"
            cursor.execute(f"{insert} ON CONFLICT (name) DO UPDATE SET number = counters.number + 1", (name,))

    def _read(self, name: str) -> int:
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(f"SELECT number FROM counters WHERE name = {self.mark}", (name,))
            found = cursor.fetchone()
            return int(found["number"]) if found else 0

    def get_created_event_counter(self) -> int:
        return self._read("created")

    def get_subsequent_event_counter(self) -> int:
        return self._read("subsequent")

    def incr_created_event_counter(self, tracking: Tracking) -> None:
        self._count("created", tracking)

    def incr_subsequent_event_counter(self, tracking: Tracking) -> None:
        self._count("subsequent", tracking)


class CountersOnSqlite(Counters, SQLiteTrackingRecorder):
    """Counts in a file."""


class CountersOnPostgres(Counters, PostgresTrackingRecorder):
    """Counts in a schema."""

    mark = "%s"


class TestProjectionsOnSqlite(shipped.AggregateEventCountersProjectionTestCase):
    view_class = CountersOnSqlite

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        type(self).env = recorder_env(tmp_path, None) | {"EVENTCOUNTERS_SQLITE_DBNAME": str(tmp_path / "counters.db")}


class TestProjectionsOnPostgres(shipped.AggregateEventCountersProjectionTestCase):
    view_class = CountersOnPostgres

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path, fresh_postgres: str) -> None:
        type(self).env = recorder_env(tmp_path, fresh_postgres) | {"EVENTCOUNTERS_POSTGRES_SCHEMA": "public"}
