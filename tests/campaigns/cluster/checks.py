"""Promises that must hold after failures, besides the games: lists miss nothing."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import httpx

from api.config import Config
from api.container import Services, open_services
from projections.followers import PROJECTIONS
from projections.lists.inbox_pages import inbox_heads
from projections.storage.tables import Numbering, Projection, Row
from tests.conftest import Database
from tests.projections.playing_stored import refolded, rows_of

Tables = dict[str, list[Row]]


def has_caught_up(url: str) -> bool:
    """Return whether a server says that all its lists are up to date, and is well otherwise."""
    answer = httpx.get(f"{url}/health/ready", timeout=30)
    return answer.is_success and not any(answer.json()["lag"].values())


def faults_of_lists(database: Database, settings: dict[str, str]) -> tuple[int, list[str]]:
    """Return the number of rows of all lists, and where they differ from a rebuild from the first event."""
    named = {f"TRICKBOOK_{name}": text for name, text in settings.items()}
    place = {"TRICKBOOK_DATA": str(database.data), "TRICKBOOK_DATABASE_URL": database.url or ""}
    rows, found = 0, list[str]()
    with closing(open_services(Config.from_environment(place | named))) as services:
        for projection in PROJECTIONS:
            kept, expected = rows_of(services.rows, projection), refolded(services.games, projection)
            rows += sum(map(len, kept.values()))
            odd = [*differences(projection, kept, expected), *_miscounts(services, projection, expected)]
            found += [f"the list {projection.name} isn't that of a rebuild: {odd}"] if odd else []
    return rows, found


def differences(projection: Projection, kept: Tables, expected: Tables) -> Iterator[str]:
    """Yield the names of the tables that differ from a rebuild that removes no old row."""
    for table in projection.tables:
        if table.name in expected and kept[table.name] != expected[table.name]:
            rows = kept[table.name], expected[table.name]
            if table.numbering is None or not _are_the_newest(table.numbering, *rows):
                yield table.name


def _are_the_newest(numbering: Numbering, kept: Sequence[Row], expected: Sequence[Row]) -> bool:
    """Return whether all rows are expected, and only owners with as many as a list holds lack some."""
    there, owners = Counter(map(_key, kept)), Counter(row[numbering.owner] for row in kept)
    missing = [row for row in expected if _key(row) not in there]
    return there <= Counter(map(_key, expected)) and all(
        owners[row[numbering.owner]] >= numbering.most for row in missing
    )


def _miscounts(services: Services, projection: Projection, expected: Tables) -> Iterator[str]:
    """Yield the players whose inbox has counted other entries than a rebuild, also those that were removed since."""
    if projection.name == "inbox":
        counts = Counter(row["player"] for row in expected["entries"])
        with services.rows.snapshot(projection.name) as reading:
            heads = inbox_heads(reading, counts)
        yield from (
            f"{player}: {heads.get(player)} of {count}"
            for player, count in counts.items()
            if heads.get(player) != count
        )


def _key(row: Any) -> str:
    return json.dumps(row, sort_keys=True, default=str)
