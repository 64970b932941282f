"""Ways to hurt a log of SQLite, and what must come of each: nothing that was acknowledged is lost unnoticed."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from zstandard import ZstdError

from domain.store.aggregate import PREV_SIZE
from domain.store.compression import FactCompressor, NoDictionary

MOST_S = 10.0
"""Within how long a damage must show in `/health/ready`."""
ADVICE = ("restore your last backup", "trickbook store log")
DISK = "16m"


@dataclass(frozen=True)
class Damage:
    """The damage that `hurt` does to a folder, of which the second folder has an older log.

    It's done between two runs if `is_between`. Otherwise it must show while the servers run, unless a kill follows it
    after up to `kill_within_s`. If it's `harmless`, nothing may be lost, and the servers must start again.
    """

    name: str
    hurt: Callable[[Path, Path], object]
    is_between: bool = False
    is_shown: bool = True
    kill_within_s: float | None = None
    harmless: bool = False
    servers: int = 1
    disk: str | None = None


@dataclass
class Outcome:
    """The outcome of a damage. `lost` counts acknowledged commands, `later` the moves acknowledged after the damage."""

    damage: Damage
    noticed_s: float | None = None
    said: str | None = None
    later: int = 0
    acknowledged: int = 0
    lost: int = 0
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return what to print."""
        noticed = "" if self.noticed_s is None else f"noticed after {self.noticed_s:.1f} s, "
        start = "starts again" if self.said is None else f"doesn't start: {self.said}"
        return f"{noticed}{self.later} moves acknowledged after it, {self.lost} of {self.acknowledged} lost; {start}"


def judge(outcome: Outcome) -> list[str]:
    """Return what is wrong: each loss is noticed, with a way out, and nothing else is."""
    damage, said, found = outcome.damage, outcome.said, list(outcome.faults)
    if outcome.lost and said is None:
        found.append(f"{outcome.lost} acknowledged moves are lost, and the server starts as if nothing had happened")
    if said is not None and not any(words in said for words in ADVICE):
        found.append(f"the server doesn't say what to do: {said}")
    if damage.harmless and (said is not None or outcome.lost):
        found.append(f"nothing had to be lost: {outcome.line()}")
    must_show = damage.is_shown and not damage.is_between and damage.kill_within_s is None
    if must_show and (outcome.noticed_s is None or outcome.noticed_s > MOST_S):
        found.append(f"it isn't noticed within {MOST_S:.0f} s")
    if not damage.is_shown and outcome.noticed_s is not None:
        found.append("a false alarm stops the moves")
    return [f"{damage.name}: {each}" for each in found]


def stored_commands(data: Path, copy: Path) -> set[str]:
    """Return the ids of the commands in a log as it's found after a kill: none if it can't be read."""
    copy.mkdir(exist_ok=True)
    for name in ("log.db", "log.db-wal"):
        (copy / name).unlink(missing_ok=True)
        if (data / name).exists():
            shutil.copyfile(data / name, copy / name)
    try:
        with closing(sqlite3.connect(copy / "log.db")) as log:
            states = log.execute("SELECT state FROM stored_events").fetchall()
        decompress = FactCompressor().decompress
        return {json.loads(decompress(state)[PREV_SIZE:])["command"] for (state,) in states}
    except (sqlite3.Error, ValueError, TypeError, NoDictionary, ZstdError):
        return set()


def count_lost(acknowledged: Iterable[str], stored: set[str]) -> int:
    """Return how many acknowledged commands the log lacks."""
    return len(set(acknowledged) - stored)


def copy_log(data: Path, to: Path) -> None:
    """Copy the log as of now, as a backup does."""
    to.mkdir(exist_ok=True)
    with closing(sqlite3.connect(data / "log.db")) as log, closing(sqlite3.connect(to / "log.db")) as older:
        log.backup(older)


def write_through(data: Path) -> None:
    """Move what is stored into the log itself: pages in the write-ahead log would hide what is done to it."""
    with closing(sqlite3.connect(data / "log.db")) as log:
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def remove(*suffixes: str) -> Callable[[Path, Path], None]:
    """Return what removes files of the log."""

    def hurt(data: Path, _older: Path) -> None:
        for suffix in suffixes:
            (data / f"log.db{suffix}").unlink(missing_ok=True)

    return hurt


def cut(suffix: str, share: int) -> Callable[[Path, Path], None]:
    """Return what cuts a file of the log to one of `share` parts, to nothing for 0."""

    def hurt(data: Path, _older: Path) -> None:
        path = data / f"log.db{suffix}"
        if not suffix:
            write_through(data)
        os.truncate(path, path.stat().st_size // share if share else 0)

    return hurt


def overwrite(data: Path, _older: Path) -> None:
    """Write other bytes over the log, and leave its length."""
    write_through(data)
    with (data / "log.db").open("r+b") as file:
        file.write(os.urandom((data / "log.db").stat().st_size))


def put_back(data: Path, older: Path) -> None:
    """Rename an older log to the log, without the files beside it."""
    remove("-wal", "-shm")(data, older)
    (older / "log.db").replace(data / "log.db")


def copy_back(data: Path, older: Path) -> None:
    """Copy an older log over the log, as cp does."""
    write_through(data)
    shutil.copyfile(older / "log.db", data / "log.db")


def fill(data: Path, _older: Path) -> None:
    """Leave no byte free on the disk."""
    with (data / "filler").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return


def nothing(_data: Path, _older: Path) -> None:
    """Hurt nothing."""


BOTH = ("-wal", "-shm")
DAMAGES = (
    Damage("the log is removed between two runs", remove("", *BOTH), is_between=True),
    Damage("an older log is put back between two runs", put_back, is_between=True),
    Damage("the write-ahead log is removed after a kill", remove("-wal"), is_between=True),
    Damage("the write-ahead log is removed", remove("-wal"), harmless=True),
    Damage("the write-ahead log and its index are removed", remove(*BOTH), harmless=True),
    Damage("the write-ahead log is removed, and a kill follows", remove("-wal"), kill_within_s=1.5),
    Damage("the write-ahead log is cut", cut("-wal", 0)),
    Damage("the log is removed", remove("")),
    Damage("the log is cut to a half", cut("", 2)),
    Damage("the log is cut to nothing", cut("", 0)),
    Damage("the log is overwritten", overwrite),
    Damage("an older log is put in its place", put_back),
    Damage("an older log is copied over it", copy_back),
    Damage("the disk is full", fill, harmless=True, disk=DISK),
    Damage("one of two servers is killed", nothing, is_shown=False, harmless=True, servers=2),
    Damage("one of two servers is killed, the write-ahead log removed", remove("-wal"), harmless=True, servers=2),
)
