"""`trickbook game list`: where a host finds a board number."""

import json

import pytest

from tests.api.live_server import GameServer, open_server
from tests.conftest import Database


def boards(server: GameServer, *options: str) -> list[int]:
    said = server.command("game", "list", "--json", *options)
    assert said.exit_code == 0, said.output
    return [item["board"] for item in json.loads(said.stdout)]


@pytest.mark.both_stores
def test_a_host_finds_games_and_learns_what_is_left_out(database: Database) -> None:
    # given a finished game of ann and bob, and a private running one of ann, cat and dan
    with open_server(database.data, database.url) as server:
        game = server.open(["ann", "bob"])
        game.finish()
        for name in ("cat", "dan"):
            assert server[name].token
        private = {"variant": "setback", "seats": ["ann", "cat", "dan"], "watch": {"public": False}}
        assert server["ann"].post("/games", private).status_code == 201
        # then a host finds them by player, variant and status
        assert boards(server) == [2, 1]
        assert boards(server, "--player", "bob") == [1]
        assert boards(server, "--variant", "setback") == [2]
        assert boards(server, "--status", "finished") == [1]
        (heads, *rows) = server.command("game", "list").stdout.splitlines()
        assert heads.split()[:4] == ["board", "variant", "status", "players"]
        assert [row.split()[:5] for row in rows] == [
            ["2", "setback", "active", "ann,", "cat,"],
            ["1", "pitch", "finished", "ann,", "bob"],
        ]
        # and the program says what it leaves out
        some = server.command("game", "list", "--limit", "1")
        assert "There are more than 1 such games" in some.stderr
        assert server.command("game", "list", "--variant", "blackout").stdout == "There are no such games.\n"
        refused = server.command("game", "list", "--player", "bbo")
        assert (refused.exit_code, refused.stderr) == (2, "Error: There is no user bbo. Did you mean bob?\n")
