"""The API under WSGI servers that know nothing of trickbook."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from flask import Flask
from werkzeug.test import Client

from api import wsgi
from api.config import ConfigError
from tests.api.server_process import CHECKOUT, server_environment

FLASK = ("flask", "--app", "api.wsgi", "run", "--port", "0")
GUNICORN = ("gunicorn", "api.wsgi:app", "--bind", "127.0.0.1:0", "--threads", "2", "--no-control-socket")
LISTENS = re.compile(r"(?:Running on|Listening at:) (http://127\.0\.0\.1:[0-9]+)")


@contextmanager
def serving(data: Path, *command: str) -> Iterator[tuple[httpx.Client, list[str]]]:
    """Run a WSGI server; yield a client of its API, and what the server has printed since it started."""
    environ = server_environment(DATA=str(data), LOG="warning")
    with subprocess.Popen(
        [sys.executable, "-m", *command], stderr=subprocess.PIPE, text=True, env=environ, cwd=CHECKOUT
    ) as process:
        said = list[str]()
        try:
            for line in process.stderr or ():
                said.append(line)
                if {"address", "limits"} <= {_kind(each) for each in said}:
                    break
            [address] = [found[1] for found in map(LISTENS.search, said) if found]
            with httpx.Client(base_url=f"{address}/api/v1", timeout=60) as client:
                yield client, said
        finally:
            process.terminate()
            said.extend(process.stderr or ())


def _kind(line: str) -> str:
    return "address" if LISTENS.search(line) else "limits" if "trickbook work" in line else "other"


@pytest.mark.parametrize("command", [FLASK, GUNICORN], ids=["flask run", "gunicorn"])
def test_a_game_is_played_under_a_wsgi_server_in_a_new_folder(tmp_path: Path, command: tuple[str, ...]) -> None:
    with serving(tmp_path, *command) as (client, said):
        guest = client.post("/guests", json={}).json()
        client.headers["Authorization"] = f"Bearer {guest['token']}"
        opened = client.post("/games", json={"variant": "pitch", "seats": [guest["name"], "bot:random"]})
        path = f"/games/{opened.json()['id']}"
        [first] = client.get(f"{path}/events?limit=1").json()["items"]
        assert (opened.status_code, first["event"]["fact"]) == (201, "GameOpened")
        assert client.get(f"{path}/events", headers={"Accept": "text/event-stream"}).status_code == 406
    assert wsgi.LIMITS in "".join(said)
    assert "Logging error" not in "".join(said), "the server's own log has other fields"
    assert (tmp_path / "log.db").exists()


def test_importing_opens_no_store_and_app_is_one_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKBOOK_DATA", str(tmp_path / "data"))
    close = list[Callable[[], None]]()
    monkeypatch.setattr("atexit.register", close.append)
    wsgi._app.cache_clear()
    assert not (tmp_path / "data").exists()
    assert (isinstance(wsgi.app, Flask), wsgi.app is wsgi.app) == (True, True)
    [end] = close
    end()
    assert not (tmp_path / "data" / "log.db-wal").exists(), "the last connection is closed"
    wsgi._app.cache_clear()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = wsgi.nothing


@pytest.mark.parametrize(("name", "value"), [("WEBHOOKS", "local"), ("LIMITS", "off")])
def test_what_is_for_this_machine_alone_is_refused_without_an_address_of_it(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server around it may listen on any address."""
    monkeypatch.setenv("TRICKBOOK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv(f"TRICKBOOK_{name}", value)
    with pytest.raises(ConfigError, match=f"^TRICKBOOK_{name}={value} is for "):
        wsgi.create_app()
    assert not (tmp_path / "data").exists()


def test_below_a_path_each_address_is_found_and_given_out_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRICKBOOK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TRICKBOOK_URL", "https://example.com/cards")
    close = list[Callable[[], None]]()
    monkeypatch.setattr("atexit.register", close.append)
    client = Client(wsgi.create_app())
    for path in ("/cards/health/ready", "/health/ready", "/cards/api/v1/variants", "/cards/", "/cards"):
        assert client.get(path).status_code == 200, path
    assert client.get("/cardsharp/health/ready").status_code == 404
    guest = client.post("/cards/api/v1/guests", json={}).get_json()
    headers = {"Authorization": f"Bearer {guest['token']}"}
    for root in ("/cards", ""):
        body = {"variant": "pitch", "seats": [guest["name"], "bot:random"]}
        opened = client.post(f"{root}/api/v1/games", json=body, headers=headers)
        assert opened.headers["Location"].startswith("/cards/api/v1/games/"), "whether the proxy takes it off or not"
        assert client.get(opened.headers["Location"]).status_code == 200
    [end] = close
    end()
