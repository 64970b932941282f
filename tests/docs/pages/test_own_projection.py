"""The projection of docs/extending.md counts as the page says, on both stores."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Database
from tests.docs.markdown import BLOCK, ROOT
from tests.domain.store.storing import at, id_in, open_game
from tests.waiting import wait_until

PAGE = ROOT / "docs" / "extending.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("\n## A projection of your own\n")[2].partition("\n## ")[0]
BLOCKS: list[str] = [text for *_, text in BLOCK.findall(SECTION)]
ON_POSTGRES = {
    "SQLiteTrackingRecorder": "PostgresTrackingRecorder", "eventsourcing.sqlite": "eventsourcing.postgres", "?": "%s",
}  # fmt: skip
"""The words that the page tells readers to change."""
PLACE = 'Path("data"), None'

pytestmark = [pytest.mark.no_tables, pytest.mark.both_stores]


def code_of(number: int, database: Database) -> str:
    """Return a block of the section for a store."""
    text = BLOCKS[number]
    for word, on_postgres in ON_POSTGRES.items() if database.url else ():
        text = text.replace(word, on_postgres)
    return text.replace(PLACE, f"Path({str(database.data)!r}), {database.url!r}")


@contextmanager
def block(text: str, names: dict[str, Any], stopped: str) -> Iterator[None]:
    """Run a block in a thread, and end it by `stop` of what it names."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(exec, compile(text, str(PAGE), "exec"), names)
        wait_until(lambda: stopped in names or running.done())
        try:
            yield
        finally:
            names[stopped].stop()
            running.result(60)


def counted(names: dict[str, Any]) -> int:
    """Return the games of Pitch in the view."""
    with names["view"].datastore.transaction(commit=False) as cursor:
        cursor.execute("SELECT games FROM variants WHERE name = 'pitch'")
        found = cursor.fetchone()
    return int(found["games"]) if found else 0


def test_a_projection_counts_the_games_of_each_variant(database: Database, tmp_path: Path) -> None:
    names = dict[str, Any]()
    with at(database) as games:
        open_game(games)
        exec(compile(code_of(0, database), str(PAGE), "exec"), names)
        with block(code_of(1, database), names, "live"):
            wait_until(lambda: counted(names) == 1)
            for _ in range(8):
                open_game(games)
            wait_until(lambda: counted(names) == 9)
        with block(code_of(2, database), names, "runner"):
            shard = names["runner"].app.recorder.shard
            open_game(games, str(id_in(shard, games.log.shards)))
            wait_until(lambda: counted(names) == 10)
