"""Suit symbols and color: on a terminal that has them, and never in a pipe or a file."""

import json
import os
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType
from rich.text import Text

from api.cli.common.card_marks import print_on_terminal
from replay.history import read_export
from replay.queries import revokes
from replay.text.terminal import plain_text
from tests.commands import run
from tests.replay.terminal import terminal

ROOT = Path(__file__).parents[2]
GAME = str(ROOT / "tests" / "stored" / "v1" / "pitch-contested.ndjson")
SHOW = ("game", "show", GAME, "--at", "30", "--seat", "0")
RED_KING = "\x1b[31mK♥\x1b[0m"


SEVERAL = """
import json, os, sys
from api.cli.main import main

for settings, words in json.loads(sys.argv[1]):
    if (child := os.fork()) == 0:
        os.environ.update(settings)
        main(words)
    os.waitpid(child, 0)
    print("---", flush=True)
"""
"""Run commands one after another with settings of their own, in forks of a process that has imported the program."""


def at_terminal(*commands: tuple[dict[str, str], tuple[str, ...]], **settings: str) -> list[str]:
    """Return what commands print at a terminal, each with its settings."""
    env = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "PATH": os.environ["PATH"], "PYTHONUTF8": "1"} | settings
    with terminal([sys.executable, "-c", SEVERAL, json.dumps(commands)], env) as shown:
        code, seen = shown.rest()
    assert code == 0, seen
    return seen.decode(errors="replace").replace("\r\n", "\n").split("---\n")[:-1]


def test_a_terminal_shows_suits_in_color_if_it_has_them() -> None:
    whole, *others = at_terminal(
        ({}, SHOW), ({"NO_COLOR": "1"}, SHOW), ({"TERM": "dumb"}, SHOW), ({}, ("--plain", *SHOW))
    )
    assert f"Your cards: \x1b[31m2♦\x1b[0m {RED_KING}" in whole
    assert "Last trick: cat K♣, ann \x1b[31m6♦\x1b[0m, bob 5♣, to cat" in whole
    assert "Trump: hearts" in whole
    for seen, holds in zip(others, ("2♦ K♥", "2D KH", "2D KH"), strict=True):
        assert f"Your cards: {holds}" in seen
        assert "\x1b[31m" not in seen


def test_a_terminal_without_the_suits_gets_letters() -> None:
    (seen,) = at_terminal(({}, SHOW), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert "Your cards: 2D KH" in seen
    assert "\x1b[31m" not in seen


def printed(shown: RenderableType, names: tuple[str, ...] = ()) -> str:
    """Return what a wide terminal without color shows."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system=None, width=200, markup=False, highlight=False)
    print_on_terminal(console, shown, names)
    return out.getvalue()


def test_symbols_are_as_wide_as_the_letters() -> None:
    shown = revokes(read_export(Path(GAME).read_bytes())).to_text()
    marked = printed(shown)
    assert "K♥" in marked
    assert "10♠" in marked
    letters = marked.translate(str.maketrans("♣♦♥♠", "CDHS"))
    assert [line.rstrip() for line in letters.splitlines()] == plain_text(shown).rstrip("\n").splitlines()


def test_words_that_only_look_like_cards_stay() -> None:
    text = "AS and KH play AS: ASH, 3C-1, 12C, root 4D+2H, 2001:AD; 10C 3D"
    assert printed(Text(text), ("AS", "KH")) == text.replace("10C 3D", "10♣ 3♦") + "\n"


def test_a_pipe_gets_letters_whatever_the_environment_says() -> None:
    for settings in ({}, {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "TERM": "xterm-256color"}):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in settings.items():
                patch.setenv(name, value)
            piped = run(*SHOW).stdout
        assert "Your cards: 2D KH\n" in piped
        assert not set(piped) & set("♣♦♥♠\x1b")
