"""A node of the documented files starts; primaries that are killed under load, and a control that must lose.

The latter take minutes on a busy machine, so they are slow tests. `make cluster` runs the same.
"""

from pathlib import Path

import pytest

from tests import postgres
from tests.api.server_process import run_program
from tests.campaigns.cluster.campaign import SEED, STEPS, lose_unsent, run_failures
from tests.campaigns.cluster.etcd import running_etcd
from tests.campaigns.cluster.group import running_group
from tests.campaigns.cluster.programs import Programs
from tests.programs import need_program

pytestmark = [
    pytest.mark.timeout(1800),  # a group starts slowly on a busy machine
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc"),
]


@pytest.fixture(autouse=True)
def _require_etcd() -> None:
    need_program("etcd")


@pytest.mark.slow
def test_a_node_starts_with_the_documented_files_and_takes_a_store(tmp_path: Path) -> None:
    with postgres.new_folder(postgres.memory_folder() or postgres.short_folder()) as home:
        programs = Programs(home)
        with running_etcd(programs) as etcd, running_group(programs, etcd, "home", 1) as group:
            done = run_program("store", "migrate", "--data", str(tmp_path), url=group.url, LOCK_TIMEOUT_S="60")
    assert (done.returncode, done.stdout) == (0, "the stores are in order\n"), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("steps", [("postgres",), STEPS], ids=["one", "all"])
def test_players_lose_nothing_while_primaries_are_replaced(steps: tuple[str, ...]) -> None:
    report = run_failures(postgres.memory_folder() or postgres.short_folder(), SEED, steps)
    assert report.faults == []
    assert [step.kind for step in report.steps] == [*steps]
    assert report.refused
    assert report.repeated


@pytest.mark.slow
@pytest.mark.parametrize("synchronous", [True, False], ids=["as it is", "control"])
def test_a_primary_whose_standbys_got_nothing_loses_only_what_was_not_acknowledged(synchronous: bool) -> None:
    report = lose_unsent(postgres.memory_folder() or postgres.short_folder(), SEED, synchronous=synchronous)
    assert bool(report.faults) is not synchronous
