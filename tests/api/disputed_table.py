"""A table of Pitch over HTTP with one hand scored and the next in play, two arbiters, a moderator, and nobody."""

from dataclasses import dataclass
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from api.accounts import roles
from domain.state import State
from tests.api.conftest import Caller, services_of
from tests.api.given_http import Table, given_http
from tests.hands import commit, playing, plays

TRICKS = ("0: AH 3H 5H", "0: 4C 2H 6C", "1: 7D JH 8D", "2: 9S 10S 3S", "0: AC 5C 7C", "0: KC 2D 2S")
TEXT = "seat 1 had a club when it threw 2H"
GROUNDS = "the log shows the club"
HASH = "ab" * 32


def game_facts() -> tuple[Any, ...]:
    """Hand 1 of three, scored, and the deal of hand 2."""
    table = playing((2, 0, 0), TRICKS)
    return (*table.facts, *commit(table, plays(TRICKS[-1:], 3)[-1]))


@dataclass(frozen=True)
class DisputedTable:
    """Everybody there is; `path` is that of the game."""

    table: Table
    ann: Caller
    ben: Caller
    mod: Caller
    nobody: Caller

    @property
    def path(self) -> str:
        """Where its disputes are."""
        return f"/games/{self.table.game}/disputes"

    @property
    def log(self) -> list[bytes]:
        """Every event."""
        return self.table.log

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self.table.games.state(self.table.game)

    def contest(self, seat: int = 1, hand: int = 1, **more: Any) -> TestResponse:
        """A seat contests a hand."""
        body = {"hand": hand, "kind": "revoke", "text": TEXT} | more
        return self.table.by(seat).post(self.path, body)

    def rule(self, decision: str = "adjust", dispute: int = 1, by: Caller | None = None, **more: Any) -> TestResponse:
        """An arbiter rules; ann, where nobody else is named."""
        body = {"decision": decision, "basis": "S34", "standard": "recorded", "text": GROUNDS} | more
        if decision == "adjust":
            body = {"changes": [-1, 2, -1]} | body
        return (by or self.ann).post(f"{self.path}/{dispute}/ruling", body)

    def appeal(self, seat: int = 0, dispute: int = 1, **more: Any) -> TestResponse:
        """A seat appeals."""
        return self.table.by(seat).post(f"{self.path}/{dispute}/appeal", more)

    def decide(self, decision: str = "reversed", *, by: Caller | None = None, dispute: int = 1) -> TestResponse:
        """Another arbiter decides."""
        return (by or self.ben).post(f"{self.path}/{dispute}/decision", {"decision": decision, "text": GROUNDS})

    def follow(self) -> None:
        """The lists catch up with the log."""
        services_of(self.table.app).followers.catch_up()

    def items(self, caller: Caller | None = None) -> list[dict[str, Any]]:
        """The disputes of the game as somebody is shown them."""
        answer = (caller or self.nobody).get(self.path)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.get_json()["items"]
        return found


def open_disputed_table(app: Flask) -> DisputedTable:
    """The table, and who is there besides."""
    table = given_http(app, *game_facts())
    stranger = Caller(app.test_client())
    people = {name: stranger.join(name) for name in ("ann", "ben", "mod")}
    for name, role in (("ann", roles.ARBITER), ("ben", roles.ARBITER), ("mod", roles.MODERATOR)):
        give_role(app, name, role)
    return DisputedTable(table, people["ann"], people["ben"], people["mod"], stranger)


def give_role(app: Flask, name: str, role: str) -> None:
    """Give somebody a role."""
    accounts = services_of(app).accounts
    player = accounts.users.by_name(name)
    assert player is not None
    accounts.roles.grant(player.id, role)
