"""Somebody puts an older log back and plays on until it is longer than before: the server lists its own games."""

from typing import Any

import pytest

from api.client import Refusal, Server
from tests.api.server.test_serve import read_list
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.logs.copies import LogCopy

PASSWORD = "correct-horse"
TABLE = {"variant": "pitch", "seats": ["ann", "bot:simple"]}


def versions(ann: Server) -> dict[str, int]:
    """Return the version of each game in the lobby, after checking that the games themselves agree."""
    listed = {game["id"]: game["version"] for game in read_list(ann, "/games?limit=500")["items"]}
    assert listed == {game: ann.get(f"/games/{game}")["version"] for game in listed}
    return listed


def open_games(ann: Server, number: int) -> list[str]:
    """Open games and return their ids."""
    opened: list[dict[str, Any]] = [ann.post("/games", TABLE) for _ in range(number)]
    return [game["id"] for game in opened]


@pytest.mark.slow
def test_lists_and_positions_of_a_log_that_was_put_back_and_has_become_longer(database: Database) -> None:
    with start_server(database) as serving, Server(serving.url, patience_s=0) as ann:
        ann.register("ann", PASSWORD)
        (kept,) = open_games(ann, 1)
        early = ann.position
        copy = LogCopy(database)
        open_games(ann, 2)
        ann.post(f"/games/{kept}/moves", {"type": "resign"})
        assert len(versions(ann)) == 3
        late, token = ann.position, ann.token
        assert serving.stop() == 0
    copy.put_back()
    with start_server(database) as serving, Server(serving.url, token=token, patience_s=0) as ann:
        ann.position = early  # the old rows are there until the lists are built again
        assert list(versions(ann)) == [kept]
        games = open_games(ann, 6)
        assert set(versions(ann)) == {kept, *games}
        assert ann.get(f"/games/{kept}")["status"] == "active"
        assert ann.get(f"/games?wait={early}")["items"]
        for path in ("/games", f"/games/{kept}/scoreboard"):
            with pytest.raises(Refusal, match="409 other-history"):
                ann.get(f"{path}?wait={late}")
        assert serving.stop() == 0
