"""kill -9 of a process in mid-game: each acknowledged move is stored once, and play continues with the same deck."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from random import Random
from secrets import randbits
from threading import Timer
from time import sleep

import pytest

from domain.events import CeremonyRevealed, HandDealt
from domain.store import Games
from domain.store.aggregate import Entry
from tests.api.fairdeal_reference import check_deal
from tests.conftest import Database
from tests.domain.store.storing import any_move, at, command_id, open_game, play

KILLS, MOVES = 3, 13
"""The number of writers, and the most moves of each: fewer in total than any game has (see `play`)."""
PATIENCE = 120  # seconds until a silent writer fails the test
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine


def write(data: str, url: str, game: str) -> None:
    """Play at random. Print a line for each move after the store has it: command id, version, root."""
    chance = Random(randbits(64))
    with at(Database(url or None, Path(data)).called(name_of(os.getpid()))) as games:
        tell("ready")
        sys.stdin.readline()
        for _ in range(MOVES):
            move, known = any_move(games.state(game), chance), command_id(chance.getrandbits(64))
            commit = games.act(game, move, by=f"p{move.seat}", command_id=known)
            tell(f"{known} {commit.state.version} {commit.root}")
        sys.stdin.readline()


def name_of(pid: int) -> str:
    return f"writer-{pid}"


Acknowledged = tuple[str, int, str]
"""A command id, and the version and root after the command."""


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextmanager
def writer(database: Database, game: str) -> Iterator[subprocess.Popen[str]]:
    """Start a writer that waits for a line on its stdin; kill it at the end of the block at the latest."""
    arguments = (str(database.data), database.url or "", game)
    program = f"from tests.domain.store.test_crash import write; write(*{arguments!r})"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def killed_after(process: subprocess.Popen[str], moves: int, seconds: float, database: Database) -> list[Acknowledged]:
    """Kill the writer `seconds` after that many moves; return the moves that it had acknowledged."""
    assert process.stdin is not None
    assert process.stdout is not None
    hangs = Timer(PATIENCE, process.kill)
    hangs.start()
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    told = [process.stdout.readline() for _ in range(moves)]
    hangs.cancel()
    sleep(seconds)
    process.kill()
    told += process.stdout
    process.wait()
    database.left_by(name_of(process.pid))
    lines = [line.split() for line in told if line.endswith("\n")]
    return [(known, int(version), root) for known, version, root in lines]


@pytest.mark.process
def test_after_a_kill_at_any_moment_the_game_continues_from_the_acknowledged_moves(database: Database) -> None:
    chance, acknowledged, kills = Random(randbits(64)), list[Acknowledged](), list[int]()
    with at(database) as games, ExitStack() as stack:
        game = open_game(games)
        waiting = stack.enter_context(writer(database, game))
        for _ in range(KILLS):
            process, waiting = waiting, stack.enter_context(writer(database, game))
            acknowledged += killed_after(process, chance.randint(2, MOVES - 1), chance.uniform(0, 0.02), database)
            kills.append(games.state(game).version)
            assert kills[-1] >= acknowledged[-1][1]
        play_out_the_hand(games, game)
    with at(database) as games:
        entries = games.entries(game)
        root_after = [entry.prev.hex() for entry in entries] + [games.snapshot(game)[1]]
        for asked, version, root in acknowledged:
            assert (entries[version - 1].event.command, root_after[version]) == (asked, root)
        assert games.entries_of_command(game, acknowledged[0][0])[-1] == entries[acknowledged[0][1] - 1]
        stored = [entry.event.command for entry in entries]
        runs = [command for command, _ in groupby(stored)]
        assert len(runs) == len(set(runs)), "a command was stored twice"
        assert len(runs) - 1 >= len(acknowledged) > KILLS
        hands = [check_hand(entries, n) for n in revealed(entries)]
        assert any(first < kill < last for first, last in hands for kill in kills), "no hand went on across a kill"


def revealed(entries: list[Entry]) -> dict[int, int]:
    """Return the version at which each ceremony was revealed, by its number."""
    return {each.event.data.n: each.event.version for each in entries if isinstance(each.event.data, CeremonyRevealed)}


def check_hand(entries: list[Entry], n: int) -> tuple[int, int]:
    """Check that a hand was dealt as its revealed seed says, and return its first and its last version."""
    check_deal([json.loads(entry.raw) for entry in entries], n)
    dealt = (each.event for each in entries if isinstance(each.event.data, HandDealt))
    return next(event.version for event in dealt if event.data.n == n), revealed(entries)[n]


def play_out_the_hand(games: Games, game: str) -> None:
    """Play until the next hand is dealt or the game is over, so that the seed of this hand is revealed."""
    dealt = games.state(game).ceremony_count
    while games.state(game).turn and games.state(game).ceremony_count == dealt:
        play(games, game, 1, Random(randbits(64)))
