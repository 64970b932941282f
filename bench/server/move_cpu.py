"""Processor time of a move by its parts, in process: the WSGI call that the front makes, and the front around it.

    python -m bench.server.move_cpu [--moves 3000] [--data FOLDER]

Four tables of people play by the answers they get. A folder in memory (`--data /dev/shm`) leaves out the disk, not the
store. Each part is without the parts that it calls. Other programs make everything slower, so there is a column for the
tenth of the groups of 25 moves that took least. The front is measured alone, with sixteen requests at once and an
answer that is ready: it reads the request, passes it to a thread, and sends the answer.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from time import process_time_ns
from typing import Any

from flask import Flask

import api.play.services.games
from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.people.stored.tokens import Tokens
from api.play.services.game_reader import GameReader
from api.server.front import Front, Lanes
from api.server.process_lane import ThreadLane
from api.server.wsgi_bridge import HttpRequest, WsgiResponse, call_wsgi
from api.web.application import route_finder
from bench.server.http import register
from bench.server.load import Player, Request, play_games
from domain.store import Games
from domain.store.aggregate import Game

TABLES, WARM_UP, GROUP, AT_ONCE, ROUNDS = 4, 200, 25, 16, 40
ADDRESS = ("127.0.0.1", 8000)


class Stopwatch:
    """Adds up the processor time of named functions, each without those it calls, and without reading the clock."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, int] = defaultdict(int)
        self._names, self._since = list[str](), 0
        reads = [process_time_ns() for _ in range(2001)]
        self._reading = int(statistics.median(later - earlier for earlier, later in pairwise(reads)))

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, timed under that name."""

        def measured(*arguments: Any, **more: Any) -> Any:
            self._turn_to(name)
            try:
                return function(*arguments, **more)
            finally:
                self._turn_to(None)

        return measured

    def _turn_to(self, name: str | None) -> None:
        now = process_time_ns()
        if self._names:
            self.spent[self._names[-1]] += now - self._since - self._reading
        if name is None:
            self._names.pop()
        else:
            self._names.append(name)
        self._since = now


def watch(app: Flask, clock: Stopwatch) -> Callable[..., Any]:
    """Time the parts of a move. Return the timed WSGI call."""
    views, commands = app.view_functions, api.play.services.games
    views["games.move"] = clock.timed("body and command", views["games.move"])
    vars(commands)["command_answer"] = clock.timed("answer", commands.command_answer)
    for owner, name, part in (
        (Tokens, "user_of", "token"),
        (Games, "act", "store"),
        (Game, "draft", "decide, evolve, hashes"),
        (GameReader, "command_result", "view and events"),
    ):
        setattr(owner, name, clock.timed(part, vars(owner)[name]))
    return clock.timed("WSGI, Flask, checks", lambda request: call_wsgi(app.wsgi_app, request))


def http_request(app: Flask) -> Callable[[Request], HttpRequest]:
    """Return a function that makes the front's request of a client's bytes."""
    find = route_finder(app)

    def make(request: Request) -> HttpRequest:
        head, _, body = request.data.partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        method, path, _ = first.split(b" ")
        pairs = tuple((name.lower(), value) for name, _, value in (line.partition(b": ") for line in lines))
        return HttpRequest(
            method.decode(), path, b"", pairs, body, ADDRESS[0], ADDRESS, route=find(method.decode(), path)
        )

    return make


def play(app: Flask, players: list[Player], moves: int) -> list[tuple[str, float, float]]:
    """Play that many moves. Return each part with its microseconds for a move: of all, and of the quietest groups."""
    clock, make = Stopwatch(), http_request(app)
    call, waiting, counted = watch(app, clock), [(player, next(player)) for player in players], -WARM_UP
    groups = list[dict[str, int]]()
    while counted < moves:
        player, request = waiting.pop(0)
        before = dict(clock.spent)
        answer = call(make(request))
        if answer.status not in (200, 201):
            raise SystemExit(f"{answer.status}: {answer.body!r}")
        if not request.is_move:
            clock.spent.clear()
            clock.spent.update(before)
        elif (counted := counted + 1) % GROUP == 0:
            groups += [dict(clock.spent)] * (counted > 0)
            clock.spent.clear()
        waiting.append((player, player.send(answer.body)))
    quietest = sorted(groups, key=lambda group: sum(group.values()))[: max(1, len(groups) // 10)]
    return [(name, _mean(groups, name), _mean(quietest, name)) for name in groups[0]]


def _mean(groups: list[dict[str, int]], name: str) -> float:
    return statistics.mean(group[name] for group in groups) / GROUP / 1000


def measure_front(app: Flask) -> tuple[float, float]:
    """Return the microseconds of the front and of a thread lane for one request: of all rounds, and of the quietest."""
    body = b'{"type":"play","card":"10C"}'
    path = "/api/v1/games/0f8fad5b-d9cb-469f-a165-70867728950e/moves"
    headers = [(b"host", b"x"), (b"authorization", b"Bearer tb_" + b"x" * 43), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
             "headers": [*headers, (b"content-length", b"28")], "client": ADDRESS, "server": ADDRESS, "scheme": "http",
             "http_version": "1.1"}  # fmt: skip
    ready = WsgiResponse(201, [(b"content-length", b"1500"), (b"content-type", b"application/json")], b"x" * 1500)
    front = Front(app, Lanes(ThreadLane("light", 1, 512), ThreadLane("login", 1, 512)))
    vars(front)["_call"] = lambda *_: ready

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(_: Any) -> None:
        return

    async def client() -> None:
        for _ in range(AT_ONCE):
            await front(scope, receive, send)

    async def rounds() -> list[float]:
        used = list[float]()
        for _ in range(ROUNDS):
            began = process_time_ns()
            await asyncio.gather(*(client() for _ in range(AT_ONCE)))
            used.append((process_time_ns() - began) / AT_ONCE**2 / 1000)
        return used

    used = asyncio.run(rounds())
    return statistics.mean(used), statistics.mean(sorted(used)[: ROUNDS // 10])


def main() -> None:
    """Print a row for each part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=3000)
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.data) as folder:
        people = register(Path(folder), None, TABLES)
        app = create_app(Config(data=Path(folder), limits=NO_LIMITS, seating="at-once", hashing="cheapest"))
        with closing(app.extensions["trickbook"]):
            rows = [("front and lane", *measure_front(app))]
            rows += play(app, [play_games(*each, random.Random(n), []) for n, each in enumerate(people)], asked.moves)
    print("| part | us of processor time | in the quietest tenth |\n|---|---:|---:|")
    for name, spent, quiet in [*rows, ("**together**", *(sum(row[at] for row in rows) for at in (1, 2)))]:
        print(f"| {name} | {spent:.0f} | {quiet:.0f} |")


if __name__ == "__main__":
    main()
