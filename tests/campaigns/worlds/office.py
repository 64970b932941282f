"""The accounts that all worlds share: players, watchers, a guest, a moderator and an arbiter."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.people.stored import roles
from domain.events import Player
from tests.api.conftest import PASSWORD, Caller, services_of
from tests.given import GAME

SEATED = ("p0", "p1", "p2", "p3", "p4")
"""The players at tables; the last one comes to a seat that is lent."""
OTHERS = ("eve", "ivy", "mod", "arb")
"""A stranger, one who may be offered a seat, a moderator and an arbiter."""


@dataclass(frozen=True)
class Person:
    """Somebody with an account; `role` is "" for most."""

    name: str
    id: str
    token: str = field(repr=False)
    role: str = ""


@dataclass(frozen=True)
class Office:
    """A data folder with everybody's account, to copy for each server, and the moment at which it was made."""

    data: Path
    people: dict[str, Person]
    moment: datetime

    @property
    def players(self) -> list[Player]:
        """The players at tables."""
        return [Player(self.people[name].id, "human") for name in SEATED]


def config_at(data: Path) -> Config:
    """Return the settings of every server, whose clock may stand still for as long as a campaign takes."""
    return Config(data=data, hashing="cheapest", limits=NO_LIMITS, origin="cards.example", clock_jump_s=10 * 24 * 3600)


def make_office(data: Path) -> Office:
    """Register everybody in an empty folder."""
    app = create_app(config_at(data))
    here, stranger, people = services_of(app), Caller(app.test_client()), dict[str, Person]()
    with closing(here):
        for name in (*SEATED, *OTHERS):
            token = stranger.join(name).token or ""
            user = here.accounts.users.by_name(name)
            assert user is not None
            people[name] = Person(name, user.id, token)
        for name, role in (("mod", roles.MODERATOR), ("arb", roles.ARBITER)):
            here.accounts.roles.grant(people[name].id, role)
            people[name] = Person(name, people[name].id, people[name].token, role)
        answer = stranger.post("/tokens", {"name": "mod", "password": PASSWORD, "scope": "moderate"})
        people["court"] = Person("court", people["mod"].id, answer.get_json()["token"], roles.MODERATOR)
        guest = stranger.post("/guests", {}).get_json()
        people["guest"] = Person("guest", guest["id"], guest["token"])
        here.accounts.boards.reserve(GAME, people["p0"].id)
    return Office(data, people, datetime.now(UTC))


@contextmanager
def stopped_clock(moment: datetime) -> Iterator[None]:
    """Let the accounts and the lists see the same time always."""
    microseconds = int(moment.timestamp() * 1_000_000)
    with pytest.MonkeyPatch.context() as patch:
        stopped = SimpleNamespace(time_ns=lambda: microseconds * 1000, clock_gettime_ns=lambda _: microseconds * 1000)
        patch.setattr("domain.store.held_clock.time", stopped)
        yield
