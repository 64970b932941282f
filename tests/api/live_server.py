"""A server in this process, and games on it that tests open and play over HTTP."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.log_reference import Export, check_export
from tests.commands import run
from tests.plugins.chance import seeded_randomness

PEOPLE = ["ann", "bob", "cat", "dan"]
Strategy = Callable[[dict[str, Any]], dict[str, Any]]


def last_move(view: dict[str, Any]) -> dict[str, Any]:
    """Return the lowest bid if nobody has bid, else the lowest call; after the auction the last legal move."""
    legal: list[dict[str, Any]] = view["you"]["legal"]
    if view["phase"] == "auction":
        return legal[0] if view["hand"]["bid"] else legal[min(1, len(legal) - 1)]
    return legal[-1] if legal else choose_cards(view["you"]["choose"])


def first_move(view: dict[str, Any]) -> dict[str, Any]:
    """Return the first legal move."""
    return view["you"]["legal"][0] if view["you"]["legal"] else choose_cards(view["you"]["choose"])


def choose_cards(choose: dict[str, Any]) -> dict[str, Any]:
    """Return a move that can't be listed: call the ace of spades, or discard as few cards as possible."""
    if choose["type"] == "call_partner":
        return {"type": "call_partner", "card": "AS"}
    rest = [card for card in choose["from"] if card not in choose["must"]]
    cards = [*choose["must"], *rest][: max(choose["min"], len(choose["must"]))]
    return {"type": "discard", "cards": cards}


@dataclass
class GameServer:
    """A server with its data, and its players by name."""

    app: Flask
    config: Config
    people: dict[str, Caller] = field(default_factory=dict)

    @property
    def nobody(self) -> Caller:
        """A caller without a token."""
        return Caller(self.app.test_client())

    def __getitem__(self, name: str) -> Caller:
        """Return the caller of that name, and register them the first time."""
        if name not in self.people:
            with seeded_randomness(name):  # the same player, whichever test comes first
                self.people[name] = self.nobody.join(name)
        return self.people[name]

    def role(self, name: str, role: str, *more: str) -> Caller:
        """Give somebody a role with the operator's command."""
        caller = self[name]
        answer = run("user", "role", name, role, *more, at=self.config)
        assert answer.exit_code == 0, answer.output
        return caller

    def open(self, names: Sequence[str], variant: str = "pitch", **more: Any) -> "ServedGame":
        """Open a game for these players as the first of them."""
        return open_game(self, names, variant, **more)

    def follow(self) -> None:
        """Bring the lists up to date with the log."""
        services_of(self.app).followers.catch_up()

    def command(self, *arguments: str) -> Any:
        """Run a command of `trickbook` on the server's data."""
        return run(*arguments, at=self.config)


