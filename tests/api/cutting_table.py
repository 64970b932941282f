"""A game over HTTP that waits for cuts."""

from dataclasses import dataclass
from typing import Any

from flask import Flask

from domain.protocols import fairdeal
from tests.api.conftest import Caller, services_of
from tests.api.cut_moves import own_cut


@dataclass
class CuttingTable:
    """Two players in a game of Pitch that waits for cuts."""

    app: Flask
    people: tuple[Caller, Caller]
    game: str

    def view(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.people[seat].get(f"/games/{self.game}/seats/{seat}").get_json()
        return found

    def cut(self, seat: int, **other: object) -> dict[str, object]:
        """Return the cut that the game waits for, with the fields in `other` replaced."""
        waits = self.view(seat)["ceremony"]
        cut = {"type": "cut", "n": waits["n"], "commit": waits["commit"], "cut": own_cut(seat, waits["n"]).hex()}
        return cut | {"next_seal": None} | other

    def seal(self, seat: int, deal: int) -> str:
        return fairdeal.seal(self.game, str(seat), own_cut(seat, deal)).hex()

    def post(self, seat: int, body: object) -> Any:
        return self.people[seat].post(f"/games/{self.game}/moves", body)

    @property
    def facts(self) -> list[Any]:
        return [entry.event.data for entry in services_of(self.app).games.entries(self.game)]


def open_cutting_table(app: Flask, fairness: dict[str, object]) -> CuttingTable:
    caller = Caller(app.test_client())
    people = caller.join("ann"), Caller(app.test_client()).join("bob")
    body = {"variant": "pitch", "seats": ["ann", "bob"], "fairness": fairness}
    made = people[0].post("/games", body)
    assert made.status_code == 201, made.text
    return CuttingTable(app, people, made.get_json()["id"])
