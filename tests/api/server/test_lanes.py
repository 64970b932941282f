"""Lanes: every endpoint chooses one, and one that is full delays no other."""

import json
import sys
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from api.app import bare_app, create_app
from api.config import Config
from api.http.auth import network_of
from api.routes.application import RouteMatch, route_finder
from api.routes.commands.line_lanes import lane_of_line
from api.routes.lanes import LANES, lane_of_endpoint
from api.server.thread_lane import Admission, LaneFull, ShareTaken
from tests.api.conftest import services_of
from tests.api.remote_server import RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database

PATIENT = """
import api.server.processes as processes
from api.cli.main import main
create = processes.create_app
def create_app(config):
    app = create(config)
    app.extensions["trickbook"].wait_timeout_s = 120
    return app
processes.create_app = create_app
main()
"""



def test_every_endpoint_chooses_a_lane(tmp_path: Path) -> None:
    app = create_app(Config(data=tmp_path))
    try:
        assert {rule.endpoint for rule in app.url_map.iter_rules()} == set(LANES)
        find, game = route_finder(app), "0" * 8 + "-0000-4000-8000-" + "0" * 12
        assert _lane(find("GET", f"/api/v1/games/{game}/audit".encode())) == "heavy"
        assert _lane(find("GET", f"/api/v1/games/{game}/%61udi%74".encode())) == "heavy"
        assert _lane(find("POST", f"/api/v1/games/{game}/moves".encode())) == "light"
        assert _lane(find("POST", b"/api/v1/tokens")) == "login"
        assert _lane(find("GET", b"/api/v1/exports/games")) == "export"
        assert find("GET", b"/nowhere") is find("PUT", b"/api/v1/tokens") is find("GET", b"/api/v1/gam\xe9s") is None
        assert find("OPTIONS", b"/api/v1/tokens") is None  # Flask answers it
    finally:
        services_of(app).close()


def test_only_short_addresses_are_remembered() -> None:
    find = route_finder(bare_app(Config()))
    short, long = b"/problems/" + b"x" * 100, b"/problems/" + b"x" * 10_000
    assert find("GET", short) is find("GET", short) is not None
    assert find("GET", long) is not find("GET", long)
    assert network_of("2001:db8::1") == "2001:db8::/64"
    assert network_of("1" * 10_000) == "unknown"


def _lane(route: RouteMatch | None) -> str:
    assert route is not None
    return lane_of_endpoint(route.rule.endpoint, "")


@pytest.mark.parametrize(
    ("query", "lane"),
    [("", "light"), ("limit=100", "light"), ("limit=101", "heavy"), ("variant=pitch&limit=500", "heavy"),
     ("limit=%35%30%30", "heavy"), ("lim%69t=500", "heavy"), ("since=%26limit=5&limit=500", "heavy"),
     ("wait=p", "waiting"), ("limit=50&w%61it=p", "waiting"), ("wait=p&limit=500", "heavy"), ("await=p", "light"),
     ("limit=x", "light"), ("nolimit=500", "light")],
)  # fmt: skip
def test_a_large_page_of_a_list_is_heavy(query: str, lane: str) -> None:
    assert lane_of_endpoint("lists.lobby", query) == lane


@pytest.mark.parametrize(
    ("query", "accept", "lane"),
    [("", "application/json", "heavy"), ("after=7", "", "heavy"), ("after=7&limit=100", "", "light"),
     ("limit=500", "", "heavy"), ("after=7", "text/event-stream", "light"),
     ("", "application/json, text/event-stream;q=0", "heavy")],
)  # fmt: skip
def test_the_rest_of_a_log_is_heavy_and_its_stream_is_light(query: str, accept: str, lane: str) -> None:
    assert lane_of_endpoint("events.list_events", query, accept) == lane


@pytest.mark.parametrize(
    ("line", "lane"),
    [("pitch move 1 AD", "waiting"), ("pitch history ann", "heavy"), ("PITCH Audit 1", "heavy"), ("list", "heavy"),
     ("multiple", "heavy"), ("pitch show 1", "waiting"), ("pitch show 1#7", "heavy"), ("pitch show 1 2", "heavy"),
     ("pitch show ann all", "heavy"), ("pitch showas ann secret 1", "waiting"), ("pitch showas", "heavy"),
     ("pitch", "waiting"), ("", "waiting"), ("nothing at all", "waiting"), ("help history", "waiting")],
)  # fmt: skip
def test_a_line_that_reads_much_is_heavy(line: str, lane: str) -> None:
    assert lane_of_line(line.encode()) == lane
    assert lane_of_line(json.dumps({"line": line}).encode()) == lane
    assert lane_of_line(json.dumps({"line": line}).replace("i", "\\u0069").encode()) == lane


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[" * 60_000, b'{"line": 3}', b"{}", b"null", b'{"line": "a'])
def test_any_body_of_a_line_has_a_lane(body: bytes) -> None:
    assert lane_of_line(body) == "waiting"


def test_a_lane_has_places_and_each_client_a_share_of_them() -> None:
    admission = Admission(places=3, share=2)
    admission.enter("ann")
    admission.enter("ann")
    with pytest.raises(ShareTaken):
        admission.enter("ann")
    admission.enter("bob")
    with pytest.raises(LaneFull):
        admission.enter("cat")
    admission.leave("ann")
    admission.enter("cat")


def test_lists_that_wait_delay_nothing_else(tmp_path: Path) -> None:
    program = [sys.executable, "-c", PATIENT]
    with start_server(Database(None, tmp_path), "--no-worker", program=program) as started, ExitStack() as opened:
        server = RemoteServer(started.url)
        game = server["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
        for _ in range(8):
            waits = opened.enter_context(closing(HTTPConnection(urlsplit(started.url).netloc)))
            waits.request("GET", f"/api/v1/games?wait={game.headers['Trickbook-Position']}")
        light = opened.enter_context(closing(HTTPConnection(urlsplit(started.url).netloc, timeout=60)))
        light.request("GET", "/api/v1/variants")
        assert light.getresponse().status == 200
        started.kill()  # don't wait for the others
