"""A store with games that version 0.2 had archived: commands that read it name the one that puts the games back."""

from contextlib import closing
from pathlib import Path

from api.container import open_services
from domain.store.shards.old_archive import IS_ARCHIVED
from tests.api.conftest import config_for
from tests.commands import run
from tests.conftest import Database
from tests.domain.shards.archiving import archive, archive_tables
from tests.games.four import Four, id_of


def test_commands_name_store_migrate_which_puts_archived_games_back(database: Database, tmp_path: Path) -> None:
    place = Database(database.url, database.data / "data")
    config = config_for(place)
    open_services(config).close()
    with closing(Four(config)) as four:
        four.open(1, "pitch")
        four.play(1, 12)
    exported = run("game", "export", "1", at=config).output
    archive(place, id_of(1))
    for words in (("game", "export", "1"), ("store", "check"), ("store", "backup", str(tmp_path / "copy"))):
        said = run(*words, at=config)
        assert (said.exit_code, IS_ARCHIVED in said.output) == (2, True), words
    assert run("store", "init", at=config).exit_code == 0
    assert archive_tables(place) == []
    assert run("game", "export", "1", at=config).output == exported
    for words in (("store", "check"), ("store", "backup", str(tmp_path / "copy"))):
        assert run(*words, at=config).exit_code == 0
