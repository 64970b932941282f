"""Servers that the tests of a worker share. Their tests make users and tables of their own, and find only these.

A test that starts a server of its own has the start, the end or the settings of a server as its subject.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.api.server_process import ServerProcess, start_server
from tests.conftest import Database


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a running server on SQLite without limits, which seats players at once."""
    with start_server(Database(None, tmp_path_factory.mktemp("shared")), LIMITS="off") as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="session")
def asking_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a running server on SQLite without limits, which asks players before it seats them."""
    with start_server(Database(None, tmp_path_factory.mktemp("asking")), SEATING="asked", LIMITS="off") as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="session")
def program_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder with the program `trickbook`, which is imported once for all who type it."""
    with import_module("tests.docs.warm_program").warm_program(tmp_path_factory.mktemp("program")) as path:
        yield path
