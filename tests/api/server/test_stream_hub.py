"""The hub of event streams on a real store: shared reads, a listener that fails, and memory for slow readers."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Collection, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from threading import Event
from typing import Any, NoReturn

import pytest

import api.server.commit_listener as listener_module
import api.server.event_streams as hub_module
from api.accounts.accounts import Accounts, open_accounts
from api.config import Config
from api.play.services.event_stream import PAGE_EVENTS, EventStream, NoFreeStream, StreamLimitReached, StreamSlots
from api.play.services.gate import GameGate
from api.server.event_streams import EventStreamHub, OpenStream, StreamSources, Turns
from domain.commands import AnswerHandover, AskHandover, OpenGame, PassBid
from domain.events import Player
from domain.state import State
from domain.store import Games, StoreUnavailable
from projections.views.cache import ViewCache
from tests.event_loop import in_loop, run_coroutine

GAME = "6f1d0c1e-0000-4000-8000-000000000001"
PEOPLE = tuple(Player(f"p{seat}", "human") for seat in range(4))


class CountingGames(Games):
    """Games that count their reads. With `down`, nobody can read them."""

    reads = 0
    down = False

    def state(self, game: str) -> State:
        self.reads += 1
        if self.down:
            raise StoreUnavailable("the store failed: in a test")
        return super().state(game)


@pytest.fixture
def games(tmp_path: Path) -> Iterator[CountingGames]:
    with closing(CountingGames(tmp_path)) as opened:
        opened.open(OpenGame(GAME, 1, "pitch", {}, PEOPLE), by="p0", command_id="1-1")
        yield opened


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with closing(open_accounts(Config(data=tmp_path))) as opened:
        yield opened


async def no_disconnect() -> dict[str, Any]:
    """Wait forever, like the `receive` of a client that stays."""
    await asyncio.Event().wait()
    return {}


def hub_of(games: Games, accounts: Accounts) -> EventStreamHub:
    """Return the hub of a store."""
    return EventStreamHub(StreamSources(games, GameGate(games, ViewCache(games), accounts.roles), accounts.tokens))


class Streams:
    """Streams of a hub, opened one after another."""

    def __init__(self, hub: EventStreamHub) -> None:
        self._hub, self._opened = hub, AsyncExitStack()
        self._slots = StreamSlots(1000, None, None)

    async def open(
        self, player: str | None = None, token: str | None = None, *, is_open: bool = True
    ) -> AsyncGenerator[bytes, None]:
        asked = EventStream(GAME, player, 0, None, token, self._slots.take("x", None), is_open=is_open)
        return await self._opened.enter_async_context(self._hub.open(asked, no_disconnect))

    async def close_opened(self) -> None:
        await self._opened.aclose()

    async def close(self) -> None:
        self._hub.close()
        await self._opened.aclose()
        self._hub.join()


async def read(chunks: AsyncGenerator[bytes, None], upto: int) -> bytes:
    """Return the chunks up to the frame of version `upto`."""
    text = b""
    while b"id: %d\n" % upto not in text:
        text += await anext(chunks)
    return text


def move(games: Games, number: int) -> int:
    """Pass for the seat to move, and return the version. After four passes, the table deals again."""
    state = games.state(GAME)
    player = state.seats[state.turn[0]].player
    return games.act(GAME, PassBid(state.turn[0]), by=player, command_id=f"m{number}-1").state.version


def lend(games: Games) -> int:
    """Hand seat 1 over to p9, and return the version."""
    games.act(GAME, AskHandover(1, "p9", "human"), by="p1", command_id="h1-1")
    for seat in (0, 2, 3):
        games.act(GAME, AnswerHandover(seat, True), by=f"p{seat}", command_id=f"h{seat + 2}-1")
    return games.state(GAME).version


def dealt_to(seat: int, text: bytes) -> bool:
    """Return whether a stream shows cards dealt to a seat."""
    return b'"fact":"CardsDealt"' in text and b'"seen_by":[%d]' % seat in text


@pytest.mark.parametrize("reads_between", [True, False])
@in_loop
async def test_R_P13_an_open_stream_follows_a_seat_that_changes_hands(
    games: CountingGames, accounts: Accounts, *, reads_between: bool
) -> None:
    streams = Streams(hub_of(games, accounts))
    opened = {player: await streams.open(player) for player in ("p1", "p9", "p2", None)}
    first = {player: await read(each, games.snapshot(GAME)[0].version) for player, each in opened.items()}
    assert [player for player, text in first.items() if dealt_to(1, text)] == ["p1"]
    version = await asyncio.to_thread(lend, games)
    if reads_between:
        for each in opened.values():
            await read(each, version)
    for number in range(4):
        version = await asyncio.to_thread(move, games, number)
    later = {player: await read(each, version) for player, each in opened.items()}
    assert [player for player, text in later.items() if dealt_to(1, text)] == ["p9"]
    assert [player for player, text in later.items() if dealt_to(2, text)] == ["p2"]
    await streams.close()


@in_loop
async def test_streams_of_one_game_share_their_reads(games: CountingGames, accounts: Accounts) -> None:
    streams = Streams(hub_of(games, accounts))
    opened = [await streams.open() for _ in range(200)]
    first = await asyncio.gather(*(read(each, games.snapshot(GAME)[0].version) for each in opened))
    assert len({text[text.index(b"id: ") :] for text in first}) == 1
    before = games.reads
    waiting = [asyncio.create_task(anext(each)) for each in opened]
    await asyncio.sleep(0)
    version = await asyncio.to_thread(move, games, 0)
    assert all(b"id: %d\n" % version in text for text in await asyncio.gather(*waiting))
    assert games.reads - before < 20
    await streams.close()


@pytest.mark.parametrize("deaf", [False, True], ids=["at once", "every second while the listener fails"])
@in_loop
async def test_streams_look_for_commits_of_other_processes(
    games: CountingGames, accounts: Accounts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, deaf: bool
) -> None:
    def fail() -> NoReturn:
        raise StoreUnavailable("the store failed: in a test")

    if deaf:
        monkeypatch.setattr(games.log, "last_numbers", fail)
    else:
        monkeypatch.setattr(listener_module, "RETRY_S", 600.0)
    streams = Streams(hub_of(games, accounts))
    chunks = await streams.open()
    await read(chunks, games.snapshot(GAME)[0].version)
    with closing(Games(tmp_path)) as others:
        version = await asyncio.to_thread(move, others, 0)
    async with asyncio.timeout(60):
        await read(chunks, version)
    await streams.close()


@in_loop
async def test_a_listener_reads_nothing_while_there_are_no_streams(
    games: CountingGames, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, idle = hub_of(games, accounts), Event()
    streams, wait = Streams(hub), hub._listener._needed.wait

    def wait_idle() -> bool:
        idle.set()
        return wait()

    monkeypatch.setattr(hub._listener._needed, "wait", wait_idle)
    await read(await streams.open(), games.snapshot(GAME)[0].version)
    await streams.close_opened()
    assert await asyncio.to_thread(idle.wait, 60)
    again = await streams.open()
    version = await asyncio.to_thread(move, games, 0)
    async with asyncio.timeout(60):
        await read(again, version)
    await streams.close()


@in_loop
async def test_a_stream_waits_for_a_store_that_fails(games: CountingGames, accounts: Accounts) -> None:
    streams = Streams(hub_of(games, accounts))
    games.down = True
    chunks = await streams.open()
    assert b"retry: " in await anext(chunks)
    assert await anext(chunks) == b": the store doesn't respond\n\n"
    games.down = False
    await read(chunks, games.snapshot(GAME)[0].version)
    await streams.close()


def test_a_stream_that_ends_while_it_waits_for_its_turn_does_not_sleep_until_a_heartbeat() -> None:
    async def sleep_after(happened: str) -> bool:
        slot = StreamSlots(1, None, None).take("x", None)
        stream = OpenStream(EventStream(GAME, None, 0, None, None, slot, is_open=True))
        getattr(stream, happened)()
        stream.begin_reading()  # its turn has come
        return await stream.sleep(0)

    assert not run_coroutine(sleep_after("wake")), "it reads now, so it needs no earlier wake-up"
    assert run_coroutine(sleep_after("end"))


@in_loop
async def test_streams_of_unchecked_tokens_end(
    games: CountingGames, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "TOKEN_TRUST_S", 0.0)
    accounts.close()
    streams = Streams(hub_of(games, accounts))
    of_player, of_spectator = await streams.open("p0", "a" * 64), await streams.open()
    version = games.snapshot(GAME)[0].version
    await read(of_spectator, version)
    async with asyncio.timeout(60):
        assert b"id: %d\n" % version in b"".join([chunk async for chunk in of_player])
    waiting = asyncio.create_task(anext(of_spectator))
    await asyncio.to_thread(move, games, 0)
    assert b"id: " in await waiting
    await streams.close()


@in_loop
async def test_streams_end_although_the_check_of_their_tokens_once_failed_unexpectedly(
    games: CountingGames, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, valid_among = itertools.count(), accounts.tokens.valid_among

    def fail_once(hashes: Collection[str]) -> set[str]:
        if not next(asked):
            raise RuntimeError("in a test")
        return valid_among(hashes)

    monkeypatch.setattr(accounts.tokens, "valid_among", fail_once)
    streams = Streams(hub_of(games, accounts))
    of_player = await streams.open("p0", "a" * 64)
    async with asyncio.timeout(60):
        assert b"id: 1\n" in b"".join([chunk async for chunk in of_player])
    assert next(asked) > 1
    await streams.close()


@in_loop
async def test_a_stream_of_a_log_that_became_shorter_rests_between_its_reads(
    games: CountingGames, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "RETRY_S", 0.1)
    hub = hub_of(games, accounts)
    streams = Streams(hub)
    chunks = await streams.open()
    version = games.snapshot(GAME)[0].version
    await read(chunks, version)
    before = games.reads
    waiting = asyncio.create_task(anext(chunks))
    hub._on_commit(GAME, version + 5)
    async with asyncio.timeout(60):
        assert await waiting == hub_module.HEARTBEAT
    assert games.reads - before <= 5
    await streams.close()


@in_loop
async def test_a_long_log_is_sent_in_pages_of_a_limited_size(games: CountingGames, accounts: Accounts) -> None:
    numbers = itertools.count()
    while move(games, next(numbers)) < 2 * PAGE_EVENTS + 10:
        pass
    streams = Streams(hub_of(games, accounts))
    chunks = await streams.open()
    sizes: list[int] = []
    while sum(sizes) < games.snapshot(GAME)[0].version:
        sizes.append((await anext(chunks)).count(b"\ndata: "))
    assert max(sizes) == PAGE_EVENTS
    await streams.close()


def test_a_stream_that_ends_soon_counts_for_a_while() -> None:
    now = [1000.0]
    slots = StreamSlots(10, 10, 2, hold_s=2.0, timer=lambda: now[0])
    for _ in range(2):
        slots.take("a", "ann").release()
    with pytest.raises(StreamLimitReached):
        slots.take("a", "ann")
    assert slots.open_streams == 0
    now[0] = 1002.0
    lasting = [slots.take("a", "ann"), slots.take("a", "ann")]
    now[0] = 1004.0
    lasting[0].release()
    slots.take("a", "ann")  # a stream that has lasted leaves its slot at once


def test_slots_are_limited_by_player_by_address_and_in_total() -> None:
    slots = StreamSlots(4, 3, 2)
    held = [slots.take("a", "ann"), slots.take("a", "ann")]
    with pytest.raises(StreamLimitReached, match="You have 2 event streams"):
        slots.take("b", "ann")
    held.append(slots.take("a", "bob"))
    with pytest.raises(StreamLimitReached, match="Your address has 3 event streams"):
        slots.take("a", None)
    held.append(slots.take("b", None))
    with pytest.raises(NoFreeStream):
        slots.take("c", None)
    held[0].release()
    held[0].release()
    assert slots.open_streams == 3
    del held[1]
    assert slots.open_streams == 2, "a slot that nobody holds is free"
    slots.take("a", "ann")


def test_tasks_that_wake_together_leave_rounds_of_the_loop_between_them() -> None:
    async def run() -> list[list[int]]:
        turns, rounds, loop = Turns(3), [list[int]()], asyncio.get_running_loop()

        async def task(number: int) -> None:
            await turns.take()
            rounds[-1].append(number)

        def next_round() -> None:
            rounds.append([])
            loop.call_soon(next_round)

        tasks = [asyncio.create_task(task(number)) for number in range(10)]
        tasks[4].cancel()
        loop.call_soon(next_round)
        await asyncio.gather(*tasks, return_exceptions=True)
        return rounds

    rounds = run_coroutine(run())
    assert max(map(len, rounds)) == 3
    assert [number for each in rounds for number in each] == [0, 1, 2, 3, 5, 6, 7, 8, 9]
