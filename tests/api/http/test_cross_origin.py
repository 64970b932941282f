"""TRICKBOOK_CORS_ORIGINS: pages of the named sites may call the server from a browser, and others may not."""

from collections.abc import Iterator

import httpx
import pytest

from tests.api.remote_server import RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database

CARDS, LOCAL = "https://cards.example.com", "http://localhost:5173"
OTHERS = ("https://evil.example", "https://cards.example.com.evil.example", "http://cards.example.com", "null", "")
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = Database(None, tmp_path_factory.mktemp("data"))
    with start_server(data, CORS_ORIGINS=f"{CARDS},{LOCAL}", HEAVY_PROCESSES="1") as server:
        yield server.url


def allowed(answer: httpx.Response) -> list[str]:
    return [value for name, value in answer.headers.multi_items() if name == "access-control-allow-origin"]


@pytest.mark.parametrize("origin", [CARDS, LOCAL])
def test_an_allowed_page_may_ask_first_and_then_send_a_move(url: str, origin: str) -> None:
    asked = httpx.options(f"{url}/api/v1/games/1/moves", headers={"Origin": origin, **PREFLIGHT})
    assert (asked.status_code, allowed(asked)) == (204, [origin])
    methods = asked.headers["access-control-allow-methods"].split(", ")
    headers = asked.headers["access-control-allow-headers"].lower().split(", ")
    assert {"POST", "DELETE"} <= set(methods)
    assert {"authorization", "content-type", "idempotency-key", "if-match", "last-event-id"} <= set(headers)
    assert "access-control-allow-credentials" not in asked.headers


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        pytest.param("GET", "/api/v1/variants", {}, 200, id="an answer"),
        pytest.param("GET", "/api/v1/games/1", {}, 404, id="a refusal"),
        pytest.param("GET", "/api/v1/games?limit=200", {}, 200, id="a heavy answer"),
        pytest.param("GET", "/api/v1/variants", {"Padding": "x" * 30_000}, 431, id="a refusal before a route"),
        pytest.param("GET", "/health/live", {}, 200, id="the health of the process"),
    ],
)
def test_every_answer_names_the_page_that_may_read_it(
    url: str, method: str, path: str, more: dict[str, str], status: int
) -> None:
    answer = httpx.request(method, url + path, headers={"Origin": CARDS, **more}, timeout=60)
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


def test_a_star_allows_every_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    with start_server(Database(None, tmp_path_factory.mktemp("data")), CORS_ORIGINS="*") as server:
        answer = httpx.get(f"{server.url}/api/v1/variants", headers={"Origin": "https://any.example"}, timeout=60)
        asked = httpx.options(f"{server.url}/api/v1/users", headers={"Origin": "https://any.example", **PREFLIGHT})
        assert (allowed(answer), allowed(asked), asked.status_code) == (["*"], ["*"], 204)
        local = httpx.get(f"{server.url}/metrics", headers={"Origin": "https://any.example"}, timeout=60)
        assert local.status_code == 403, "a page in the browser of the server's machine isn't a program of it"
