"""Lines in the way of pbmserv from the command line: `trickbook pitch ...`, and the programs of the games."""

import subprocess
import sys
from pathlib import Path

from click.shell_completion import ShellComplete

from api.cli.main import main
from tests.api.server_process import server_environment
from tests.command_lines.players import offered
from tests.remote.conftest import FINISHED, PASSWORD, RUNNING, Place, command

PROGRAMS = ("pitch", "setback", "blackout", "corellian")


def test_options_of_the_game_are_not_those_of_the_program(place: Place) -> None:
    answer = place.remote("blackout", "challenge", "-hook", "-nohook", "a", "b", "c", "d")
    assert (answer.exit_code, "can't both be" in answer.stdout) == (1, True)
    assert "no option '-win=7'" in place.remote("pitch", "show", FINISHED, "-win=7").stdout
    assert place.remote("pitch", "fly").exit_code == 1
    helped = place.remote("blackout", "-h")
    assert "Usage:" in helped.stdout, helped.output
    assert command("pitch", "help").exit_code == 2


def test_a_player_who_has_logged_in_moves_and_writes(place: Place) -> None:
    place.remote("login", "ann", given=PASSWORD)
    shown = place.remote("setback", "showas", RUNNING)
    assert "Your cards" in shown.stdout
    said = place.remote("setback", "chat", RUNNING, "-", given="good\nluck\n")
    assert (said.exit_code, said.stdout) == (0, "Sent.\n")
    moves = offered(shown.stdout)
    if moves:
        assert place.remote("setback", "move", RUNNING, moves[0]).exit_code == 0
    place.remote("logout")


def test_a_program_of_each_game_is_installed(place: Place) -> None:
    programs = [Path(sys.executable).parent / name for name in PROGRAMS]
    assert all(program.exists() for program in programs)
    call = [str(programs[0]), "--server", place.url, "help"]
    done = subprocess.run(call, env=server_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, "pitch move board" in done.stdout) == (0, True), done.stderr


def test_the_shell_completes_commands_of_the_table() -> None:
    complete = ShellComplete(main, {}, "trickbook", "_TRICKBOOK_COMPLETE")
    found = {each.value for each in complete.get_completions(["pitch"], "c")}
    assert found == {"cancel", "challenge", "chat", "claim", "confirm"}
    assert "signup" in {each.value for each in complete.get_completions(["line"], "si")}
