"""Lanes: every route chooses one, and one that is full delays no other."""

import asyncio
import json

import pytest
from flask import Flask

from api.app import add_routes, bare_app
from api.config import Config
from api.lines.line_sender import NO_SESSION
from api.lines.routes import lane_of_line, lane_of_text
from api.server.front import lane_of
from api.server.wsgi_bridge import HttpRequest
from api.web.application import RouteMatch, route_finder
from api.web.context import network_of
from tests.api.conftest import PASSWORD, Caller, services_of
from tests.api.server.fronts import open_front
from tests.event_loop import run_coroutine
from tests.routes import ROUTED_APP, ROUTES


def test_a_request_runs_in_the_lane_that_its_route_declares() -> None:
    find, game = route_finder(ROUTED_APP), "0" * 8 + "-0000-4000-8000-" + "0" * 12
    assert _lane(find("GET", f"/api/v1/games/{game}/audit".encode())) == "heavy"
    assert _lane(find("GET", f"/api/v1/games/{game}/%61udi%74".encode())) == "heavy"
    assert _lane(find("POST", f"/api/v1/games/{game}/moves".encode())) == "light"
    assert _lane(find("POST", b"/api/v1/tokens")) == "login"
    assert _lane(find("GET", b"/api/v1/exports/games")) == "export"
    assert find("GET", b"/nowhere") is find("PUT", b"/api/v1/tokens") is find("GET", b"/api/v1/gam\xe9s") is None
    assert find("OPTIONS", b"/api/v1/tokens") is None  # Flask answers it


def test_a_view_that_declares_nothing_stops_the_start_and_is_named() -> None:
    app = bare_app(Config())
    app.add_url_rule("/new", "extension.new", lambda: "")
    with pytest.raises(TypeError, match=r"on the view of extension\.new"):
        add_routes(app)


def test_only_short_addresses_are_remembered() -> None:
    find = route_finder(bare_app(Config()))
    short, long = b"/problems/" + b"x" * 100, b"/problems/" + b"x" * 1000
    assert find("GET", short) is find("GET", short) is not None
    assert find("GET", long) is not find("GET", long)
    assert find("GET", long + b"%41" * 5000) is None  # Flask decodes it, in a lane
    assert network_of("2001:db8::1") == "2001:db8::/64"
    assert network_of("1" * 10_000) == "unknown"


def _lane(route: RouteMatch | None) -> str:
    assert route is not None
    return route.declared.choose_lane("")


GARBAGE = b"tb_" + b"A" * 43
LISTS = {
    "light": ("", "limit=100", "await=p", "limit=x", "nolimit=500"),
    "waiting": ("wait=p", "limit=50&w%61it=p"),
    "heavy": ("limit=101", "variant=pitch&limit=500", "limit=%35%30%30", "lim%69t=500", "since=%26limit=5&limit=500",
              "wait=p&limit=500", "cursor=" + "%41" * 5000),
}  # fmt: skip
LOGS = {
    "heavy": (("", "application/json"), ("after=7", ""), ("limit=500", ""), ("limit=5&x=" + "%41" * 5000, ""),
              ("", "application/json, text/event-stream;q=0")),
    "light": (("after=7&limit=100", ""), ("after=7", "text/event-stream")),
}  # fmt: skip
LINES = {
    "heavy": ("pitch history ann", "PITCH Audit 1", "list", "multiple", "pitch show 1#7", "pitch show 1 2",
              "pitch show ann all", "pitch showas"),
    "login": ("pitch move 1 AD", "pitch showas ann secret 1", "signup ann secret"),
    "light": ("pitch show 1", "pitch", "", "nothing at all", "help history"),
}  # fmt: skip


def test_a_large_page_of_a_list_is_heavy_and_so_is_the_rest_of_a_log_but_not_its_stream() -> None:
    assert {lane: {ROUTES["lists.lobby"].choose_lane(each) for each in LISTS[lane]} for lane in LISTS} == {
        lane: {lane} for lane in LISTS
    }
    for lane, asked in LOGS.items():
        assert {ROUTES["events.list_events"].choose_lane(*each) for each in asked} == {lane}


