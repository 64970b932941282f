"""Abandoned games on a running server: they are closed and revealed, and the lists are right (R-P10, C6)."""

from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from flask import Flask

from api.play.services.autoplay import AutoPlayer
from domain.commands import OpenGame, Resign
from domain.events import Fairness, Player, Timing
from domain.store import Games
from projections.views.cache import ViewCache
from tests.api.conftest import Caller, services_of
from tests.api.past_times import time_ago
from tests.api.worker_thread import running_worker
from tests.conftest import Database
from tests.waiting import wait_for

PEOPLE = tuple(Player(f"p{seat}", "human") for seat in range(4))
BOTS = tuple(Player(f"bot:simple:{seat}", "bot", "simple") for seat in range(1, 4))

CUTS: dict[str, Any] = {"cuts": "open", "window_s": 2}


class Past:
    """The past actions of players who then went away."""

    def __init__(self, database: Database, days: float) -> None:
        moment = time_ago(days=days)
        self.games = Games(database.data, database.url, clock=lambda: moment)
        self.autoplayer = AutoPlayer(self.games, ViewCache(self.games))

    def opened(self, variant: str, players: tuple[Player, ...], timing: Timing, **more: Any) -> str:
        """Open a game, and let the autoplayer play until it waits for a person."""
        game = str(uuid4())
        options = {"randomizer": None} if variant == "corellian" else {}
        opening = OpenGame(game, 1, variant, options, players, timing, **more)
        commit = self.games.open(opening, by="p0", command_id=_id())
        self.autoplayer.play(commit.state, _id())
        return game

    def resigns(self, game: str, seat: int) -> None:
        player = self.games.state(game).seats[seat].player
        self.autoplayer.play(self.games.act(game, Resign(seat), by=player, command_id=_id()).state, _id())


def _id() -> str:
    return f"{uuid4().hex[:16]}-{0:016x}"


def states(seats: list[dict[str, Any]]) -> list[str]:
    """Return the seats that are still in the game."""
    return [seat["state"] for seat in seats]


def facts(player: Any, game: str) -> list[str]:
    """Return the public facts, as a caller or a client of the server sees them."""
    page = player.get(f"/games/{game}/events")
    items = page["items"] if isinstance(page, dict) else page.get_json()["items"]
    return [line["event"]["fact"] for line in items if "event" in line]


def test_R_P10_C6_a_running_server_acts_on_every_deadline_without_a_request(app: Flask, database: Database) -> None:
    month, week = Past(database, 40), Past(database, 8)
    games = open_abandoned_games(month)
    gone, slow = (past.opened("pitch", PEOPLE, Timing()) for past in (month, week))
    month.games.close()
    week.games.close()
    ann = Caller(app.test_client()).join("ann")

    def view_of(game: str) -> dict[str, Any]:
        return dict(ann.get(f"/games/{game}").get_json())

    board = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"], "fairness": CUTS}).get_json()["id"]
    with running_worker(services_of(app)):
        for game in games:
            wait_for(partial(view_of, game), lambda view: view["status"] == "finished")
        one_left = ["forfeited", "in", "in", "in"]
        view = wait_for(partial(view_of, gone), lambda view: view["turn"]["seats"] == [1])
        wait_for(lambda: lobby_entry(ann, gone), lambda row: states(row["seats"]) == one_left)
        told_once = wait_for(lambda: facts(ann, slow), lambda told: told[-1] == "TurnReminded")
        wait_for(partial(view_of, board), lambda view: view["phase"] == "auction")
    assert states(view["seats"]) == one_left
    assert view["turn"]["deadline"] > time_ago(days=-20)
    assert told_once.count("TurnReminded") == 1
    for game, (reason, forfeits) in games.items():
        assert view_of(game)["result"]["reason"] == reason
        told = Counter(facts(ann, game))
        assert told["CeremonyOpened"] == told["CeremonyRevealed"] + told["CeremonyVoided"]
        assert told["SeatForfeited"] == forfeits
        assert ann.get(f"/games/{game}/audit").get_json()["verdict"]["code"] == 0
    check_deal_time(ann, board)


def lobby_entry(player: Caller, game: str) -> dict[str, Any]:
    """Return the game as the lobby lists it."""
    (row,) = [each for each in player.get("/games?limit=100").get_json()["items"] if each["id"] == game]
    found: dict[str, Any] = row
    return found


def open_abandoned_games(month: Past) -> dict[str, tuple[str, int]]:
    """Yield abandoned games of all kinds, with their ends and how many seats run out of time before it."""
    games = dict[str, tuple[str, int]]()
    for variant in ("pitch", "setback", "blackout", "corellian"):
        games[month.opened(variant, (PEOPLE[0], *BOTS), Timing())] = "void", 1
        games[month.opened(variant, PEOPLE, Timing(None, None, total_days=30), reveal="game")] = "time", 0
        two = month.opened(variant, PEOPLE, Timing())
        (slow,) = month.games.state(two).turn
        for seat in {0, 1, 2, 3} - {slow, (slow + 1) % 4}:
            month.resigns(two, seat)
        games[two] = "forfeit", 1
    cutting = month.opened("pitch", PEOPLE, Timing(total_days=30), fairness=Fairness("open", 7 * 24 * 3600))
    return games | {cutting: ("time", 0)}


def check_deal_time(player: Caller, game: str) -> None:
    """Check that the hand was dealt after the window closed, not before."""
    told = [line["event"] for line in player.get(f"/games/{game}/events").get_json()["items"] if "event" in line]
    opened, dealt = (next(each["at"] for each in told if each["fact"] == fact) for fact in ("GameOpened", "HandDealt"))
    assert datetime.fromisoformat(dealt) - datetime.fromisoformat(opened) >= timedelta(seconds=CUTS["window_s"])
