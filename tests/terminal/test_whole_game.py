"""A whole game of Pitch at a pseudo-terminal, by bare moves."""

from pathlib import Path

import pytest

from api.client import Server, Table
from tests.api.thread_server import ThreadServer
from tests.terminal.moves import play_until
from tests.terminal.pty_program import start_program
from tests.terminal.test_program import log_in


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_whole_game_of_pitch_is_played_by_bare_moves(serving: ThreadServer, ann: Server, tmp_path: Path) -> None:
    log_in(tmp_path, ann)
    table = Table.open(ann, "pitch", [ann.me()["name"], "bot:simple"], options={"win": 7})
    board = table.view()["board"]
    with start_program("play", str(board), "--server", serving.url, home=tmp_path, rows=40) as program:
        moves = play_until(program, table, lambda view: view["status"] == "finished")
        program.until("Write new to play another one")
        assert "Over (" in program.text
    assert moves >= 7, "a hand takes six cards and a bid"
