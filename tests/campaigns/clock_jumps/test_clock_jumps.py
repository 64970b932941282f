"""The canary of the jumping clocks, and a short run on each store."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from api.people.services.housekeeping import Housekeeper
from api.tables.stored.forming_tables import FORMING, LAPSED, SET_STATUS, FormingTables
from api.worker import Worker
from domain.store.held_clock import machine_time
from tests.api.conftest import services_of
from tests.api.live_server import GameServer, open_server
from tests.campaigns.clock_jumps.bystanders import Bystanders
from tests.campaigns.clock_jumps.campaign import STORES, open_machines, run_jumps
from tests.campaigns.power_cuts.campaign import compiler
from tests.campaigns.traffic.caller import Answer, Caller
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

DAYS_40_S = 40 * 24 * 3600


class CallerHere(Caller):
    """A caller of a server in this process."""

    def __init__(self, server: GameServer) -> None:
        super().__init__([""], "")
        self._server = server

    def once(self, _url: str, method: str, path: str, body: object = None, _key: str | None = None) -> Answer:
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        got = self._server.app.test_client().open(f"/api/v1{path}", method=method, json=body, headers=headers)
        return Answer(got.status_code, got.data)


def lapse_by_the_wall_clock(forming: FormingTables) -> list[str]:
    """Let tables lapse by the machine's clock, as a program without holds does."""
    lapse = f"{SET_STATUS} WHERE status = ? AND expires <= ? RETURNING game"
    return [str(game) for (game,) in forming._database.run(lapse, LAPSED, FORMING, machine_time())]


def jump(server: GameServer, monkeypatch: pytest.MonkeyPatch, ahead_s: int) -> None:
    """Set the machine's clock ahead for a turn of everything in the background, and right again."""
    services, usual = services_of(server.app), time.time_ns
    worker = Worker(services)
    for ahead_ns in (ahead_s * 10**9, 0):
        monkeypatch.setattr(time, "time_ns", lambda ahead_ns=ahead_ns: usual() + ahead_ns)
        services.clock.beat()
        worker.tick()
        services.accounts.boards.finish(services.accounts.forming.lapse())
        worker.finish_tables()
        Housekeeper(services).run_once()
    monkeypatch.setattr(time, "time_ns", usual)


def test_canary_a_table_that_lapses_by_the_wall_clock_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_server(tmp_path, seating="at-once") as server:
        callers, roles = lambda _: CallerHere(server), lambda name, role: server.command("user", "role", name, role)
        waiting = Bystanders(callers, roles, server.follow)
        waiting.gather()
        services_of(server.app).clock.beat()
        # given a jump and a program that is right
        jump(server, monkeypatch, DAYS_40_S)
        assert waiting.faults() == []
        # when another jump meets tables that ask the wall clock
        monkeypatch.setattr(FormingTables, "lapse", lapse_by_the_wall_clock)
        jump(server, monkeypatch, DAYS_40_S)
        # then each table is reported, and nothing else
        found = waiting.faults()
        assert [each.partition(":")[0] for each in found if each.startswith("a table")] == [
            "a table for two hours", "a table for a day", "a table for a week",
        ]  # fmt: skip
        assert all("table" in each for each in found), found
        # then everybody else goes on
        assert [each.partition(":")[0] for each in waiting.go_on()] == ["an invitation"]


@pytest.mark.slow
@pytest.mark.timeout(900)  # processes start slowly on a busy machine
@pytest.mark.skipif(compiler() is None or not Path("/proc").exists(), reason="needs Linux and a C compiler")
@pytest.mark.parametrize("store", STORES)
def test_a_short_run_ends_nothing_that_waits(tmp_path: Path, store: str) -> None:
    with TemporaryDirectory() as place, open_machines(store, Path(place)) as (url, machines):
        report = run_jumps(Database(url, tmp_path / "data"), tmp_path, SEED, 20, machines)
    assert report.faults == []
    assert report.kills.total() > 0
