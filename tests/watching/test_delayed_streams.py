"""Event streams of delayed and private games, on a real server and on a hub."""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import api.server.event_streams as hub_module
from api.accounts.accounts import Accounts, open_accounts
from api.config import Config
from api.people.stored import roles
from domain.commands import GiveRuling, OpenDispute, OpenGame
from domain.events import Evidence, Watch
from domain.store import Games
from tests.api.live_server import last_move
from tests.api.remote_server import RemoteServer
from tests.api.server.test_stream_hub import GAME, PEOPLE, Streams, hub_of, move, read
from tests.api.server_process import ServerProcess
from tests.api.stream_client import ndjson, open_stream
from tests.event_loop import run_coroutine

ANN, BOB = "delayed-ann", "delayed-bob"


@pytest.fixture(scope="module")
def server(shared_server: ServerProcess) -> RemoteServer:
    """The shared server, with players whose names only these tests use."""
    return RemoteServer(shared_server.url)


def open_game(server: RemoteServer, **watch: object) -> str:
    """Open a game of ann and bob, and return its id."""
    assert server[BOB].token
    body = {"variant": "pitch", "seats": [ANN, BOB], "options": {"win": 21}, "watch": watch}
    made = server[ANN].post("/games", body)
    assert made.status_code == 201, made.text
    game: str = made.get_json()["id"]
    return game


def play(server: RemoteServer, game: str) -> int:
    seat: int = server[ANN].get(f"/games/{game}").get_json()["turn"]["seats"][0]
    caller = server[(ANN, BOB)[seat]]
    answer = caller.post(f"/games/{game}/moves", last_move(caller.get(f"/games/{game}/seats/{seat}").get_json()))
    assert answer.status_code == 201, answer.text
    version: int = answer.get_json()["version"]
    return version


def test_a_delayed_stream_sends_what_the_list_shows_and_a_players_stream_everything(server: RemoteServer) -> None:
    game = open_game(server, delay=9)
    assert ndjson(server.nobody, game) == []
    with open_stream(server.nobody, game) as late, open_stream(server[BOB], game) as own:
        while not ndjson(server.nobody, game):  # there is nothing to see yet
            play(server, game)
        assert late.read(1)[0] == ndjson(server.nobody, game)[0]
        version = [play(server, game) for _ in range(6)][-1]
        head = len(ndjson(server.nobody, game))
        assert 0 < head <= version - 9
        assert late.read(head) == ndjson(server.nobody, game)
        assert own.read(version) == ndjson(server[BOB], game)
        beyond = f"/games/{game}/events?after={head + 1}"
        assert server.nobody.get(beyond, Accept="text/event-stream").status_code == 400
        with open_stream(server.nobody, game, last_id=str(version), status=400):
            pass


@contextmanager
def opened(folder: Path, watch: Watch) -> Iterator[tuple[Games, Accounts]]:
    """Open a game of four players, and the accounts beside it."""
    with closing(Games(folder)) as games, closing(open_accounts(Config(data=folder))) as accounts:
        games.open(OpenGame(GAME, 1, "pitch", {}, PEOPLE, watch=watch), by="p0", command_id="1-1")
        yield games, accounts


def test_moves_that_a_spectator_cant_see_neither_send_nor_delay_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "HEARTBEAT_S", 0.3)

    async def follow(games: Games, accounts: Accounts) -> None:
        streams, numbers = Streams(hub_of(games, accounts)), itertools.count()
        chunks = await streams.open(is_open=False)
        assert b"retry: " in await anext(chunks)
        done = asyncio.Event()

        async def keep_moving() -> None:
            while not done.is_set() and games.state(GAME).version < 900:
                await asyncio.to_thread(move, games, next(numbers))

        moving = asyncio.create_task(keep_moving())
        async with asyncio.timeout(30):
            assert await anext(chunks) == hub_module.HEARTBEAT, "though the game moves all the time"
        done.set()
        await moving
        await streams.close()

    with opened(tmp_path, Watch(delay=1000)) as (games, accounts):
        run_coroutine(follow(games, accounts))


def test_the_stream_of_an_arbiter_ends_when_no_dispute_waits_for_them(tmp_path: Path) -> None:
    async def follow(games: Games, accounts: Accounts) -> None:
        streams, note, version = Streams(hub_of(games, accounts)), "ab" * 32, games.state(GAME).version
        games.act(GAME, OpenDispute(0, 1, version, "conduct", note), by="p0", command_id="d-1")
        chunks = await streams.open("rue", is_open=False)
        await read(chunks, version + 1)
        state, root = games.snapshot(GAME)
        evidence = Evidence(state.version, root)
        ruling = GiveRuling("rue", 1, "none", (), None, "likely", evidence, note)
        await asyncio.to_thread(games.act, GAME, ruling, by="rue", command_id="r-1")
        rest = b"".join([chunk async for chunk in chunks])
        assert rest == b": you may no longer see this game\n\n"
        await streams.close()

    with opened(tmp_path, Watch(public=False)) as (games, accounts):
        accounts.roles.grant("rue", roles.ARBITER)
        run_coroutine(follow(games, accounts))
