"""Games that attackers join, on a server in this process or a real one: what they post, and the log around it."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from werkzeug.test import TestResponse

from tests.api.conftest import Caller
from tests.api.live_server import GameServer, last_move
from tests.api.remote_server import RemoteCaller, RemoteResponse, RemoteServer
from tests.attacks.running import problem_type
from tests.step_limit import steps

Answer = TestResponse | RemoteResponse


@dataclass(frozen=True)
class AttackedGame:
    """A game whose players have tokens, by seat."""

    server: GameServer | RemoteServer
    id: str
    seats: tuple[Caller | RemoteCaller, ...]

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    @property
    def moves(self) -> str:
        return f"{self.path}/moves"

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Return the view of a seat, or of a spectator."""
        if seat is None:
            caller, path = self.server.nobody, self.path
        else:
            caller, path = self.seats[seat], f"{self.path}/seats/{seat}"
        found: dict[str, Any] = caller.get(path).get_json()
        return found

    def turn(self) -> int:
        """Return the seat that must move."""
        [seat] = self.view()["turn"]["seats"]
        return int(seat)

    def version(self) -> int:
        return int(self.view()["version"])

    def events(self, seat: int | None = None) -> list[dict[str, Any]]:
        """Return the items of the log as a seat or everybody may see them."""
        caller = self.server.nobody if seat is None else self.seats[seat]
        items, after = list[dict[str, Any]](), 0
        for _ in steps():
            page = caller.get(f"{self.path}/events?after={after}").get_json()
            items += page["items"]
            if page["next"] is None:
                break
            after = page["next"]
        return items

    def facts(self) -> list[str]:
        """Return the names of the facts that everybody may see."""
        return [item["event"]["fact"] for item in self.events() if "event" in item]

    def leaves(self) -> list[str]:
        """Return the hash of each event."""
        return [item["leaf"] for item in self.events()]

    def post(self, seat: int, move: object, **headers: str) -> Answer:
        return self.seats[seat].post(self.moves, move, **headers)

    def legal(self, seat: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.view(seat)["you"]["legal"]
        return found

    def advance(self, until: Callable[[dict[str, Any]], bool]) -> None:
        """Move for everybody until the spectator's view fits."""
        for _ in steps(2000):
            view = self.view()
            if until(view):
                return
            seat = int(view["turn"]["seats"][0])
            answer = self.post(seat, last_move(self.view(seat)))
            assert answer.status_code == 201, answer.text

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Check that the block adds no event and changes none."""
        before = self.leaves()
        yield
        assert self.leaves() == before

    def refuse(self, seat: int, move: object, status: int, slug: str, **headers: str) -> Answer:
        """Post a move that must be refused like this."""
        answer = self.post(seat, move, **headers)
        assert (answer.status_code, problem_type(answer)) == (status, slug), (move, answer.text)
        return answer


def open_game(
    server: GameServer | RemoteServer, names: Sequence[str] = ("ann", "bob", "cat", "dan"), **table: Any
) -> AttackedGame:
    """Open a game for these players as the first of them."""
    for name in names:
        if not name.startswith("bot:"):
            assert server[name].token
    made = server[names[0]].post("/games", {"variant": "pitch", "seats": list(names)} | table)
    assert made.status_code == 201, made.text
    view = server[names[0]].get(f"/games/{made.get_json()['id']}").get_json()
    people = [view["names"][line["player"]] for line in view["seats"] if line["kind"] == "human"]
    return AttackedGame(server, made.get_json()["id"], tuple(server[name] for name in people))


def at_once(*asked: Callable[[], Answer]) -> list[Answer]:
    """Send all requests at the same time, and return their answers."""
    with ThreadPoolExecutor(len(asked)) as pool:
        return list(pool.map(lambda ask: ask(), asked))


def statuses(answers: Sequence[Answer]) -> list[int]:
    """Return the statuses in ascending order."""
    return sorted(answer.status_code for answer in answers)


def same_bytes(*answers: Answer) -> bool:
    """Return whether status, headers and body are the same, except for the ids of the requests and their positions."""
    told = set()
    for answer in answers:
        headers = {name: text for name, text in answer.headers.items() if name.lower() not in VARYING}
        told.add((answer.status_code, json.dumps(headers, sort_keys=True), answer.data))
    return len(told) == 1


VARYING = ("x-request-id", "date", "trickbook-position")
"""Headers that differ between any two answers."""
