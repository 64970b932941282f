"""`trickbook store init --compress`, and backups of stores that are compressed and of those that aren't."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.container import open_services
from tests.api.conftest import config_for
from tests.commands import run
from tests.conftest import Database
from tests.domain.store.plain_store import execute, plain_versions
from tests.games.four import Four, id_of


@pytest.fixture
def there(database: Database) -> Database:
    return Database(database.url, database.data / "data")


def fill(there: Database, *, plainly: bool) -> Config:
    """Play a game in a new store, which an earlier version has written if it's `plainly`."""
    config = config_for(there)
    open_services(config).close()
    if plainly:
        execute(there, "DELETE FROM {schema}dictionaries")
    with closing(Four(config)) as four:
        four.open(1, "pitch")
        four.play(1, 12)
    return config


def back_up(config: Config, folder: Path) -> str:
    assert run("store", "backup", str(folder), at=config).exit_code == 0
    return str(folder)


def test_a_store_is_compressed_after_its_backup_was_tried(there: Database, tmp_path: Path) -> None:
    config = fill(there, plainly=True)
    backup, exported = back_up(config, tmp_path / "before"), run("game", "export", "1", at=config).output
    assert run("store", "init", at=config).output.endswith(" is in order\n")
    assert plain_versions(there, id_of(1)) != []
    said = run("store", "init", "--compress", backup, at=config)
    assert (said.exit_code, said.stderr) == (0, "")
    assert "games: 1, facts: " in said.stdout
    assert "Version 0.2 can't read this store any more." in said.stdout
    assert plain_versions(there, id_of(1)) == []
    assert run("game", "export", "1", at=config).output == exported
    assert run("store", "check", at=config).exit_code == 0
    assert run("store", "init", "--compress", back_up(config, tmp_path / "after"), at=config).exit_code == 0


@pytest.mark.lengthy
def test_a_backup_that_could_not_take_its_place_compresses_nothing(there: Database, tmp_path: Path) -> None:
    config = fill(there, plainly=True)
    other = config_for(Database(None, tmp_path / "other"))
    open_services(other).close()
    refused = {
        "manifest.json is missing": str(tmp_path),
        "of another store": back_up(other, tmp_path / "of another"),
        "more than a day old": back_up(config, tmp_path / "old"),
        "log.db differs from the manifest": back_up(config, tmp_path / "changed"),
    }
    manifest = tmp_path / "old" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"at": "2026-01-01T00:00:00.000000Z"}))
    with (tmp_path / "changed" / "log.db").open("ab") as file:
        file.write(b" ")
    for says, backup in refused.items():
        said = run("store", "init", "--compress", backup, at=config)
        assert (said.exit_code, says in said.stderr) == (1, True), said.stderr
    versions = plain_versions(there, id_of(1))
    assert versions == [*range(1, len(versions) + 1)]
    assert run("store", "init", "--compress", str(tmp_path / "none"), at=config).exit_code == 2


@pytest.mark.lengthy
@pytest.mark.parametrize("plainly", [True, False], ids=["plain", "compressed"])
def test_a_restored_store_goes_on_as_the_one_of_the_backup(
    there: Database, tmp_path: Path, fresh_postgres: str, *, plainly: bool
) -> None:
    config = fill(there, plainly=plainly)
    backup, exported = back_up(config, tmp_path / "copy"), run("game", "export", "1", at=config).output
    for url in (None, fresh_postgres):
        place = replace(config, data=tmp_path / f"new {url is None}", database_url=url)
        assert run("store", "restore", backup, at=place).exit_code == 0
        with closing(Four(place, seed=8)) as four:
            four.play(1, 4)
        assert bool(plain_versions(Database(url, place.data), id_of(1))) == plainly
        assert run("store", "check", at=place).exit_code == 0
        assert exported.splitlines()[1:9] == run("game", "export", "1", at=place).output.splitlines()[1:9]


def test_a_start_without_the_dictionary_is_refused_with_a_sentence(there: Database) -> None:
    config = fill(there, plainly=False)
    execute(there, "INSERT INTO {schema}dictionaries VALUES (9)")
    for words in (("store", "init"), ("game", "export", "1"), ("store", "check")):
        said = run(*words, at=config)
        assert (said.exit_code, "compressed with dictionary 9" in said.stderr) == (2, True), words
