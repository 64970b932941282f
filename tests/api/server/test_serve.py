"""The program's own server: what it prints at its start, and a kill on each store."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from api.client import NoAnswer, Server, UnexpectedAnswer
from api.config import Config, ConfigError
from api.container import open_services
from domain.rules.variants import PITCH
from projections.bots import choose
from tests.api.conftest import ConfiguredServer
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.waiting import wait_for

PASSWORD = "correct-horse"
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:simple"], "options": {"win": 21}}


def first(view: dict[str, Any]) -> dict[str, Any]:
    return choose("simple", view, PITCH, lambda _: 0)


def test_what_is_printed_at_the_start(configured_server: ConfiguredServer) -> None:
    said, url = configured_server.said, configured_server.url
    at = said.index(f"listening on {url}")
    assert url.startswith("http://127.0.0.1:")
    assert said[:at] == [
        f"TRICKBOOK_DATA={configured_server.data}",
        "TRICKBOOK_SEATING=at-once",
        "TRICKBOOK_LIMITS=large",
        "TRICKBOOK_TRUSTED_PROXIES=1",
        "TRICKBOOK_CORS_ORIGINS=https://cards.example.com,http://localhost:5173",
        "TRICKBOOK_LOG=debug",
        said[at - 1],
    ]
    assert said[at - 1].startswith("warning: this server has no name of its own. Receipts name it trickbook.invalid/")
    assert said[at + 1 :] == [
        f"to play, open {url} in a browser, or run: trickbook play --server {url}",
        f"for programs: {url}/docs",
    ]


def test_another_cipher_key_than_that_of_the_games_stops_the_start(tmp_path: Path) -> None:
    key = Config(data=tmp_path, cipher_key="MDEyMzQ1Njc4OWFiY2RlZg==")
    open_services(key).close()
    open_services(key).close()
    with pytest.raises(ConfigError, match="not the key that these games were written with"):
        open_services(Config(data=tmp_path))


def wait_for_turn(player: Server, game: str) -> dict[str, Any]:
    """Return our view when it's our turn or the game is over; the worker plays for bots that a kill left waiting."""
    return wait_for(
        lambda: player.get(f"{game}/seats/0"), lambda view: view["turn"]["seats"] == [0] or view["status"] == "finished"
    )


def events_in(page: dict[str, Any], of: str = "events") -> list[dict[str, Any]]:
    return [line["event"] for line in page[of] if "event" in line]


def test_a_killed_server_keeps_every_acknowledged_move_exactly_once(database: Database) -> None:
    game, told = "/games/1", list[dict[str, Any]]()
    with start_server(database) as serving, Server(serving.url, patience_s=0) as player:
        player.register("ann", PASSWORD)
        player.post("/games", TABLE)
        for _ in range(5):
            told += events_in(player.post(f"{game}/moves", first(wait_for_turn(player, game))))
        token, last = player.token, first(wait_for_turn(player, game))
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(player.post, f"{game}/moves", last, Idempotency_Key="last")
            serving.kill()
        if asked.exception() is None:
            told += events_in(asked.result())
        else:
            assert isinstance(asked.exception(), NoAnswer | UnexpectedAnswer)
    with start_server(database) as serving, Server(serving.url, token, patience_s=0) as player:
        body = player.post(f"{game}/moves", last, Idempotency_Key="last")
        view = wait_for_turn(player, game)
        assert player.post(f"{game}/moves", last, Idempotency_Key="last")["events"] == body["events"]
        page = player.get(f"{game}/events")
        assert [line["version"] for line in page["items"]] == list(range(1, len(page["items"]) + 1))
        stored = {event["version"]: event for event in events_in(page, "items")}
        assert [stored[event["version"]] for event in told] == told
        command = events_in(body)[0]["command"]
        assert [event for event in stored.values() if event["command"] == command] == events_in(body)
        dealt = [event["data"]["cards"] for event in stored.values() if event["fact"] == "CardsDealt"]
        assert set(view["you"]["cards"]) <= set(dealt[-1])
        assert player.get(f"{game}/audit")["verdict"]["findings"] == 0
