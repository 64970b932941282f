"""A command prints the same text from the server as on the server's disk, or says what differs."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.client import Server, Table
from tests.conftest import Database
from tests.remote.conftest import FINISHED, PASSWORD, RUNNING, Place, command, open_place
from tests.replay.signing import THIEF, WITNESS

SAME = """
game list; game list --player ann --status finished --json; results standings pitch; results history ann --against mod
results history ann --json; game show 1; game show 1 --at 20 --seat 0; game show 1 --at 20 --bytes; game show 2
game audit 1; game audit 1 --json; game audit 2; ask rejudge 1; ask legal 1 --at 20 --seat 0; ask score 1
ask draws 1; ask clock 1; ask sight 1; ask commits 1; game compare 1 1; game export 1; game export --all
game export --variant setback; game transcript 1; hand replay 1 --hand 1 --seat 0; hand replay 1 --hand 2 --json
hand deal 1 --hand 1; ask revokes 1; receipt print 1; receipt print 1 --json; results ratings pitch
results ratings pitch --changes
"""
"""Commands about lists, the finished game and the running one."""
COMMANDS = [command.split() for command in re.split("[;\n]", SAME.strip())]
ON_EACH_STORE = ("game list", "results standings pitch", "game show 1 --at 20 --seat 0", "game audit 2",
                 "game export --all", "game transcript 1")  # fmt: skip


def test_the_same_command_prints_the_same_from_disk_and_from_the_server(place: Place) -> None:
    assert (FINISHED, RUNNING, len(COMMANDS)) == ("1", "2", 32)
    for words in COMMANDS:
        here, remote = place.here(*words), place.remote(*words)
        assert here.stdout, words
        assert remote.stdout == here.stdout, words
        assert (remote.exit_code, remote.exception is None) == (here.exit_code, here.exception is None), words


def version_of(place: Place, *facts: str) -> int:
    """Return the version of the first of these facts in the finished game."""
    return next(each.version for each in Table(place.ann, FINISHED).events() if each.fact in facts)


def test_a_branch_is_played_on_alike(place: Place) -> None:
    at = version_of(place, "BidMade", "BidPassed") - 1
    words = ("hand", "branch", FINISHED, "--at", str(at), "--bots", "simple")
    assert place.remote(*words).stdout == place.here(*words).stdout != ""


@pytest.fixture
def stored(database: Database) -> Iterator[Place]:
    """Return a server on each store in turn."""
    with open_place(database) as opened:
        yield opened


def test_reports_are_the_same_on_each_store(stored: Place) -> None:
    for words in map(str.split, ON_EACH_STORE):
        assert stored.remote(*words).stdout == stored.here(*words).stdout != ""


def test_the_environment_names_the_server_and_the_folder_of_a_command_outweighs_it(place: Place) -> None:
    expected = place.here("ask", "score", FINISHED).stdout
    assert command("ask", "score", FINISHED, SERVER=place.url).stdout == expected
    nowhere = "http://127.0.0.1:1"
    folder = str(place.database.data)
    assert command("ask", "score", FINISHED, "--data", folder, SERVER=nowhere).stdout == expected
    assert command("ask", "score", FINISHED, SERVER=nowhere).exit_code == 2
    both = command("--server", place.url, "ask", "score", FINISHED, "--data", folder)
    assert (both.exit_code, "either --server or --data" in both.stderr) == (2, True)


def test_a_player_who_has_logged_in_sees_their_own_cards_and_is_told_so(place: Place) -> None:
    words = ("game", "show", RUNNING, "--seat", "0")
    refused = place.remote(*words)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert place.remote("login", "ann", given=PASSWORD).exit_code == 0
    shown = place.remote(*words)
    assert shown.exit_code == 0
    assert "what only your seat may see" in shown.stderr
    assert "Your cards:" in shown.stdout


def test_a_receipt_of_a_running_game_is_made_for_its_players_alone(place: Place) -> None:
    none_yet = place.remote("receipt", "print", RUNNING)
    assert none_yet.exit_code == 2
    place.remote("login", "ann", given=PASSWORD)
    made = place.remote("receipt", "print", RUNNING)
    assert (made.exit_code, made.stdout) == (0, place.here("receipt", "print", RUNNING).stdout)
    place.remote("logout")
    assert place.remote("receipt", "print", RUNNING).stdout == made.stdout
    version = Table(place.ann, RUNNING).view()["version"]
    other = place.remote("receipt", "print", RUNNING, "--size", str(version - 1))
    assert other.exit_code == 2
    assert "The server has made no receipt yet." in other.stderr
    between = place.remote("receipt", "print", FINISHED, "--size", str(version_of(place, "GameEnded") - 1))
    assert (between.exit_code, "The newest one before covers" in between.stderr) == (2, True)


def test_many_games_are_exported_to_a_folder_and_not_written_again(place: Place, tmp_path: Path) -> None:
    first = place.remote("game", "export", "--all", "-o", f"{tmp_path}/kept/")
    assert first.exit_code == 0
    files = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert files == ["board-1.ndjson", "board-2.ndjson"]
    again = place.remote("game", "export", "--all", "-o", f"{tmp_path}/kept/")
    assert "2 of them unchanged" in again.stderr
    assert command("game", "verify", str(tmp_path / "kept" / files[0])).exit_code == 0


def test_a_player_opens_a_dispute_and_appeals_from_afar(place: Place) -> None:
    opening = ("dispute", "open", RUNNING, "1", "score", "--text", "The score is wrong.", "--seat", "1")
    assert place.remote(*opening).exit_code == 2, "nobody has logged in"
    place.remote("login", "ann", given=f"{PASSWORD}\n")
    assert "DisputeOpened" in place.remote(*opening).stdout
    assert "accused: bot:simple:1" in place.remote("dispute", "show", RUNNING, "1").stdout
    refused = place.remote("dispute", "open", RUNNING, "1", "score", "--text", "so", "--by", "mod")
    assert (refused.exit_code, "--by names another player" in refused.stderr) == (2, True)
    early = place.remote("dispute", "appeal", RUNNING, "1")
    assert (early.exit_code, "hasn't been ruled on yet" in early.stderr) == (2, True)
    text = ("--text", "It stands.")
    assert place.here("dispute", "rule", RUNNING, "1", "none", "--by", "mod", *text).exit_code == 0
    assert "RulingAppealed" in place.remote("dispute", "appeal", RUNNING, "1", "--text", "It does not.").stdout
    with Server(place.url) as other:
        other.register("sol", PASSWORD)
    assert place.here("user", "role", "sol", "arbiter").exit_code == 0
    assert place.here("dispute", "rule", RUNNING, "1", "upheld", "--by", "sol").exit_code == 0


def test_an_arbiter_rules_from_afar_and_both_print_the_dispute(place: Place) -> None:
    show = ("dispute", "show", FINISHED, "1")
    assert "only for the players of this game and for arbiters" in place.remote(*show).stdout
    needs_login = place.remote("dispute", "list")
    assert (needs_login.exit_code, "Log in with" in needs_login.stderr) == (2, True)
    assert place.remote("login", "mod", given=PASSWORD).exit_code == 0
    assert place.remote("dispute", "list").stdout == place.here("dispute", "list").stdout
    wrong_name = place.remote("dispute", "rule", FINISHED, "1", "none", "--by", "ann", "--text", "so")
    assert (wrong_name.exit_code, "logged in" in wrong_name.stderr) == (2, True)
    ruled = place.remote("dispute", "rule", FINISHED, "1", "none", "--basis", "S34", "--text", "nothing is wrong")
    assert (ruled.exit_code, "RulingGiven" in ruled.stdout) == (0, True)
    assert place.remote(*show).stdout == place.here(*show).stdout
    shown = json.loads(place.remote(*show, "--json").stdout)
    assert shown == json.loads(place.here(*show, "--json").stdout)
    assert all(shown["checks"].values())
    assert place.remote("dispute", "show", FINISHED, "9").exit_code == 2


def test_a_receipt_that_a_player_kept_is_checked_here(place: Place, tmp_path: Path) -> None:
    kept = tmp_path / "receipt.txt"
    kept.write_text(place.remote("receipt", "print", FINISHED).stdout, encoding="utf-8")
    checked = place.remote("game", "audit", FINISHED, "--receipt", str(kept))
    assert checked.exit_code == 0
    assert str(kept) in checked.stdout
    others = place.remote("game", "audit", RUNNING, "--receipt", str(kept))
    assert (others.exit_code, "another game" in others.stdout) == (1, True)


def test_a_key_that_is_given_counts_in_place_of_those_that_the_server_publishes(place: Place) -> None:
    (published,) = place.ann.get("/.well-known/trickbook/keys")["keys"]
    own = place.remote("game", "audit", FINISHED, "--key", published)
    assert (own.exit_code, "a key that was given" in own.stdout) == (0, True), own.stdout
    other = place.remote("game", "audit", FINISHED, "--key", THIEF.key.text)
    assert (other.exit_code, "a key of this server" in other.stdout) == (1, False), other.stdout
    witness = place.remote("game", "audit", FINISHED, "--key", WITNESS.key.text)
    assert (witness.exit_code, "a key of this server" in witness.stdout) == (2, True), witness.stdout
    assert "no witness that you know has signed the receipt" in witness.stdout


def test_a_spectator_without_a_token_needs_no_file(place: Place, folder: Path) -> None:
    assert place.remote("game", "show", FINISHED).exit_code == 0
    assert not folder.exists()
    with Server(place.url) as server:
        assert server.player is None
