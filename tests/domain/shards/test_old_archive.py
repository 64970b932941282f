"""Games that version 0.2 had archived go back into the log when a store is opened for writing."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.store import Games
from domain.store.shards import old_archive
from domain.store.shards.old_archive import ARCHIVE_FILE, GamesArchived
from tests.conftest import Database
from tests.domain.shards.archiving import archive, archive_tables
from tests.domain.store.plain_store import three_games
from tests.domain.store.storing import SEALED, Rows, at, logs, play
from tests.logs.reading import all_notices

ROOT = Path(__file__).parents[3]
PROGRAM = """
import os, signal, sys
from pathlib import Path
from domain.store import Games
from domain.store.shards import old_archive

data, url, step, calls = Path(sys.argv[1]), sys.argv[2] or None, sys.argv[3], int(sys.argv[4])
place = old_archive if step == "_is_back" else old_archive._SqliteArchive
run = getattr(place, step)

def kill_at_last(*arguments):
    global calls
    calls -= 1
    if not calls:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(*arguments)

setattr(place, step, kill_at_last)
old_archive.GAMES_A_PAGE = 1
Games(data, url)
"""


class Interrupted(Exception):
    """The program is stopped."""


@pytest.fixture
def over(database: Database) -> list[str]:
    """Three games, of which two were archived, and what was in the log."""
    with closing(at(database)) as games:
        return three_games(games)


def everything(games: Games) -> tuple[Any, ...]:
    """Return what the log holds: the games, the events in order, and the last numbers."""
    return logs(games), all_notices(games), games.log.heads()


def before_and_archived(database: Database, opened: list[str], **more: Any) -> tuple[Any, ...]:
    """Archive the first two games as version 0.2 did, and return what the log held before."""
    with closing(at(database, **more)) as games:
        found = everything(games)
    archive(database, opened[0])
    archive(database, opened[1])
    assert archive_tables(database)
    return found


def test_archived_games_are_in_the_log_again_under_their_numbers(database: Database, over: list[str]) -> None:
    before = before_and_archived(database, over)
    with closing(at(database)) as games:
        assert everything(games) == before
        play(games, over[0], 1)
    assert archive_tables(database) == []
    assert not (database.data / ARCHIVE_FILE).exists()


def test_encrypted_games_too(database: Database) -> None:
    with closing(at(database, settings=SEALED)) as games:
        opened = three_games(games)
    before = before_and_archived(database, opened, settings=SEALED)
    with closing(at(database, settings=SEALED)) as games:
        assert everything(games) == before
    assert archive_tables(database) == []


def test_a_store_opened_for_reading_says_what_to_run(database: Database, over: list[str]) -> None:
    before = before_and_archived(database, over)
    with pytest.raises(GamesArchived, match="run `trickbook store init`"):
        at(database, migrate=False)
    at(database).close()
    with closing(at(database, migrate=False)) as games:
        assert everything(games) == before


@pytest.mark.parametrize("step", ["_is_back", "_delete"])
def test_it_goes_on_after_an_interruption(
    database: Database, over: list[str], step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL, a page is one transaction, in SQLite two."""
    before = before_and_archived(database, over)
    monkeypatch.setattr(old_archive, "GAMES_A_PAGE", 1)
    place = (
        old_archive
        if step == "_is_back"
        else old_archive._SqliteArchive
        if database.url is None
        else old_archive._Runner
    )
    name = step if hasattr(place, step) else "__call__"
    run, calls = getattr(place, name), list[int]()

    def stop_at_second(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise Interrupted
        return run(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(place, name, stop_at_second)
        with pytest.raises(Interrupted):
            at(database)
    with pytest.raises(GamesArchived):
        at(database, migrate=False)
    with closing(at(database)) as games:
        assert everything(games) == before
    assert archive_tables(database) == []


@pytest.mark.process
def test_it_goes_on_after_a_kill(database: Database, over: list[str]) -> None:
    before = before_and_archived(database, over)
    step = "_is_back" if database.url else "_delete"
    words = [sys.executable, "-c", PROGRAM, str(database.data), database.url or "", step, "2"]
    assert subprocess.run(words, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    with closing(at(database)) as games:
        assert everything(games) == before
    assert archive_tables(database) == []


def test_two_processes_at_once_bring_all_back(
    database: Database, over: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_archive, "GAMES_A_PAGE", 1)
    before = before_and_archived(database, over)
    with ThreadPoolExecutor(4) as threads:
        stores = [*threads.map(lambda _: at(database), range(4))]
    for games in stores:
        with closing(games):
            assert everything(games) == before
    assert archive_tables(database) == []


def test_a_process_that_comes_late_finds_nothing_to_bring_back(database: Database, over: list[str]) -> None:
    with closing(at(database)) as games:
        rows = Rows(database)
        _, topic, state = rows.of(over[0])[2]
        archive(database, over[0], copy_only=True)
        rows.put(over[0], 3, topic, state[:-1] + b" ")
        late = [*old_archive._archives(games.log)]
        at(database).close()
        assert [each.bring_back(UUID(int=0)) for each in late] == [None]
    assert [name.endswith("_damaged") for name in archive_tables(database)] == [True]


def test_rows_that_were_copied_and_not_deleted_are_no_trouble(database: Database, over: list[str]) -> None:
    with closing(at(database)) as games:
        before = everything(games)
    archive(database, over[0], copy_only=True)
    with closing(at(database)) as games:
        assert everything(games) == before
    assert archive_tables(database) == []


@pytest.mark.parametrize("broken", ["the archive", "the log"])
def test_what_differs_is_kept_and_stops_no_other_game(database: Database, over: list[str], broken: str) -> None:
    rows = Rows(database)
    with closing(at(database)) as games:
        before = logs(games)
    _, topic, state = rows.of(over[0])[2]
    if broken == "the archive":
        rows.put(over[0], 3, topic, state[:-1] + b" ")
        archive(database, over[0], copy_only=True)
        rows.put(over[0], 3, topic, state)
    else:
        archive(database, over[0], copy_only=True)
        rows.put(over[0], 3, topic, state[:-1] + b" ")
    archive(database, over[1])
    with closing(at(database)) as games:
        assert [entry.stored for entry in games.entries(over[1])] == before[over[1]]
        assert [entry.stored for entry in games.entries(over[2])] == before[over[2]]
        if broken == "the archive":
            assert logs(games) == before
    assert [name.endswith("_damaged") for name in archive_tables(database)] == [True]
    at(database, migrate=False).close()
