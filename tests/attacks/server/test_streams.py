"""Attacks on event streams: other seats' cards, false ids, lost rights, and too many streams."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config
from api.config.limits import Limits
from tests.api.conftest import PASSWORD
from tests.api.live_server import ServedGame, open_game
from tests.api.remote_server import RemoteServer
from tests.api.stream_client import StreamReader, ndjson, open_stream
from tests.api.thread_server import serve_in_thread
from tests.attacks.server.many_streams import open_streams
from tests.conftest import Database
from tests.waiting import wait_until

SOON_S = 10.0
"""Much longer than the second that a revocation takes, and shorter than a heartbeat."""
SEATS = ("ann", "bob", "bot:simple")


def settings(data: Path, url: str | None = None) -> Config:
    """Return the settings of a server with limits, among them those of streams."""
    limited = Config(data=data, database_url=url, hashing="cheapest", limits=Limits(), seating="at-once")
    return replace(limited, streams=60, streams_by_address=40, streams_by_player=10)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteServer]:
    """One server for these attacks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.container.STREAM_HOLD_S", 0.0)  # the streams of a test don't count in the next
        with serve_in_thread(settings(tmp_path_factory.mktemp("streams"))) as started:
            yield RemoteServer(started.url)


def test_attack_63_a_stream_shows_the_seat_of_its_token_and_of_no_parameter(server: RemoteServer) -> None:
    game = open_game(server, SEATS)
    last = game.version
    for query in ("?seat=1", f"?until={last}&seat=1", "?viewer=1", "?as=bob"):
        with open_stream(server["ann"], game.id, query, status=400):
            pass
    with open_stream(server["ann"], game.id, f"?until={last}") as reader:
        assert reader.read() == ndjson(server["ann"], game.id) != ndjson(server["bob"], game.id)


def test_attack_64_a_false_last_event_id_is_refused_or_resumes_this_game(server: RemoteServer) -> None:
    short, long = (open_game(server, SEATS, options={"win": 21}) for _ in range(2))
    play_hand(long)
    head = short.version
    false = [str(long.version), str(head + 1), "-1", "+1", "1.0", "1e3", "007", "", "x", long.id, str(2**63)]
    for last_id in false:
        with open_stream(server["ann"], short.id, last_id=last_id, status=400) as refused:
            problem = json.loads(refused.response.read())
            assert (problem["type"], str(head) in problem["detail"]) == ("/problems/malformed", True), last_id
    for last_id in ("1" * 10_000, "x" * 10_000):
        with open_stream(server["ann"], short.id, last_id=last_id, status=431):
            pass
    with open_stream(server["ann"], short.id, f"?until={head}", last_id="3") as reader:
        assert reader.read() == ndjson(server["ann"], short.id)[3:]


def ended_within(reader: StreamReader, seconds: float) -> bool:
    """Read to the end of the stream, and return whether that took less time."""
    began = time.monotonic()
    reader.read()
    return time.monotonic() - began < seconds


def test_attack_65_a_stream_ends_when_its_token_is_revoked_or_its_user_is_disabled(database: Database) -> None:
    here = settings(database.data, database.url)
    with serve_in_thread(here) as one, serve_in_thread(here) as two:
        server = RemoteServer(one.url)
        game = open_game(server, SEATS)
        last = game.version
        elsewhere = replace(server["ann"], url=two.url)
        login = {"name": "ann", "password": PASSWORD}
        second = replace(server["ann"], token=server.nobody.post("/tokens", login).get_json()["token"])
        with ExitStack() as opened:
            first, kept, bob, spectator = [
                opened.enter_context(open_stream(viewer, game.id))
                for viewer in (server["ann"], second, server["bob"], server.nobody)
            ]
            for reader in (first, kept, bob, spectator):
                reader.read(last)
            assert elsewhere.ask("DELETE", "/tokens/current").status_code == 204
            assert ended_within(first, SOON_S)
            with open_stream(server["ann"], game.id, status=401):
                pass
            assert two.here.command("user", "disable", "bob").exit_code == 0
            assert ended_within(bob, SOON_S)
            assert second.post(game.moves, {"type": "resign"}).status_code == 201
            for reader in (kept, spectator):
                assert reader.read(game.version)[-1] == ndjson(server.nobody, game.id)[-1]


def statuses(server: RemoteServer, game: str, count: int, name: str | None, source: str) -> dict[int, int]:
    """Return how often each status was the answer to `count` streams that are open at the same time."""
    caller = replace(server.nobody if name is None else server[name], source=source)
    with open_streams(caller, game, count) as sockets:
        for each in sockets:
            if each.status != 200:
                assert b"\r\nretry-after: 1\r\n" in each.data
        return Counter(each.status for each in sockets)


def test_attack_95_a_hundred_streams_of_a_user_leave_the_others_theirs(server: RemoteServer) -> None:
    game = open_game(server, SEATS)
    ann, stranger = server["ann"], server.nobody
    with open_streams(ann, game.id, 100) as of_ann, open_streams(stranger, game.id, 50) as of_address:
        assert Counter(each.status for each in of_ann) == {200: 10, 429: 90}
        assert Counter(each.status for each in of_address) == {200: 30, 429: 20}
        assert b"/problems/too-many-requests" in of_ann[-1].data
        assert statuses(server, game.id, 30, None, "127.0.0.2") == {200: 20, 503: 10}
        play_hand(game)
        assert stranger.get(game.path).status_code == 200
    wait_until(lambda: statuses(server, game.id, 20, "bob", "127.0.0.3") == {200: 10, 429: 10})


def test_attack_95_clients_that_vanish_give_their_places_back(server: RemoteServer) -> None:
    game = open_game(server, SEATS)
    for _ in range(2):
        with open_streams(server.nobody, game.id, 40) as sockets:
            for each in sockets:
                each.vanish()
        wait_until(lambda: statuses(server, game.id, 40, None, "127.0.0.1") == {200: 40})


def play_hand(game: ServedGame) -> None:
    """Play to the second hand."""
    game.play(lambda view: view["hand"] is None or view["hand"]["number"] == 2)
