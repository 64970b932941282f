"""Play with everything recorded, build images of the disk after cuts, and open each."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from domain.events.codec import Unreadable
from domain.store import Games
from domain.store.aggregate import Corrupt
from domain.store.application import StoreUnavailable
from domain.store.sql.sqlite_errors import FileDamaged
from tests.campaigns.power_cuts.disk import File, read_record
from tests.campaigns.power_cuts.writer import MARKS

SEED = 20261124
RECORDER = Path(__file__).with_name("recorder.c")
ROOT = Path(__file__).parents[3]
STORE_FILES = ("log.db", "log.db-wal", "log.db-journal")


@dataclass
class Report:
    """How many images were opened, the moves acknowledged before the last cut, and what is wrong."""

    images: int = 0
    moves: int = 0
    unsynced: int = 0
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        changed = f"{self.unsynced} of them with changes that weren't synced"
        return [f"{self.images} images, {changed}, {self.moves} moves acknowledged"]


def compiler() -> str | None:
    """Return the path of a C compiler, or None."""
    return shutil.which("gcc") or shutil.which("cc")


def record(folder: Path, moves: int, seed: int, *, safe: bool) -> tuple[dict[str, bytes], Path]:
    """Play in a store in `folder`. Return the files of the store before, and the record."""
    library, recorded, store = folder / "recorder.so", folder / "record", folder / "store"
    subprocess.run([compiler() or "", "-shared", "-fPIC", "-O1", "-o", library, RECORDER, "-ldl"], check=True)
    store.mkdir()
    with closing(Games(store)):
        pass
    before = {"log.db": (store / "log.db").read_bytes()}
    variables = {"LD_PRELOAD": str(library), "RECORD_TO": str(recorded), "RECORD_FOLDER": str(store)}
    words = (store, moves, seed, "safe" if safe else "")
    command = [sys.executable, "-m", "tests.campaigns.power_cuts.writer", *map(str, words)]
    subprocess.run(command, env=os.environ | variables, cwd=ROOT, check=True)
    return before, recorded


def cut(
    folder: Path,
    moves: int,
    images: int,
    *,
    seed: int = SEED,
    safe: bool = True,
    set_progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Play, cut the power at `images` points spread over the record, and open what is left each time."""
    before, recorded = record(folder, moves, seed, safe=safe)
    operations, chance, report = list(read_record(recorded)), Random(seed), Report()
    points = sorted(chance.choices(range(1, len(operations) + 1), k=images))
    files = defaultdict(File, {name: File(bytearray(data)) for name, data in before.items()})
    done, acknowledged = 0, list[str]()
    for point in points:
        for operation in operations[done:point]:
            if operation.file == MARKS:
                acknowledged += operation.data.decode().splitlines()
            elif operation.file in STORE_FILES:
                files[operation.file].change(operation)
        done = point
        report.images += 1
        report.unsynced += any(file.pending for file in files.values())
        report.faults += check(files, chance, acknowledged)
        set_progress(report.images)
    report.moves = len(acknowledged)
    return report


def check(files: Mapping[str, File], chance: Random, acknowledged: list[str]) -> list[str]:
    """Open one image, and return what is wrong with it."""
    with tempfile.TemporaryDirectory(prefix="power-cut-") as place:
        for name, file in files.items():
            (Path(place) / name).write_bytes(file.after_cut(chance))
        try:
            with closing(Games(Path(place))) as games:
                return [*missing(games, acknowledged)]
        except (Corrupt, FileDamaged, LookupError, OSError, StoreUnavailable, Unreadable) as error:
            return [f"after {len(acknowledged)} moves: {type(error).__name__}: {error}"]


def missing(games: Games, acknowledged: list[str]) -> list[str]:
    """Return the acknowledged moves that a store lacks; reading verifies every link."""
    roots: dict[str, list[str]] = {}
    faults = []
    for line in acknowledged:
        game, version, root = line.split()
        if game not in roots:
            roots[game] = [entry.prev.hex() for entry in games.entries(game)] + [games.snapshot(game)[1]]
        if int(version) >= len(roots[game]) or roots[game][int(version)] != root:
            faults.append(f"version {version} of {game} is lost, or another")
    return faults
