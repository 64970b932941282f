"""Each module of bench/ runs to its end and prints figures, with the smallest sizes that it takes."""

import importlib
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.api.server_process import ServerProcess
from tests.postgres import Server

BENCH = Path(__file__).parents[2] / "bench"
FIGURE = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Run:
    """A benchmark with its options, the constants that make it short, and what else of bench/ it runs.

    A constant of another module in the same folder is named with the module. One that is `served` starts a server
    without limits, for which the one of all tests will do. What takes longer than two seconds is slow.
    """

    module: str
    options: str = ""
    constants: dict[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    served: bool = False
    slow: bool = False


RUNS = (
    Run("rules.bots", "--games 1", {"TABLES": (("pitch", "every other of four", ("simple", "random") * 2),)}),
    Run("rules.fairdeal", "", {"CEREMONIES": 10}),
    Run("rules.games", "--games 1"),
    Run("rules.replay", "--hands 1", {"VARIANTS": ("pitch",), "RUNS": 1}),
    Run("rules.strong", "--games 1 --worlds 1 --variant pitch", {"WORLDS": (1,)}),
    Run("storage.lists", "100", {"RUNS": 1}),
    Run("storage.log", "", {"COMMITS": 3}),
    Run("storage.compression", "--games 1 --pairs 1", {"CALLS": 10}),
    Run("storage.store", "--facts 60", {"RUNS": 1, "MANY": 60, "TABLES": 1, "MOVES": 20, "ROWS": 10}),
    Run("storage.projections", "--events 300 --tables 4", also=("storage.random_log",)),
    Run("storage.freshness", "--rates 20 --seconds 0.5 --tables 2"),
    Run("storage.re_rating", "--games 3 --rulings 1 --stores SQLite"),
    Run("storage.shards", "--seconds 0.2 --writers 1 --shards 1"),
    Run("storage.shard_move", "--rows 20 --writers 1"),
    Run("storage.servers", "--layouts 2x1 --writers 1 --seconds 0.2 --rounds 1", also=("storage.append_script",)),
    Run(
        "storage.big_store",
        "--games 10 --stores sqlite --skip check,backup",
        {"CLIENTS": 1, "WARM_UP_S": 0.1, "LOAD_S": 0.1, "MOVES": 1, "short_games.PEOPLE": 100},
        also=("storage.short_games",),
        slow=True,
    ),
    Run("server.move_cpu", "--moves 100", {"WARM_UP": 5, "GROUP": 5, "ROUNDS": 10}),
    Run(
        "server.http",
        "--seconds 0.1 --clients 1 --stores sqlite --streams 1",
        {"WARM_UP_S": 0.1},
        also=("server.arrangements", "server.background", "server.load", "server.peer", "server.processes"),
        slow=True,
    ),
    Run(
        "server.attacks",
        "--seconds 0.1 --rounds 1 --attackers 1 views strong-tables",
        {"PROCESSES": 1, "LEAD_S": 0.1, "EVENTS": 60, "STRONG_MOVES": 0},
        also=("server.attackers", "server.long_games", "server.tables"),
        slow=True,
    ),
    Run("server.idle", "--tables 1 --seconds 0.1", {"SETTLE_S": 0.1}, served=True),
    Run("server.bot_times", "--moves 2 --tables 1 --bots simple", served=True),
    Run("server.streams", "--streams 2 --tables 1 --seconds 0.3", {"SETTLE_S": 0.3}, served=True),
    Run(
        "server.metrics",
        "",
        {"PLAYERS": 1, "JOIN_EVERY_S": 0.5, "REST_S": 0.5, "SCRAPE_EVERY_S": 0.2, "OUT": Path("metrics.json")},
        served=True,
    ),
    Run(
        "server.pages",
        "--rounds 1",
        {"LATENCY_MS": 1, "BYTES_PER_S": 10**8, "SETTLE_MS": 100, "page_frames.LOOKS": (20,), "page_frames.HANDS": 2},
        also=("server.page_frames",),
        slow=True,
    ),
)
ALONE = [pytest.param(run, id=run.module, marks=[pytest.mark.slow] * run.slow) for run in RUNS if not run.served]
SERVED = [pytest.param(run, id=run.module) for run in RUNS if run.served]
ELSEWHERE = {"__main__": "runs the others", "scaling": "tests/docs/pages/test_scaling_page.py",
             "storage.slow_disk": "needs a C compiler"}  # fmt: skip
"""Modules without a run here, and why."""


@pytest.fixture
def prepare(postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a function that makes a benchmark short, and returns its program."""

    def make_short(run: Run, **more: Any) -> Any:
        module = importlib.import_module(f"bench.{run.module}")
        for name, value in (run.constants | more).items():
            place = f"{module.__package__}.{name}" if "." in name else f"{module.__name__}.{name}"
            monkeypatch.setattr(place, tmp_path / value if isinstance(value, Path) else value)
        monkeypatch.setattr(sys, "argv", [run.module, *run.options.split()])
        monkeypatch.setenv("TEST_PG_DSN", postgres_server.dsn)
        return module.main

    return make_short


@pytest.mark.process
@pytest.mark.parametrize("run", ALONE)
def test_a_benchmark_prints_figures(run: Run, prepare: Callable[..., Any], capfd: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as thread:  # in this one, a browser of other tests has left a running event loop
        thread.submit(prepare(run)).result()
    assert FIGURE.search(capfd.readouterr().out)


@pytest.mark.parametrize("run", SERVED)
def test_a_benchmark_of_a_server_prints_figures(
    run: Run,
    prepare: Callable[..., Any],
    shared_server: ServerProcess,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    served = shared_server.url.removeprefix("http://"), shared_server.process.pid
    prepare(run, running=lambda *_: nullcontext(served))()
    assert FIGURE.search(capfd.readouterr().out) or (tmp_path / "metrics.json").stat().st_size > 0


def test_each_module_of_bench_has_a_run_or_a_reason() -> None:
    modules = {path.relative_to(BENCH).with_suffix("").as_posix().replace("/", ".") for path in BENCH.rglob("*.py")}
    covered = {run.module for run in RUNS} | {name for run in RUNS for name in run.also} | set(ELSEWHERE)
    assert {name for name in modules if not name.endswith("__init__")} == covered
