"""Whole games of each variant, played by command lines alone: each player reads the text and writes a line."""

from collections.abc import Sequence
from random import Random

import pytest
from flask import Flask

from tests.api.conftest import services_of
from tests.command_lines.players import Lines, challenge, in_turn, offered, people, thrown

SHORT = {"pitch": "-win=7", "setback": "", "blackout": "-inorder", "corellian": ""}
VARIANTS = tuple(SHORT)
MOST_MOVES, MOST_GAMES = 5000, 20
ALL_HANDS = 1000


def play(players: Sequence[Lines], variant: str, hands: int) -> tuple[int, int]:
    """Play a game to its end, or through that many hands; return its board and the number of moves."""
    draw, board = Random(variant), challenge(players, variant, SHORT[variant])
    top = players[0].done(f"{variant} show {board}")["text"]
    for moves in range(MOST_MOVES):
        player = in_turn(players, top)
        if player is None:
            return board, moves
        answer = player.done(f"{variant} showas {board}")
        text = answer["text"]
        if (answer["data"]["last_hand"] or {"hand": 0})["hand"] >= hands:
            return board, moves
        move = thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), draw))
        top = player.done(f"{variant} move {board} {move}")["text"]
    raise AssertionError(f"the game isn't over after {MOST_MOVES} moves")


def choose(moves: list[str], draw: Random) -> str:
    """Return a pass or the lowest bid, so that scores grow, or any card."""
    return draw.choice(moves[:2] if moves[0] == "pass" or moves[0].isdigit() else moves)


def test_the_first_hands_of_blackout_by_lines_alone(app: Flask) -> None:
    check_game(app, "blackout", 3)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_S6_a_whole_game_by_lines_alone(variant: str, app: Flask) -> None:
    check_game(app, variant, ALL_HANDS)


def check_game(app: Flask, variant: str, hands: int) -> None:
    """Play a game in which a hand is scored, and read its score lines (S40), transcript and audit.

    The randomizer can end a session in its first hand (C6). Then another one is played.
    """
    players, top, board = people(app), "", 0
    while "was scored:" not in top and board < MOST_GAMES:
        board, _ = play(players, variant, hands)
        top = players[0].done(f"{variant} show {board}")["text"]
    assert top.startswith("Over" if hands == ALL_HANDS else "Waiting for"), top
    assert "was scored:" in top
    lines = players[1].done(f"{variant} hand {board} 1")["text"].split("\n")
    assert {line.split()[0] for line in lines} == {"Hand", *(player.name for player in players)}
    assert '[Hand "1"]' in players[1].done(f"{variant} transcript {board} 1")["text"]
    assert "verdict: " in players[0].done(f"{variant} audit {board}")["text"]
    assert services_of(app).accounts.held_moves.find_queued(1) == []
