"""Event streams of real servers: what each viewer gets, resuming, other processes, and failures."""

import json
from contextlib import ExitStack
from typing import Any

import pytest

from tests.api.conftest import ConfiguredServer
from tests.api.live_server import ServedGame, first_move
from tests.api.log_reference import roots
from tests.api.remote_server import RemoteServer
from tests.api.stream_client import ndjson, open_stream
from tests.conftest import Database
from tests.domain.store.storing import Rows

TABLE = {"variant": "pitch", "seats": ["ann", "bob", "bot:simple"], "options": {"win": 21}}


@pytest.fixture
def server(configured_server: ConfiguredServer) -> RemoteServer:
    """A server that sends a comment after 0.2 seconds without an event."""
    return RemoteServer(configured_server.url)


def open_game(server: Any, **more: object) -> ServedGame:
    """Open a game of ann, bob and a bot."""
    assert server["bob"]
    made = server["ann"].post("/games", TABLE | more)
    assert made.status_code == 201, made.text
    return game_at(server, made.get_json()["id"])


def game_at(server: Any, game: str) -> ServedGame:
    """Return a game of ann, bob and a bot at this server."""
    return ServedGame(server, game, {0: server["ann"], 1: server["bob"]})


def version_of(game: ServedGame) -> int:
    version: int = game.public["version"]
    return version


def check_chain(lines: list[bytes]) -> None:
    """Check that lines from event 1 on are in order, and that each is linked to all before it."""
    items = [json.loads(line) for line in lines]
    assert [item["version"] for item in items] == list(range(1, len(items) + 1))
    links = roots([bytes.fromhex(item["leaf"]) for item in items])
    assert [item["prev"] for item in items] == [root.hex() for root in links[:-1]]


def test_each_viewer_gets_the_lines_of_the_list_and_after_a_reveal_only_new_ones(server: RemoteServer) -> None:
    game, viewers = open_game(server), [server["ann"], server["bob"], server.nobody]
    with ExitStack() as opened:
        readers = [opened.enter_context(open_stream(viewer, game.id)) for viewer in viewers]
        for reader, viewer in zip(readers, viewers, strict=True):
            assert reader.read(version_of(game)) == ndjson(viewer, game.id)
        withheld = [reader.lines.copy() for reader in readers]
        game.play_hand(by=first_move)
        last = version_of(game)
        for reader, viewer, before in zip(readers, viewers, withheld, strict=True):
            lines, revealed = reader.read(last), ndjson(viewer, game.id)
            check_chain(lines)
            assert lines[: len(before)] == before
            told, later = ([json.loads(line) for line in each] for each in (lines, revealed))
            assert [line["leaf"] for line in told] == [line["leaf"] for line in later]
            assert [("event" in line) for line in told].count(True) < [("event" in line) for line in later].count(True)
            assert lines[-1] == revealed[-1]
            with open_stream(viewer, game.id, f"?until={last}") as again:
                assert again.read() == revealed


def test_a_stream_has_its_headers_and_begins_at_once(server: RemoteServer) -> None:
    game = open_game(server)
    with open_stream(server.nobody, game.id, f"?after={version_of(game)}") as reader:
        headers = reader.response.headers
        assert headers["Content-Type"] == "text/event-stream"
        assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
        assert "Content-Length" not in headers
        assert 2000 <= int(reader.read_comment().removeprefix("retry: ")) <= 6000
    answer = server.nobody.ask("HEAD", f"{game.path}/events", Accept="text/event-stream")
    assert (answer.status_code, answer.data) == (200, b"")


def test_a_stream_resumes_after_a_version_and_ends_with_another(server: RemoteServer) -> None:
    game = open_game(server)
    for query, last_id, begins in (
        ("?until=6", None, 1),
        ("?after=3&until=6", None, 4),
        ("?until=6", "4", 5),
        ("?after=1&until=6", "5", 6),
        ("?after=6&until=6", "0", 1),
    ):
        with open_stream(server.nobody, game.id, query, last_id) as reader:
            assert [json.loads(line)["version"] for line in reader.read()] == list(range(begins, 7))
    for query, last_id in (("?after=6&until=6", None), ("?until=3", "6")):
        with open_stream(server.nobody, game.id, query, last_id, status=204):
            pass


def test_until_and_limit_of_a_list(server: RemoteServer) -> None:
    game = open_game(server)
    lines = ndjson(server.nobody, game.id)
    assert ndjson(server.nobody, game.id, "?until=3") == lines[:3]
    assert ndjson(server.nobody, game.id, "?after=2&until=99") == lines[2:]
    page = server.nobody.get(f"{game.path}/events?until=5&limit=3").get_json()
    assert ([item["version"] for item in page["items"]], page["next"]) == ([1, 2, 3], 3)
    with open_stream(server.nobody, game.id, "?limit=3", status=400):
        pass


def test_a_comment_shows_that_the_connection_lives(server: RemoteServer) -> None:
    game = open_game(server)
    with open_stream(server.nobody, game.id) as reader:
        reader.read(version_of(game))
        assert [reader.read_comment() for _ in range(3)] == [": still here"] * 3
        game.play_hand()
        check_chain(reader.read(version_of(game)))


def test_a_stream_of_a_corrupt_game_ends_and_others_continue(
    server: RemoteServer, configured_server: ConfiguredServer
) -> None:
    broken, sound = open_game(server), open_game(server)
    with open_stream(server.nobody, broken.id) as reader, open_stream(server.nobody, sound.id) as other:
        reader.read(version_of(broken))
        Rows(Database(None, configured_server.data)).renumber(broken.id, reader.version, reader.version + 1)
        sound.play_hand()
        other.read(version_of(sound))
        reader.read()
        assert reader.comments[-1] == ": the game's log can't be read"
    with open_stream(server.nobody, broken.id, status=500):
        pass
