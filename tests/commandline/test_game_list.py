"""`trickbook game list`: where a host finds a board number."""

import json
from collections.abc import Iterator

import pytest

from tests.api.live_server import GameServer, open_server
from tests.conftest import Database


@pytest.fixture
def server(database: Database) -> Iterator[GameServer]:
    """A server with a finished game of ann and bob, and a private running one of ann, cat and dan."""
    with open_server(database.data, database.url) as opened:
        opened.open(["ann", "bob"]).finish()
        for name in ("cat", "dan"):
            assert opened[name].token
        private = {"variant": "setback", "seats": ["ann", "cat", "dan"], "watch": {"public": False}}
        assert opened["ann"].post("/games", private).status_code == 201
        yield opened


def boards(server: GameServer, *options: str) -> list[int]:
    said = server.command("game", "list", "--json", *options)
    assert said.exit_code == 0, said.output
    return [item["board"] for item in json.loads(said.stdout)]


def test_a_host_finds_games_by_player_variant_and_status(server: GameServer) -> None:
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


def test_what_is_left_out_is_said(server: GameServer) -> None:
    some = server.command("game", "list", "--limit", "1")
    assert "There are more than 1 such games" in some.stderr
    assert server.command("game", "list", "--variant", "blackout").stdout == "There are no such games.\n"
    refused = server.command("game", "list", "--player", "bbo")
    assert (refused.exit_code, refused.stderr) == (2, "Error: There is no user bbo. Did you mean bob?\n")
