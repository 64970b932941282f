"""A few seconds of `make soak`, with a kill, and the leaks that its report must name."""

from pathlib import Path

import pytest

from tests.campaigns.soak.analysis import findings_of, leaks_of, read_records
from tests.campaigns.soak.campaign import Plan, run_soak
from tests.campaigns.soak.recording import Recording
from tests.campaigns.traffic.load import SEED
from tests.conftest import Database

KINDS = {"supervisor", "requests", "worker", "heavy", "mail listener"}


def verdict_on_memory(recording: Recording) -> str:
    return next(each.verdict for each in findings_of(recording.samples()) if each.name == "own_mb")


def test_canary_growth_with_age_is_a_leak_and_growth_with_the_data_is_not() -> None:
    assert leaks_of(Recording(leak_mb_h=8).samples()) == ["requests: own_mb"]
    assert leaks_of(Recording(leak_mb_h=8, data_mb_h=8).samples()) == ["requests: own_mb"]
    assert leaks_of(Recording(descriptors_h=20).samples()) == ["requests: descriptors"]
    assert verdict_on_memory(Recording(data_mb_h=8)) == "grows with the data"
    assert verdict_on_memory(Recording(noise_mb=40)) == "can't tell"
    assert verdict_on_memory(Recording(leak_mb_h=500, seconds=300)) == "too short"
    assert {each.verdict for each in findings_of(Recording().samples())} == {"flat"}


@pytest.mark.slow
@pytest.mark.timeout(900)  # processes start slowly on a busy machine
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("store", ["postgres", "sqlite"])
def test_a_short_soak_loses_nothing_and_samples_every_process(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    plan = Plan(seconds=10, kill_every_s=6, sample_every_s=1, pause_s=0.1)
    url = request.getfixturevalue("fresh_postgres") if store == "postgres" else None
    report = run_soak(Database(url, tmp_path / "data"), tmp_path, SEED, plan, tmp_path / "samples.ndjson")
    assert report.faults == []
    assert report.kills.total() == 1
    records = read_records(tmp_path / "samples.ndjson")
    found = [each for each in records if each["of"] == "process"]
    assert {each["kind"] for each in found} == KINDS
    assert {each["node"] for each in found} == {0, 1, None}
    assert all(each["own_mb"] > 10 for each in found)
    assert all(each["wal_mb"] > 0 for each in records if each["of"] == "store")
    assert [each["node"] for each in records if each["of"] == "kill"] == [1]
