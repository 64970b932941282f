"""The commands of `trickbook`, run as an operator runs them."""

import subprocess
from pathlib import Path

import pytest

from api.accounts.accounts import open_accounts
from api.app import create_app
from api.cli.parser.catalog import COMMANDS, GROUPS, commands_of, first_words
from api.cli.parser.groups import load_command
from api.client import Server
from api.config import Config
from domain.rules.variants import VARIANTS
from tests.api.conftest import Caller, config_for, services_of
from tests.api.server_process import PROGRAM, run_program, server_environment, start_server
from tests.conftest import Database

PASSWORD = "correct-horse"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    return Database(None, tmp_path)


def test_the_help_names_every_command_and_each_has_help_of_its_own() -> None:
    said = run_program("--help")
    assert said.returncode == 0
    for name, line in first_words().items():
        assert f"  {name} " in said.stdout
        assert line.split()[0] in said.stdout
    for group in GROUPS:
        printed = run_program(group, "--help").stdout
        assert [name for name in commands_of(group) if f"  {name} " not in printed] == []
    for name in COMMANDS:
        assert load_command(name) is not None, name
    assert "--no-worker" in run_program("serve", "--help").stdout


def test_an_unknown_command_is_an_error(sqlite: Database) -> None:
    said = run_program("shuffle")
    assert said.returncode == 2
    assert "There is no command `trickbook shuffle`" in said.stderr


def test_a_setting_that_is_mistyped_stops_the_start(sqlite: Database) -> None:
    said = run_program("serve", "--port", "0", "--data", str(sqlite.data), REGISTRATOIN="closed")
    assert said.returncode == 2
    assert "TRICKBOOK_REGISTRATOIN is not a setting" in said.stderr


def test_an_address_in_use_is_an_error(sqlite: Database) -> None:
    with start_server(sqlite) as serving:
        port = serving.url.rpartition(":")[2]
        said = run_program("serve", "--port", port, "--data", str(sqlite.data))
    assert said.returncode == 2
    assert f"Can't listen on 127.0.0.1:{port}" in said.stderr


def test_a_database_that_does_not_answer_is_an_error(tmp_path: Path) -> None:
    said = run_program("store", "migrate", "--data", str(tmp_path), url="postgresql://nobody:secret@127.0.0.1:1/none")
    assert said.returncode == 2
    assert "secret" not in said.stdout + said.stderr
    assert "Traceback" not in said.stderr


def test_migrating_twice_does_no_harm(database: Database) -> None:
    for _ in range(2):
        assert run_program("store", "migrate", "--data", str(database.data), url=database.url).returncode == 0


def test_a_user_added_by_the_operator_can_log_in_if_registration_is_closed(sqlite: Database) -> None:
    assert run_program("store", "init", "--data", str(sqlite.data)).returncode == 0
    said = run_program("user", "add", "ann", "--password", PASSWORD, "--data", str(sqlite.data))
    assert (said.returncode, said.stdout[:2]) == (0, "p_")
    again = run_program("user", "add", "ANN", "--password", PASSWORD, "--data", str(sqlite.data))
    assert (again.returncode, "taken" in again.stderr) == (2, True)
    bad = run_program("user", "add", "a b", "--password", "x", "--data", str(sqlite.data))
    assert (bad.returncode, "Traceback" in bad.stderr) == (2, False)
    with start_server(sqlite, REGISTRATION="closed") as serving, Server(serving.url, patience_s=0) as ann:
        assert ann.post("/tokens", {"name": "ann", "password": PASSWORD})["token"]


@pytest.mark.parametrize(
    ("name", "password", "says"),
    [
        ("a b", "correct-horse", "Error: name: Must be 1 to 32"),
        ("bob", "x", "Error: password: Choose one of 8 to 256 characters."),
        ("bob", "correct\thorse", "Error: $.password contains a control character at position 7"),
        ("bob", "password1", "Error: password: This password is easy to guess. "),
        ("bob", "", "Error: password: Choose one of 8 to 256 characters."),
    ],
)
def test_a_user_that_cannot_be_added_is_explained(tmp_path: Path, name: str, password: str, says: str) -> None:
    typed = user_added(tmp_path, name, "--password", password)
    piped = user_added(tmp_path, name, stdin=f"{password}\n")
    for said in (typed, piped):
        assert (said.returncode, said.stdout, said.stderr.startswith(says)) == (2, "", True), said.stderr
        assert said.stderr.count("\n") == 1


def test_a_password_may_come_from_standard_input(sqlite: Database) -> None:
    said = user_added(sqlite.data, "ann", stdin=f"{PASSWORD}\nand more\n")
    assert (said.returncode, said.stdout[:2], said.stderr) == (0, "p_", "")
    with start_server(sqlite) as serving, Server(serving.url, patience_s=0) as ann:
        assert ann.post("/tokens", {"name": "ann", "password": PASSWORD})["token"]


def user_added(data: Path, *arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    open_accounts(Config(data=data)).close()
    command = [*PROGRAM, "user", "add", *arguments, "--data", str(data)]
    return subprocess.run(
        command, env=server_environment(), cwd=ROOT, input=stdin, capture_output=True, text=True, check=False
    )


def test_lists_are_rebuilt_from_the_first_event(database: Database) -> None:
    app = create_app(config_for(database))
    ann = Caller(app.test_client()).join("ann")
    assert ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).status_code == 201
    assert ann.get("/games").get_json()["items"] == []
    services_of(app).close()
    said = run_program("store", "rebuild", "--data", str(database.data), url=database.url)
    assert said.returncode == 0, said.stderr
    app = create_app(config_for(database))
    assert len(Caller(app.test_client()).get("/games").get_json()["items"]) == 1
    services_of(app).close()


@pytest.mark.timeout(1260)  # one session in a thousand is seven times as long as usual
def test_the_demonstration_ends_with_exit_code_0() -> None:
    said = run_program("demo", within_s=1200)
    assert said.returncode == 0, said.stderr
    assert "The scoreboard of board 1:" in said.stdout
    assert "verdict: all green" in said.stdout
    for board, variant in enumerate(VARIANTS, 1):
        assert f"board {board}: {variant}, 4 players, " in said.stdout
        assert f"board {board}: verdict: all green" in said.stdout
