"""TRICKBOOK_CORS_ORIGINS: pages of the named sites may call the server from a browser, and others may not."""

import httpx
import pytest
from flask import Flask

from api.config import Config
from api.server.cross_origin import CrossOrigin
from tests.api.conftest import ALLOWED_PAGES, ConfiguredServer
from tests.api.remote_server import RemoteServer
from tests.api.server.fronts import open_front
from tests.event_loop import run_coroutine

CARDS = ALLOWED_PAGES[0]
OTHERS = ("https://evil.example", "https://cards.example.com.evil.example", "http://cards.example.com", "null", "")
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}


@pytest.fixture
def url(configured_server: ConfiguredServer) -> str:
    return configured_server.url


def allowed(answer: httpx.Response) -> list[str]:
    return [value for name, value in answer.headers.multi_items() if name == "access-control-allow-origin"]


@pytest.mark.parametrize("origin", ALLOWED_PAGES)
def test_an_allowed_page_may_ask_first_and_then_send_a_move(url: str, origin: str) -> None:
    asked = httpx.options(f"{url}/api/v1/games/1/moves", headers={"Origin": origin, **PREFLIGHT})
    assert (asked.status_code, allowed(asked)) == (204, [origin])
    methods = asked.headers["access-control-allow-methods"].split(", ")
    headers = asked.headers["access-control-allow-headers"].lower().split(", ")
    assert {"POST", "DELETE"} <= set(methods)
    assert {"authorization", "content-type", "idempotency-key", "if-match", "last-event-id"} <= set(headers)
    assert "access-control-allow-credentials" not in asked.headers


@pytest.mark.parametrize(
    ("path", "padding", "status"),
    [
        pytest.param("/api/v1/variants", "", 200, id="an answer"),
        pytest.param("/api/v1/games/1234", "", 404, id="a refusal"),
        pytest.param("/api/v1/games?limit=200", "", 200, id="a heavy answer"),
        pytest.param("/api/v1/variants", "x" * 40_000, 431, id="a refusal before a route"),
        pytest.param("/health/live", "", 200, id="the health of the process"),
    ],
)
def test_every_answer_names_the_page_that_may_read_it(url: str, path: str, padding: str, status: int) -> None:
    answer = httpx.get(url + path, headers={"Origin": CARDS, "Padding": padding}, timeout=60)
    assert (answer.status_code, allowed(answer)) == (status, [CARDS])
    assert {"authorization", "origin"} <= {each.strip().lower() for each in answer.headers["vary"].split(",")}
    assert "trickbook-position" in answer.headers["access-control-expose-headers"].lower()


def test_an_allowed_page_follows_a_game(url: str) -> None:
    remote = RemoteServer(url)
    game = remote["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).get_json()["id"]
    headers = {"Origin": CARDS, "Accept": "text/event-stream"}
    with httpx.stream("GET", f"{url}/api/v1/games/{game}/events", headers=headers, timeout=60) as stream:
        assert (stream.headers["content-type"].partition(";")[0], allowed(stream)) == ("text/event-stream", [CARDS])


@pytest.mark.parametrize("origin", OTHERS)
def test_a_page_of_another_site_gets_no_permission(url: str, origin: str) -> None:
    for answer in (
        httpx.get(f"{url}/api/v1/variants", headers={"Origin": origin}, timeout=60),
        httpx.options(f"{url}/api/v1/users", headers={"Origin": origin, **PREFLIGHT}),
    ):
        assert [name for name in answer.headers if name.startswith("access-control")] == []
        assert "Origin" in answer.headers["vary"], "a cache must not give this answer to an allowed page"


def test_a_star_allows_every_page(app: Flask) -> None:
    any_page = {"Origin": "https://any.example"}

    async def ask() -> list[httpx.Response]:
        origins = Config.from_environment({"TRICKBOOK_CORS_ORIGINS": "*"}).cors_origins
        async with open_front(app, cross_origin=CrossOrigin(origins)) as client:
            return [
                await client.get("/api/v1/variants", headers=any_page),
                await client.options("/api/v1/users", headers=any_page | PREFLIGHT),
                await client.get("/metrics", headers=any_page),
            ]

    answer, asked, local = run_coroutine(ask())
    assert (allowed(answer), allowed(asked), asked.status_code) == (["*"], ["*"], 204)
    assert local.status_code == 403, "a page in the browser of the server's machine isn't a program of it"
