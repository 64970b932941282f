"""Shards on two PostgreSQL servers: found by a map, moved while games go on, and never written to in two places."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from operator import itemgetter
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest

from domain.store import Commit, Games, StoreUnavailable
from domain.store.recorder import timeout_settings
from domain.store.shards import move as moving
from domain.store.shards import shard_copy
from domain.store.shards.move import CannotMove, ShardMove
from domain.store.shards.opening import open_move, server_settings, shard_settings
from domain.store.shards.servers import HOME, UnknownServer, parse_servers
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from tests import postgres
from tests.conftest import Database
from tests.domain.shards.archiving import archive
from tests.domain.store.recording import await_length, events, following, when_back
from tests.domain.store.storing import at, id_in, logs, open_game, play
from tests.logs.reading import all_notices

ROOT = Path(__file__).parents[3]
SHARDS = 3
STEPS = ("prepare", "copy", "fence", "rest", "switch", "leave", "decide", "done")
PROGRAM = """
import os, signal, sys
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from domain.store.shards.opening import open_move

home, east, shard, count, fatal = sys.argv[1:]
step = lambda name: name == fatal and os.kill(os.getpid(), signal.SIGKILL)
move = open_move({"home": home, "east": east}, DEFAULT_TIMEOUTS, int(shard), int(count))
move.run("east", lambda _: None, lambda _: None, step)
"""


LOSE_ROWS = """
CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER lose BEFORE INSERT ON log.games01of03_events_incoming FOR EACH ROW EXECUTE FUNCTION lose()"""


class Interrupted(Exception):
    """The program is stopped."""


def interrupt(fatal: str, step: str) -> None:
    if step == fatal:
        raise Interrupted(step)


def ends(steps: Sequence[str], killed: str) -> pytest.MarkDecorator:
    """Parametrize a test by the step before which a move ends. Every other stop is quick, and one kill of a process."""
    slow = pytest.mark.slow
    stopped = [
        pytest.param(step, False, id=f"stopped {step}", marks=[slow] * (at % 2)) for at, step in enumerate(steps)
    ]
    kills = [pytest.param(step, True, id=f"killed {step}", marks=() if step == killed else slow) for step in steps]
    return pytest.mark.parametrize(("fatal", "by_kill"), [*stopped, *kills])


class Place:
    """A store whose shards may be on two servers."""

    def __init__(self, home: str, east: str, folder: Path) -> None:
        self.urls = {HOME: home, "east": east}
        self._database = Database(home, folder)

    def open(self, **settings: str) -> Games:
        chosen = shard_settings(SHARDS) | server_settings([("east", self.urls["east"])]) | settings
        return at(self._database, settings=chosen)

    def mover(self, shard: int = 1) -> ShardMove:
        return open_move(self.urls, DEFAULT_TIMEOUTS, shard, SHARDS)

    def move(self, target: str = "east", shard: int = 1, step: Callable[[str], object] = id) -> shard_copy.CopyContents:
        return self.mover(shard).run(target, lambda _: None, lambda _: None, step)

    def end_move(self, fatal: str, shard: int = 1, *, by_kill: bool) -> None:
        """Run a move that ends before a step: in a process that kills itself, or by an exception."""
        if not by_kill:
            with pytest.raises(Interrupted, match=fatal):
                self.move(shard=shard, step=partial(interrupt, fatal))
            return
        words = [sys.executable, "-c", PROGRAM, self.urls[HOME], self.urls["east"], str(shard), str(SHARDS), fatal]
        assert subprocess.run(words, cwd=ROOT, check=False).returncode == -signal.SIGKILL

    def rows(self, server: str, statement: LiteralString) -> list[Any]:
        with psycopg.connect(self.urls[server], autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def east_cluster() -> Iterator[postgres.Server]:
    """A second PostgreSQL server, beside the one that tests share."""
    with postgres.cluster(postgres.memory_folder()) as cluster:
        yield cluster.server


@pytest.fixture
def place(east_cluster: postgres.Server, fresh_postgres: str, tmp_path: Path) -> Iterator[Place]:
    with east_cluster.fresh() as east:
        yield Place(fresh_postgres, east, tmp_path)


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "PAGE", 20)
    monkeypatch.setattr(shard_copy, "PAGE", 20)


def game_in(shard: int) -> str:
    return str(id_in(shard, SHARDS))


def some_games(games: Games) -> list[str]:
    """Open two games in each shard, and make some moves."""
    opened = [open_game(games, game_in(shard)) for shard in range(SHARDS)] + [open_game(games, game_in(1))]
    for seed, game in enumerate(opened * 2):
        play(games, game, 4, Random(seed))
    return opened


@pytest.mark.process
def test_a_moved_shard_keeps_its_rows_and_numbers_and_play_goes_on(place: Place) -> None:
    with place.open() as games, place.open() as other:
        opened = some_games(games)
        before, order, last = logs(games), all_notices(games), games.log.heads()
        moved = place.move()
        assert (moved.games, moved.events) == (2, games.log.last_numbers()[1])
        for each in (games, other, place.open()):
            assert (logs(each), all_notices(each), each.log.heads()) == (before, order, last)
        play(other, opened[1], 3, Random(99))
        assert games.log.last_numbers() == (last[0].number, last[1].number + 3, last[2].number)
        assert games.state(opened[1]).version == other.state(opened[1]).version
    assert place.rows(HOME, "SELECT COUNT(*) FROM log.games01of03_events_moved") == [(moved.events,)]


@pytest.mark.process
def test_a_subscription_goes_on_across_a_move(place: Place) -> None:
    with place.open() as games, place.open() as other:
        opened = some_games(games)
        live = games.log.subscribe()
        with live, following(live, live.stop) as seen:
            await_length(seen, sum(games.log.last_numbers()))
            place.move()
            play(other, opened[1], 3, Random(99))
            await_length(seen, sum(games.log.last_numbers()))
        names = [each.name for each in games.log.applications]
        order = [(each.application_name, each.notification_id) for _, each in seen]
        assert sorted(order, key=itemgetter(0)) == [(names[note.shard], note.position) for note in all_notices(games)]


@pytest.mark.process
def test_a_commit_over_two_servers_leaves_out_what_conflicts(place: Place) -> None:
    with place.open() as games:
        place.move()
        ids = [UUID(game_in(shard)) for shard in (1, 0, 1, 2)]
        assert games.log.insert_batches([events(ids[0], 1, 3), events(ids[1], 1, 1)]) == [
            [1, 2, 3],
            [2],
        ]  # the first try used a number up
        batches = [events(ids[2], 1, 2), events(ids[0], 3, 4), events(ids[1], 2, 2), events(ids[3], 1, 1)]
        assert games.log.insert_batches(batches) == [[4, 5], None, [3], [1]]
        assert [games.log.last_version(each) for each in ids] == [3, 2, 2, 1]


def test_the_old_copy_takes_no_rows_from_a_server_with_the_old_map(place: Place) -> None:
    with place.open() as games:
        some_games(games)
        place.move()
        with pytest.raises(psycopg.Error):
            place.rows(HOME, "SELECT log.append_games01of03_events('{}', '{}', '{}', '{}', '1s')")
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            place.rows(HOME, "DELETE FROM log.games01of03_events_moved")
    with place.open():
        tables = place.rows(HOME, "SELECT relname::text FROM pg_class WHERE relname = 'games01of03_events'")
        assert tables == []


def test_a_server_that_does_not_know_the_other_one_does_not_start(place: Place) -> None:
    with place.open():
        place.move()
    with pytest.raises(UnknownServer, match="east"):
        at(Database(place.urls[HOME], Path()), settings=shard_settings(SHARDS))


def test_a_start_updates_the_functions_on_every_server(place: Place) -> None:
    with place.open() as games:
        opened = some_games(games)
        place.move()
        place.rows("east", "DROP ROUTINE log.append_batches_games01of03_events")
        with pytest.raises(StoreUnavailable):
            play(games, opened[1], 1, Random(99))
        with place.open():
            play(games, opened[1], 1, Random(99))


def test_a_shard_moves_back_after_its_old_copy_is_dropped(place: Place) -> None:
    with place.open() as games:
        some_games(games)
        before = logs(games)
        place.move()
        with pytest.raises(CannotMove, match="shards drop"):
            place.move(HOME)
        assert place.mover().drop_old(HOME)
        place.move(HOME)
        assert place.mover().drop_old("east")
        assert logs(games) == before


def test_a_shard_with_an_archive_moves_after_its_games_are_in_the_log_again(place: Place) -> None:
    with place.open() as games:
        game, before = some_games(games)[1], logs(games)
        archive(Database(place.urls[HOME], Path()), game)
        with pytest.raises(CannotMove, match="trickbook store init"):
            place.move()
    place.open().close()
    place.move()
    with place.open() as games:
        assert logs(games) == before
        archive(Database(place.urls["east"], Path()), game, SHARDS)
    with place.open() as games:
        assert logs(games) == before


@pytest.mark.process
@ends(STEPS, "switch")
def test_a_move_that_is_killed_at_any_step_goes_on(place: Place, fatal: str, by_kill: bool) -> None:
    with place.open() as games:
        opened = some_games(games)
        before = logs(games)
        place.end_move(fatal, by_kill=by_kill)
        if fatal == "done":
            with pytest.raises(CannotMove, match="already"):
                place.move()
        else:
            place.move()
        assert logs(games) == before
        assert place.rows("east", "SELECT COUNT(*) FROM log.games01of03_events") == [(games.log.last_numbers()[1],)]
        play(games, opened[1], 3, Random(98))


@pytest.mark.process
@ends(STEPS[:-1], "leave")
def test_a_move_that_is_killed_at_any_step_can_be_given_up(place: Place, fatal: str, by_kill: bool) -> None:
    with place.open() as games:
        opened = some_games(games)
        before = logs(games)
        place.end_move(fatal, by_kill=by_kill)
        assert place.mover().give_up() == "east"
        assert place.mover().give_up() is None
        assert logs(games) == before
        play(games, opened[1], 3, Random(98))
        assert (
            place.rows(
                "east", "SELECT relname::text FROM pg_class WHERE relname LIKE 'games%_events%' AND relkind = 'r'"
            )
            == []
        )
        place.move()
        assert len(games.entries(opened[1])) == len(before[opened[1]]) + 3


def test_a_copy_that_differs_is_not_switched_to_and_the_shard_takes_rows_again(place: Place) -> None:
    def lose_a_row(step: str) -> None:
        if step == "fence":
            place.rows("east", LOSE_ROWS)
            play(games, opened[1], 3, Random(98))

    with place.open() as games:
        opened = some_games(games)
        with pytest.raises(CannotMove, match="differs"):
            place.move(step=lose_a_row)
        play(games, opened[1], 3, Random(97))
        assert place.mover().give_up() == "east"
        place.move()
        assert place.mover().drop_old(HOME) == games.log.last_numbers()[1]


def test_an_old_copy_that_has_other_rows_is_not_dropped(place: Place) -> None:
    with place.open() as games:
        some_games(games)
        place.move()
        place.rows("east", "DELETE FROM log.games01of03_events WHERE notification_id = 5")
        with pytest.raises(CannotMove, match="other rows"):
            place.mover().drop_old(HOME)


def go_on(server: Games, shard: int, stop: Event) -> dict[str, set[str]]:
    """Open games in a shard and play, until `stop`. Return the ids of the commands that were stored in each game."""
    stored = dict[str, set[str]]()
    while not stop.is_set():
        game = game_in(shard)
        with suppress(StoreUnavailable):
            open_game(server, game)
            stored[game] = {commit.entries[0].event.command for commit in patient_moves(server, game, shard, stop)}
    return stored


def patient_moves(server: Games, game: str, shard: int, stop: Event) -> Iterator[Commit]:
    """Make up to 80 moves; repeat each as long as the store doesn't take it."""
    for number in range(80):
        done = False
        while not done and not stop.is_set():
            try:
                yield from play(server, game, 1, Random(f"{game} {number}"))
                done = True
            except StoreUnavailable:
                assert shard == 1


