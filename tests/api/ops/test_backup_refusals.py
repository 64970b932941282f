"""Backups and targets that are refused: no backup or restore is left half done, and no file is overwritten."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.container import open_services
from api.ops.backup.create import create_backup
from api.ops.backup.manifest import MANIFEST, files_of, read_manifest
from domain.commands import Resign
from tests.api.conftest import config_for
from tests.api.ops.test_backup import quiet
from tests.api.server_process import server_environment
from tests.commands import run
from tests.conftest import Database
from tests.games.four import Four, id_of
from tests.logs.tables import change_time

KEY = "MDEyMzQ1Njc4OWFiY2RlZg=="
ROOT = Path(__file__).parents[3]
SLOW = """
import sys, time
from pathlib import Path
from api.ops.backup.create import create_backup
from api.config import Config

def bar(what, total):
    def told(done):
        print(what, flush=True)
        if what == sys.argv[3]:
            time.sleep(600)
    return told

create_backup(Config(data=Path(sys.argv[1])), Path(sys.argv[2]), bar)
"""
"""A backup that stands still while it copies, or while it checks."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A server's folder with games, and a backup beside it; no test changes them."""
    config = config_for(Database(None, tmp_path_factory.mktemp("source") / "data"))
    open_services(config).close()
    with closing(Four(config)) as four:
        four.fill(6)
    create_backup(config, config.data.with_name("copy"), quiet)
    return config


@pytest.fixture
def copy(source: Config, tmp_path: Path) -> Path:
    """A copy of the backup that a test may damage."""
    shutil.copytree(source.data.with_name("copy"), tmp_path / "copy")
    return tmp_path / "copy"


def check_refused(place: Path, copy: Path, code: int, *words: str, options: tuple[str, ...] = ()) -> None:
    """Check that the restore ends with this code and these words, and restores nothing."""
    before = sorted(place.parent.iterdir())
    said = run("store", "restore", str(copy), "--data", str(place), *options)
    assert (said.exit_code, [word for word in words if word not in said.stderr]) == (code, []), said.stderr
    assert sorted(place.parent.iterdir()) == before


def flip_bit(path: Path) -> None:
    """Flip one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


SPOILS: dict[str, Callable[[Path], object]] = {
    "manifest.json is missing": lambda copy: (copy / MANIFEST).unlink(),
    "invalid manifest": lambda copy: (copy / MANIFEST).write_text("{}"),
    "log.db differs": lambda copy: flip_bit(copy / "log.db"),
    "office.db differs": lambda copy: flip_bit(copy / "office.db"),
    "server.secret is missing": lambda copy: (copy / "keys/server.secret").unlink(),
    "more isn't in the manifest": lambda copy: (copy / "more").write_text(""),
}


@pytest.mark.parametrize("says", SPOILS)
def test_a_backup_that_differs_from_its_manifest_is_refused(copy: Path, tmp_path: Path, says: str) -> None:
    SPOILS[says](copy)
    check_refused(tmp_path / "new", copy, 1, says)


def test_a_missing_folder_and_another_format_are_refused(copy: Path, tmp_path: Path) -> None:
    manifest = json.loads((copy / MANIFEST).read_text())
    (copy / MANIFEST).write_text(json.dumps(manifest | {"format": "trickbook-backup/2"}))
    check_refused(tmp_path / "new", copy, 1, "the format isn't trickbook-backup/1")
    shutil.rmtree(copy)
    check_refused(tmp_path / "new", copy, 2, "There is no such folder")


def test_a_broken_log_is_found_even_if_the_manifest_fits_it(copy: Path, tmp_path: Path) -> None:
    broken(copy / "log.db", 3)
    manifest = json.loads((copy / MANIFEST).read_text())
    files = {name: {"size": file.size, "sha256": file.sha256} for name, file in files_of(copy).items()}
    (copy / MANIFEST).write_text(json.dumps(manifest | {"files": files}))
    check_refused(tmp_path / "new", copy, 1, "can't read logs in the backup: event ", f"of game {id_of(3)}")
    check_refused(tmp_path / "new", copy, 1, "can't read logs in the backup", options=("--broken",))


def broken(log: Path, board: int) -> None:
    """A server's folder in which the time of an event was changed."""
    with closing(sqlite3.connect(log)) as connection, connection:
        change_time(connection, id_of(board), 5)


