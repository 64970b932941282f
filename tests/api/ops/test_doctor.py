"""trickbook doctor: each fault of a set-up is named with what to do, and a good set-up gets exit code 0."""

import json
import os
import socket
import time
from collections import namedtuple
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.config import Config
from api.container import open_services
from api.ops import doctor
from domain.commands import OpenGame
from domain.events import Player
from domain.store.held_clock import machine_time
from projections.followers import PROJECTIONS
from tests.api.server_process import ServerProcess
from tests.commands import run
from tests.conftest import Database

GAME = "6f1d0c1e-0000-4000-8000-000000000001"


def set_up(database: Database) -> Config:
    """Make a store in which a worker runs."""
    config = Config(data=database.data, database_url=database.url, origin="cards.example", hashing="cheapest")
    with closing(open_services(config)) as services:
        services.clock.beat()
    return config


@pytest.fixture
def here(database: Database) -> Config:
    """A set-up on each store in turn."""
    return set_up(database)


@pytest.fixture
def files(tmp_path: Path) -> Config:
    """A set-up on SQLite."""
    return set_up(Database(None, tmp_path))


def levels(findings: list[dict[str, str]], *parts: str) -> set[str]:
    return {each["level"] for each in findings if each["part"] in parts}


def look(config: Config, *options: str) -> tuple[int, list[dict[str, str]]]:
    """Run the command; return its exit code and its findings."""
    told = run("doctor", "--json", *options, at=config)
    return told.exit_code, json.loads(told.stdout)["findings"]


def sentences(config: Config, part: str, *options: str) -> list[str]:
    """Return what is wrong with a part; the exit code must say so."""
    code, findings = look(config, *options)
    found = [each["text"] for each in findings if (each["part"], each["level"]) == (part, "wrong")]
    assert code == (1 if any(each["level"] == "wrong" for each in findings) else 0)
    return found


def test_a_good_set_up_gets_exit_code_0_in_text_and_json(here: Config) -> None:
    code, findings = look(here)
    assert (code, levels(findings) & {"wrong"}) == (0, set()), findings
    assert {"versions", "disk", "open files", "clock", "keys", "lists"} <= {each["part"] for each in findings}
    told = run("doctor", at=here)
    assert (told.exit_code, told.stdout.splitlines()[-1]) == (0, "verdict: all is well")
    assert len(told.stdout.splitlines()) == len(findings) + 1


def test_files_that_others_can_open_are_named(files: Config) -> None:
    (files.data / "keys" / "server.secret").chmod(0o644)
    (files.data / "log.db").chmod(0o660)
    found = sentences(files, "permissions")
    assert [text.partition(":")[0] for text in found] == [
        str(files.data / "keys" / "server.secret"), str(files.data / "log.db"),
    ]  # fmt: skip
    assert f"chmod 600 {files.data / 'log.db'}" in found[1]


def test_where_postgres_has_the_store_a_folder_with_nothing_in_it_has_no_rights_to_mend(
    fresh_postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = set_up(Database(fresh_postgres, tmp_path / "data"))
    here.data.mkdir(mode=0o755, exist_ok=True)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(1 << 41, 0, doctor.LEAST_FREE - 1))
    code, findings = look(here)
    assert (code, levels(findings, "permissions"), levels(findings, "disk")) == (0, {"ok"}, {"note"})
    (here.data / "erased.json").touch(mode=0o644)
    assert [text.partition(":")[0] for text in sentences(here, "permissions")] == [
        str(here.data), str(here.data / "erased.json"),
    ]  # fmt: skip


def test_a_full_disk_is_named(files: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    for free, level in ((doctor.LEAST_FREE - 1, "wrong"), (doctor.LITTLE_FREE - 1, "note"), (1 << 40, "ok")):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: usage(1 << 41, 0, free))
        assert levels(look(files)[1], "disk") == {level}


def test_a_file_from_the_future_shows_a_wrong_clock(files: Config) -> None:
    tomorrow = time.time() + 86_400
    os.utime(files.data / "views.db", (tomorrow, tomorrow))
    assert ["views.db was written in the future" in text for text in sentences(files, "clock")] == [True]


def test_a_clock_that_is_behind_the_last_worker_is_named(here: Config) -> None:
    with closing(open_services(here)) as services:
        services.accounts.clock_records.beat("another", machine_time() + 90_000_000, sure=True)
    assert ["in the future" in text for text in sentences(here, "clock")] == [True]


