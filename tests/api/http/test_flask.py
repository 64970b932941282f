"""Flask's hooks, signals, extensions and views work as its documentation says."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType

import flask
import pytest
from flask import Blueprint, Flask, Response
from flask.testing import FlaskClient
from flask_compress import Compress
from marshmallow import Schema

from api.config import Config
from api.play.services.games import MOVE_SCHEMAS
from tests.api.conftest import Caller, MakeApp
from tests.step_limit import steps

GZIP = {"Accept-Encoding": "gzip"}

WATCHED = {
    each.__code__: each.__qualname__
    for each in (Flask.process_response, Flask.do_teardown_request, Flask.do_teardown_appcontext, Schema.load)
}


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count the calls of `WATCHED` in this thread during the block; of schemas, only those of moves."""
    calls = Counter[str]()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        name = WATCHED.get(frame.f_code) if event == "call" else None
        if name == "Schema.load" and frame.f_locals["self"] not in MOVE_SCHEMAS.values():
            return
        if name is not None:
            calls[name] += 1

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def hooked(app: Flask, seen: list[str]) -> None:
    """Register each hook of an application and of a blueprint, a signal, and a view that is a coroutine."""
    part = Blueprint("part", __name__)
    for scope, of in ((app, "app"), (part, "blueprint")):
        scope.before_request(lambda of=of: seen.append(f"before_request of {of}"))
        scope.after_request(lambda response, of=of: _noted(response, seen, of))
        scope.teardown_request(lambda _error, of=of: seen.append(f"teardown_request of {of}"))
    app.teardown_appcontext(lambda _error: seen.append("teardown_appcontext"))

    @part.get("/part")
    async def view() -> str:
        await asyncio.sleep(0)
        flask.after_this_request(lambda response: _noted(response, seen, "this request"))
        seen.append("view")
        return "seen"

    app.register_blueprint(part)


def _noted(response: Response, seen: list[str], of: str) -> Response:
    seen.append(f"after_request of {of}")
    return response


def test_every_hook_is_called_in_flasks_order(config: Config, make_app: MakeApp) -> None:
    app, seen = make_app(config), list[str]()
    hooked(app, seen)
    for name in ("request_started", "request_tearing_down"):
        signal = getattr(flask, name)
        signal.connect(lambda *_, name=name, **__: seen.append(name), app, weak=False)
    with ThreadPoolExecutor(1) as thread:  # asgiref runs no coroutine where a loop runs, as a browser's may here
        assert thread.submit(FlaskClient(app).get, "/part").result().text == "seen"
    assert seen == [
        "request_started",
        "before_request of app",
        "before_request of blueprint",
        "view",
        "after_request of this request",
        "after_request of blueprint",
        "after_request of app",
        "teardown_request of blueprint",
        "teardown_request of app",
        "request_tearing_down",
        "teardown_appcontext",
    ]


def test_hooks_are_called_for_routes_of_the_api_and_for_refusals(config: Config, make_app: MakeApp) -> None:
    app, seen = make_app(config), list[str]()
    hooked(app, seen)
    client = FlaskClient(app)
    assert [client.get(f"/api/v1/{path}").status_code for path in ("variants", "games/1", "nothing")] == [200, 404, 404]
    of_app = ["before_request of app", "after_request of app", "teardown_request of app", "teardown_appcontext"]
    assert seen == of_app * 3


def test_flask_compress_compresses(config: Config, make_app: MakeApp) -> None:
    plain, compressed = make_app(config), make_app(config)
    Compress(compressed)
    sent, usual = (FlaskClient(app).get("/api/v1/rulebooks/choices", headers=GZIP) for app in (compressed, plain))
    assert (usual.headers.get("Content-Encoding"), sent.headers["Content-Encoding"]) == (None, "gzip")
    assert len(sent.data) < len(usual.data) / 2


@pytest.mark.both_stores
def test_a_played_game_goes_through_flask_in_each_request_and_through_a_schema_in_each_move(ann: Caller) -> None:
    view = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"], "options": {"win": 7}}).get_json()
    game, turns, moves = view["id"], steps(), 0
    with counted_calls() as calls:
        view = ann.get(f"/games/{game}/seats/0").get_json()
        while view["result"] is None:
            moves = next(turns) + 1
            view = ann.post(f"/games/{game}/moves", view["you"]["legal"][0]).get_json()["view"]
    assert moves > 6
    assert calls == dict.fromkeys(WATCHED.values(), moves + 1) | {"Schema.load": moves}
