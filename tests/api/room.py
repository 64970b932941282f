"""A game over HTTP whose players all have tokens, for tests that know only the documents."""

from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.api.conftest import Caller


class Room:
    """A game whose players all have tokens; ann opened it."""

    def __init__(self, app: Flask, seats: list[str], **body: object) -> None:
        """Register everyone who is named and open the game."""
        self.stranger = Caller(app.test_client())
        self.players = [self.stranger.join(name) for name in seats]
        self.opened = self.players[0].post("/games", {"variant": "pitch", "seats": seats, **body})
        assert self.opened.status_code == 201, self.opened.text
        self.path = f"/games/{self.opened.get_json()['id']}"

    def view(self, seat: int | None = None) -> Any:
        """Return the view of a seat, or of a spectator."""
        if seat is None:
            return self.stranger.get(self.path).get_json()
        return self.players[seat].get(f"{self.path}/seats/{seat}").get_json()

    def turn(self) -> int:
        """Return the seat that must move."""
        [seat] = self.view()["turn"]["seats"]
        assert isinstance(seat, int)
        return seat

    def move(self, seat: int, body: object, **headers: str) -> TestResponse:
        """Post a move of a seat."""
        return self.players[seat].post(f"{self.path}/moves", body, **headers)

    def move_at_turn(self, body: object, **headers: str) -> TestResponse:
        """Post a move of the seat that must move."""
        return self.move(self.turn(), body, **headers)
