"""Followers fold every commit once: alone or racing, killed within a page, or rebuilding, on both databases."""

import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from domain.store import Games, StoreUnavailable
from domain.store.log import numbers_of
from domain.store.shards.opening import open_copy
from domain.store.shards.reshard import reshard
from domain.store.sql.breaker import DEFAULT_TIMEOUTS
from projections.followers import PROJECTIONS, LogFollower, RowsTooNew
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.rows import RowStore, RowsUnavailable
from projections.storage.tables import Generation
from tests.conftest import Database
from tests.logs.reading import first_page
from tests.projections.followers.following import PATIENCE, exit_code_of_one_that_dies, running
from tests.projections.playing_stored import Play, refolded, rows_of
from tests.waiting import wait_until

NAMES = [projection.name for projection in PROJECTIONS]
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine


@pytest.mark.lengthy
def test_rows_that_caught_up_are_the_fold_of_all_events(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    assert followers.catch_up() == (0,) * games.log.shards
    tables = [play.open(players) for players in (2, 3, 4)]
    for _ in range(4):
        for game in tables:
            play.steps(game, 12)
        behind = sum(games.log.last_numbers()) - sum(numbers_of(rows.live_generation("lobby").at))
        assert followers.lag() == dict.fromkeys(NAMES, behind)
        assert followers.catch_up() == games.log.last_numbers()
        assert followers.lag() == dict.fromkeys(NAMES, 0)
        for projection in PROJECTIONS:
            assert rows_of(rows, projection) == refolded(games, projection)


def test_a_projection_that_is_ahead_is_left_unchanged(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    play.open()
    rows.fold("lobby", rows.live_generation("lobby"), first_page(games, 7), games.history)
    followers.catch_up()
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)
    assert rows_of(rows, SCOREBOARD) == refolded(games, SCOREBOARD)


@pytest.mark.lengthy
def test_two_followers_and_a_writer_at_once_fold_every_event_once(games: Games, rows: RowStore, play: Play) -> None:
    game, many = play.open(4, win=21), [LogFollower(games, rows, page=5) for _ in range(2)]
    with running(many[0]), running(many[1]):
        play.steps(game, 80)
        assert many[0].wait_for(games.log.heads(), PATIENCE)
    for projection in PROJECTIONS:
        assert rows_of(rows, projection) == refolded(games, projection)


@pytest.mark.lengthy
@pytest.mark.parametrize("version", [1, 25])
def test_a_follower_killed_within_a_page_leaves_only_complete_pages(
    database: Database, games: Games, rows: RowStore, followers: LogFollower, play: Play, version: int
) -> None:
    play.steps(play.open(3), 20)
    assert exit_code_of_one_that_dies(database, version) == -signal.SIGKILL
    with rows.snapshot("lobby") as reading:
        kept = (version - 1) // 10 * 10
        assert [row["version"] for row in reading.find("games", "")] == [kept] * (kept > 0)
        assert reading.at == (first_page(games, kept).end if kept else ())
    followers.catch_up()
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


@pytest.mark.lengthy
def test_a_killed_rebuild_continues_and_is_swapped_in_once(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    play.steps(play.open(3), 60)
    followers.catch_up()
    begun = first_page(games, 30)
    rows.fold("lobby", rows.begin_rebuild("lobby"), begun, games.history)
    told: list[tuple[int, int]] = []
    followers.rebuild("lobby", lambda done, last: told.append((done, last)))
    assert told[0][0] == sum(numbers_of(games.log.read(begun.end, 40).end))
    assert told[-1] == (sum(games.log.last_numbers()),) * 2
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


def test_a_rebuild_of_an_empty_log_ends_at_once(followers: LogFollower) -> None:
    told: list[tuple[int, int]] = []
    followers.rebuild("lobby", lambda done, last: told.append((done, last)))
    assert told == [(0, 0)]


@pytest.mark.lengthy
def test_a_rebuild_continues_after_a_page_that_another_process_folded(games: Games, rows: RowStore, play: Play) -> None:
    """While one process rebuilds, another folds a page, and later finishes and swaps."""
    play.steps(play.open(3), 40)
    followers = LogFollower(games, rows, page=30)
    followers.catch_up()
    told: list[int] = []

    def meddle(done: int, _last: int) -> None:
        told.append(done)
        building = rows.building_generation("lobby")
        assert building is not None
        new = games.log.read(building.at, 11 if len(told) == 1 else 10**6)
        rows.fold("lobby", building, new, games.history)
        if len(told) == 2:
            rows.make_live("lobby", building)

    followers.rebuild("lobby", meddle)
    assert len(told) == 2
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


NEXT = LOBBY.version + 1


@pytest.fixture
def newer(database: Database, followers: LogFollower, play: Play) -> Iterator[RowStore]:
    """The rows as a program sees them whose lobby has a later version; some events aren't folded yet."""
    followers.catch_up()
    play.steps(play.open(3), 20)
    with closing(RowStore(database.data, database.url, [replace(LOBBY, version=NEXT), SCOREBOARD])) as store:
        yield store


@pytest.mark.lengthy
def test_rows_of_an_older_version_are_rebuilt(games: Games, followers: LogFollower, newer: RowStore) -> None:
    followers.catch_up()
    before = newer.live_generation("lobby")
    LogFollower(games, newer).catch_up()
    after = newer.live_generation("lobby")
    assert (before.version, after.version) == (LOBBY.version, NEXT)
    assert after.number == before.number + 1
    assert rows_of(newer, LOBBY) == refolded(games, LOBBY)
    with pytest.raises(RowsTooNew, match=f"version {NEXT}"):
        followers.catch_up()


@pytest.mark.lengthy
def test_rows_that_are_ahead_of_a_restored_log_are_rebuilt(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    play.open()
    page = first_page(games, 100)
    late = tuple(replace(end, number=end.number + 1000) for end in page.end)
    rows.fold("lobby", rows.live_generation("lobby"), replace(page, end=late), games.history)
    assert followers.catch_up() == games.log.last_numbers()
    assert rows_of(rows, LOBBY) == refolded(games, LOBBY)


@pytest.mark.lengthy
def test_a_program_with_an_earlier_number_of_shards_begins_no_rebuild(
    database: Database, games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    play.open()
    followers.catch_up()
    with open_copy(games.log, database.data, database.url, 3, DEFAULT_TIMEOUTS) as place:
        reshard(games.log, place, lambda _: None, lambda _: None)
    with Games(database.data, database.url) as newer:
        LogFollower(newer, rows).catch_up()
    live = rows.live_generation("lobby")
    with pytest.raises(StoreUnavailable):
        followers.catch_up()
    assert rows.live_generation("lobby") == live
    assert rows.building_generation("lobby") is None


@pytest.mark.lengthy
def test_a_list_that_is_rebuilt_keeps_no_other_waiting(
    games: Games, newer: RowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower, rebuilds = LogFollower(games, newer), threading.Event()
    rebuild = follower.each["lobby"].rebuild
    monkeypatch.setattr(follower.each["lobby"], "rebuild", lambda: rebuilds.wait(PATIENCE) and rebuild())
    with running(follower):
        assert follower.wait_for(games.log.heads(), PATIENCE, "scoreboard")
        assert newer.live_generation("lobby").version == LOBBY.version
        rebuilds.set()
        wait_until(lambda: newer.live_generation("lobby").version == NEXT)
        assert follower.wait_for(games.log.heads(), PATIENCE)


@pytest.mark.lengthy
def test_a_list_that_is_rebuilt_waits_for_no_other(
    games: Games, newer: RowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower, rebuilt = LogFollower(games, newer), threading.Event()
    fold_together = newer.fold_together

    def fold_later(generations: Mapping[str, Generation], *page: Any) -> Any:
        if "scoreboard" in generations:
            assert rebuilt.wait(PATIENCE)
        return fold_together(generations, *page)

    monkeypatch.setattr(newer, "fold_together", fold_later)
    with running(follower):
        wait_until(lambda: newer.live_generation("lobby").version == NEXT)
        rebuilt.set()
        assert follower.wait_for(games.log.heads(), PATIENCE)


@pytest.mark.lengthy
def test_waiting_for_a_position_ends_when_it_is_folded(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    play.open()
    last = games.log.heads()
    assert followers.wait_for((), 0)
    assert not followers.wait_for(last, 0)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(followers.wait_for, last, PATIENCE)
        followers.catch_up()
        assert waiting.result()


@pytest.mark.lengthy
@pytest.mark.parametrize("trouble", [RowsUnavailable("gone"), ArithmeticError("ours")])
def test_a_follower_survives_errors_and_other_projections_do_not_wait_for_it(
    games: Games, rows: RowStore, play: Play, trouble: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    play.open()
    failing, fails, others = LogFollower(games, rows), threading.Event(), ("scoreboard", "agenda", "disputes")
    lobby, attempts = failing.each["lobby"], list[int]()
    current = lobby.current_generation

    def check_or_fail() -> Generation | None:
        attempts.append(1)
        if fails.is_set():
            raise trouble
        return current()

    fails.set()
    lobby.current_generation = check_or_fail  # type: ignore[method-assign]
    with running(failing):
        assert failing.wait_for(games.log.heads(), PATIENCE, *others)
        assert not failing.wait_for(games.log.heads(), 0, "lobby")
        wait_until(lambda: len(attempts) > 1)
        assert list(rows.troubles()) == ["lobby"]
        fails.clear()
        assert failing.wait_for(games.log.heads(), PATIENCE)
        wait_until(lambda: rows.troubles() == {})
    lines = [each.getMessage() for each in caplog.records if each.getMessage().startswith("list lobby ")]
    assert [" failed" in line for line in lines] == [True, False]
    assert lobby.trouble is None
