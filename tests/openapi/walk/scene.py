"""The server of the walk, its players, and what they have made so far."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flask import Flask

from api.app import create_app
from api.config import Config
from api.config.limits import NO_LIMITS
from api.config.settings import ChosenWitness
from api.inbox.services.outbox_follower import OutboxFollower
from api.people.stored import roles
from tests.api.conftest import PASSWORD, Caller, services_of
from tests.api.disputed_table import give_role
from tests.openapi.walk.recorder import Key, Recorder, Sample, want
from tests.replay.signing import WITNESS

PEOPLE = ("ann", "bob", "cat", "dan", "moira", "mateo")
"""Players; moira and mateo are moderators and arbiters."""
PITCH = {"variant": "pitch", "options": {"win": 7}}


@dataclass
class Scene:
    """The server and the callers; `played` is a game that is over, `running` one that isn't, both of ann and bob."""

    app: Flask
    stranger: Caller
    config: Config
    people: dict[str, Caller] = field(default_factory=dict)
    played: str = ""
    running: str = ""

    def __getitem__(self, name: str) -> Caller:
        return self.people[name]

    @property
    def services(self) -> Any:
        """The services of the server."""
        return services_of(self.app)

    def follow(self) -> None:
        """Bring the lists and inboxes up to date."""
        self.services.followers.catch_up()
        OutboxFollower(self.services.accounts.outbox, self.services.rows).run_once()

    def id_of(self, name: str) -> str:
        """Return the id of a player."""
        return str(self.services.accounts.users.by_name(name).id)

    def open(self, *seats: str, **more: Any) -> str:
        """Open a game as the first player, and return its id."""
        return str(want(201, self[seats[0]].post("/games", PITCH | {"seats": list(seats)} | more))["id"])

    @contextmanager
    def other_server(self, **settings: Any) -> Iterator[Caller]:
        """Open another server of the same store with other settings."""
        app = create_app(replace(self.config, **settings))
        client = recorder_of(app, self.samples)
        try:
            yield Caller(client)
        finally:
            services_of(app).close()

    @property
    def samples(self) -> dict[Key, Sample]:
        """The examples recorded so far."""
        client = self.stranger.client
        assert isinstance(client, Recorder)
        return client.samples


def recorder_of(app: Flask, samples: dict[Key, Sample]) -> Recorder:
    """Return a client of an app that adds to these samples."""
    client = Recorder(app, app.response_class)
    client.samples = samples
    return client


@contextmanager
def open_scene(data: Path) -> Iterator[Scene]:
    """Open a server, register everybody, play a game to its end and begin another one."""
    config = Config(
        data=data,
        hashing="cheapest",
        limits=NO_LIMITS,
        seating="at-once",
        player_webhooks=1,
        witnesses=(ChosenWitness(WITNESS.key),),
    )
    app = create_app(config)
    services_of(app).wait_timeout_s = 0.05
    scene = Scene(app, Caller(recorder_of(app, {})), config)
    try:
        _register(scene)
        scene.played, scene.running = _play(scene), scene.open("ann", "bob", "bot:simple")
        yield scene
    finally:
        services_of(app).close()


def _register(scene: Scene) -> None:
    for name in PEOPLE:
        scene.people[name] = scene.stranger.join(name)
    for name in ("moira", "mateo"):
        for role in (roles.MODERATOR, roles.ARBITER):
            give_role(scene.app, name, role)


def moderator(scene: Scene, name: str) -> Caller:
    """Log a moderator in with a token for moderation."""
    body = {"name": name, "password": PASSWORD, "scope": "moderate"}
    return Caller(scene.stranger.client, want(201, scene.stranger.post("/tokens", body))["token"])


def _play(scene: Scene) -> str:
    """Play one hand of ann and bob, and end the game."""
    game = scene.open("ann", "bob")
    players = [scene["ann"], scene["bob"]]
    while True:
        view = want(200, scene.stranger.get(f"/games/{game}"))
        if view["hand"] is None or view["hand"]["number"] > 1 or view["status"] == "finished":
            break
        [seat] = view["turn"]["seats"]
        legal = want(200, players[seat].get(f"/games/{game}/seats/{seat}"))["you"]["legal"]
        want(201, players[seat].post(f"/games/{game}/moves", legal[0]))
    want(201, players[0].post(f"/games/{game}/moves", {"type": "resign"}))
    scene.follow()
    return game
