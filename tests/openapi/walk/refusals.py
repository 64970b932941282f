"""Refusals that many routes share: no such game, no acceptable content type, a changed log, a lost race."""

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.description.parameters import VARIABLES, path_of
from domain.store import Games, RaceLost
from tests.logs.tables import change_time
from tests.openapi.statuses import own_statuses
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene
from tests.routes import ROUTES

NO_GAME = "999"
LOSES = ("games.move", "handovers.ask", "handovers.accept", "handovers.take_back", "disputes.open_dispute",
         "disputes.withdraw", "disputes.rule", "disputes.appeal", "disputes.decide")  # fmt: skip

OF_ARBITERS = ("disputes.rule", "disputes.decide", "disputes.erase")


def walk(scene: Scene) -> None:
    """Send the requests."""
    for endpoint in _endpoints_with(404):
        if "/api/v1/games/{game}" in _route(scene, endpoint)[1]:
            want(404, _send(scene, endpoint, NO_GAME))
    for endpoint in _endpoints_with(406):
        want(406, _send(scene, endpoint, scene.played, Accept="image/png"))
    for endpoint, declared in ROUTES.items():
        want(400, _send(scene, endpoint, scene.played, query="?nonsense=1"))
        if declared.body is not None:
            want(415, _send(scene, endpoint, scene.played, Content_Type="text/html"))
    _old_versions(scene)
    _lost_races(scene)
    _changed_log(scene)


def _endpoints_with(status: int) -> Iterator[str]:
    return (endpoint for endpoint in ROUTES if status in own_statuses(endpoint))


def _route(scene: Scene, endpoint: str) -> tuple[str, str]:
    """Return the method and the path of an endpoint."""
    rule = next(rule for rule in scene.app.url_map.iter_rules() if rule.endpoint == endpoint)
    [method] = (rule.methods or set()) - {"HEAD", "OPTIONS"}
    return method, path_of(rule)


def _send(scene: Scene, endpoint: str, game: str, body: Any = None, query: str = "", **headers: str) -> TestResponse:
    """Send the example of an endpoint about a game, or another body, as somebody who may."""
    name = "moira" if endpoint in OF_ARBITERS else "ann"
    method, path = _route(scene, endpoint)
    values: dict[str, Any] = {variable: example for variable, (_, _, example) in VARIABLES.items()}
    filled = re.sub(r"{([a-z]+)}", lambda found: str({**values, "game": game}[found[1]]), path)
    queries = {"commits": "?from=1&to=2", "compare": f"?size=3&root={'0' * 64}", "inclusion": "?version=3",
               "consistency": "?first=1&second=3", "legal": "?at=12"}  # fmt: skip
    query = query or queries.get(path.rpartition("/")[2], "")
    named = {"Authorization": f"Bearer {scene[name].token}", "Sec-Fetch-Site": "same-origin"}
    named |= {header.replace("_", "-"): value for header, value in headers.items()}
    sent = body or ROUTES[endpoint].example
    return scene[name].client.open(filled + query, method=method, json=sent, headers=named)


def _old_versions(scene: Scene) -> None:
    for endpoint in ("games.move", "handovers.ask"):
        want(412, _send(scene, endpoint, scene.running, If_Match='"1"'))


def _lost_races(scene: Scene) -> None:
    """Let the store report races: `tests/api/games/test_races.py` has real ones."""
    game = scene.open("ann", "bob", "bot:simple")
    offer = want(201, scene["ann"].post(f"/games/{game}/handovers", {"to": "dan"}))["id"]

    def lose(*_: Any, **__: Any) -> Any:
        raise RaceLost("Other requests changed the game first.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Games, "act", lose)
        want(503, scene["dan"].post(f"/games/{game}/handovers/{offer}/accept", {}))
        want(503, scene["ann"].post(f"/games/{game}/handovers", {"to": "bot:simple"}))
        for endpoint in LOSES:
            if endpoint not in ("handovers.accept", "handovers.ask"):
                want(503, _send(scene, endpoint, game))


def _changed_log(scene: Scene) -> None:
    """Change an event of a game in the store, and open it on a server that hasn't read it."""
    game = scene.open("ann", "bob", "bot:simple")
    with sqlite3.connect(scene.config.data / "log.db") as log:
        change_time(log, game, 5)
    with scene.other_server() as there:
        other = Scene(scene.app, there, scene.config, scene.people)
        other.people = {name: type(caller)(there.client, caller.token) for name, caller in scene.people.items()}
        for endpoint in _endpoints_with(500):
            body = {"rematch_of": game} if endpoint == "opening.open_game" else None
            want(500, _send(other, endpoint, game, body))
