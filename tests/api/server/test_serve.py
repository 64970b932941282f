"""The program's own server on each store: a session, a clean stop, and a kill."""

import itertools
import json
import shutil
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from api.client import NoAnswer, Refusal, Server, UnexpectedAnswer
from api.config import Config, ConfigError
from api.services.container import open_services
from projections.bots import choose
from tests.api.conftest import ConfiguredServer
from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database
from tests.step_limit import steps
from tests.waiting import wait_for, wait_until

PASSWORD = "correct-horse"
PATIENCE_S = 60.0
AHEAD = 2
"""Moves that may be answered while the kill is on its way, at most."""
GAME = "/games/1"
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:simple"], "options": {"win": 21}}


def first(view: dict[str, Any]) -> dict[str, Any]:
    return choose("simple", view, lambda _: 0)


def read_list(player: Server, path: str) -> Any:
    """Return a list that includes the last write, after retries if the server is behind."""
    asked, found = player.after_write(path), list[Any]()

    def is_up_to_date() -> bool:
        try:
            found.append(player.get(asked))
        except Refusal as behind:
            if behind.status != 503:
                raise
        return bool(found)

    wait_until(is_up_to_date)
    return found[0]


def test_a_session_to_the_end_of_a_game(shared_server: ServerProcess) -> None:
    name = "serve-ann"
    with Server(shared_server.url, patience_s=0) as ann:
        ann.register(name, PASSWORD)
        opened = ann.post("/games", TABLE | {"seats": [name, "bot:random", "bot:simple"], "options": {"win": 7}})
        game, spent = f"/games/{opened['board']}", steps()
        while (view := wait_for_turn(ann, game))["status"] == "active":
            next(spent)
            ann.post(f"{game}/moves", first(view))
        assert read_list(ann, f"/games?status=finished&player={name}")["items"][0]["board"] == opened["board"]
        assert read_list(ann, f"{game}/scoreboard")["totals"] == view["result"]["scores"]
        assert ann.get(f"{game}/audit")["verdict"]["code"] == 0


def test_what_is_printed_at_the_start(configured_server: ConfiguredServer) -> None:
    said, url = configured_server.said, configured_server.url
    at = said.index(f"listening on {url}")
    assert url.startswith("http://127.0.0.1:")
    assert f"TRICKBOOK_DATA={configured_server.data}" in said
    assert "receipts are signed by trickbook.invalid/" in said[at - 1]
    assert said[at + 1] == f"open {url} in a browser to play"
    assert f"curl {url}/api/v1/variants" in said[at + 2]


