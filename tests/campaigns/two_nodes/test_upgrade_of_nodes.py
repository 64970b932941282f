"""A rolling upgrade of two nodes under load."""

from pathlib import Path

import pytest

from tests.campaigns.kills.campaign import SEED
from tests.campaigns.two_nodes.upgrade import run_upgrade
from tests.conftest import Database

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # processes start slowly on a busy machine


def test_two_nodes_are_upgraded_one_after_the_other_while_clients_race(fresh_postgres: str, tmp_path: Path) -> None:
    """Nothing is lost or doubled, and the new release writes its own fact only once the old one is gone."""
    upgrade = run_upgrade(Database(fresh_postgres, tmp_path / "data"), tmp_path, SEED)
    assert upgrade.report.faults == []
    assert (upgrade.refused.status, upgrade.refused.problem) == (503, "not-ready")
    assert "still runs release" in upgrade.refused.body["detail"]
    assert upgrade.accepted.status == 201
    assert upgrade.versions == [1, 2]
