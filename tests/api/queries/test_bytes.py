"""Replays give exactly the bytes that a seat or a spectator was shown during play over HTTP."""

import random
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from flask import Flask

from projections.bots import choose
from replay.history import History, read_export
from replay.queries import view_bytes
from tests.api.conftest import Caller, check_problem
from tests.projections.bots.bot_views import rules_of

OPTIONS: dict[str, dict[str, Any]] = {
    "pitch": {"fairness": {"cuts": "sealed", "window_s": 600}},
    "setback": {},
    "blackout": {"reveal": "game"},
    "corellian": {"options": {"randomizer": {"when": [1, 3], "end": None, "points": ["7", "4"], "partners": ["call"]}}},
}
MOVES = 22
View = Mapping[str, Any]


class Shown(NamedTuple):
    """The bytes that a viewer got for a view at a version."""

    viewer: int | None
    version: int
    body: bytes


class Live:
    """A game of ann, bob and two bots, and all views that were read."""

    def __init__(self, stranger: Caller, variant: str) -> None:
        self.stranger, self.chance = stranger, random.Random(variant)
        people = [stranger.join(name) for name in ("ann", "bob")]
        body = {"variant": variant, "seats": ["ann", "bob", "bot:simple", "bot:random"], **OPTIONS[variant]}
        opened = people[0].post("/games", body)
        assert opened.status_code == 201, opened.text
        self.path = f"/games/{opened.get_json()['id']}"
        names = opened.get_json()["names"]
        ids = {name: player for player, name in names.items()}
        sitting = [each["player"] for each in opened.get_json()["view"]["seats"]]
        self.people = {sitting.index(ids[name]): each for name, each in zip(("ann", "bob"), people, strict=True)}
        self.shown, self.cuts = list[Shown](), dict[tuple[int, str], str]()

    def looks(self) -> dict[int | None, View]:
        """Read the view of every viewer."""
        views: dict[int | None, View] = {}
        for viewer in (None, *self.people):
            who = self.stranger if viewer is None else self.people[viewer]
            answer = who.get(self.path if viewer is None else f"{self.path}/seats/{viewer}")
            views[viewer] = answer.get_json()
            self.shown.append(Shown(viewer, views[viewer]["version"], answer.data))
        return views

    def plays(self, moves: int) -> None:
        """Make that many random moves of ann and bob."""
        for _ in range(moves):
            views = self.looks()
            if views[None]["status"] != "active":
                return
            seat, move = next((seat, move) for seat in self.people if (move := self.move(views[seat])) is not None)
            answer = self.people[seat].post(f"{self.path}/moves", move)
            assert answer.status_code == 201, answer.text

    def move(self, own: View) -> Mapping[str, Any] | None:
        """Return the next move of this seat, or its cut, or None if the seat has nothing to do."""
        you = own["you"]
        if "cut" in you["may"]:
            ceremony = own["ceremony"]
            cut = {"type": "cut", "n": ceremony["n"], "commit": ceremony["commit"]}
            return cut | {"cut": secrets.token_hex(32), "next_seal": None}
        if not you["legal"] and you["choose"] is None:
            return None
        return choose("random", own, rules_of(own), self.chance.randrange)

    def ends(self) -> None:
        """Resign both players, so that everything is revealed."""
        for seat, person in self.people.items():
            if "resign" in person.get(f"{self.path}/seats/{seat}").get_json()["you"]["may"]:
                person.post(f"{self.path}/moves", {"type": "resign"})
        assert self.looks()[None]["status"] == "finished"


@pytest.mark.parametrize("variant", list(OPTIONS))
def test_every_view_is_replayed_byte_for_byte(app: Flask, caller: Caller, variant: str) -> None:
    live = Live(caller, variant)
    live.plays(MOVES)
    _refused_while_live(live)
    live.ends()
    history = read_export(caller.get(f"{live.path}/export").data)
    assert len({each.version for each in live.shown}) > MOVES // 2
    for each in dict.fromkeys(live.shown):
        _is_shown_again(live, each, history)


def _is_shown_again(live: Live, each: Shown, history: History) -> None:
    """Check the replay for the seat itself, for a stranger over HTTP, and from the export."""
    viewer = "" if each.viewer is None else f"&seat={each.viewer}"
    for who in (live.stranger, *([] if each.viewer is None else [live.people[each.viewer]])):
        again = who.get(f"{live.path}/replay?at={each.version}{viewer}")
        assert (again.status_code, again.data) == (200, each.body)
    assert view_bytes(history, each.viewer, each.version) == each.body


def _refused_while_live(live: Live) -> None:
    """Check that another seat's view of a live hand gets the answer of a missing seat."""
    first, second = live.people
    version = live.looks()[None]["version"]  # the last move may have ended its hand
    for path in (f"/replay?at={version}", f"/legal?at={version}", "/replay?", "/legal?"):
        for who, seat in ((live.people[first], second), (live.stranger, first)):
            refused = who.get(f"{live.path}{path}&seat={seat}".replace("?&", "?"))
            absent = who.get(f"{live.path}{path}&seat=99".replace("?&", "?"))
            check_problem(refused, 404, "not-found")
            assert refused.data == absent.data
    own = live.people[first].get(f"{live.path}/replay")
    assert own.data == live.people[first].get(f"{live.path}/seats/{first}").data


def test_the_public_view_of_a_live_game_is_replayed_for_anybody(app: Flask, caller: Caller) -> None:
    live = Live(caller, "setback")
    live.plays(5)
    for each in live.shown:
        if each.viewer is None:
            assert caller.get(f"{live.path}/replay?at={each.version}").data == each.body
    check_problem(caller.get(f"{live.path}/replay?at=9999"), 400, "malformed")
