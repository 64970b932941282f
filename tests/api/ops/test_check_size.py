"""`trickbook store check` of many games: its lists are in temporary files, and its report doesn't depend on that."""

import json
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from api.cli.common.processes import RateColumn
from api.cli.store.check import json_parts
from api.config import Config
from api.container import open_services
from api.ops.check import everything
from api.ops.check import long_lists as workspace
from api.ops.check.everything import check_store, open_raw_store
from api.ops.check.long_lists import Lines, RowCounts
from api.ops.progress import SetProgress
from tests.api.conftest import config_for
from tests.api.server_process import server_environment
from tests.campaigns.tamper.flips import decompressed
from tests.conftest import Database
from tests.games.four import OVER, Four, id_of
from tests.replay.terminal import terminal

MB = 1_000_000
SLOW = pytest.mark.slow
Bar = tuple[str, int | None, list[int]]
"""A progress bar: its label, its total, and the amounts that it was set to."""


@pytest.fixture
def config(database: Database) -> Iterator[Config]:
    """A server on each store in turn, with games that go on and games that are over."""
    config = config_for(Database(database.url, database.data / "data"))
    open_services(config).close()
    made = Four(config).fill(5)
    with closing(open_services(config)) as services:
        services.receipts.issue(id_of(OVER[0]))
    yield config
    made.close()


def report(config: Config) -> tuple[dict[str, object], list[Bar]]:
    """Return the report of a check and its progress bars."""
    bars = list[Bar]()

    def add_bar(label: str, total: int | None) -> SetProgress:
        bars.append((label, total, []))
        return bars[-1][2].append

    with open_raw_store(config) as store:
        result = check_store(store, decompressed, add_bar=add_bar)
    return json.loads("".join(json_parts(result.to_json()))), bars


def test_the_report_is_the_same_with_a_game_in_memory_at_a_time(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, _ = report(config)
    monkeypatch.setattr(everything, "GAMES_PER_PAGE", 2)
    monkeypatch.setattr(workspace, "MOST_RECENT", 1)
    found, bars = report(config)
    assert found == expected
    games = [str(game["game"]) for game in found["games"]]  # type: ignore[attr-defined]
    assert games == sorted(games)
    assert bars == [("rows", None, []), ("games", len(games), [*range(1, len(games) + 1)])]


def test_records_of_games_on_any_page_are_compared(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(everything, "GAMES_PER_PAGE", 2)
    with closing(open_services(config)) as services, services.accounts.database.transaction(writes=True) as transaction:
        for board in OVER[:3]:
            transaction.run("DELETE FROM boards WHERE game = ?", id_of(board))
        transaction.run("INSERT INTO boards VALUES (?, ?)", 77, id_of(77))
        transaction.run("UPDATE receipts SET game = ?", id_of(78))
    found, _ = report(config)
    says = {(each["game"], each["says"]) for each in found["findings"]}  # type: ignore[attr-defined]
    assert says == {(id_of(board), "it has no board number") for board in OVER[:3]} | {
        (id_of(78), "the game existed, but all of its events are missing")
    }
    assert f"board 77 was given to game {id_of(77)}, which has no events" in found["notes"]  # type: ignore[operator]


def test_the_lists_of_a_check_need_the_same_memory_for_any_number_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MOST_RECENT", 500)
    rows, notes = RowCounts(), Lines[str]()
    tracemalloc.start()
    try:
        for number in range(15_000):
            rows.add(number.to_bytes(16, "big"), 0, 1)
            notes.append(f"game {number} is over, but no receipt of its end is stored")
        assert sum(len(page) for page in rows.pages(500)) == len(notes) == 15_000
        assert sum(1 for _ in notes) == 15_000
        assert tracemalloc.get_traced_memory()[1] < MB
    finally:
        tracemalloc.stop()


def test_bars_show_a_rate_for_what_is_counted() -> None:
    shown = Progress(console=Console(file=StringIO()))
    for at, (label, says) in enumerate({"checking games": "25 games/s", "copying": "", "rows": "25 rows/s"}.items()):
        shown.add_task(label, total=50)
        shown.tasks[at].finished_speed = 25.0
        assert RateColumn().render(shown.tasks[at]).plain == says


@pytest.mark.parametrize("command", ["check", pytest.param("backup", marks=SLOW)])
def test_a_terminal_shows_the_progress_of_a_whole_store(tmp_path: Path, command: str) -> None:
    config = config_for(Database(None, tmp_path / "data"))
    open_services(config).close()
    Four(config).fill(5).close()
    words = [str(tmp_path / "copy")] if command == "backup" else []
    env = server_environment() | {"PYTHONPATH": str(Path(__file__).parents[3]), "TERM": "xterm"}
    program = [sys.executable, "-m", "api.cli", "store", command, *words, "--data", str(config.data)]
    with terminal(program, env, at=["stderr"]) as shown:
        code, seen = shown.rest()
    assert (code, {"check": b"games", "backup": b"checking games"}[command] in seen) == (0, True)