@pytest.mark.process
@pytest.mark.parametrize(
    "fatal", [None, "rest", *(pytest.param(step, marks=pytest.mark.slow) for step in STEPS if step != "rest")]
)
def test_games_of_the_shard_pause_and_no_other_ones_do(place: Place, fatal: str | None) -> None:
    """Four players go on while a shard moves, and repeat what is refused: nothing is lost, and nothing comes twice."""
    with place.open() as games, place.open() as other, ThreadPoolExecutor(4) as pool:
        some_games(games)
        stop = Event()
        players = [pool.submit(go_on, server, shard, stop) for server in (games, other) for shard in (1, 2)]
        try:
            if fatal is not None:
                place.end_move(fatal, by_kill=True)
            if fatal != "done":
                place.move()
        finally:
            stop.set()
        with place.open() as third:
            for game, commands in [each for player in players for each in player.result().items()]:
                of_players = [entry.event.command for entry in third.entries(game)]
                assert commands <= {*of_players}
                assert games.state(game) == other.state(game) == third.state(game)
            assert len(all_notices(third)) == len(
                {(notice.game, notice.event.version) for notice in all_notices(third)}
            )
        assert any(player.result() for player in players)


def test_servers_are_named_once_each() -> None:
    for text in ("east", "east=a east=b", "home=x", "East=x", "=x", "e_t=x"):
        with pytest.raises(ValueError, match="expected NAME=URL"):
            parse_servers(text)


