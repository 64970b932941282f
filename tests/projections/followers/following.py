"""Followers in processes of their own, to kill them. One process, which imports only this, forks all of them."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.synchronize import Event as Signal
from typing import Any

from domain.events import Event
from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.lists.lobby import LOBBY
from projections.lists.scoreboard import SCOREBOARD
from projections.storage.rows import RowStore
from projections.storage.tables import Rows
from tests.conftest import Database

PATIENCE = 60  # seconds until an idle follower fails the test
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__])


def exit_code_of_one_that_dies(database: Database, version: int) -> int | None:
    """Follow in a process that kills itself when it folds that version, and return its exit code."""
    process = PROCESSES.Process(target=_die_at, args=(database, version))
    process.start()
    process.join()
    return process.exitcode


def _die_at(database: Database, version: int) -> None:
    def dies(rows: Rows, event: Event[Any]) -> None:
        LOBBY.fold(rows, event)
        if event.version == version:
            os.kill(os.getpid(), signal.SIGKILL)

    rows = RowStore(database.data, database.url, [replace(LOBBY, fold=dies), SCOREBOARD])
    LogFollower(Games(database.data, database.url), rows, page=10).catch_up()


@contextmanager
def killed_at_the_end(database: Database) -> Iterator[None]:
    """Follow in a process that is killed at the end of the block."""
    following = PROCESSES.Event()
    process = PROCESSES.Process(target=_follow, args=(database, following))
    process.start()
    assert following.wait(PATIENCE)
    yield
    process.kill()
    process.join()


def _follow(database: Database, following: Signal) -> None:
    rows = RowStore(database.data, database.url, PROJECTIONS)
    followers = LogFollower(Games(database.data, database.url), rows, page=3)
    following.set()
    followers.run(threading.Event())


@contextmanager
def running(followers: LogFollower) -> Iterator[None]:
    """Let followers run in a thread during the block."""
    stop = threading.Event()
    thread = threading.Thread(target=followers.run, args=(stop,), daemon=True)
    thread.start()
    yield
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
