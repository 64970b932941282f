"""A game of Pitch with hand 1 scored and hand 2 in play, and callers for two arbiters and a moderator."""

from dataclasses import dataclass
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from api.people.stored import roles
from domain.state import State
from tests.api.conftest import Caller, services_of
from tests.api.given_http import Table, given_http
from tests.games.hands import commit, playing, plays

TRICKS = ("0: AH 3H 5H", "0: 4C 2H 6C", "1: 7D JH 8D", "2: 9S 10S 3S", "0: AC 5C 7C", "0: KC 2D 2S")
TEXT = "seat 1 had a club when it threw 2H"
GROUNDS = "the log shows the club"
HASH = "ab" * 32


def game_facts() -> tuple[Any, ...]:
    """Return the facts of hand 1 of three, which is scored, and of the deal of hand 2."""
    table = playing((2, 0, 0), TRICKS)
    return (*table.facts, *commit(table, plays(TRICKS[-1:], 3)[-1]))


@dataclass(frozen=True)
class DisputedTable:
    """The game and the callers; `path` is the address of its disputes."""

    table: Table
    ann: Caller
    ben: Caller
    mod: Caller
    nobody: Caller

    @property
    def path(self) -> str:
        """The address of the game's disputes."""
        return f"/games/{self.table.game}/disputes"

    @property
    def log(self) -> list[bytes]:
        """All events of the game, as stored."""
        return self.table.log

    @property
    def state(self) -> State:
        """The current state of the game."""
        return self.table.games.state(self.table.game)

    def contest(self, seat: int = 1, hand: int = 1, **more: Any) -> TestResponse:
        """Open a dispute from a seat."""
        body = {"hand": hand, "kind": "revoke", "text": TEXT} | more
        return self.table.by(seat).post(self.path, body)

    def rule(self, decision: str = "adjust", dispute: int = 1, by: Caller | None = None, **more: Any) -> TestResponse:
        """Rule on a dispute as an arbiter (ann by default)."""
        body = {"decision": decision, "basis": "S34", "standard": "recorded", "text": GROUNDS} | more
        if decision == "adjust":
            body = {"changes": [-1, 2, -1]} | body
        return (by or self.ann).post(f"{self.path}/{dispute}/ruling", body)

    def appeal(self, seat: int = 0, dispute: int = 1, **more: Any) -> TestResponse:
        """Appeal against a ruling from a seat."""
        return self.table.by(seat).post(f"{self.path}/{dispute}/appeal", more)

    def decide(self, decision: str = "reversed", *, by: Caller | None = None, dispute: int = 1) -> TestResponse:
        """Decide an appeal as another arbiter (ben by default)."""
        return (by or self.ben).post(f"{self.path}/{dispute}/decision", {"decision": decision, "text": GROUNDS})

    def follow(self) -> None:
        """Bring the lists up to date with the log."""
        services_of(self.table.app).followers.catch_up()

    def items(self, caller: Caller | None = None) -> list[dict[str, Any]]:
        """Return the disputes of the game as a caller sees them."""
        answer = (caller or self.nobody).get(self.path)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.get_json()["items"]
        return found


def open_disputed_table(app: Flask) -> DisputedTable:
    """Store the game and register the arbiters and the moderator."""
    table = given_http(app, *game_facts())
    stranger = Caller(app.test_client())
    people = {name: stranger.join(name) for name in ("ann", "ben", "mod")}
    for name, role in (("ann", roles.ARBITER), ("ben", roles.ARBITER), ("mod", roles.MODERATOR)):
        give_role(app, name, role)
    return DisputedTable(table, people["ann"], people["ben"], people["mod"], stranger)


def give_role(app: Flask, name: str, role: str) -> None:
    """Give a role to a registered player."""
    accounts = services_of(app).accounts
    player = accounts.users.by_name(name)
    assert player is not None
    accounts.roles.grant(player.id, role)
