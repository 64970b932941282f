"""A node of the documented files starts; primaries that are killed under load, and a control that must lose."""

from collections import Counter
from pathlib import Path

import pytest

from projections.lists.inbox import INBOX, MOST_ENTRIES
from projections.storage.tables import Row
from tests import postgres
from tests.api.server_process import limits_file, run_program
from tests.campaigns.cluster.checks import differences
from tests.campaigns.cluster.etcd import running_etcd
from tests.campaigns.cluster.group import running_group
from tests.campaigns.cluster.programs import Programs
from tests.campaigns.cluster.stage import SEED, STEPS, lose_unsent, run_failures
from tests.programs import need_program

pytestmark = pytest.mark.timeout(1800)  # a group starts slowly on a busy machine


@pytest.fixture
def _etcd() -> None:
    need_program("etcd")


def test_canary_rows_of_a_list_that_are_missed_doubled_or_made_up_are_reported() -> None:
    def entries(player: str, count: int) -> list[Row]:
        return [{"player": player, "version": version, "n": None} for version in range(count)]

    full, few = entries("ann", MOST_ENTRIES + 2), entries("bob", 3)
    for kept in (full + few, full[2:] + few):  # a full inbox may lack the oldest entries
        assert list(differences(INBOX, {"entries": kept}, {"entries": full + few})) == []
    for kept in (full[3:] + few, full + few[1:], full + few + few[:1], [*full, *few[1:], few[0] | {"version": 9}]):
        assert list(differences(INBOX, {"entries": kept}, {"entries": full + few})) == ["entries"]


@pytest.mark.slow
@pytest.mark.usefixtures("_etcd")
def test_a_node_starts_with_the_documented_files_and_takes_a_store(tmp_path: Path) -> None:
    with postgres.new_folder(postgres.memory_folder() or postgres.short_folder()) as home:
        programs, limits = Programs(home), limits_file(home / "limits.toml", lock_timeout_s=60)
        with running_etcd(programs) as etcd, running_group(programs, etcd, "home", 1) as group:
            done = run_program("store", "init", "--data", str(tmp_path), url=group.url, LIMITS=limits)
    assert (done.returncode, done.stdout) == (0, "created a store in the database\n"), done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("_etcd")
@pytest.mark.parametrize("steps", [("postgres",), STEPS], ids=["one", "all"])
def test_players_lose_nothing_while_primaries_are_replaced(steps: tuple[str, ...]) -> None:
    report = run_failures(postgres.memory_folder() or postgres.short_folder(), SEED, steps)
    assert report.faults == []
    assert report.kills == Counter(steps)
    assert report.refused


@pytest.mark.slow
@pytest.mark.usefixtures("_etcd")
@pytest.mark.parametrize("synchronous", [True, False], ids=["as it is", "control"])
def test_a_primary_whose_standbys_got_nothing_loses_only_what_was_not_acknowledged(synchronous: bool) -> None:
    report = lose_unsent(postgres.memory_folder() or postgres.short_folder(), SEED, synchronous=synchronous)
    assert bool(report.faults) is not synchronous
