"""Abandoned games, on a server that runs: closed, revealed and sound, with nobody asking for it (R-P10, C6)."""

import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from flask import Flask

from api.client import Client
from api.house import House
from api.worker import Worker
from domain.commands import OpenGame, Resign
from domain.events import Fairness, Player, Timing
from domain.state import SERVER
from domain.store import Games
from projections.views import Views
from tests.api.conftest import Caller, services_of
from tests.api.serving import server
from tests.conftest import Database

PEOPLE = tuple(Player(f"p{seat}", "human") for seat in range(4))
BOTS = tuple(Player(f"bot:simple:{seat}", "bot", "simple") for seat in range(1, 4))

CUTS: dict[str, Any] = {"cuts": "open", "window_s": 2}


def ago(days: float) -> str:
    """A time so many days before now."""
    return (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Past:
    """What people did so many days ago, and then went away."""

    def __init__(self, database: Database, days: float) -> None:
        moment = ago(days)
        self.games = Games(database.data, database.url, clock=lambda: moment)
        self.house = House(self.games, Views(self.games))

    def opened(self, variant: str, players: tuple[Player, ...], timing: Timing, **more: Any) -> str:
        """A game in which the house has played until a person is awaited."""
        game = str(uuid4())
        options = {"randomizer": None} if variant == "corellian" else {}
        opening = OpenGame(game, 1, variant, options, players, timing, **more)
        commit = self.games.open(opening, by="p0", command_id=_id())
        self.house.play(commit.state, _id())
        return game

    def resigns(self, game: str, seat: int) -> None:
        player = self.games.state(game).seats[seat].player
        self.house.play(self.games.act(game, Resign(seat), by=player, command_id=_id()).state, _id())


def _id() -> str:
    return f"{uuid4().hex[:16]}-{0:016x}"


def shown(player: Client, game: str, name: str, value: str, within_s: float = 15) -> dict[str, Any]:
    """The public view once it says so."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        view: dict[str, Any] = player.get(f"/games/{game}")
        if view[name] == value:
            return view
        time.sleep(0.1)
    raise AssertionError(f"game {game} has not come to {name} {value} within {within_s} s")


def facts(player: Client, game: str) -> list[str]:
    """What everybody may know has happened."""
    return [line["event"]["fact"] for line in player.get(f"/games/{game}/events")["items"] if "event" in line]


def test_R_P10_C6_a_server_closes_reminds_plays_on_and_deals_with_nobody_asking(database: Database) -> None:
    month, week = Past(database, 40), Past(database, 8)
    games = abandoned(month)
    gone, slow = (past.opened("pitch", PEOPLE, Timing()) for past in (month, week))
    month.games.close()
    week.games.close()
    with server(database) as serving, Client(serving.url) as ann:
        ann.join("ann", "correct-horse")
        board = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"], "fairness": CUTS})["id"]
        for game, (reason, forfeits) in games.items():
            assert shown(ann, game, "status", "finished")["result"]["reason"] == reason
            told = Counter(facts(ann, game))
            assert told["CeremonyOpened"] == told["CeremonyRevealed"] + told["CeremonyVoided"]
            assert told["SeatForfeited"] == forfeits
            assert ann.get(f"/games/{game}/audit")["verdict"]["code"] == 0
        view = ann.get(f"/games/{gone}")
        assert [seat["state"] for seat in view["seats"]] == ["forfeited", "in", "in", "in"]
        assert view["turn"]["seats"] == [1]
        assert view["turn"]["deadline"] > ago(-20)
        (row,) = [each for each in ann.get("/games")["items"] if each["id"] == gone]
        assert [seat["state"] for seat in row["seats"]] == ["forfeited", "in", "in", "in"]
        dealt_in_time(ann, board)
        told_once = facts(ann, slow)
        assert (told_once.count("TurnReminded"), told_once[-1]) == (1, "TurnReminded")
        assert serving.stop() == 0


def abandoned(month: Past) -> dict[str, tuple[str, int]]:
    """Games of all kinds that nobody came back to, each with its end and how many are out of time before it."""
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


def dealt_in_time(player: Client, game: str) -> None:
    """The hand is dealt when the window has closed, and not before."""
    shown(player, game, "phase", "auction")
    told = [line["event"] for line in player.get(f"/games/{game}/events")["items"] if "event" in line]
    opened, dealt = (next(each["at"] for each in told if each["fact"] == fact) for fact in ("GameOpened", "HandDealt"))
    assert datetime.fromisoformat(dealt) - datetime.fromisoformat(opened) >= timedelta(seconds=CUTS["window_s"])


def test_R_P10_any_number_of_workers_store_one_forfeit_and_the_seats_next_move(app: Flask, database: Database) -> None:
    month = Past(database, 30)
    game = month.opened("pitch", PEOPLE, Timing())
    month.games.close()
    here = services_of(app)
    here.followers.catch_up()
    for _ in range(3):
        assert Worker(here).tick() == 1  # the agenda has not heard of it, and no harm is done
    told = [entry.event for entry in here.games.entries(game)]
    assert [event.fact for event in told[-2:]] == ["SeatForfeited", "BidPassed"]
    assert told[-2].command == told[-1].command
    assert (told[-2].by, told[-1].by) == (SERVER, SERVER)
    here.followers.catch_up()
    assert Worker(here).tick() == 0
    assert Caller(app.test_client()).get(f"/games/{game}").get_json()["turn"]["seats"] == [1]
