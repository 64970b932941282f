"""Fixtures of the tests over HTTP, and a court: players, two moderators, and a game of ann and bob."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api.people.stored import roles
from tests.api.conftest import PASSWORD, Caller, ann, app, caller, config, make_app, services_of
from tests.api.disputed_table import give_role

__all__ = ["ann", "app", "caller", "config", "make_app"]
PITCH = {"variant": "pitch", "seats": ["ann", "bob"]}
LATER = "2035-01-01T00:00:00Z"


@dataclass(frozen=True)
class Court:
    """Callers by name; ann and bob play, eve watches, moira and mateo have tokens for moderation."""

    app: Flask
    people: dict[str, Caller]
    game: str

    def __getitem__(self, name: str) -> Caller:
        return self.people[name]

    @property
    def chat(self) -> str:
        """The address of the game's chat."""
        return f"/games/{self.game}/chat"

    def write(self, name: str, text: str = "hello", **more: Any) -> TestResponse:
        """Post a message."""
        return self[name].post(self.chat, {"text": text, **more})

    def wrote(self, name: str, text: str = "hello", **more: Any) -> str:
        """Post a message that must be accepted, and return its id."""
        answer = self.write(name, text, **more)
        assert answer.status_code == 201, answer.text
        return str(answer.get_json()["id"])

    def texts(self, name: str, query: str = "") -> list[str]:
        """Return the texts that somebody reads."""
        return [item["text"] for item in self[name].get(self.chat + query).get_json()["items"]]

    def report(self, name: str = "ann", about: str = "bob", **more: Any) -> TestResponse:
        """Report somebody."""
        return self[name].post("/reports", {"about": about, "kind": "abuse", "text": "insults", **more})

    def case(self, name: str = "ann", about: str = "bob", by: str = "moira", **more: Any) -> str:
        """Report somebody, let a moderator claim the report, and return its id."""
        made = self.report(name, about, **more)
        assert made.status_code == 201, made.text
        report = made.get_json()["report"]
        assert self[by].post(f"/moderation/reports/{report}/claim", {}).status_code == 200
        return str(report)

    def rule(self, report: str, step: str, by: str = "moira", until: str | None = None, **more: Any) -> TestResponse:
        """Rule on a report; a mute and a suspension end later."""
        end = {"until": LATER} if until is None and step in ("mute", "suspend") else {"until": until}
        body = {"step": step, "reason": "Insults aren't welcome.", **end, **more}
        return self[by].post(f"/moderation/reports/{report}/ruling", body)

    def judge(self, step: str, about: str = "bob", name: str = "ann", **more: Any) -> str:
        """Report somebody and take a step; return its id."""
        ruled = self.rule(self.case(name, about), step, **more)
        assert ruled.status_code == 201, ruled.text
        return str(ruled.get_json()["step"])

    def standing(self, name: str) -> str:
        """Return the standing of somebody in one word."""
        return str(self[name].get("/me/standing").get_json()["standing"])

    def id_of(self, name: str) -> str:
        """Return a player's id."""
        user = services_of(self.app).accounts.users.by_name(name)
        assert user is not None
        return user.id


def moderator(app: Flask, name: str) -> Caller:
    """Make a registered player a moderator, and return a caller with a token for that."""
    give_role(app, name, roles.MODERATOR)
    body = {"name": name, "password": PASSWORD, "scope": "moderate"}
    stranger = Caller(app.test_client())
    return replace(stranger, token=stranger.post("/tokens", body).get_json()["token"])


def open_court(app: Flask, **more: Any) -> Court:
    """Register everybody and open the game."""
    stranger = Caller(app.test_client())
    people = {name: stranger.join(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "moira", "mateo")}
    for name in ("moira", "mateo"):
        people[name] = moderator(app, name)
    opened = people["ann"].post("/games", PITCH | more)
    assert opened.status_code == 201, opened.text
    return Court(app, people | {"nobody": stranger}, opened.get_json()["id"])


@pytest.fixture
def court(app: Flask) -> Court:
    """A court on each store in turn."""
    return open_court(app)
