"""Each command's help ends with an example, and each example runs."""

import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.cli.parser.catalog import COMMANDS, EXAMPLES, GROUPS, LINES
from api.cli.parser.groups import CatalogGroup, load_command
from tests.api.server_process import PROGRAM, server_environment
from tests.commandline.examples_place import make_place, put_a_game_into_quarantine
from tests.commands import run
from tests.docs.markdown import ROOT
from tests.generators.questions_page import working_in

SERVERS = {"work": "working", "mail listen": "listening on lmtp://127.0.0.1:"}
"""Examples that run until they're stopped, and what they print first."""
ELSEWHERE = {
    "serve": "tests/api/server_process.py",
    "demo": "tests/campaigns/release/test_installed.py",
    **dict.fromkeys(("login", "logout"), "tests/remote/test_logging_in.py"),
    **dict.fromkeys(LINES, "tests/remote/test_lines.py"),
    "play": "tests/terminal/test_program.py",
    **dict.fromkeys(
        (f"shards{each}" for each in ("", " show", " check", " move", " drop")),
        "tests/api/nodes/test_shard_commands.py",
    ),
    **dict.fromkeys(
        ("witness", "witness cosign", "witness serve", "receipt submit", "receipt cosign"),
        "tests/api/receipts/test_witnesses.py",
    ),
}
"""Examples that take long or need another machine, and the tests that run them."""
IN_QUARANTINE = {"store quarantine", "store quarantine list", "store quarantine retry", "store quarantine drop"}
NOT_ZERO = {"store quarantine retry": 1}
"""Exit codes of examples that find something wrong: the game in quarantine is still broken."""
PROGRAM_OPTION = re.compile(r" --(?:server|max-game-mib) \S+| --plain")
TYPED = b"a-long-new-password\n"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every group and command of the program with the words that call it."""
    yield "", main
    for name in GROUPS:
        yield name, CatalogGroup(name)
    for name in COMMANDS:
        command = load_command(name)
        assert command is not None, name
        yield from with_subcommands(name, command)


def with_subcommands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for each, sub in command.commands.items():
            yield from with_subcommands(f"{name} {each}", sub)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder for the examples, and the ids in its store."""
    folder = tmp_path_factory.mktemp("examples")
    return folder, make_place(folder)


def test_every_command_and_group_has_an_example_at_the_end_of_its_help() -> None:
    assert {name for name, _ in commands()} == set(EXAMPLES)
    for name, command in commands():
        assert PROGRAM_OPTION.sub("", EXAMPLES[name]).startswith(f"trickbook {name}".rstrip()), name
        # A command keeps the help option of its first context.
        context = click.Context(command, **main.context_settings)
        assert command.get_help(context).endswith(f"\n\n  Example:\n    {EXAMPLES[name]}"), name


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - set(SERVERS) - set(ELSEWHERE)))
def test_every_example_runs(name: str, place: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, ids = place
    shutil.copytree(folder, tmp_path / "here")
    words = [ids.get(each, each) for each in shlex.split(EXAMPLES[name])[1:]]
    if name in IN_QUARANTINE:
        put_a_game_into_quarantine(tmp_path / "here" / "data")
    with working_in(tmp_path / "here"), pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRICKBOOK_DATA", "data")
        done = CliRunner().invoke(main, words, input=TYPED, catch_exceptions=False)
    assert done.exit_code == NOT_ZERO.get(name, 0), done.output
    assert done.output


@pytest.mark.parametrize("name", sorted(SERVERS))
def test_the_examples_of_servers_start_and_stop(name: str, tmp_path: Path) -> None:
    assert run("store", "init", "--data", str(tmp_path / "data")).exit_code == 0
    words = shlex.split(re.sub("--port [0-9]+", "--port 0", EXAMPLES[name]))[1:]
    env = server_environment() | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*PROGRAM, *words], cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = next((line for line in process.stdout if line.startswith(SERVERS[name])), None)
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
    assert (printed is not None, rest.splitlines()[-1:], process.returncode) == (True, ["stopped"], 0)


def test_what_takes_long_is_run_by_other_tests() -> None:
    for name, test in ELSEWHERE.items():
        assert f'"{name.split()[-1]}"' in (ROOT / test).read_text(encoding="utf-8")
