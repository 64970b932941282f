"""The answers of every route to every kind of caller. `make attacks` writes them into docs/security.md."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from werkzeug.routing import Rule

from api.app import API
from api.description.parameters import path_of
from tests.postgres import MEMORY
from tests.rights.requests import RouteRequest, request_to
from tests.rights.things import Things, Values
from tests.rights.world import CALLERS, World

WATCHES: Mapping[str, Values] = {
    "public": {"public": True, "delay": 0},
    "private": {"public": False, "delay": 0},
    "delayed": {"public": True, "delay": 1000},
}
YES = "yes"
Row = tuple[str, ...]
"""An answer for each kind of caller: `yes`, or the status."""
Matrix = Mapping[tuple[str, str], Row]
"""The rows by route (`GET /api/v1/games/{game}`) and watch."""


def ask_everybody() -> Matrix:
    """Open a world, in memory if the system can, send every request as every caller, and return the answers."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as data:
        world = World(Path(data))
        with closing(world.services):
            return dict(_rows(world, Things(world)))


def _rows(world: World, things: Things) -> Iterator[tuple[tuple[str, str], Row]]:
    rules = sorted(world.app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint))
    for rule in rules:
        [method] = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        name = f"{method} {path_of(rule)}"
        about_game = "reference" in rule.arguments and rule.rule.startswith(API)
        for watch in WATCHES if about_game else ("public",):
            yield (name, watch), tuple(_answers(world, things, rule, method, WATCHES[watch]))


def _answers(world: World, things: Things, rule: Rule, method: str, watch: Values) -> Iterator[str]:
    """Yield the answer to each caller. What callers before them used up is made again."""
    request = request_to(rule)
    for caller, (name, scope) in CALLERS.items():
        values = things.take(request.about, watch)
        body = _body(request, caller, values)
        path = path_of(rule).format(**values, game=values["reference"]) + _filled(request.query, values)
        answer = world.send(world.token(name, scope, values["reference"]), method, path, body)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            yield str(answer.status_code)
            continue
        yield YES
        if request.ends:
            world.renew(name, body or {})
            things.use_up_all()
        elif method != "GET" and not request.keeps:
            things.use_up(request.about, watch)


def _body(request: RouteRequest, caller: str, values: Values) -> dict[str, Any] | None:
    """Return the body with the values that it names."""
    body = request.of_guest if caller == "guest" and request.of_guest is not None else request.body
    return None if body is None else {key: _filled(value, values) for key, value in body.items()}


def _filled(value: Any, values: Values) -> Any:
    if isinstance(value, list):
        return [_filled(each, values) for each in value]
    before, found, name = value.partition("$") if isinstance(value, str) else (value, "", "")
    return (f"{before}{values[name]}" if before else values[name]) if found else value
