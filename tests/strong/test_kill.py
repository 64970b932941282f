"""A process that dies while a strong bot thinks: the next one makes the same move, and makes it once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from api.services.bots.choices import think_for_bot
from projections.bots import WORLDS
from projections.views.seat_memory import remember
from replay.queries.choices import MOVES, is_same_move
from replay.rejudge.commands import player_command
from tests.api.conftest import services_of
from tests.api.live_server import open_server
from tests.api.server_process import CHECKOUT, PROGRAM, server_environment
from tests.waiting import wait_until

DIE = """
import os, signal
from projections.bots.strong import analysis
from api.cli.main import main

worlds, gains = [], analysis.gains

def dies(*arguments):
    worlds.append(0)
    if len(worlds) == 40:
        os.kill(os.getpid(), signal.SIGKILL)
    return gains(*arguments)

analysis.gains = dies
main()
"""
"""`trickbook` for a process that dies in the fortieth of a hundred worlds of its first choice."""


def work(program: tuple[str, ...], data: Path) -> "subprocess.Popen[bytes]":
    command = [*program, "work", "--data", str(data)]
    return subprocess.Popen(command, env=server_environment(), cwd=CHECKOUT, stdout=subprocess.PIPE)


@pytest.mark.slow
def test_a_bot_whose_process_dies_in_mid_thought_makes_the_same_move_once_after_a_restart(tmp_path: Path) -> None:
    with open_server(tmp_path) as server:
        # given a game in which the strong bot has a choice
        game = server.open(["ann", "bot:strong"], options={"win": 7})
        assert game.move(0, {"type": "pass"}).status_code == 201
        games = services_of(server.app).games
        state = games.state(game.id)
        before = state.version
        assert state.turn == (1,)
        thought = think_for_bot(services_of(server.app), state, 1, WORLDS)
        assert thought is not None
        assert thought.worlds == WORLDS
        server.follow()
        # when the process that plays for it dies while it thinks
        died = work((sys.executable, "-c", DIE), tmp_path)
        assert died.wait(timeout=240) == -signal.SIGKILL
        assert games.state(game.id).version == before
        # then two others, started together, make the move that it would have made, once
        workers = [work(PROGRAM, tmp_path) for _ in range(2)]
        try:
            for each in workers:
                assert each.stdout is not None
                assert each.stdout.readline() == b"working\n"
            wait_until(lambda: bool(games.entries(game.id, before)), "the strong bot doesn't move", within_s=600)
        finally:
            for each in workers:
                os.kill(each.pid, signal.SIGTERM)
            codes = [each.wait(timeout=240) for each in workers]
        assert codes == [0, 0]
        events = [entry.event for entry in games.entries(game.id)]
        made = player_command(remember(events[:before], 1).state, events[before:])
        assert isinstance(made, MOVES)
        assert is_same_move(made, thought.move)
        assert events[before].by == "bot:strong:1"
