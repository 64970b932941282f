"""Several processes write to the shards of one log: no event is lost or duplicated.

For kills see tests/campaigns/kills.
"""

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Event
from uuid import UUID, uuid4

import pytest

from domain.store import Games
from domain.store.log import LogRow, UnreadableRow, shard_of
from domain.store.shards.opening import shard_settings
from tests.conftest import Database
from tests.domain.store.recording import PATIENT, events

PATIENCE = 300  # seconds until a test that hangs fails
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine
fresh = multiprocessing.get_context("spawn")  # nothing of the parent's connections gets into a child


@contextmanager
def running(*processes: BaseProcess) -> Iterator[None]:
    for process in processes:
        process.start()
    try:
        yield
        for process in processes:
            process.join()
            assert process.exitcode == 0
    finally:
        for process in processes:
            process.kill()
            process.join()


def write_to_shards(place: Path, url: str | None, start: Barrier, commits: int) -> None:
    """Write transactions of a commit to each of one to four games of this writer, in any shards."""
    with Games(place, url, settings=PATIENT) as games:
        own = {uuid4(): 0 for _ in range(8)}
        start.wait(PATIENCE)
        for commit in range(commits):
            chosen = [game for place, game in enumerate(own) if (place + commit) % 8 <= commit % 4]
            batches = [events(game, own[game] + 1, own[game] + 1 + commit % 3) for game in chosen]
            assert None not in games.log.insert_batches(batches)
            own |= {game: own[game] + 1 + commit % 3 for game in chosen}


@pytest.mark.lengthy
@pytest.mark.no_tables
@pytest.mark.parametrize(("writers", "commits"), [(2, 50), pytest.param(6, 2000, marks=pytest.mark.slow)])
def test_several_writers_and_a_reader_of_eight_shards_lose_nothing(
    database: Database, writers: int, commits: int
) -> None:
    """The reader continues from one number for each shard while transactions over several of them are written."""
    start = fresh.Barrier(writers)
    total = writers * sum((commit % 4 + 1) * (commit % 3 + 1) for commit in range(commits))
    with (
        Games(database.data, database.url, settings=PATIENT | shard_settings(8)) as games,
        ThreadPoolExecutor(1) as pool,
    ):
        stop = Event()

        def tail_shards() -> list[LogRow]:
            seen, at = list[LogRow](), games.log.heads()
            while True:
                over = stop.is_set()
                page = games.log.read(at, 100)
                seen, at = seen + page.rows, page.end
                if over and not page.rows:
                    return seen

        reading = pool.submit(tail_shards)
        writing = (database.data, database.url, start, commits)
        try:
            with running(*(fresh.Process(target=write_to_shards, args=writing) for _ in range(writers))):
                pass
        finally:
            stop.set()
        seen = reading.result(PATIENCE)
        assert len(seen) == total == len({(row.shard, row.position) for row in seen})
        reached: Counter[str] = Counter()
        for row in seen:
            reached[row.game] += 1
            assert isinstance(row, UnreadableRow)  # the states of these events hold no facts
            assert row.version == reached[row.game]
            assert row.shard == shard_of(UUID(row.game), 8)
