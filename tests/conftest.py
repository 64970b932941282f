"""What every test may ask for: a PostgreSQL that really runs, and each of the two stores.

Examples that hypothesis thinks of are the same in every run, and may take as long as the machine needs. To look for
new ones: `pytest --hypothesis-profile=new`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import pytest

from tests import postgres


def pytest_configure() -> None:
    """Not above: what processes that tests start import is theirs to wait for."""
    hypothesis = import_module("hypothesis")
    profiles = hypothesis.settings
    profiles.register_profile("new", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
    profiles.register_profile("steady", profiles.get_profile("new"), derandomize=True)
    profiles.load_profile("steady")


@dataclass(frozen=True)
class Database:
    """Where a store keeps its games: `url` is a PostgreSQL URL, or None for SQLite files under `data`."""

    url: str | None
    data: Path

    def called(self, name: str) -> "Database":
        """The same, for a process that calls itself so."""
        return self if self.url is None else replace(self, url=postgres.called(self.url, name))

    def left_by(self, name: str) -> None:
        """Wait until nothing that a killed process of that name has asked for can happen any more."""
        if self.url is not None:
            postgres.left_by(self.url, name)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """One server for all the tests of this process."""
    with postgres.server() as started:
        yield started


@pytest.fixture(scope="session")
def postgres_url(postgres_server: postgres.Server) -> str:
    """The server's own database: for what creates databases or kills connections."""
    return postgres_server.dsn


@pytest.fixture
def fresh_postgres(postgres_server: postgres.Server) -> Iterator[str]:
    """The URL of a new, empty database, gone after the test."""
    with postgres_server.fresh() as url:
        yield url


@pytest.fixture
def postgres_cluster() -> Iterator[postgres.Cluster]:
    """A cluster for this test alone, to be killed and started again."""
    with postgres.cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Each store in turn, new and empty."""
    url: str | None = request.getfixturevalue("fresh_postgres") if request.param == "postgres" else None
    return Database(url, tmp_path)
