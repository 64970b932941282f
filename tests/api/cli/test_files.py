"""Files that are missing or unusable: the command names them in one sentence and exits with 2."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result

from api.cli.common.config import CannotAnswer
from api.cli.common.stores import check_store_files
from api.config import Config
from tests.commands import run
from tests.postgres import NOBODY

SERVE = ("serve", "--port", "0")


def check_refused(said: Result, *words: str) -> None:
    """Check for exit code 2 and one sentence that holds `words`, and that no server starts."""
    assert said.exit_code == 2, said.stderr
    assert [word for word in words if word not in said.stderr] == []
    assert (said.stderr.count("\n"), "listening" in said.stdout) == (1, False)


@pytest.mark.parametrize("name", ["log.db", "office.db"])
def test_a_file_that_is_not_a_database_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"garbage " * 1000)
    for command in (SERVE, ("store", "init"), ("user", "add", "ann", "--password", "correct-horse")):
        check_refused(run(*command, "--data", str(tmp_path)), str(tmp_path / name), "not a database")


def test_a_folder_in_place_of_a_file_and_a_file_in_place_of_the_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "log.db").mkdir()
    check_refused(run(*SERVE, "--data", str(tmp_path)), f"{tmp_path / 'log.db'}: Is a directory")
    (tmp_path / "data").write_text("")
    check_refused(run(*SERVE, at=Config(data=tmp_path / "data")), f"{tmp_path / 'data'}: This isn't a folder")


@pytest.fixture
def reachable_by_all() -> Iterator[Path]:
    """A folder that the user nobody may enter too."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Run the program as the user nobody, since root may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("folder", "file", "named"), [(0o777, 0o444, "/log.db"), (0o777, 0o000, "/log.db"), (0o555, 0o666, "")]
)
def test_a_file_or_folder_without_write_permission_is_named(
    reachable_by_all: Path, folder: int, file: int, named: str
) -> None:
    data = reachable_by_all / "data"
    assert run("store", "init", "--data", str(data)).exit_code == 0
    for path in data.glob("*.db"):
        path.chmod(0o666)
    (data / "log.db").chmod(file)
    data.chmod(folder)
    with as_nobody(), pytest.raises(CannotAnswer, match=f"^{data}{named}: .*needs to read and write"):
        check_store_files(Config(data=data))
    data.chmod(0o755)


@pytest.mark.parametrize("host", ["nowhere.invalid", "a..b", "x" * 300])
def test_an_invalid_address_is_refused_before_files_are_created(tmp_path: Path, host: str) -> None:
    check_refused(run(*SERVE, "--host", host, "--data", str(tmp_path / "data")), f"Can't listen on {host}:0: ")
    assert list(tmp_path.iterdir()) == []
