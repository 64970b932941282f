"""Each block of docs/extending.md runs as a reader runs it."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.client import Server, Table
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import services_of
from tests.api.thread_server import serve_in_thread
from tests.docs.markdown import ROOT, blocks
from tests.http_server import body_of, http_server, send

PAGE = ROOT / "docs" / "extending.md"


def names_of(word: str) -> dict[str, Any]:
    """Run the block that holds a word, and return its names."""
    [text] = [block.text for block in blocks(PAGE, "python") if word in block.text]
    names: dict[str, Any] = {"__name__": "cards"}
    exec(compile(text, str(PAGE), "exec"), names)
    return names


def test_a_module_of_ones_own_adds_hooks_an_extension_and_a_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = list[Callable[[], object]]()
    monkeypatch.setattr("api.wsgi.atexit.register", closing.append)
    monkeypatch.setenv("TRICKBOOK_DATA", str(tmp_path))
    app: Flask = names_of("Compress(app)")["app"]
    try:
        client = FlaskClient(app)
        answer = client.get("/api/v1/variants", headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers["Content-Encoding"]) == (200, "gzip")
        assert answer.headers["Server-Timing"].startswith("app;dur=")
        assert client.get("/hello").get_json() == {"lists": len(services_of(app).rows.projections)}
    finally:
        closing[0]()


def test_a_follower_posts_each_public_event_and_goes_on_where_it_was(tmp_path: Path) -> None:
    posted, refusing = list[tuple[str, dict[str, Any]]](), [True]

    def receive(request: BaseHTTPRequestHandler) -> None:
        event = json.loads(body_of(request))
        if event["version"] == 4 and refusing.pop():
            send(request, b"", 503)
        else:
            posted.append((request.headers["Idempotency-Key"], event))
            send(request, b"")

    config = Config(data=tmp_path / "data", hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    with serve_in_thread(config) as serving, http_server(receive) as port, Server(serving.url) as ann:
        ann.register("ann", "correct-horse")
        table = Table.open(ann, "pitch", ["ann", "bot:simple"])
        table.resign()
        post_game = names_of("def post_game")["post_game"]
        arguments = table.game, f"http://127.0.0.1:{port}", tmp_path / "place"
        with Server(serving.url) as spectator:
            with pytest.raises(httpx.HTTPStatusError):
                post_game(spectator, *arguments)
            refusing[:] = [False]
            post_game(spectator, *arguments)
            public = [moment for moment in Table(spectator, table.game).events() if moment.event is not None]
    assert posted == [(f"{table.game}-{moment.version}", moment.event) for moment in public]
    assert public[-1].fact == "GameEnded"


def test_the_test_of_rules_passes() -> None:
    names_of("from trickbook.testing")["test_an_auction_goes_round_once"]()
