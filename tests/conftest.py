"""Fixtures for all tests: a running PostgreSQL, and each of the two stores.

Hypothesis uses the same examples in every run, without time limits. To try new
ones: `pytest --hypothesis-profile=new`.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import pytest

from tests import postgres


def pytest_configure() -> None:
    """Import hypothesis here, not above, so that the processes that tests start don't wait for it."""
    hypothesis = import_module("hypothesis")
    profiles = hypothesis.settings
    profiles.register_profile("new", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
    profiles.register_profile("steady", profiles.get_profile("new"), derandomize=True)
    profiles.load_profile("steady")
    use_memory()


def use_memory() -> None:
    """Let pytest make its folders in memory if there's room, as most tests write a store of their own."""
    memory = postgres.memory_folder()
    if memory is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


@dataclass(frozen=True)
class Database:
    """The place of a store: `url` is a PostgreSQL URL, or None for SQLite files under `data`."""

    url: str | None
    data: Path

    def called(self, name: str) -> "Database":
        """Return the same place with a name for the connecting process."""
        return self if self.url is None else replace(self, url=postgres.called(self.url, name))

    def left_by(self, name: str) -> None:
        """Wait until the server has finished all requests of a killed process with that name."""
        if self.url is not None:
            postgres.left_by(self.url, name)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """Yield one server for all tests of this process."""
    with postgres.server(postgres.memory_folder()) as started:
        yield started


@pytest.fixture(scope="session")
def postgres_url(postgres_server: postgres.Server) -> str:
    """Return the URL of the server's own database, for tests that create databases or kill connections."""
    return postgres_server.dsn


@pytest.fixture
def fresh_postgres(postgres_server: postgres.Server) -> Iterator[str]:
    """Yield the URL of a new, empty database, dropped after the test."""
    with postgres_server.fresh() as url:
        yield url


@pytest.fixture
def postgres_cluster() -> Iterator[postgres.Cluster]:
    """Yield a cluster for this test alone, which it can kill and start again."""
    with postgres.cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Return each store in turn, new and empty."""
    url: str | None = request.getfixturevalue("fresh_postgres") if request.param == "postgres" else None
    return Database(url, tmp_path)
