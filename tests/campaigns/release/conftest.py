"""Fixtures of the release: its files, and the programs of an environment in which the wheel is installed."""

from pathlib import Path

import pytest

from tests.campaigns.release.packages import Built, build, install


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return the wheel and the source archive of this checkout."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def programs(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of a clean environment."""
    return install(built, tmp_path_factory.mktemp("clean"))
