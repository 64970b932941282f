"""A server whose clock is a month ahead ends no game, and time-outs go on afterwards."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from api.people.services.housekeeping import Housekeeper
from api.worker import Worker
from tests.api.conftest import PASSWORD, services_of
from tests.api.live_server import open_server
from tests.api.past_times import time_ago
from tests.api.server.fronts import open_front
from tests.api.server.test_serve import first
from tests.conftest import Database
from tests.event_loop import run_coroutine

MONTH_S = 30 * 24 * 3600
TABLE: dict[str, Any] = {"variant": "pitch", "seats": ["ann", "bot:simple"], "timing": {"total_days": 25}}


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    return Database(None, tmp_path / "data")


@pytest.mark.parametrize(("jump_s", "status"), [(3600, "active"), (10**7, "finished")])
def test_attack_120_a_clock_a_month_ahead_ends_no_game_unless_it_may_jump_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: int, status: str
) -> None:
    with open_server(tmp_path, clock_jump_s=jump_s) as server:
        services, usual = services_of(server.app), time.time_ns
        worker = Worker(services)
        game = server.open(["ann", "bot:simple"], timing={"total_days": 5})
        server.follow()
        services.clock.beat()
        monkeypatch.setattr(time, "time_ns", lambda: usual() + MONTH_S * 10**9)
        worker.tick()
        assert game.public["status"] == status
        if status == "active":
            moved = game.move(0, first(game.view(0)))
            assert moved.status_code == 201
            monkeypatch.undo()
            assert game.read().events[-1]["at"] < time_ago(hours=-1), "a move has the time that goes on"
        monkeypatch.setattr(time, "time_ns", usual)
        services.clock.beat()
        worker.tick()
        assert game.public["status"] == status


@pytest.mark.both_stores
@pytest.mark.parametrize("jump_s", [40 * 24 * 3600, -40 * 24 * 3600, 10**9])
def test_attack_120_a_jump_erases_nobody_and_ends_no_table_and_no_token(
    database: Database, monkeypatch: pytest.MonkeyPatch, jump_s: int
) -> None:
    with open_server(database.data, database.url, seating="asked") as server:
        services, usual = services_of(server.app), time.time_ns
        worker, ann, leo = Worker(services), server["ann"], server["leo"]
        # given a guest who played, somebody who leaves, a table that forms with an invitation, and tokens
        made = server.nobody.post("/guests", {}).get_json()
        guest = replace(server.nobody, token=made["token"])
        game = guest.post("/games", {"variant": "pitch", "seats": [made["name"], "bot:simple"]}).get_json()["id"]
        assert leo.ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
        table = ann.post("/games", {"variant": "pitch", "seats": ["ann", "open", "open"]}).get_json()["id"]
        link = ann.post(f"/games/{table}/invitations", {}).get_json()["token"]
        server.follow()
        services.clock.beat()
        # when the machine's clock jumps, and is right again
        for jump_ns in (jump_s * 10**9, 0):
            monkeypatch.setattr(time, "time_ns", lambda jump_ns=jump_ns: usual() + jump_ns)
            services.clock.beat()
            worker.tick()
            worker.finish_tables()
            Housekeeper(services).run_once()
            # then everybody and everything is there, at every moment
            assert guest.get("/me").get_json()["id"] == made["id"]
            assert guest.get(f"/games/{game}").get_json()["status"] == "active"
            assert ann.get(f"/games/{table}").get_json()["status"] == "forming"
            assert server.nobody.get(f"/invitations/{link}").status_code == 200
            assert ann.ask("GET", "/me/tokens").get_json()["items"][0]["expires"] > time_ago(days=-80)
        login = {"name": "leo", "password": PASSWORD}
        assert server.nobody.post("/me/restore", login).status_code == 201


@pytest.mark.parametrize("jump_s", [40 * 24 * 3600, -3600, 10**9])
def test_attack_120_answers_have_the_date_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: int
) -> None:
    with open_server(tmp_path) as server:
        usual = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: usual() + jump_s * 10**9)

        async def date_of(path: str) -> str:
            async with open_front(server.app) as client:
                return str((await client.get(path)).headers["date"])

        # a page counts deadlines by this header, whatever answers
        for path in ("/health/live", "/api/v1/variants", "/nowhere"):
            away = parsedate_to_datetime(run_coroutine(date_of(path))) - datetime.now(UTC)
            assert abs(away) < timedelta(seconds=60), path


def test_attack_120_the_doctor_names_what_waits(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_server(sqlite.data, seating="asked") as server:
        server.nobody.post("/guests", {})
        server["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "open"]})
        game = server["bob"].post("/games", TABLE | {"seats": ["bob", "bot:simple"]}).get_json()["id"]
        assert server["leo"].ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
        server.follow()
        services_of(server.app).clock.beat()
        usual = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: usual() + 40 * 24 * 3600 * 10**9)
        said = server.command("doctor")
        assert said.exit_code == 1
        assert "the clock is held" in said.output
        assert "they wait: games: 1, tables that form: 1, people who left: 1, guests without use: 1" in said.output
        monkeypatch.undo()
        said = server.command("doctor")
        assert "they wait" not in said.output, said.output
        assert server.nobody.get(f"/games/{game}").get_json()["status"] == "active"
