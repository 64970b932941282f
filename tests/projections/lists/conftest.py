"""A store whose tables exist already: to create them isn't the subject of these tests."""

from pathlib import Path

import pytest

from tests.conftest import Database
from tests.plugins.prepared_stores import PreparedFiles
from tests.plugins.rings import STORES


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path, prepared_files: PreparedFiles) -> Database:
    if request.param == "postgres":
        return Database(request.getfixturevalue("prepared_postgres"), tmp_path)
    prepared_files.copy_to(tmp_path)
    return Database(None, tmp_path)
