"""Tables over HTTP for an independent reading of the trust documents: who is there, and how they play."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask

from api.app import create_app
from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, seeded_randomness, services_of
from tests.api.log_reference import Export, check_export
from tests.commands import run

PEOPLE = ["ann", "bob", "cat", "dan"]
Strategy = Callable[[dict[str, Any]], dict[str, Any]]


def last_move(view: dict[str, Any]) -> dict[str, Any]:
    """Bid the least where nobody has, else say the least; then the last legal move, or the first cards that will do."""
    legal: list[dict[str, Any]] = view["you"]["legal"]
    if view["phase"] == "auction":
        return legal[0] if view["hand"]["bid"] else legal[min(1, len(legal) - 1)]
    return legal[-1] if legal else choose_cards(view["you"]["choose"])


def first_move(view: dict[str, Any]) -> dict[str, Any]:
    """The first legal move."""
    return view["you"]["legal"][0] if view["you"]["legal"] else choose_cards(view["you"]["choose"])


def choose_cards(choose: dict[str, Any]) -> dict[str, Any]:
    """What cannot be listed: an ace of spades, or the fewest cards."""
    if choose["type"] == "call_partner":
        return {"type": "call_partner", "card": "AS"}
    rest = [card for card in choose["from"] if card not in choose["must"]]
    cards = [*choose["must"], *rest][: max(choose["min"], len(choose["must"]))]
    return {"type": "discard", "cards": cards}


@dataclass
class GameServer:
    """A server with its data; people by name."""

    app: Flask
    config: Config
    people: dict[str, Caller] = field(default_factory=dict)

    @property
    def nobody(self) -> Caller:
        """A stranger."""
        return Caller(self.app.test_client())

    def __getitem__(self, name: str) -> Caller:
        """Somebody, registered when first named."""
        if name not in self.people:
            with seeded_randomness(name):  # the same, whichever test names him first
                self.people[name] = self.nobody.join(name)
        return self.people[name]

    def role(self, name: str, role: str, *more: str) -> Caller:
        """The operator gives somebody a role."""
        caller = self[name]
        answer = run("user", "role", name, role, *more, at=self.config)
        assert answer.exit_code == 0, answer.output
        return caller

    def open(self, names: Sequence[str], variant: str = "pitch", **more: Any) -> "ServedGame":
        """A game of these, opened by the first."""
        for name in names:
            if not name.startswith("bot:"):
                self.people[name] = self[name]
        made = self[names[0]].post("/games", {"variant": variant, "seats": list(names), **more})
        assert made.status_code == 201, made.text
        game = ServedGame(self, made.get_json()["id"], {})
        view = game.public
        for sitting in view["seats"]:
            name = view["names"][sitting["player"]]
            if sitting["kind"] == "human":
                game.seats[sitting["seat"]] = self[name]
        return game

    def follow(self) -> None:
        """The lists catch up with the log."""
        services_of(self.app).followers.catch_up()

    def command(self, *arguments: str) -> Any:
        """A command of the operator's."""
        return run(*arguments, at=self.config)


@dataclass
class ServedGame:
    """One of its games, with the callers by seat."""

    server: GameServer
    id: str
    seats: dict[int, Caller]

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    @property
    def public(self) -> dict[str, Any]:
        """What everybody sees."""
        found: dict[str, Any] = self.server.nobody.get(self.path).get_json()
        return found

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat sees."""
        found: dict[str, Any] = self.seats[seat].get(f"{self.path}/seats/{seat}").get_json()
        return found

    def move(self, seat: int, body: object, **headers: str) -> Any:
        return self.seats[seat].post(f"{self.path}/moves", body, **headers)

    def play(self, until: Callable[[dict[str, Any]], bool], by: Strategy = last_move, most: int = 3000) -> list[Any]:
        """Everybody plays until the public view says so; the answers."""
        answers: list[Any] = []
        view = self.public
        for _ in range(most):
            if until(view):
                return answers
            seat = (
                view["turn"]["seats"][0] if view["turn"]["seats"] else view["hand"]["pitcher"]
            )  # who has to call a card
            answer = self.move(seat, by(self.view(seat)))
            assert answer.status_code == 201, answer.text
            answers.append(answer.get_json())
            view = answers[-1]["view"]
        raise AssertionError("the game goes on and on")

    def play_hand(self, by: Strategy = last_move) -> list[Any]:
        """To the end of the hand in play."""
        now = self.public["last_hand"]
        return self.play(lambda view: view["last_hand"] != now or view["status"] == "finished", by)

    def finish(self) -> None:
        """Everybody leaves."""
        for caller in self.seats.values():
            if self.public["status"] == "active":
                assert caller.post(f"{self.path}/moves", {"type": "resign"}).status_code == 201

    def export(self, caller: Caller | None = None) -> bytes:
        """The file somebody gets."""
        answer = (caller or self.server.nobody).get(f"{self.path}/export")
        assert answer.status_code == 200, answer.text
        return bytes(answer.data)

    def read(self, caller: Caller | None = None) -> Export:
        """The export somebody gets, every hash of it checked."""
        return check_export(self.export(caller))

    @property
    def facts(self) -> list[dict[str, Any]]:
        """All events of a game whose every ceremony is shown."""
        found = self.read()
        assert not found.withheld
        return found.events

    @property
    def log(self) -> tuple[int, str]:
        """Size and root."""
        view = self.public
        return view["version"], view["root"]


@contextmanager
def open_server(data: Path, url: str | None = None) -> Iterator[GameServer]:
    """A server on a store of its own."""
    config = Config(data=data, database_url=url, hashing="cheapest", limits=NO_LIMITS)
    app = create_app(config)
    try:
        yield GameServer(app, config)
    finally:
        services_of(app).close()


def data_of(facts: Sequence[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The data of facts of a name."""
    return [each["data"] for each in facts if each["fact"] == name]


def versions_of(facts: Sequence[dict[str, Any]], name: str, n: int) -> list[int]:
    """Where facts of a name and ceremony stand."""
    return [each["version"] for each in facts if each["fact"] == name and each["data"].get("n") == n]


def get_json(game: ServedGame, path: str, status: int = 200) -> dict[str, Any]:
    """What a stranger is answered."""
    answer = game.server.nobody.get(game.path + path)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.get_json(force=True)
    return found


def write_export(game: ServedGame, folder: Path, text: bytes | None = None) -> str:
    """An export as a file."""
    (folder / "game.ndjson").write_bytes(text or game.export())
    return str(folder / "game.ndjson")
