"""A server on which players are asked, and tables that tests form on it."""

import json
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.api.conftest import Caller

PITCH = {"variant": "pitch", "options": {"win": 7}}


@dataclass
class People:
    """The players of a server by name; each registers when first named."""

    app: Flask
    callers: dict[str, Caller] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Caller:
        """Return the caller of that name."""
        if name not in self.callers:
            self.callers[name] = self.nobody.join(name)
        return self.callers[name]

    def register(self, *names: str) -> None:
        """Register players who aren't yet."""
        for name in names:
            self[name]

    @property
    def nobody(self) -> Caller:
        """A caller without a token."""
        return Caller(self.app.test_client())

    def open(self, *seats: str, by: str | None = None, **more: Any) -> TestResponse:
        """Open a table with these seats as the first of them, or as `by`."""
        self.register(*(name for name in seats if name not in ("open", "invite") and not name.startswith("bot:")))
        return self[by or seats[0]].post("/games", PITCH | {"seats": list(seats)} | more)

    def form(self, *seats: str, by: str | None = None, **more: Any) -> dict[str, Any]:
        """Open a table that forms, and return it."""
        answer = self.open(*seats, by=by, **more)
        body: dict[str, Any] = answer.get_json()
        assert (answer.status_code, body["status"]) == (201, "forming"), answer.text
        return body

    def claim(self, name: str, table: dict[str, Any], **body: Any) -> TestResponse:
        """Claim a seat."""
        return self[name].post(f"/games/{table['id']}/seats", body)

    def invitation(self, by: str, table: dict[str, Any], **body: Any) -> dict[str, Any]:
        """Make an invitation, and return it with its token."""
        answer = self[by].post(f"/games/{table['id']}/invitations", body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.get_json()
        return made


def states(table: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Return the state of each seat and the name of its player."""
    return [(seat["state"], table["names"].get(seat["player"])) for seat in table["seats"]]


def id_of(table: dict[str, Any], name: str) -> str:
    """Return the id of the player of that name in a table."""
    names: dict[str, str] = table["names"]
    return next(player for player, shown in names.items() if shown == name)


def opening_of(people: People, game: str) -> dict[str, Any]:
    """Return the event that opens a game."""
    lines = people.nobody.get(f"/games/{game}/export").text.splitlines()
    event: dict[str, Any] = next(json.loads(line)["event"] for line in lines if '"GameOpened"' in line)
    return event
