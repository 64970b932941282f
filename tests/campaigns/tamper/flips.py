"""Single random bytes changed in the file of a store and in exports: each change is noticed, or proved harmless.

A change is harmless if every row, link, index entry and table definition reads byte for byte as before: the changed
byte holds no data.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from api.cli.audit import audit_history
from api.ops.check.everything import StoreCheck, check_store, open_raw_store
from api.ops.check.game import check_game
from api.ops.check.raw_store import RawRow, StoreUnreachable
from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.audit.log.hash_chain import check_log
from replay.history import NotAnExport, read_export
from replay.history.bundle import split_exports
from replay.history.receipts import check_receipts
from tests.campaigns.tamper.pages import Pages
from tests.campaigns.tamper.places import Made

HARMLESS, SILENT = "harmless", "SILENT"
Told = Callable[[int], None]


@dataclass(frozen=True)
class Flip:
    """A changed byte, the check that noticed it, and `where` it lies."""

    offset: int
    before: int
    after: int
    by: str
    where: str


@dataclass
class Flips:
    """All changes, and how each was noticed."""

    made: list[Flip] = field(default_factory=list)

    @property
    def silent(self) -> list[Flip]:
        """Return the changes that no check noticed."""
        return [flip for flip in self.made if flip.by == SILENT]

    def counted(self) -> list[tuple[str, int, list[tuple[str, int]]]]:
        """Return how often each check noticed a change, and in which parts of the file, the most frequent first."""
        ways = Counter(flip.by for flip in self.made)
        return [
            (by, n, Counter(flip.where for flip in self.made if flip.by == by).most_common())
            for by, n in ways.most_common()
        ]


def changes(data: bytes, many: int, chance: Random) -> Iterator[tuple[int, int]]:
    """Yield `many` places with another byte for each; every other change flips only one bit."""
    for n in range(many):
        at = chance.randrange(len(data))
        yield at, data[at] ^ (1 << chance.randrange(8) if n % 2 else chance.randrange(1, 256))


_judge = lru_cache(maxsize=None)(check_game)
"""The report on a game, cached by its rows and receipts."""


def as_it_is(_game: str, rows: Any) -> tuple[RawRow, ...]:
    """Return rows that aren't encrypted."""
    return tuple(rows)


def checked(made: Made) -> StoreCheck:
    """Return the report of `trickbook store check` on a place."""
    with open_raw_store(made.config) as store:
        return check_store(store, as_it_is, _judge)


def content(path: Path) -> tuple[Any, ...]:
    """Return everything readable in a log's file: its table, its index, and their definitions."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
        whole = file.execute("SELECT rowid, *, typeof(topic), typeof(state) FROM stored_events NOT INDEXED").fetchall()
        found = file.execute(
            "SELECT originator_id, originator_version, rowid FROM stored_events"
            " INDEXED BY sqlite_autoindex_stored_events_1 ORDER BY 1, 2"
        ).fetchall()
        return tuple(whole), tuple(found), tuple(file.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def flip_store(made: Made, many: int, seed: int, told: Told | None = None) -> Flips:
    """Change the file of the log one byte at a time, and check the place each time."""
    path = made.config.data / "log.db"
    data, flips = path.read_bytes(), Flips()
    pages, before, sound = Pages(data), content(path), checked(made)
    assert sound.code == GREEN, sound.to_json()
    for at, byte in changes(data, many, Random(seed)):
        with path.open("r+b") as file:
            _write(file, at, byte)
            by = _by(made, path, before, sound)
            _write(file, at, data[at])
        _tidy(made.config.data)
        flips.made.append(Flip(at, data[at], byte, by, pages.where(at)))
        if told is not None:
            told(len(flips.made))
    assert (path.read_bytes(), checked(made)) == (data, sound)
    return flips


def _write(file: Any, at: int, byte: int) -> None:
    file.seek(at)
    file.write(bytes([byte]))
    file.flush()


def _tidy(folder: Path) -> None:
    for name in ("log.db-wal", "log.db-shm"):
        with suppress(FileNotFoundError):
            (folder / name).unlink()


def _by(made: Made, path: Path, before: tuple[Any, ...], sound: StoreCheck) -> str:
    try:
        found = checked(made)
    except StoreUnreachable:
        return "exit code 2: it cannot be read"
    if found.code != GREEN:
        return f"exit code {found.code}: {found.findings[0].by}"
    return HARMLESS if (content(path), found) == (before, sound) else SILENT


def flip_export(data: bytes, many: int, seed: int, told: Told | None = None) -> Flips:
    """Change an export one byte at a time, and verify it each time."""
    assert verified(data) == (GREEN, "nothing"), verified(data)
    flips = Flips()
    for at, byte in changes(data, many, Random(seed)):
        code, by = verified(data[:at] + bytes([byte]) + data[at + 1 :])
        by = SILENT if code == GREEN else f"exit code {code}: {by}"
        flips.made.append(Flip(at, data[at], byte, by, _line(data, at)))
        if told is not None:
            told(len(flips.made))
    return flips


def verified(data: bytes) -> tuple[int, str]:
    """Return the exit code of `game verify` and the check that decides it; skip the rest if the log decides."""
    return max(
        (_verified(each) for each in split_exports(BytesIO(data))),
        key=lambda found: (GREEN, CANNOT_TELL, WRONG).index(found[0]),
    )


def _verified(data: bytes) -> tuple[int, str]:
    try:
        history = read_export(data)
    except NotAnExport:
        return CANNOT_TELL, "no export"
    if history.faults:
        return WRONG, "the file"
    if check_log(history):
        return WRONG, "links, leaves and root"
    if check_receipts(history).findings:
        return WRONG, "receipt"
    code = audit_history(history).code(live_is_fine=True)
    return code, "nothing" if code == GREEN else "books, rules or keys"


def _line(data: bytes, at: int) -> str:
    if at <= data.index(b"\n"):
        return "the first line"
    return "the last line" if at > data.rindex(b"\n", 0, -1) else "the events"
