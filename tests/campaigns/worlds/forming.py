"""Tables before the deal, with other questions, blocks, invitations, settings and texts that a viewer can't see."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.api.conftest import Caller
from tests.api.secrecy.read_routes import GAME
from tests.campaigns.worlds.asking import Request, reads, values_of, writes
from tests.campaigns.worlds.office import Office, Person
from tests.campaigns.worlds.served import Server
from tests.campaigns.worlds.sight import Setup
from tests.plugins.chance import seeded_randomness

BOARD = 2
"""The office has reserved board 1."""
WRITES = 12
OFTEN_READ = ("/me/questions", "/games?status=forming", f"/games/{BOARD}/invitations")
OPENER, CLAIMED, ASKED, OUTSIDER = "opener", "player", "asked", "outsider"
PLACES = {"p0": OPENER, "p1": CLAIMED, "p2": ASKED}
"""Where everybody is: p0 opens the table, p1 sits there, p2 is asked, and the others look at it."""


@dataclass(frozen=True)
class Plan:
    """A table that forms, and all about it that not everybody may know. Nothing of it exists if `is_there` is False."""

    is_public: bool
    empty: str
    asked: tuple[str, ...]
    blocking_opener: tuple[str, ...] = ()
    inviting: tuple[int, ...] = ()
    allowing: tuple[str, ...] = ()
    said_by_watchers: tuple[str, ...] = ()
    is_there: bool = True


def random_plan(chance: random.Random) -> Plan:
    """Return a plan in which p1 sits, p2 is asked, and one seat is empty."""
    return Plan(
        is_public=chance.random() < 0.6, empty=chance.choice(["open", "invite"]), asked=("p2",), **_hidden(chance, ())
    )


def _hidden(chance: random.Random, spared: Sequence[str]) -> dict[str, Any]:
    """Return the parts of a plan that nobody but its actors knows, without acts of those who are `spared`."""
    others = [name for name in ("p2", "p3", "ivy") if name not in spared]
    return {
        "blocking_opener": tuple(name for name in others if chance.random() < 0.4),
        "inviting": tuple(chance.randint(1, 3) for _ in range(chance.randrange(3))),
        "allowing": tuple(name for name in ("p3", "p4") if name not in spared and chance.random() < 0.5),
        "said_by_watchers": tuple(name for name in ("eve", "guest") if chance.random() < 0.5),
    }


def place_of(plan: Plan, person: Person) -> str:
    """Return where somebody is in the plan."""
    return PLACES.get(person.name, OUTSIDER)


def may_see(plan: Plan, person: Person) -> bool:
    """Return whether somebody may see the table: it's listed, or they're asked or sit there. A block hides none."""
    return person.name in ("p0", "p1", *plan.asked) or _is_listed(plan)


def other_plan(plan: Plan, person: Person, chance: random.Random) -> Plan:
    """Return a plan that the viewer may not be able to tell from this one."""
    hidden, asked = _hidden(chance, [person.name]), _asked_instead(plan, person, chance)
    if person.name in plan.allowing:
        hidden["allowing"] = (*hidden["allowing"], person.name)
    if person.name in plan.blocking_opener:
        hidden["blocking_opener"] = (*hidden["blocking_opener"], person.name)
    if not may_see(plan, person):
        gone = person.name not in PLACES and chance.random() < 0.4
        return replace(plan, is_public=False, asked=asked, is_there=not gone, **hidden)
    place = place_of(plan, person)
    if place == OPENER:
        hidden["inviting"] = plan.inviting
    if _is_listed(plan) and (place == OUTSIDER or person.name in plan.blocking_opener):
        # The question of an opener whom a player blocks doesn't exist for them: they watch, as everybody can.
        hidden["said_by_watchers"] = plan.said_by_watchers
    return replace(plan, asked=asked, **hidden)


def _is_listed(plan: Plan) -> bool:
    """Return whether everybody can see the table."""
    return plan.is_public and plan.empty == "open"


def _asked_instead(plan: Plan, person: Person, chance: random.Random) -> tuple[str, ...]:
    """Return the player who is asked; another one only if the viewer is an outsider."""
    if person.name in PLACES:
        return plan.asked
    return (chance.choice([name for name in ("p2", "p3", "ivy") if name != person.name]),)


class FormingWorld:
    """Puts a plan in place on a server."""

    def __init__(self, office: Office, server: Server) -> None:
        self._office, self._server = office, server

    def put(self, plan: Plan, now: str) -> None:
        """Hold this table and no other one, and no game."""
        self._server.put(Setup([]), now)
        for name in plan.allowing:
            self._do(name, "PUT", "/me/seating", {"friends": ["p2"], "at_once": False})
        if plan.is_there:
            self._open(plan)
        for name in plan.blocking_opener:
            self._do(name, "PUT", "/me/blocks/p0", None)
        self._server.follow()

    def _open(self, plan: Plan) -> None:
        seats, watch = ["p0", plan.empty, *plan.asked, plan.empty], {"public": plan.is_public, "delay": 0}
        body = {"variant": "setback", "seats": seats, "watch": watch}
        table = self._do("p0", "POST", "/games", body)
        assert (table["status"], table["board"]) == ("forming", BOARD), table
        invitation = self._do("p0", "POST", f"/games/{BOARD}/invitations", {"uses": 1})
        self._do("p1", "POST", f"/games/{BOARD}/seats", {"seat": 1, "invitation": invitation["token"]})
        for number, uses in enumerate(plan.inviting):
            self._do("p0", "POST", f"/games/{BOARD}/invitations", {"uses": uses}, number)
        self._do("p1", "POST", f"/games/{BOARD}/chat", {"text": "hello"})
        if _is_listed(plan):
            for name in plan.said_by_watchers:
                self._do(name, "POST", f"/games/{BOARD}/chat", {"text": "let me in", "to": "watchers"})

    def _do(self, name: str, method: str, path: str, body: Any, number: int | None = None) -> Any:
        caller = Caller(self._server.app.test_client(), self._office.people[name].token)
        with seeded_randomness(f"{name} {method} {path} {number}"):
            answer = caller.ask(method, path, body)
        assert answer.status_code < 300, (name, path, answer.text)
        return answer.get_json(silent=True)


def forming_requests(server: Server, place: str, chance: random.Random, *, is_last: bool) -> list[Request]:
    """Return what a viewer asks about a table that forms; who takes a seat would see more."""
    values = values_of(1, chance.randrange(4), 1, "m_" + "0" * 24) | {"reference": BOARD}
    asked = [*reads(server.app, values, chance, 6, 3), *(("GET", path, None, {}) for path in OFTEN_READ)]
    left_out = (f"{GAME}/seats",) if place == OUTSIDER else ()
    return asked + list(writes(server.app, values, chance, WRITES, *left_out)) if is_last else asked
