"""Random and mutated lines: an answer each, and no change to a game by people who have no right to it."""

import string
from random import Random

import pytest
from flask import Flask

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from domain.rules.variants import VARIANTS
from tests.api.conftest import Caller, services_of
from tests.command_lines.players import challenge, people

ODD = "♦#=-;'\"\\\u202e\u00a0é\U0001f0a1%{}<>\x07\t\n"
LEFT_OUT = ("signup", "change", "add", "delete", "signoff", "audit")
"""Commands that take long, which have tests of their own."""


def random_line(chance: Random, board: int) -> str:
    """Return an example of the table, mutated several times."""
    commands = [each for each in (*GAME_COMMANDS.values(), *SERVER_COMMANDS.values()) if each.name not in LEFT_OUT]
    example = chance.choice(commands).example.format(game=chance.choice(list(VARIANTS)))
    words = example.replace("123", str(board)).split()
    for _ in range(chance.randrange(4)):
        words = mutated(chance, words)
    return " ".join(words)


def mutated(chance: Random, words: list[str]) -> list[str]:
    """Return the words with one of them lost, doubled, moved or changed."""
    at = chance.randrange(len(words)) if words else 0
    word = words[at] if words else "x"
    other = chance.choice(
        [
            "".join(chance.sample(word, len(word))),
            word + chance.choice(ODD),
            chance.choice(string.printable) * chance.randrange(1, 40),
            str(chance.randrange(10**12)),
            "-" + word,
            word.swapcase(),
        ]
    )
    return [*words[:at], *chance.choice([[], [word, word], [other], [other, word]]), *words[at + 1 :]]


def check_lines(app: Flask, count: int) -> None:
    """Send lines as a stranger and as somebody without a seat, and compare the game before and after."""
    chance, players = Random("lines"), people(app, 3)
    board = challenge(players[:2], "pitch", "--undo=none")
    games, game = services_of(app).games, players[0].done(f"pitch show {board}")["data"]["id"]
    before = [entry.stored for entry in games.entries(game)]
    callers = (Caller(app.test_client()), players[2].caller)
    for number in range(count):
        line = random_line(chance, board)
        answer = callers[number % 2].post("/commands", {"line": line} if line else {"line": "x"})
        assert answer.status_code in (200, 400), (line, answer.text)
        if answer.status_code == 200:
            assert answer.get_json()["text"].strip(), line
            assert "Traceback" not in answer.text
    assert [entry.stored for entry in games.entries(game)] == before
    assert services_of(app).accounts.held_moves.find_queued(10) == []


def test_random_lines_are_answered_and_change_nothing_without_a_right(app: Flask) -> None:
    check_lines(app, 150)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_10_000_random_lines(app: Flask) -> None:
    check_lines(app, 10_000)
