"""The documented proxy, really run: nginx with docs/examples/nginx.conf in front of a server."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.remote_server import RemoteServer
from tests.api.server_process import start_server
from tests.conftest import Database

SITE = Path(__file__).parents[2] / "docs" / "examples" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PATIENCE_S = 30.0
MAIN = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/site.conf;
}}
"""


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteServer]:
    """A server behind nginx; requests go to nginx."""
    if NGINX is None:
        if os.environ.get("REQUIRE_PROXY"):
            pytest.fail("nginx isn't installed")
        pytest.skip("nginx isn't installed")
    data, folder = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("nginx")
    with start_server(Database(None, data), TRUSTED_PROXIES="1") as serving:
        port = _free_port()
        site = SITE.read_text(encoding="ascii").replace("listen 80;", f"listen 127.0.0.1:{port};")
        (folder / "site.conf").write_text(site.replace("127.0.0.1:8000", urlsplit(serving.url).netloc))
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
        nginx = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        try:
            _wait_for(port, nginx)
            yield RemoteServer(f"http://127.0.0.1:{port}")
        finally:
            nginx.terminate()
            nginx.wait(PATIENCE_S)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, nginx: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        assert nginx.poll() is None, "nginx ended"
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise AssertionError("nginx doesn't listen")


def status_of(proxied: RemoteServer, request: bytes) -> int:
    """Return the status of the answer to these bytes."""
    address = urlsplit(proxied.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE_S) as connection:
        connection.sendall(request)
        return int(connection.recv(65536).split(b" ", 2)[1])


def test_a_game_is_played_through_the_proxy(proxied: RemoteServer) -> None:
    ann = proxied["ann"]
    table = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:simple"]}
    opened = ann.post("/games", table)
    assert opened.status_code == 201, opened.text
    passed = ann.post(f"/games/{opened.get_json()['id']}/moves", {"text": "pass"})
    assert passed.status_code == 201, passed.text
    assert proxied.nobody.get(f"/games/{opened.get_json()['id']}/audit").status_code == 200


def test_an_event_stream_passes_the_proxy_as_it_is_made(proxied: RemoteServer) -> None:
    """The frames of what has happened arrive while the stream stays open, and the next one when it happens."""
    cat = proxied["cat"]
    opened = cat.post("/games", {"variant": "pitch", "seats": ["cat", "bot:random"]}).get_json()
    path, version = f"{proxied.url}/api/v1/games/{opened['id']}/events", opened["version"]
    accept = {"Accept": "text/event-stream"}
    with httpx.stream("GET", f"{path}?after={version - 1}", headers=accept, timeout=PATIENCE_S) as stream:
        ids = (line for line in stream.iter_lines() if line.startswith("id: "))
        assert next(ids) == f"id: {version}"
        assert cat.post(f"/games/{opened['id']}/moves", {"type": "resign"}).status_code == 201
        assert next(ids) == f"id: {version + 1}"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(b"get /api/v1/variants HTTP/1.1\r\nHost: x\r\n\r\n", 400, id="a method in lower case"),
        pytest.param(b"GET /api/v1/variants HTTP/1.1\r\n\r\n", 400, id="no Host"),
        pytest.param(
            b"POST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400,
            id="two equal Content-Lengths",
        ),
        pytest.param(
            b"POST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
            id="Content-Length with Transfer-Encoding",
        ),
        pytest.param(
            b"POST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n", 413, id="a body over 64 KiB",
        ),
    ],
)  # fmt: skip
def test_the_proxy_refuses_what_the_server_reads_leniently(proxied: RemoteServer, request_: bytes, status: int) -> None:
    assert status_of(proxied, request_) == status