def test_a_line_that_reads_much_is_heavy() -> None:
    for lane, lines in LINES.items():
        for line in lines:
            body = json.dumps({"line": line})
            bodies = line, body, body.replace("i", "\\u0069")
            assert {lane_of_line(each.encode(), has_token=False) for each in bodies} == {lane}, line


@pytest.mark.parametrize(
    ("line", "lane"), [("multiple", "heavy"), ("pitch join 1 ann secret", "login"), ("help", "light")]
)
def test_a_request_with_a_line_runs_in_the_lane_of_the_line(app: Flask, line: str, lane: str) -> None:
    assert lane_of(_line_request(app, line)) == lane


def _line_request(app: Flask, line: str, headers: tuple[tuple[bytes, bytes], ...] = ()) -> HttpRequest:
    path = b"/api/v1/commands"
    route = route_finder(app)("POST", path)
    assert route is not None
    return HttpRequest("POST", path, b"", headers, line.encode(), "127.0.0.1", ("x", 80), route=route)


def test_a_line_with_a_token_hashes_no_password_unless_it_is_about_passwords() -> None:
    lines = ("pitch move 1 AD", "pitch audit 1", "change password a b")
    assert [lane_of_text(line, has_token=True) for line in lines] == ["light", "heavy", "login"]


@pytest.mark.parametrize(
    ("header", "lane"),
    [
        ((b"cookie", b"x=" + GARBAGE), "login"),
        ((b"cookie", b"a=b; __Host-trickbook2=" + GARBAGE), "login"),
        ((b"cookie", b"trickbook=" + GARBAGE + b"A"), "login"),
        ((b"x-token", GARBAGE), "login"),
        ((b"cookie", b"a=b; trickbook=" + GARBAGE), "light"),
        ((b"cookie", b"__Host-trickbook=" + GARBAGE + b";a=b"), "light"),
        ((b"authorization", b"Bearer " + GARBAGE), "light"),
    ],
)
def test_attack_154_only_a_token_that_can_be_valid_chooses_the_lane_of_a_line(
    app: Flask, header: tuple[bytes, bytes], lane: str
) -> None:
    assert lane_of(_line_request(app, "pitch move 1 ann secret AD", (header,))) == lane


def test_attack_154_no_password_is_read_in_the_light_lane(app: Flask, ann: Caller) -> None:
    assert ann.post("/commands", {"line": "set passwords on"}).status_code == 200
    headers = {"Origin": "http://cards.example", "Host": "cards.example", "Cookie": f"trickbook={GARBAGE.decode()}"}

    async def ask(password: str, **more: str) -> list[str]:
        async with open_front(app) as client:
            body = {"line": f"pitch move 1 ann {password} AD"}
            answer = await client.post("/api/v1/commands", json=body, headers=headers | more)
            return [answer.json()["problem"]["type"], answer.json()["problem"]["detail"]]

    right, wrong = run_coroutine(ask(PASSWORD)), run_coroutine(ask("not-this-one"))
    assert right == wrong == ["/problems/unauthorized", NO_SESSION]
    assert run_coroutine(ask(PASSWORD, Cookie="x=1"))[0] == "/problems/not-found"


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[" * 8_000, b'{"line": 3}', b"{}", b"null", b'{"line": "a'])
def test_any_body_of_a_line_has_a_lane(body: bytes) -> None:
    assert lane_of_line(body, has_token=False) == "light"


def test_a_long_body_is_not_parsed_where_requests_arrive() -> None:
    assert lane_of_line(b"[" * 60_000, has_token=True) == "heavy"


def test_lists_that_wait_delay_nothing_else(app: Flask, ann: Caller) -> None:
    services = services_of(app)
    services.wait_timeout_s = 120
    wrote = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}).headers["Trickbook-Position"]

    async def ask() -> tuple[int, list[bool], list[int]]:
        async with open_front(app) as client:
            waits = [asyncio.create_task(client.get(f"/api/v1/games?wait={wrote}")) for _ in range(8)]
            await asyncio.sleep(0)
            light = await client.get("/api/v1/variants")
            done = [each.done() for each in waits]
            await asyncio.to_thread(services.followers.catch_up)
            return light.status_code, done, [each.status_code for each in await asyncio.gather(*waits)]

    assert run_coroutine(ask()) == (200, [False] * 8, [200] * 8)
