"""A process that plays on an SQLite store, and writes a mark after each acknowledged move."""

import os
import sys
from pathlib import Path
from random import Random

from domain.store.sql.sqlite import DURABLE_PRAGMAS
from domain.store.sqlite import SqliteLogFile
from tests.conftest import Database
from tests.domain.store.storing import any_move, at, command_id, open_game

MARKS = "marks"


def main(folder: str, moves: int, seed: int, *, safe: bool) -> None:
    """Play `moves` moves, game after game, and end like a process that is killed. `safe` is false for the control."""
    if not safe:
        SqliteLogFile.pragmas = (*DURABLE_PRAGMAS, "synchronous=OFF")
    chance = Random(seed)
    marks = os.open(Path(folder) / MARKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    games = at(Database(None, Path(folder)))
    game = open_game(games)
    for _ in range(moves):
        if not games.state(game).turn:
            game = open_game(games)
        move = any_move(games.state(game), chance)
        commit = games.act(game, move, by=f"p{move.seat}", command_id=command_id(chance.getrandbits(64)))
        os.write(marks, f"{game} {commit.state.version} {commit.root}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), safe=sys.argv[4] == "safe")
