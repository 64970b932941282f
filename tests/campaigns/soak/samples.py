"""Samples of a soak: what each process holds, the size of the write-ahead log, the lag of lists, the time of moves.

Each is a line of a file, with its time in seconds since the beginning: of a process, of the store, or a kill.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
import psycopg
from prometheus_client.parser import text_string_to_metric_families

from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import Caller
from tests.campaigns.traffic.racers import Ledger
from tests.conftest import Database

Record = dict[str, Any]
KB, MB = 1024, 1_000_000
LAG = "trickbook_list_lag_events"
SCRAPE_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Role:
    """A process of the campaign: its kind, and its node if it belongs to one."""

    kind: str
    node: int | None = None


def process_record(role: Role, pid: int) -> Record:
    """Return what a process holds. `own` is the memory that it shares with no other process. Raise OSError if it ended.

    See proc_pid_smaps(5), proc_pid_status(5) and proc_pid_fd(5).
    """
    place = Path(f"/proc/{pid}")
    memory = _fields(place / "smaps_rollup")
    own = memory["Private_Clean"] + memory["Private_Dirty"]
    return {
        "of": "process", "kind": role.kind, "node": role.node, "pid": pid, "own_mb": own * KB / MB,
        "descriptors": len(list((place / "fd").iterdir())), "threads": _fields(place / "status")["Threads"],
    }  # fmt: skip


def _fields(file: Path) -> dict[str, int]:
    """Return the fields of a file of /proc that are numbers."""
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return {words[0].rstrip(":"): int(words[1]) for words in lines if len(words) > 1 and words[1].isdecimal()}


def log_size_mb(database: Database) -> float:
    """Return the size of the write-ahead log."""
    if database.url is None:
        return sum(each.stat().st_size for each in database.data.glob("*.db-wal")) / MB
    with psycopg.connect(database.url, autocommit=True) as connection:
        ((size,),) = connection.execute("SELECT coalesce(sum(size), 0) FROM pg_ls_waldir()").fetchall()
    return float(size) / MB


def lag_of(url: str) -> float:
    """Return how many events the lists of a node are behind."""
    text = httpx.get(f"{url}/metrics", timeout=SCRAPE_TIMEOUT_S, trust_env=False).raise_for_status().text
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return max((each.value for each in samples if each.name == LAG), default=0.0)


class Sampler(Actor):
    """Writes samples to a file."""

    what = "samples"

    def __init__(
        self,
        caller: Caller,
        every_s: float,
        file: Path,
        database: Database,
        ledger: Ledger,
        find: Callable[[], Mapping[Role, int]],
    ) -> None:
        super().__init__(caller)
        self.pause_s, self.file, self._database, self._ledger, self._find = every_s, file, database, ledger, find
        self._began = time.monotonic()
        file.write_text("")

    def write(self, *records: Record) -> None:
        """Add records to the file."""
        at = round(time.monotonic() - self._began, 2)
        with self.file.open("a", encoding="ascii") as out:
            for record in records:
                rounded = {name: round(each, 3) if isinstance(each, float) else each for name, each in record.items()}
                out.write(json.dumps({"at": at} | rounded) + "\n")

    def turn(self) -> None:
        self.write(*self._processes(), self._store())
        self.done += 1

    def _processes(self) -> Iterator[Record]:
        for role, pid in self._find().items():
            with suppress(OSError):
                yield process_record(role, pid)

    def _store(self) -> Record:
        with self._ledger.lock:
            times, self._ledger.times_s[:] = sorted(self._ledger.times_s), []
        lags = list[float]()
        for url in list(self.caller.urls):
            with suppress(httpx.HTTPError):
                lags.append(lag_of(url))
        record: Record = {"of": "store", "wal_mb": log_size_mb(self._database)}
        record |= {"lag": max(lags)} if lags else {}
        if len(times) > 1:
            cuts = quantiles(times, n=100, method="inclusive")
            record |= {"p50_ms": 1000 * cuts[49], "p99_ms": 1000 * cuts[98]}
        return record
