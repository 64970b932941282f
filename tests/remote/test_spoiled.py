"""Games that a server can't show whole: a log that was changed, a delayed game, a private one."""

from collections.abc import Iterator

import pytest

from api.client import Table
from tests.api.ops.test_quarantine import spoil_with_unreadable_bytes
from tests.conftest import Database
from tests.remote.conftest import FINISHED, PASSWORD, RUNNING, Place, command, open_place


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Return a server whose finished game has an event that can't be read."""
    database = Database(None, tmp_path_factory.mktemp("spoiled"))
    with open_place(database) as opened:
        spoil_with_unreadable_bytes(database, Table(opened.ann, FINISHED).view()["id"])
        yield opened


@pytest.fixture(scope="module")
def other_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Return a server of this module's own, since its tests open games."""
    with open_place(Database(None, tmp_path_factory.mktemp("other"))) as opened:
        yield opened


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "JSON"])
def test_the_audit_of_a_changed_log_is_the_same_from_afar(spoiled: Place, form: tuple[str, ...]) -> None:
    words = ("game", "audit", FINISHED, *form)
    here, remote = spoiled.here(*words), spoiled.remote(*words)
    assert (remote.exit_code, remote.stdout) == (here.exit_code, here.stdout)
    assert here.exit_code == 1


def test_other_commands_end_with_the_error_of_the_store(spoiled: Place) -> None:
    for words in (("game", "show", FINISHED), ("ask", "score", FINISHED)):
        here, remote = spoiled.here(*words), spoiled.remote(*words)
        assert (remote.exit_code, remote.stdout, remote.stderr) == (here.exit_code, here.stdout, here.stderr)
        assert here.exit_code == 1


def test_an_export_of_all_names_the_game_whose_log_was_changed(spoiled: Place) -> None:
    remote = spoiled.remote("game", "export", "--all")
    assert remote.exit_code == 1
    assert remote.stdout == spoiled.here("game", "export", "--all").stdout
    assert "board 1: " in remote.stderr


def test_a_private_game_is_read_by_its_players_alone(other_place: Place) -> None:
    watch = {"public": False, "delay": 0}
    table = Table.open(other_place.ann, "pitch", ["ann", "bot:simple"], watch=watch)
    board = str(table.view()["board"])
    secret = other_place.remote("game", "show", board)
    assert (secret.exit_code, "There is no such game" in secret.stderr) == (2, True)
    other_place.remote("login", "ann", given=PASSWORD)
    assert other_place.remote("game", "show", board).stdout == other_place.here("game", "show", board).stdout
    table.resign()


def test_a_delayed_game_is_read_as_far_as_it_may_be_seen(other_place: Place) -> None:
    table = Table.open(other_place.ann, "pitch", ["ann", "bot:simple"], watch={"public": True, "delay": 6})
    view = table.view()
    shown = other_place.remote("game", "show", str(view["board"]))
    assert (shown.exit_code, f"event {view['version']}" in shown.stdout) in {(0, False), (2, False)}
    table.resign()
    words = ("game", "audit", str(view["board"]))
    assert other_place.remote(*words).stdout == other_place.here(*words).stdout
    assert command("--server", other_place.url, "game", "show", RUNNING).exit_code == 0