def test_a_store_without_a_worker_is_worth_a_note(database: Database) -> None:
    config = Config(data=database.data, database_url=database.url, hashing="cheapest")
    open_services(config).close()
    code, findings = look(config)
    assert (code, levels(findings, "worker"), levels(findings, "keys")) == (0, {"note"}, {"note"})


def test_a_list_that_is_far_behind_is_named(here: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.ops.doctor.LATE_EVENTS", 2)
    with closing(open_services(here)) as services:
        ann = services.accounts.users.register("ann", "correct horse")
        people = Player(ann.id, "human"), Player("bot:random:1", "bot", "random")
        board = services.accounts.boards.reserve(GAME, ann.id)
        services.games.open(OpenGame(GAME, board, "pitch", {}, people), by=ann.id, command_id="1-1")
    found = sentences(here, "lists")
    assert len(found) == len(PROJECTIONS)
    assert all("behind the log" in text for text in found)


def test_few_open_files_are_named(files: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (1024, 1024))
    assert ["LimitNOFILE" in text for text in sentences(files, "open files")] == [True]


def test_a_place_without_a_store_and_a_wrong_setting_get_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = run("doctor", "--json", at=Config(data=tmp_path))
    assert told.exit_code == 2
    found = [each["text"] for each in json.loads(told.stdout)["findings"] if each["part"] == "stores"]
    assert [text.startswith(f"There is no store in {tmp_path}.") for text in found] == [True]
    monkeypatch.setenv("TRICKBOOK_TRUSTED_PROXIES", "many")
    assert run("doctor", at=Config(data=tmp_path)).exit_code == 2


def test_a_lost_key_gets_exit_code_2_and_is_named(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "data")
    open_services(config).close()
    key = next((config.data / "keys").glob("receipts-*.key"))
    key.unlink()
    told = run("doctor", at=config)
    assert (told.exit_code, key.name in told.stdout) == (2, True)


ANSWERS: list[tuple[str, dict[str, str], int, str | None]] = [
    ("a proxy that isn't set", {"Server": "nginx"}, 0, "nginx answers there"),
    ("a proxy that adds itself", {"Via": "1.1 Caddy", "Server": "trickbook"}, 0, "1.1 Caddy answers there"),
    ("a proxy that is set", {"Server": "Caddy"}, 1, None),
    ("no proxy, though one is set", {"Server": "trickbook"}, 1, "clients can make up their addresses"),
    ("no proxy", {"Server": "trickbook"}, 0, None),
]


@pytest.mark.parametrize(("headers", "proxies", "fault"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_a_proxy_that_the_settings_do_not_fit_is_named(
    monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], proxies: int, fault: str | None
) -> None:
    found = visit(monkeypatch, lambda _: httpx.Response(200, headers=headers), Config(trusted_proxies=proxies))
    assert found == ([] if fault is None else [each for each in found if fault in each])
    assert len(found) == (fault is not None)


def visit(
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[httpx.Request], httpx.Response],
    config: Config,
    url: str = "http://127.0.0.1:8000",
) -> list[str]:
    """Return what is wrong at an address whose answers are made up."""
    real = httpx.Client
    made: Callable[..., Any] = lambda **more: real(transport=httpx.MockTransport(answer), **more)  # noqa: E731
    monkeypatch.setattr("httpx.Client", made)
    return [each.text for each in doctor.look_at_address(url, config) if each.level == "wrong"]


def test_metrics_that_everybody_can_read_and_an_address_without_tls_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    config, url = Config(trusted_proxies=1), "http://cards.example.com"
    metrics, plain = visit(monkeypatch, lambda _: httpx.Response(200, headers={"Server": "nginx"}), config, url)
    assert "/metrics" in metrics
    assert "isn't encrypted" in plain


def test_a_server_that_is_not_ready_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    detail = "The log is damaged. " * 20
    problem = httpx.Response(
        503, json={"type": "/problems/not-ready", "detail": detail}, headers={"Server": "trickbook"}
    )
    other = httpx.Response(503, text="<html>down", headers={"Server": "trickbook"})
    assert visit(monkeypatch, lambda _: problem, Config())[0].endswith(f"answers 503: {detail}")
    monkeypatch.undo()
    assert visit(monkeypatch, lambda _: other, Config())[0].endswith("answers 503: <html>down")


def test_a_running_server_is_looked_at_by_its_address(files: Config, shared_server: ServerProcess) -> None:
    code, findings = look(files, "--url", shared_server.url)
    assert (code, levels(findings, "address", "proxies", "clock")) == (0, {"ok"})
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        code, findings = look(files, "--url", f"http://127.0.0.1:{silent.getsockname()[1]}")
    assert (code, levels(findings, "address")) == (1, {"wrong"})
