"""Followers in threads, and in processes that die. One process, which imports only this, forks all of these."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

from domain.events import Event
from domain.store import Games
from projections.followers import LogFollower
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
def running(followers: LogFollower) -> Iterator[None]:
    """Let followers run in a thread during the block."""
    stop = threading.Event()
    thread = threading.Thread(target=followers.run, args=(stop,), daemon=True)
    thread.start()
    yield
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
