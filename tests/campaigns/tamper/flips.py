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

from zstandard import ZstdError

from api.cli.games.audit import audit_history
from api.ops.check.everything import StoreCheck, check_store, open_raw_store
from api.ops.check.game import check_game
from api.ops.check.raw_store import RawRow, StoreUnreachable
from domain.store.application import unencrypted_mapper
from domain.store.compression import FactCompressor, NoDictionary
from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.audit.log.hash_chain import check_log
from replay.history import NotAnExport, read_export
from replay.history.bundle import split_exports
from replay.history.receipts import check_receipts
from tests.campaigns.tamper.places import Made

HARMLESS, SILENT = "harmless", "SILENT"
Told = Callable[[int], None]
"""Hears how many bytes have been changed."""


def ignore(_changed: int) -> None:
    """Show no progress."""


@dataclass
class Flips:
    """How often each check noticed a change, and the changes that none noticed."""

    ways: Counter[str] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        return [f"{times:6}  {by}" for by, times in self.ways.most_common()]


def changes(data: bytes, many: int, chance: Random) -> Iterator[tuple[int, int]]:
    """Yield `many` places with another byte for each; every other change flips only one bit."""
    for n in range(many):
        at = chance.randrange(len(data))
        yield at, data[at] ^ (1 << chance.randrange(8) if n % 2 else chance.randrange(1, 256))


_judge = lru_cache(maxsize=None)(check_game)
"""The report on a game, cached by its rows and receipts."""


def decompressed(game: str, rows: Any) -> tuple[RawRow, ...]:
    """Return rows that aren't encrypted as they were before they were compressed. Raise Corrupt."""
    return tuple(unencrypted_mapper().decrypt_rows(game, rows))


def checked(made: Made) -> StoreCheck:
    """Return the report of `trickbook store check` on a place."""
    with open_raw_store(made.config) as store:
        return check_store(store, decompressed, _judge)


def content(path: Path) -> tuple[Any, ...]:
    """Return everything readable in a log's file: its table, its index, and their definitions."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
        whole = file.execute("SELECT state, rowid, *, typeof(topic) FROM stored_events NOT INDEXED").fetchall()
        found = file.execute(
            "SELECT originator_id, originator_version, rowid FROM stored_events"
            " INDEXED BY sqlite_autoindex_stored_events_1 ORDER BY 1, 2"
        ).fetchall()
        whole = [(_decompressed(state), *row[:-2], row[-1]) for state, *row in whole]
        return tuple(whole), tuple(found), tuple(file.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def _decompressed(state: Any) -> Any:
    with suppress(NoDictionary, ValueError, ZstdError):
        return FactCompressor().decompress(state)
    return state


def flip_each(data: bytes, many: int, seed: int, judge: Callable[[int, int], str], told: Told) -> Flips:
    """Change data one byte at a time, and let `judge` say which check notices it."""
    flips = Flips()
    for at, byte in changes(data, many, Random(seed)):
        by = judge(at, byte)
        flips.ways[by] += 1
        flips.silent += [f"byte {at}, {data[at]} to {byte}"] if by == SILENT else []
        told(flips.ways.total())
    return flips


def flip_store(made: Made, many: int, seed: int, told: Told = ignore) -> Flips:
    """Change the file of the log one byte at a time, and check the place each time."""
    path = made.config.data / "log.db"
    data, before, sound = path.read_bytes(), content(path), checked(made)
    assert sound.code == GREEN, sound.to_json()

    def judge(at: int, byte: int) -> str:
        with path.open("r+b") as file:
            _write(file, at, byte)
            by = _by(made, path, before, sound)
            _write(file, at, data[at])
        for name in ("log.db-wal", "log.db-shm"):
            (made.config.data / name).unlink(missing_ok=True)
        return by

    flips = flip_each(data, many, seed, judge, told)
    assert (path.read_bytes(), checked(made)) == (data, sound)
    return flips


def _write(file: Any, at: int, byte: int) -> None:
    file.seek(at)
    file.write(bytes([byte]))
    file.flush()


def _by(made: Made, path: Path, before: tuple[Any, ...], sound: StoreCheck) -> str:
    try:
        found = checked(made)
    except StoreUnreachable:
        return "exit code 2: it cannot be read"
    if found.code != GREEN:
        return f"exit code {found.code}: {found.findings[0].by}"
    return HARMLESS if (content(path), found) == (before, sound) else SILENT


def flip_export(data: bytes, many: int, seed: int, told: Told = ignore) -> Flips:
    """Change an export one byte at a time, and verify it each time."""
    assert verified(data) == (GREEN, "nothing"), verified(data)

    def judge(at: int, byte: int) -> str:
        code, by = verified(data[:at] + bytes([byte]) + data[at + 1 :])
        return SILENT if code == GREEN else f"exit code {code}: {by}"

    return flip_each(data, many, seed, judge, told)


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
