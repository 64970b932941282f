"""Fixtures for all tests: a running PostgreSQL, a store, and randomness that follows from the test's id.

A test that asks for `database` runs on one store, which its id chooses, unless its subject is the store. With
`--stores both` each test runs on both. Hypothesis uses the same examples in every run, without time limits. To try
new ones: `pytest --hypothesis-profile=new`.
"""

import gc
import os
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import postgres
from tests.plugins import rings
from tests.plugins.chance import seeded_randomness
from tests.plugins.rings import STORES, id_of
from tests.programs import left_out

if TYPE_CHECKING:
    from tests.plugins.prepared_stores import PreparedDatabase, PreparedFiles

pytest_plugins = ["tests.plugins.shared_servers"]
pytest_addoption, pytest_collection_modifyitems = rings.pytest_addoption, rings.pytest_collection_modifyitems
vars(ssl)["create_default_context"] = cache(ssl.create_default_context)  # each client reads all certificates, in 30 ms


def pytest_configure(config: pytest.Config) -> None:
    """Import hypothesis here, not above, so that the processes that tests start don't wait for it."""
    hypothesis = import_module("hypothesis")
    profiles = hypothesis.settings
    profiles.register_profile("new", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
    profiles.register_profile("steady", profiles.get_profile("new"), derandomize=True)
    profiles.load_profile("steady")
    use_memory()
    rings.load_plugins(config)
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what lives as long as the process, thousands of tests among it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[None]:
    """Seed each fixture by its name and node, so that it doesn't depend on the order of tests."""
    with seeded_randomness(f"{fixturedef.argname} of {id_of(request.node)}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Seed each test by its id, so that it doesn't depend on the order of tests or the process."""
    with seeded_randomness(id_of(item)):
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which programs were missing for which number of tests, and how to install them."""
    skipped = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ())]
    for at, line in enumerate(left_out(skipped)):
        if at == 0:
            terminalreporter.section("left out")
        terminalreporter.write_line(line)


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


@pytest.fixture(scope="session")
def prepared_database(postgres_server: postgres.Server) -> Iterator["PreparedDatabase"]:
    """Yield a PostgreSQL database with the program's tables, which tests use in turn."""
    made: PreparedDatabase = import_module("tests.plugins.prepared_stores").PreparedDatabase(postgres_server)
    yield made
    made.close()


@pytest.fixture
def prepared_postgres(prepared_database: "PreparedDatabase") -> Iterator[str]:
    """Yield the URL of a database that is like new, with the program's tables."""
    with prepared_database.lend() as url:
        yield url


@pytest.fixture(scope="session")
def prepared_files(tmp_path_factory: pytest.TempPathFactory) -> "PreparedFiles":
    """Return the files of an empty store on SQLite."""
    made: PreparedFiles = import_module("tests.plugins.prepared_stores").PreparedFiles(tmp_path_factory.mktemp("empty"))
    return made


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Return a store without games. Its tables are there and empty, unless the test is marked `no_tables`."""
    is_bare = request.node.get_closest_marker("no_tables") is not None
    if request.param == "postgres":
        return Database(request.getfixturevalue("fresh_postgres" if is_bare else "prepared_postgres"), tmp_path)
    if not is_bare:
        request.getfixturevalue("prepared_files").copy_to(tmp_path)
    return Database(None, tmp_path)