@dataclass
class ServedGame:
    """A game on the server, with the callers by seat."""

    server: GameServer
    id: str
    seats: dict[int, Caller]

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    @property
    def public(self) -> dict[str, Any]:
        """The public view."""
        found: dict[str, Any] = self.server.nobody.get(self.path).get_json()
        return found

    @property
    def moves(self) -> str:
        return f"{self.path}/moves"

    @property
    def version(self) -> int:
        return int(self.public["version"])

    @property
    def turn(self) -> int:
        """The seat that must move."""
        [seat] = self.public["turn"]["seats"]
        return int(seat)

    def view(self, seat: int) -> dict[str, Any]:
        """Return the view of a seat."""
        found: dict[str, Any] = self.seats[seat].get(f"{self.path}/seats/{seat}").get_json()
        return found

    def legal(self, seat: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.view(seat)["you"]["legal"]
        return found

    def items(self, seat: int | None = None) -> list[dict[str, Any]]:
        """Return the items of the log as a seat or everybody may see them."""
        caller, items = self.server.nobody if seat is None else self.seats[seat], list[dict[str, Any]]()
        after: int | None = 0
        while after is not None:
            page = caller.get(f"{self.path}/events?after={after}").get_json()
            items += page["items"]
            after = page["next"]
        return items

    @property
    def fact_names(self) -> list[str]:
        """The names of the facts that everybody may see."""
        return [item["event"]["fact"] for item in self.items() if "event" in item]

    @property
    def leaves(self) -> list[str]:
        """The hash of each event."""
        return [item["leaf"] for item in self.items()]

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Check that the block adds no event and changes none."""
        before = self.leaves
        yield
        assert self.leaves == before

    def refuse(self, seat: int, move: object, status: int, slug: str, **headers: str) -> None:
        """Post a move that must be refused like this."""
        check_problem(self.move(seat, move, **headers), status, slug)

    def move(self, seat: int, body: object, **headers: str) -> Any:
        return self.seats[seat].post(self.moves, body, **headers)

    def play(self, until: Callable[[dict[str, Any]], bool], by: Strategy = last_move, most: int = 3000) -> list[Any]:
        """Play for all seats until `until` holds for a seat's view, and return the answers."""
        answers: list[Any] = []
        view = self.view(min(self.seats))
        for _ in range(most):
            if until(view):
                return answers
            seat = view["turn"]["seats"][0] if view["turn"]["seats"] else view["hand"]["pitcher"]  # must call a card
            answer = self.move(seat, by(self.view(seat)))
            assert answer.status_code == 201, answer.text
            answers.append(answer.get_json())
            view = answers[-1]["view"]
        raise AssertionError("the game goes on and on")

    def play_hand(self, by: Strategy = last_move) -> list[Any]:
        """Play to the end of the current hand."""
        now = self.public["last_hand"]
        return self.play(lambda view: view["last_hand"] != now or view["status"] == "finished", by)

    def finish(self) -> None:
        """Resign from every seat."""
        for seat, caller in self.seats.items():
            if self.view(seat)["status"] == "active":
                assert caller.post(self.moves, {"type": "resign"}).status_code == 201

    def export(self, caller: Caller | None = None) -> bytes:
        """Return the export that a caller gets (a stranger by default)."""
        answer = (caller or self.server.nobody).get(f"{self.path}/export")
        assert answer.status_code == 200, answer.text
        return bytes(answer.data)

    def read(self, caller: Caller | None = None) -> Export:
        """Return the export that a caller gets, with all hashes checked."""
        return check_export(self.export(caller))

    @property
    def facts(self) -> list[dict[str, Any]]:
        """All events of a game whose ceremonies are all revealed."""
        found = self.read()
        assert not found.withheld
        return found.events

    @property
    def log(self) -> tuple[int, str]:
        """The size and root of the log."""
        view = self.public
        return view["version"], view["root"]


def open_game(server: Any, names: Sequence[str] = PEOPLE, variant: str = "pitch", **more: Any) -> ServedGame:
    """Open a game for these players as the first of them, on a server in this process or another one."""
    callers = {name: server[name] for name in names if not name.startswith("bot:")}
    made = server[names[0]].post("/games", {"variant": variant, "seats": list(names), **more})
    assert made.status_code == 201, made.text
    game = ServedGame(server, made.get_json()["id"], {})
    view = server[names[0]].get(game.path).get_json()
    for sitting in view["seats"]:
        if sitting["kind"] == "human":
            game.seats[sitting["seat"]] = callers[view["names"][sitting["player"]]]
    return game


@contextmanager
def open_server(data: Path, url: str | None = None, **settings: Any) -> Iterator[GameServer]:
    """Open a server on a store, without limits unless the settings have some."""
    chosen: dict[str, Any] = {"hashing": "cheapest", "limits": NO_LIMITS, "seating": "at-once"} | settings
    config = Config(data=data, database_url=url, **chosen)
    app = create_app(config)
    try:
        yield GameServer(app, config)
    finally:
        services_of(app).close()


@contextmanager
def open_server_on(request: pytest.FixtureRequest, data: Path) -> Iterator[GameServer]:
    """Open a server without limits on the store that a fixture's parameter names."""
    store = request.getfixturevalue("prepared_database").copy() if request.param == "postgres" else nullcontext()
    with store as url, open_server(data, url) as server:
        yield server


def data_of(facts: Sequence[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return the data of all facts with this name."""
    return [each["data"] for each in facts if each["fact"] == name]


def versions_of(facts: Sequence[dict[str, Any]], name: str, n: int) -> list[int]:
    """Return the versions of the facts with this name in a ceremony."""
    return [each["version"] for each in facts if each["fact"] == name and each["data"].get("n") == n]


def get_json(game: ServedGame, path: str, status: int = 200) -> dict[str, Any]:
    """Return the body that a stranger gets at a path of the game."""
    answer = game.server.nobody.get(game.path + path)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.get_json(force=True)
    return found


def write_export(game: ServedGame, folder: Path, text: bytes | None = None) -> str:
    """Write an export to a file, and return its path."""
    (folder / "game.ndjson").write_bytes(text or game.export())
    return str(folder / "game.ndjson")
