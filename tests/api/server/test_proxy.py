"""The documented proxies in front of a server: games, event streams, refusals, addresses, and no metrics."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from api.client import Server, Table
from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import ConfiguredServer
from tests.api.remote_server import RemoteServer
from tests.api.server.proxies import PATIENCE_S, below_a_path, in_front_of
from tests.api.thread_server import serve_in_thread
from tests.commands import run

PROXIES = ["nginx", pytest.param("caddy", marks=pytest.mark.slow)]


@pytest.fixture(scope="module", params=PROXIES)
def proxied(
    request: pytest.FixtureRequest, configured_server: ConfiguredServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RemoteServer]:
    """A server that trusts one proxy, behind each proxy in turn; requests go to the proxy."""
    with in_front_of(configured_server.url, request.param, tmp_path_factory.mktemp(request.param)) as remote:
        yield remote


def status_of(proxied: RemoteServer, request: bytes) -> int:
    """Return the status of the answer to these bytes."""
    address = urlsplit(proxied.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE_S) as connection:
        connection.sendall(request)
        return int(connection.recv(65536).split(b" ", 2)[1])


def test_a_game_is_played_through_the_proxy(proxied: RemoteServer) -> None:
    name = f"ann-{urlsplit(proxied.url).port}"
    ann = proxied[name]
    table = {"variant": "pitch", "seats": [name, "bot:random", "bot:simple"]}
    opened = ann.post("/games", table)
    assert opened.status_code == 201, opened.text
    passed = ann.post(f"/games/{opened.get_json()['id']}/moves", {"text": "pass"})
    assert passed.status_code == 201, passed.text
    assert proxied.nobody.get(f"/games/{opened.get_json()['id']}/audit").status_code == 200


def test_an_event_stream_passes_the_proxy_as_it_is_made(proxied: RemoteServer) -> None:
    """The frames of what has happened arrive while the stream stays open, and the next one when it happens."""
    name = f"cat-{urlsplit(proxied.url).port}"
    cat = proxied[name]
    opened = cat.post("/games", {"variant": "pitch", "seats": [name, "bot:random"]}).get_json()
    path, version = f"{proxied.url}/api/v1/games/{opened['id']}/events", opened["version"]
    accept = {"Accept": "text/event-stream"}
    with httpx.stream("GET", f"{path}?after={version - 1}", headers=accept, timeout=PATIENCE_S) as stream:
        ids = (line for line in stream.iter_lines() if line.startswith("id: "))
        assert next(ids) == f"id: {version}"
        assert cat.post(f"/games/{opened['id']}/moves", {"type": "resign"}).status_code == 201
        assert next(ids) == f"id: {version + 1}"


HOST, LENGTH = b"Host: x\r\n", b"Content-Length: 2\r\n"
LENIENT = [
    (b"get /api/v1/variants HTTP/1.1\r\n" + HOST, 400, 200),
    (b"GET /api/v1/variants HTTP/1.1\r\n", 400, 400),
    (b"POST /api/v1/users HTTP/1.1\r\n" + HOST + LENGTH + LENGTH, 400, 415),
    (b"POST /api/v1/users HTTP/1.1\r\n" + HOST + LENGTH + b"Transfer-Encoding: chunked\r\n", 400, 411),
    (b"POST /api/v1/users HTTP/1.1\r\n" + HOST + b"Content-Length: 70000\r\n", 413, 413),
]
"""Requests that the server reads leniently, and the status behind nginx, which is strict, and behind Caddy."""


def test_what_the_server_reads_leniently_never_fails_behind_a_proxy(proxied: RemoteServer) -> None:
    is_nginx = httpx.get(f"{proxied.url}/health/live", timeout=60).headers["server"].startswith("nginx")
    for request, behind_nginx, behind_caddy in LENIENT:
        assert status_of(proxied, request + b"\r\n{}") == (behind_nginx if is_nginx else behind_caddy), request


def test_no_proxy_passes_the_metrics_on(proxied: RemoteServer) -> None:
    address = urlsplit(proxied.url).netloc
    for path in ("/metrics", "/%6detrics", "//metrics", "/metrics/", "/api/../metrics"):
        request = f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode()
        assert status_of(proxied, request) in (400, 403, 404, 308), path


def test_the_doctor_sees_the_proxy(proxied: RemoteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for proxies, says in (("1", "ok     proxies"), ("0", "wrong  proxies")):
        monkeypatch.setenv("TRICKBOOK_TRUSTED_PROXIES", proxies)
        assert says in run("doctor", "--data", "/nowhere", "--url", proxied.url).output


def test_the_server_counts_by_the_address_that_the_proxy_saw(
    proxied: RemoteServer, configured_server: ConfiguredServer
) -> None:
    """A client that makes up an address in X-Forwarded-For is known by its own."""
    sent = {"X-Request-Id": f"made-up-{urlsplit(proxied.url).port}", "X-Forwarded-For": "203.0.113.7"}
    assert httpx.get(f"{proxied.url}/api/v1/games", headers=sent, timeout=60).status_code == 200
    lines = [json.loads(line) for line in configured_server.log.read_text().splitlines()]
    assert [line["address"] for line in lines if line.get("request") == sent["X-Request-Id"]] == ["127.0.0.1"]


@pytest.mark.parametrize("takes_off", [False, True], ids=["passed on", "taken off"])
@pytest.mark.parametrize("name", PROXIES)
def test_below_a_path_all_works_whatever_the_proxy_does_with_the_path(
    name: str, takes_off: bool, tmp_path: Path
) -> None:
    config = Config(data=tmp_path, url="https://example.com/cards", hashing="cheapest", limits=NO_LIMITS)
    with serve_in_thread(config) as here, below_a_path(here.url, name, tmp_path, takes_off=takes_off) as url:
        with Server(url) as server:
            server.guest()
            table = Table.open(server, "pitch", [server.me()["name"], "bot:simple"])
            now = table.view()["version"]
            assert [moment.version for moment in table.follow(until=now)][-1] == now
        shown = run("--server", url, "game", "show", "1")
        assert (shown.exit_code, "bot:simple" in shown.output) == (0, True), shown.output
        assert 'href="/cards/new"' in httpx.get(f"{url}/", headers={"Accept": "text/html"}).text
        assert httpx.get(url).headers["Location"].endswith("/cards/")
        for path in ("/metrics", "/%6detrics"):
            assert httpx.get(url + path).status_code == 404