def test_a_store_with_a_broken_log_is_copied_with_a_warning(source: Config, tmp_path: Path) -> None:
    data, copy = shutil.copytree(source.data, tmp_path / "data"), tmp_path / "copy"
    broken(data / "log.db", 3)
    said = run("store", "backup", str(copy), "--data", str(data))
    assert (said.exit_code, f"of game {id_of(3)}" in said.stderr) == (1, True)
    assert len(read_manifest(copy).broken) == 1
    check_refused(tmp_path / "new", copy, 1, f"of game {id_of(3)}")
    assert run("store", "restore", str(copy), "--data", str(tmp_path / "new"), "--broken").exit_code == 0
    assert run("game", "audit", "3", "--data", str(tmp_path / "new")).exit_code == 1
    assert run("game", "audit", "2", "--data", str(tmp_path / "new")).exit_code == 0


def test_a_backup_is_restored_only_into_a_new_folder(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    check_refused(tmp_path / "full", copy, 2, "isn't empty; restore the backup into a new folder")
    check_refused(tmp_path / "file", copy, 2, "is a file")
    (tmp_path / "empty").mkdir()
    assert run("store", "restore", str(copy), "--data", str(tmp_path / "empty")).exit_code == 0


def test_a_database_that_is_not_empty_is_refused(copy: Path, fresh_postgres: str, tmp_path: Path) -> None:
    at = Config(data=tmp_path / "new", database_url=fresh_postgres)
    open_services(at).close()
    said = run("store", "restore", str(copy), at=at)
    assert (said.exit_code, "has rows; restore the backup into an empty database" in said.stderr) == (2, True)
    with closing(open_services(at)) as here:
        assert sum(here.games.log.last_numbers()) == 0


def test_an_existing_file_is_not_overwritten_by_a_backup(source: Config, copy: Path) -> None:
    before = files_of(copy)
    said = run("store", "backup", str(copy), at=source)
    assert (said.exit_code, f"{copy}: already exists" in said.stderr) == (2, True)
    assert files_of(copy) == before


def test_another_cipher_key_than_that_of_the_games_is_refused(tmp_path: Path) -> None:
    config = replace(config_for(Database(None, tmp_path / "data")), cipher_key=KEY)
    open_services(config).close()
    with closing(Four(config)) as four:
        four.open(1, "pitch")
    made = create_backup(config, tmp_path / "copy", quiet)
    assert (made.games, made.broken) == (1, ())
    place = replace(config, data=tmp_path / "new")
    for key in (None, KEY[::-1].lstrip("=") + "=="):
        said = run("store", "restore", str(tmp_path / "copy"), at=replace(place, cipher_key=key))
        assert (said.exit_code, "TRICKBOOK_CIPHER_KEY is not" in said.stderr) == (2, True), said.stderr
        assert not place.data.exists()
    assert run("store", "restore", str(tmp_path / "copy"), at=place).exit_code == 0
    assert run("game", "show", "1", at=place).exit_code == 0


@pytest.mark.parametrize("stage", [pytest.param("copying", marks=pytest.mark.slow), "checking games"])
def test_a_killed_backup_leaves_no_complete_copy_and_blocks_no_move(source: Config, tmp_path: Path, stage: str) -> None:
    data, copy = shutil.copytree(source.data, tmp_path / "data"), tmp_path / "copy"
    program = [sys.executable, "-c", SLOW, str(data), str(copy), stage]
    with subprocess.Popen(program, cwd=ROOT, env=server_environment(), stdout=subprocess.PIPE, text=True) as making:
        assert making.stdout is not None
        while (line := making.stdout.readline()).strip() != stage:
            assert line, "the backup ended"
        with closing(Four(replace(source, data=data), seed=9)) as four:
            four.games.act(id_of(1), Resign(0), by=four.people[0].id, command_id="9-9")
        making.send_signal(signal.SIGKILL)
    part = tmp_path / "copy.part"
    assert (copy.exists(), part.exists(), (part / MANIFEST).exists()) == (False, True, False)
    check_refused(tmp_path / "new", part, 1, "the backup was interrupted")
    said = run("store", "backup", str(copy), "--data", str(data))
    assert (said.exit_code, f"{part}: already exists: either a backup is running" in said.stderr) == (2, True)
    shutil.rmtree(part)
    assert run("store", "backup", str(copy), "--data", str(data)).exit_code == 0
    assert run("store", "restore", str(copy), "--data", str(tmp_path / "new")).exit_code == 0


def test_a_failed_backup_leaves_no_file(source: Config, tmp_path: Path) -> None:
    def full(_what: str, _total: int | None) -> Callable[[int], None]:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        create_backup(source, tmp_path / "copy", full)
    assert list(tmp_path.iterdir()) == []
