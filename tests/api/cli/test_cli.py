"""The commands of `trickbook`: the help of each, what stops one, and what the commands for users and lists change."""

import socket
from pathlib import Path

import pytest

from api.accounts.accounts import open_accounts
from api.app import create_app
from api.cli.parser.catalog import COMMANDS, GROUPS, commands_of, first_words
from api.cli.parser.groups import load_command
from api.config import Config
from domain.rules.variants import VARIANTS
from tests.api.conftest import PASSWORD, Caller, MakeApp, config_for, services_of
from tests.api.server_process import run_program
from tests.commands import run
from tests.conftest import Database


def test_the_help_names_every_command_and_each_has_help_of_its_own() -> None:
    said = run("--help")
    assert said.exit_code == 0
    for name, line in first_words().items():
        assert f"  {name} " in said.stdout
        assert line.split()[0] in said.stdout
    for group in GROUPS:
        printed = run(group, "--help").stdout
        assert [name for name in commands_of(group) if f"  {name} " not in printed] == []
    for name in COMMANDS:
        assert load_command(name) is not None, name
    assert "--no-worker" in run("serve", "--help").stdout


def test_the_program_ends_with_exit_code_2_if_its_address_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = run_program("serve", "--port", str(port), "--data", str(tmp_path))
    assert said.returncode == 2
    assert f"Can't listen on 127.0.0.1:{port}" in said.stderr


def test_a_user_added_by_the_operator_can_log_in_if_registration_is_closed(make_app: MakeApp, tmp_path: Path) -> None:
    at = Config(data=tmp_path, registration="closed")
    assert run("store", "init", at=at).exit_code == 0
    said = run("user", "add", "ann", "--password", PASSWORD, at=at)
    assert (said.exit_code, said.stdout[:2]) == (0, "p_")
    piped = run("user", "add", "bob", at=at, given=f"{PASSWORD}\nand more\n".encode())
    assert (piped.exit_code, piped.stdout[:2], piped.stderr) == (0, "p_", "")
    again = run("user", "add", "ANN", "--password", PASSWORD, at=at)
    assert (again.exit_code, "taken" in again.stderr) == (2, True)
    nobody = Caller(make_app(at).test_client())
    for name in ("ann", "bob"):
        assert nobody.post("/tokens", {"name": name, "password": PASSWORD}).status_code == 201


@pytest.mark.parametrize(
    ("name", "password", "says"),
    [
        ("a b", "correct-horse", "Error: name must be 1 to 32"),
        ("bob", "x", "Error: password: Choose one of 8 to 256 characters."),
        ("bob", "correct\thorse", "Error: password contains a control character at position 7"),
        ("bob", "password1", "Error: password: This password is easy to guess. "),
        ("bob", "", "Error: password: Choose one of 8 to 256 characters."),
    ],
)
def test_a_user_that_cannot_be_added_is_explained(tmp_path: Path, name: str, password: str, says: str) -> None:
    at = Config(data=tmp_path)
    open_accounts(at).close()
    typed = run("user", "add", name, "--password", password, at=at)
    piped = run("user", "add", name, at=at, given=f"{password}\n".encode())
    for said in (typed, piped):
        assert (said.exit_code, said.stdout, said.stderr.startswith(says)) == (2, "", True), said.stderr
        assert said.stderr.count("\n") == 1


@pytest.mark.both_stores
def test_lists_are_rebuilt_from_the_first_event(database: Database) -> None:
    app = create_app(config_for(database))
    ann = Caller(app.test_client()).join("ann")
    assert ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).status_code == 201
    assert ann.get("/games").get_json()["items"] == []
    services_of(app).close()
    said = run("store", "rebuild", at=config_for(database))
    assert said.exit_code == 0, said.stderr
    app = create_app(config_for(database))
    assert len(Caller(app.test_client()).get("/games").get_json()["items"]) == 1
    services_of(app).close()


@pytest.mark.slow
@pytest.mark.timeout(1260)  # one session in a thousand is seven times as long as usual
def test_the_demonstration_ends_with_exit_code_0() -> None:
    said = run_program("demo", within_s=1200)
    assert said.returncode == 0, said.stderr
    assert "The scoreboard of board 1:" in said.stdout
    assert "verdict: all green" in said.stdout
    for board, variant in enumerate(VARIANTS, 1):
        assert f"board {board}: {variant}, 4 players, " in said.stdout
        assert f"board {board}: verdict: all green" in said.stdout
