"""Whole games by the programs `pitch`, `setback`, `blackout` and `corellian` alone, each player with a token file."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from api.cli.remote import lines
from api.config import Config
from tests.api.thread_server import serve_in_thread
from tests.command_lines.players import offered, thrown
from tests.command_lines.test_whole_games import ALL_HANDS, MOST_MOVES, SHORT, VARIANTS, choose
from tests.remote.conftest import PASSWORD, command

PLAYERS = {"pitch": ("foo", "bar"), "corellian": ("foo", "bar", "baz", "qux")}
FOUR = ("foo", "bar", "baz", "qux")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server without games."""
    data = tmp_path_factory.mktemp("programs")
    with serve_in_thread(Config(data=data, hashing="cheapest", seating="at-once")) as started:
        yield started.url


class Person:
    """Somebody in a shell, with a folder of tokens of their own."""

    def __init__(self, name: str, url: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.name, self._url, self._folder, self._capsys = name, url, str(folder / name), capsys

    def register(self) -> None:
        """Sign up by a line, and log in."""
        command("--server", self._url, "line", "signup", self.name, PASSWORD)
        command("--server", self._url, "login", self.name, given=PASSWORD)

    def run(self, variant: str, line: str) -> str:
        """Return what a program prints that does what it's asked."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CONFIG_HOME", self._folder)
            patch.setattr(sys, "argv", [variant, "--server", self._url, *line.split()])
            with pytest.raises(SystemExit) as ended:
                getattr(lines, variant)()
        printed = self._capsys.readouterr()
        assert ended.value.code == 0, (line, printed)
        return str(printed.out)

    def enter(self) -> "Person":
        """Register with the folder of this person, and return them."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CONFIG_HOME", self._folder)
            self.register()
        return self


def play(variant: str, hands: int, people: list[Person]) -> tuple[str, int]:
    """Play a game to its end, or through that many hands; return the board as it's shown then, and the moves."""
    draw, names = Random(variant), " ".join(each.name for each in people)
    told = people[0].run(variant, f"challenge {SHORT[variant]} {names}")
    found = re.search(r"on board (\d+)", told)
    assert found is not None, told
    board = found[1]
    if "at once" not in told:
        for other in people[1:]:
            other.run(variant, f"join {board}")
    for moves in range(MOST_MOVES):
        shown = people[0].run(variant, f"show {board}")
        turn = re.match(r"Waiting for: (\w+)", shown)
        scored = re.search(r"^Hand (\d+) was scored", shown, re.MULTILINE)
        if turn is None or (scored is not None and int(scored[1]) >= hands):
            return shown, moves
        player = next(each for each in people if each.name == turn[1])
        text = player.run(variant, f"showas {board}")
        move = thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), draw))
        player.run(variant, f"move {board} {move}")
    raise AssertionError(f"the game isn't over after {MOST_MOVES} moves")


def people_of(variant: str, url: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[Person]:
    """Return the players of a game, who are registered."""
    return [Person(f"{name}{variant[0]}", url, folder, capsys).enter() for name in PLAYERS.get(variant, FOUR)]


def test_a_hand_of_blackout_by_its_program(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown, _ = play("blackout", 1, people_of("blackout", url, tmp_path, capsys))
    assert "Hand 1 was scored" in shown


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_S6_a_whole_game_by_its_program(
    variant: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = [Person(f"{variant[:2]}{name}", url, tmp_path, capsys).enter() for name in PLAYERS.get(variant, FOUR)]
    shown, _ = play(variant, ALL_HANDS, people)
    assert shown.startswith("Over"), shown