def test_another_cipher_key_than_that_of_the_games_stops_the_start(tmp_path: Path) -> None:
    key = Config(data=tmp_path, cipher_key="MDEyMzQ1Njc4OWFiY2RlZg==")
    open_services(key).close()
    open_services(key).close()
    with pytest.raises(ConfigError, match="not the key that these games were written with"):
        open_services(Config(data=tmp_path))


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_curl_session_that_a_newcomer_types(shared_server: ServerProcess) -> None:
    def curl(*arguments: str) -> Any:
        done = subprocess.run(["curl", "-sS", *arguments], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    api, typed = shared_server.url + "/api/v1", ("-H", "Content-Type: application/json")
    login = '{"name":"curl-ann","password":"correct-horse"}'
    assert curl(f"{api}/users", *typed, "-d", login)["name"] == "curl-ann"
    mine = (*typed, "-H", f"Authorization: Bearer {curl(f'{api}/tokens', *typed, '-d', login)['token']}")
    game = curl(f"{api}/games", *mine, "-d", json.dumps(TABLE | {"seats": ["curl-ann", "bot:random", "bot:simple"]}))
    moved = curl(f"{api}/games/{game['board']}/moves", *mine, "-d", '{"text":"pass"}')
    assert moved["events"][0]["event"]["fact"] == "BidPassed"


@dataclass
class Mover:
    """A player who plays until the server is gone, with the acknowledged moves and the unanswered one."""

    token: str
    view: dict[str, Any]
    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    unanswered: tuple[dict[str, Any], str] | None = None

    def play(self, url: str, moves: int, near: threading.Event, killed: threading.Event) -> None:
        """Make that many moves, then those answered during the kill, and one that isn't answered."""
        with Server(url, self.token, patience_s=0) as player:
            for number in itertools.count():
                if number == moves:
                    near.set()
                if number == moves + AHEAD:
                    killed.wait(PATIENCE_S)
                move, key = first(self.view), f"at-{self.view['version']}"
                try:
                    body = player.post(f"{GAME}/moves", move, Idempotency_Key=key)
                    self.acknowledged += [line["event"] for line in body["events"] if "event" in line]
                    self.view = body["view"] if body["view"]["turn"]["seats"] == [0] else wait_for_turn(player, GAME)
                except (NoAnswer, UnexpectedAnswer):  # no answer, or an incomplete one
                    self.unanswered = move, key
                    return

    def play_until_killed(self, serving: ServerProcess, moves: int) -> None:
        """Kill the server after that many answered moves, during the next one."""
        near, killed = threading.Event(), threading.Event()
        self.unanswered = None
        thread = threading.Thread(target=self.play, args=(serving.url, moves, near, killed))
        thread.start()
        near.wait(PATIENCE_S)
        serving.kill()
        killed.set()
        thread.join()


@pytest.mark.parametrize("kills", [[5], pytest.param([5, 3, 6, 4], marks=pytest.mark.slow)])
def test_a_killed_server_keeps_every_acknowledged_move_exactly_once(database: Database, kills: list[int]) -> None:
    with start_server(database) as serving, Server(serving.url) as player:
        player.register("ann", PASSWORD)
        mover = Mover(player.token or "", player.post("/games", TABLE)["view"])
        mover.play_until_killed(serving, kills[0])
    for moves in [*kills[1:], None]:  # 30 of ours at most, of the 35 in the five hands that a game to 21 has at least
        with start_server(database) as serving, Server(serving.url, mover.token) as player:
            check_after_a_kill(player, mover)
            if moves is not None:
                mover.play_until_killed(serving, moves)
    assert len(mover.acknowledged) > sum(kills)


def check_after_a_kill(player: Server, mover: Mover) -> None:
    """Check that acknowledged events are stored, the unanswered move is made once, and hands are unchanged."""
    assert mover.unanswered is not None, "the server was never killed"
    move, key = mover.unanswered
    body = player.post(f"{GAME}/moves", move, Idempotency_Key=key)
    mover.view = wait_for_turn(player, GAME)
    again = player.post(f"{GAME}/moves", move, Idempotency_Key=key)
    assert player.post(f"{GAME}/moves", move, Idempotency_Key=key) == again
    assert again["events"] == body["events"]
    log = player.get(f"{GAME}/events")["items"]
    assert [line["version"] for line in log] == list(range(1, len(log) + 1))
    told = [line.get("event") for line in log]
    assert all(told[event["version"] - 1] == event for event in mover.acknowledged)
    made = [event for event in told if event and event["command"] == body["events"][0]["event"]["command"]]
    assert made == [line["event"] for line in body["events"] if "event" in line]
    mover.acknowledged += made
    dealt = [event["data"]["cards"] for event in told if event and event["fact"] == "CardsDealt"
             and event["data"]["seat"] == 0]  # fmt: skip
    assert set(mover.view["you"]["cards"]) <= set(dealt[-1])
    assert player.get(f"{GAME}/audit")["verdict"]["findings"] == 0


def wait_for_turn(player: Server, game: str) -> dict[str, Any]:
    """Return our view when it's our turn or the game is over; the worker plays for bots that a kill left waiting."""
    return wait_for(
        lambda: player.get(f"{game}/seats/0"), lambda view: view["turn"]["seats"] == [0] or view["status"] == "finished"
    )
