"""Samples of a soak: what each process holds, the size of the store, how far lists are behind, the time of moves.

Each is a line of a file, with its time in seconds since the beginning: of a process, of the store, or a kill.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from typing import Any

import httpx
import psycopg
from prometheus_client.parser import text_string_to_metric_families

from tests.campaigns.two_nodes.racers import Ledger
from tests.conftest import Database

Record = dict[str, Any]
KB, MB = 1024, 1_000_000
LAG = "trickbook_list_lag_events"
REQUESTS = "trickbook_request_seconds_count"
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
        "pss_mb": memory["Pss"] * KB / MB, "rss_mb": memory["Rss"] * KB / MB,
        "descriptors": len(list((place / "fd").iterdir())), "threads": _fields(place / "status")["Threads"],
    }  # fmt: skip


def _fields(file: Path) -> dict[str, int]:
    """Return the fields of a file of /proc that are numbers."""
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return {words[0].rstrip(":"): int(words[1]) for words in lines if len(words) > 1 and words[1].isdecimal()}


def store_sizes(database: Database) -> Record:
    """Return the size of the write-ahead log and of the data, and the number of stored events."""
    if database.url is None:
        files = [(each.name, each.stat().st_size) for each in database.data.glob("*.db*")]
        wal = sum(size for name, size in files if name.endswith("-wal"))
        return {"wal_mb": wal / MB, "data_mb": sum(size for name, size in files if name.endswith(".db")) / MB}
    statement = "SELECT coalesce(sum(size), 0), pg_database_size(current_database()) FROM pg_ls_waldir()"
    with psycopg.connect(database.url, autocommit=True) as connection:
        ((written, size),) = connection.execute(statement).fetchall()
    return {"wal_mb": float(written) / MB, "data_mb": float(size) / MB}


def metrics_of(url: str) -> dict[str, float]:
    """Return how far the lists of a node are behind, and how many requests it has answered."""
    text = httpx.get(f"{url}/metrics", timeout=SCRAPE_TIMEOUT_S, trust_env=False).raise_for_status().text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {
        "lag": max((each.value for each in samples if each.name == LAG), default=0.0),
        "requests": sum(each.value for each in samples if each.name == REQUESTS),
    }


class Sampler:
    """Writes samples to a file in a thread of its own, until the end."""

    def __init__(
        self,
        file: Path,
        database: Database,
        ledger: Ledger,
        urls: list[str],
        find: Callable[[], Mapping[Role, int]],
        count_games: Callable[[], int],
        every_s: float,
    ) -> None:
        self.file, self._database, self._ledger, self._urls = file, database, ledger, urls
        self._find, self._count_games, self._every_s = find, count_games, every_s
        self._began, self._stop = time.monotonic(), Event()
        self.faults: list[str] = []
        self.taken = 0
        self._moves = 0
        self._requests: dict[str, float] = {}
        file.write_text("")
        self._thread = Thread(target=self._run, name="sampler", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self) -> None:
        """Stop after the current sample."""
        self._stop.set()
        self._thread.join(120)

    def write(self, *records: Record) -> None:
        """Add records to the file."""
        at = round(time.monotonic() - self._began, 2)
        with self.file.open("a", encoding="ascii") as out:
            for record in records:
                rounded = {
                    name: round(value, 3) if isinstance(value, float) else value for name, value in record.items()
                }
                out.write(json.dumps({"at": at} | rounded) + "\n")

    def _run(self) -> None:
        try:
            while not self._stop.wait(self._every_s):
                self.write(*self._processes(), self._store())
                self.taken += 1
        except Exception as error:
            self.faults.append(f"sampler: {error!r}")
            raise

    def _processes(self) -> Iterator[Record]:
        for role, pid in self._find().items():
            with suppress(OSError):
                yield process_record(role, pid)

    def _store(self) -> Record:
        with self._ledger.lock:
            times, self._ledger.times_s[:] = sorted(self._ledger.times_s), []
            moves, self._moves = self._ledger.moves - self._moves, self._ledger.moves
        record: Record = {
            "of": "store",
            "games": self._count_games(),
            "moves": moves,
            **store_sizes(self._database),
            **self._metrics(),
        }
        if len(times) > 1:
            cuts = quantiles(times, n=100, method="inclusive")
            record |= {"p50_ms": 1000 * cuts[49], "p99_ms": 1000 * cuts[98]}
        return record

    def _metrics(self) -> Record:
        """Return the longest lag, and the requests since the last sample at nodes that weren't started again."""
        lags, requests = list[float](), 0.0
        for url in list(self._urls):
            with suppress(httpx.HTTPError):
                found = metrics_of(url)
                lags.append(found["lag"])
                requests += max(0.0, found["requests"] - self._requests.get(url, found["requests"]))
                self._requests[url] = found["requests"]
        return {"requests": requests} | ({"lag": max(lags)} if lags else {})
