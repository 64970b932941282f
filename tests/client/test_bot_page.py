"""The bot of docs/bots.md: the same 30 lines play a whole game of each variant, woken by their inbox."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from api.client import Server, Table
from api.config import Config
from tests.api.server_process import server_environment
from tests.api.thread_server import serve_in_thread
from tests.docs.markdown import ROOT, blocks
from tests.waiting import wait_until

PAGE = ROOT / "docs" / "bots.md"
PASSWORD = "correct-horse"
PATIENCE_S = 240.0
TABLES: dict[str, dict[str, Any]] = {
    "pitch": {"seats": 2, "options": {"win": 7}},
    "setback": {"seats": 3, "options": {}},
    "blackout": {"seats": 4, "options": {}},
    "corellian": {"seats": 4, "options": {"randomizer": {"end": [1, 60]}}},
}
"""For each variant a short game."""


def program() -> str:
    """Return the program that the page shows."""
    [shown] = blocks(PAGE, "python")
    return shown.text


@contextmanager
def running(folder: Path, url: str, token: str) -> Iterator["subprocess.Popen[str]"]:
    """Run the page's program, which knows a URL and a token."""
    (folder / "bot.py").write_text(program(), encoding="utf-8")
    environ = server_environment() | {"BOT_TOKEN": token}
    with subprocess.Popen([sys.executable, "bot.py", url], cwd=folder, env=environ, text=True) as bot:
        try:
            yield bot
        finally:
            bot.kill()


def open_table(host: Server, variant: str) -> Table:
    """Open a short game of robin against simple bots."""
    wish = TABLES[variant]
    return Table.open(host, variant, ["robin", *["bot:simple"] * (wish["seats"] - 1)], options=wish["options"])


def moves_of(table: Table, robin: Server) -> set[str | None]:
    """Return the kinds of events that robin made."""
    return {moment.fact for moment in table.events() if (moment.event or {}).get("by") == robin.player}


def wait_for_ends(tables: list[Table], bot: "subprocess.Popen[str]") -> None:
    def ended() -> bool:
        assert bot.poll() is None, "the bot has stopped"
        return all(table.view()["status"] == "finished" for table in tables)

    wait_until(ended, within_s=PATIENCE_S, pause_s=0.1)


def test_it_is_as_short_as_the_page_says() -> None:
    lines = [line for line in program().splitlines() if line.strip()]
    assert len(lines) <= 30


@pytest.mark.parametrize("variants", [["pitch"], pytest.param([*TABLES], marks=pytest.mark.slow)], ids=["one", "each"])
def test_it_plays_a_whole_game_of_each_variant(tmp_path: Path, variants: list[str]) -> None:
    with (
        serve_in_thread(Config(data=tmp_path, hashing="cheapest", seating="asked")) as serving,
        Server(serving.url) as robin,
        Server(serving.url) as host,
    ):
        robin.register("robin", PASSWORD)
        robin.login("robin", PASSWORD, scope="play", label="my bot")
        host.register("holly", PASSWORD)
        with running(tmp_path, serving.url, robin.token or "") as bot:
            tables = [open_table(host, variant) for variant in variants]
            wait_for_ends(tables, bot)
            while not moves_of(tables[-1], robin):  # the randomizer may end Corellian Pitch before robin's turn
                tables[-1] = open_table(host, variants[-1])
                wait_for_ends(tables[-1:], bot)
        results = {table.view()["variant"]: table.view()["result"] for table in tables}
        assert [*results] == variants
        assert {result["reason"] for result in results.values()} <= {"goal", "hands", "randomizer"}
        made = set[str | None]()
        for table in tables:
            moved = moves_of(table, robin)
            assert moved, table.view()["variant"]
            made |= moved
        assert "CardPlayed" in made
