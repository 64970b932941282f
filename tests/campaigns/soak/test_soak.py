"""A few seconds of `make soak`, with a kill, and the program that leaks in its control."""

from dataclasses import astuple
from pathlib import Path
from typing import cast

import pytest

from api.server import processes
from domain.store import Games
from projections.views.cache import ViewCache
from tests.api.conftest import config_for, services_of
from tests.campaigns.kills.campaign import SEED
from tests.campaigns.soak import node_program
from tests.campaigns.soak.analysis import read_records
from tests.campaigns.soak.campaign import Plan, run_soak
from tests.conftest import Database

pytestmark = [
    pytest.mark.timeout(900),  # processes start slowly on a busy machine
    pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="this system has no /proc"),
]
KINDS = {"supervisor", "requests", "worker", "heavy", "mail listener"}


@pytest.mark.slow
@pytest.mark.parametrize("store", ["postgres", pytest.param("sqlite", marks=pytest.mark.slow)])
def test_a_short_soak_loses_nothing_and_samples_every_process(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    plan = Plan(seconds=10, kill_every_s=6, sample_every_s=1, pause_s=0.1)
    url = request.getfixturevalue("fresh_postgres") if store == "postgres" else None
    place = Database(url, tmp_path / "data")
    report, activity = run_soak(place, tmp_path, SEED, plan, tmp_path / "samples.ndjson")
    assert report.faults == []
    assert (report.kills, min(astuple(activity)) > 0) == (1, True), activity
    records = read_records(tmp_path / "samples.ndjson")
    found = [each for each in records if each["of"] == "process"]
    assert {each["kind"] for each in found} == KINDS
    assert {each["node"] for each in found} == {0, 1, None}
    assert all(10 < each["own_mb"] <= each["pss_mb"] <= each["rss_mb"] for each in found)
    stored = [each for each in records if each["of"] == "store"]
    assert all(each["wal_mb"] > 0 and each["data_mb"] > 0 for each in stored)
    assert [each["node"] for each in records if each["of"] == "kill"] == [1]


def test_the_control_leaves_bytes_behind_with_each_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "create_app", vars(processes)["create_app"])
    monkeypatch.setattr(node_program, "KEPT", [])
    node_program.leak(1000)
    app = vars(processes)["create_app"](config_for(Database(None, tmp_path)))
    for _ in range(3):
        assert app.test_client().get("/health/live").status_code == 200
    services_of(app).close()
    assert [len(each) for each in node_program.KEPT] == [1000] * 3


def test_nodes_of_a_soak_keep_few_games_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast("dict[str, int]", Games.__init__.__kwdefaults__), "cache", 1000)
    monkeypatch.setattr(ViewCache.__init__, "__defaults__", ViewCache.__init__.__defaults__)
    node_program.keep_few_games(5)
    assert Games.__init__.__kwdefaults__ is not None
    assert (Games.__init__.__kwdefaults__["cache"], ViewCache.__init__.__defaults__) == (5, (5,))
