"""trickbook store backup --keep N: older backups go, and nothing else does."""

import json
import shutil
from pathlib import Path

import pytest

from api.config import Config
from api.container import open_services
from api.ops.backup.manifest import MANIFEST
from tests.commands import run


@pytest.fixture
def here(tmp_path: Path) -> Config:
    config = Config(data=tmp_path / "data")
    open_services(config).close()
    return config


def backup(config: Config, folder: Path, *options: str) -> str:
    """Make a backup, and return what the command printed."""
    made = run("store", "backup", str(folder), *options, at=config)
    assert made.exit_code == 0, made.output
    return made.stdout


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_backups_are_kept(here: Config, tmp_path: Path) -> None:
    place = tmp_path / "backups"
    for name in ("d", "a", "c"):  # names say nothing about their order
        backup(here, place / name, "--keep", "2")
    told = backup(here, place / "b", "--keep", "2")
    assert (names(place), told.splitlines()[-1]) == (["b", "c"], f"removed {place / 'a'}")
    backup(here, place / "e")
    assert names(place) == ["b", "c", "e"]
    backup(here, place / "f", "--keep", "1")
    assert names(place) == ["f"]


def test_what_is_not_a_backup_of_this_store_stays(here: Config, tmp_path: Path) -> None:
    place, other = tmp_path / "backups", Config(data=tmp_path / "other")
    open_services(other).close()
    backup(other, place / "of-another-store")
    backup(here, place / "old")
    backup(here, place / "interrupted")
    (place / "interrupted" / MANIFEST).unlink()
    (place / "notes.txt").write_text("keep me")
    (place / "link").symlink_to(place / "of-another-store")
    (place / "empty").mkdir()
    backup(here, place / "new", "--keep", "1")
    assert names(place) == ["empty", "interrupted", "link", "new", "notes.txt", "of-another-store"]


def test_a_backup_from_the_future_stays(here: Config, tmp_path: Path) -> None:
    """The clock may have been wrong then, or be wrong now: only what is surely older goes."""
    place = tmp_path / "backups"
    backup(here, place / "future")
    manifest = json.loads((place / "future" / MANIFEST).read_text())
    (place / "future" / MANIFEST).write_text(json.dumps(manifest | {"at": "2999-01-01T00:00:00.000000Z"}))
    backup(here, place / "old")
    backup(here, place / "new", "--keep", "1")
    assert names(place) == ["future", "new"]


def test_a_backup_that_fails_removes_nothing(here: Config, tmp_path: Path) -> None:
    place = tmp_path / "backups"
    backup(here, place / "good")
    shutil.move(next((here.data / "keys").glob("server.secret")), tmp_path / "away")
    assert run("store", "backup", str(place / "bad"), "--keep", "1", at=here).exit_code == 2
    assert names(place) == ["good"]