def test_a_server_that_is_down_stops_only_its_own_games(
    fresh_postgres: str, postgres_cluster: postgres.Cluster, tmp_path: Path
) -> None:
    with postgres_cluster.server.fresh() as east:
        place = Place(fresh_postgres, east, tmp_path)
        with place.open(**timeout_settings(DEFAULT_TIMEOUTS)) as games:
            opened = some_games(games)
            place.move()
            postgres_cluster.kill()
            play(games, opened[0], 2, Random(97))
            with pytest.raises(StoreUnavailable):
                play(games, opened[1], 1, Random(97))
            with pytest.raises(StoreUnavailable):
                games.log.last_numbers()
            postgres_cluster.start()
            when_back(lambda: play(games, opened[1], 1, Random(96)), StoreUnavailable)
            assert games.log.last_numbers()[1] == games.log.recorder(1).max_notification_id()


@pytest.mark.lengthy
def test_two_moves_of_one_shard_do_not_run_at_once(place: Place) -> None:
    def second(step: str) -> None:
        if step == "copy":
            with pytest.raises(CannotMove, match="right now"):
                place.move()
            place.move(shard=2)

    with place.open() as games:
        some_games(games)
        place.move(step=second)
        assert place.rows(HOME, "SELECT shard, server, version FROM log.shard_servers ORDER BY 1") == [
            (1, "east", 1),
            (2, "east", 1),
        ]


def test_a_database_that_holds_the_shard_already_is_no_target(place: Place) -> None:
    place.urls["west"] = place.urls[HOME]
    with place.open():
        with pytest.raises(CannotMove, match="a database of its own"):
            place.move("west")
        with pytest.raises(CannotMove, match="TRICKBOOK_SERVERS"):
            place.move("north")
