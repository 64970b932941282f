"""The lane for moves: calls take turns in one thread, share transactions, and wait without stopping it."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import OperationalError, StoredEvent

from api.server.batch_lane import STARTED_AT_ONCE, BatchLane
from api.server.fair_queue import MOST_REMEMBERED, Client, FairQueue, LaneFull, ShareTaken
from domain.commands import PassBid
from domain.rejections import OutOfTurn
from domain.store import Commit, Games, StaleVersion, StoreUnavailable
from domain.store.group_commit import PendingCommit, RoundLock, with_pauses
from projections.views.cache import ViewCache
from tests.conftest import Database
from tests.domain.store.storing import at, command_id, open_game
from tests.event_loop import in_loop, run_coroutine

WAIT_S = 60
NAME: ContextVar[str] = ContextVar("name", default="nobody's")


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with at(database) as opened:
        yield opened


def pass_first(games: Games, game: str, n: int = 1) -> Commit:
    return games.act(game, PassBid(0), by="p0", command_id=command_id(n))


def run_together(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run calls that have all arrived before the first of them begins; return their results or exceptions."""
    gate = Event()

    async def main() -> list[Any]:
        lane = BatchLane("test", 100, batch_s=WAIT_S)
        waiting: list[Coroutine[Any, Any, Any]] = [lane.run(Client("gate"), lambda: gate.wait(WAIT_S))]
        waiting += [lane.run(Client(f"client {n % 4}"), call) for n, call in enumerate(calls)]
        started = [asyncio.ensure_future(each) for each in waiting]
        await asyncio.sleep(0)
        gate.set()
        async with asyncio.timeout(WAIT_S):
            results = await asyncio.gather(*started, return_exceptions=True)
        lane.close()
        return results[1:]

    return run_coroutine(main())


def batch_sizes(games: Games, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the number of commands of each transaction."""
    sizes, insert = list[int](), games.log.insert_batches

    def insert_batches(batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        sizes.append(len(batches))
        return insert(batches)

    monkeypatch.setattr(games.log, "insert_batches", insert_batches)
    return sizes


def test_moves_that_wait_share_a_transaction_and_each_is_stored_before_its_answer(
    games: Games, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, sizes = [open_game(games) for _ in range(8)], batch_sizes(games, monkeypatch)
    with at(database) as others:

        def move_and_look(game: str) -> tuple[str, str]:
            return pass_first(games, game).root, others.snapshot(game)[1]

        roots = run_together([partial(move_and_look, game) for game in tables])
    assert [mine == stored for mine, stored in roots] == [True] * 8
    assert sizes == [8]


class FailingLog:
    """The seam to the store: the next transaction fails before or after its commit, and so do attempts that follow."""

    def __init__(self, games: Games, failure: str | None) -> None:
        self._insert, self.failure, self.sizes = games.log.insert_batches, failure, list[int]()

    def insert_batches(self, batches: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        self.sizes.append(len(batches))
        stored = [] if self.failure == "down" else self._insert(batches)
        if self.failure is None:
            return stored
        self.failure = None if self.failure == "reply lost" else "down"
        raise OperationalError("the connection is lost")


def outcome_of(result: Any) -> Any:
    """Return the version of a commit, or the kind of an error."""
    return result.state.version if isinstance(result, Commit) else type(result)


@pytest.mark.parametrize("failure", [None, "reply lost", "down", "down after the commit"])
def test_each_command_of_a_transaction_ends_as_it_would_alone_and_is_stored_once(
    games: Games, database: Database, monkeypatch: pytest.MonkeyPatch, failure: str | None
) -> None:
    # given commands of which some are new, overtaken by another process, late, refused or repeated
    with at(database) as rival:
        *new, overtaken, stale, late, refused, repeated = tables = [open_game(rival) for _ in range(8)]
        for game in tables:
            games.state(game)
        pass_first(games, repeated)
        for game in (overtaken, stale, late):
            pass_first(rival, game, 2)

        def second(at: Games, game: str, if_match: int | None = None) -> Commit:
            return at.act(game, PassBid(1), by="p1", command_id=command_id(3), if_match=if_match)

        asked: list[Callable[[Games], Commit]] = [
            *(partial(pass_first, game=game) for game in (*new, overtaken)),
            partial(second, game=stale, if_match=9),
            *(partial(second, game=game) for game in (late, refused)),
            partial(pass_first, game=repeated),
        ]
        expected = [10, 10, 10, OutOfTurn, StaleVersion, 11, OutOfTurn, 10]
        log = FailingLog(games, failure)
        monkeypatch.setattr(games.log, "insert_batches", log.insert_batches)
        # when they share a transaction that fails
        results = [outcome_of(each) for each in run_together([partial(each, games) for each in asked])]
        # then each has its own outcome, or none as yet, and gets it when it's sent again
        unknown = StoreUnavailable if failure in ("down", "down after the commit") else None
        assert all(got in (wants, unknown) for got, wants in zip(results, expected, strict=True)), results
        assert unknown in (None, results[0])
        assert max(log.sizes) >= len(new) + 1
    with at(database) as again:
        sent = run_together([partial(each, again) for each in asked])
        assert [outcome_of(each) for each in sent] == expected
        assert [again.state(game).version for game in tables] == [10, 10, 10, 10, 10, 11, 9, 10]


def test_readers_of_a_game_wait_for_its_move_and_then_see_it(games: Games) -> None:
    game, views = open_game(games), ViewCache(games)
    views.view(game, None)
    look = [partial(views.view, game, seat) for seat in (None, 0, 1, None)]
    moved, *seen, state = run_together([partial(pass_first, games, game), *look, partial(games.state, game)])
    assert [view["version"] for view in seen] == [10] * 4
    assert state == moved.state


@in_loop
async def test_a_game_that_another_thread_uses_delays_only_its_own_calls(games: Games) -> None:
    busy, free = open_game(games), open_game(games)
    lane = BatchLane("test", 10)
    with games.log.cache.lock_of(UUID(busy)):
        waiting = [asyncio.ensure_future(lane.run(Client("ann"), lambda: pass_first(games, busy))) for _ in range(2)]
        async with asyncio.timeout(WAIT_S):
            assert (await lane.run(Client("bob"), lambda: games.state(free))).version == 9
        assert not any(each.done() for each in waiting)
    async with asyncio.timeout(WAIT_S):
        first, again = await asyncio.gather(*waiting)
    assert (first.repeated, again.repeated, again.entries) == (False, True, first.entries)


def test_threads_and_calls_of_the_lane_take_turns_on_a_game(games: Games) -> None:
    game = open_game(games)

    def click(n: int) -> bool:
        with suppress(OutOfTurn):
            return not pass_first(games, game, n).repeated
        return False

    with ThreadPoolExecutor(4) as pool:
        clicks = [pool.submit(click, n) for n in range(1, 9)]
        done = run_together([partial(click, n) for n in range(9, 25)])
        assert sorted([*done, *(each.result(WAIT_S) for each in clicks)]) == [False] * 23 + [True]
    assert games.state(game).version == 10


def test_each_call_has_a_context_of_its_own(games: Games) -> None:
    tables = [open_game(games) for _ in range(3)]

    def name_then_move(game: str) -> tuple[str, str]:
        before = NAME.get()
        NAME.set(game)
        pass_first(games, game)
        return before, NAME.get()

    seen = run_together([partial(name_then_move, game) for game in tables])
    assert seen == [("nobody's", game) for game in tables]


def test_more_calls_than_start_at_once_are_all_answered(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, sizes = [open_game(games) for _ in range(STARTED_AT_ONCE + 5)], batch_sizes(games, monkeypatch)
    made = run_together([partial(pass_first, games, game) for game in tables])
    assert [commit.state.version for commit in made] == [10] * len(tables)
    assert sizes == [STARTED_AT_ONCE - 1, 6]  # the call that held the lane until all had arrived is the first


@in_loop
async def test_a_call_whose_request_is_gone_is_not_made() -> None:
    made, gate, lane = list[int](), Event(), BatchLane("test", 10)
    first = asyncio.ensure_future(lane.run(Client("ann"), lambda: gate.wait(WAIT_S)))
    gone = asyncio.ensure_future(lane.run(Client("bob"), lambda: made.append(1)))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    gate.set()
    assert await first
    await lane.run(Client("bob"), lambda: made.append(2))
    assert made == [2]


LANE_THAT_FAILS = """
import asyncio
from api.server.batch_lane import BatchLane
from api.server.fair_queue import Client
from domain.store.group_commit import PendingCommit

class Group:
    def store(self, commits):
        raise SystemExit

lane = BatchLane("test", 10)
asyncio.run(lane.run(Client("ann"), lambda: lane.await_commit(PendingCommit(Group(), []))))
"""


def test_a_lane_that_fails_ends_its_process() -> None:
    """The supervisor starts another one."""
    done = subprocess.run(
        [sys.executable, "-c", LANE_THAT_FAILS], capture_output=True, text=True, timeout=WAIT_S, check=False
    )
    assert done.returncode == 1
    assert "the lane for moves and views failed" in done.stderr


@in_loop
async def test_a_full_lane_refuses_those_who_have_most_of_it() -> None:
    gate, lane = Event(), BatchLane("test", 4)

    def ask(name: str) -> "asyncio.Future[Any]":
        return asyncio.ensure_future(lane.run(Client(name), lambda: gate.wait(WAIT_S)))

    bob, first, second = [ask(name) for name in ("bob", "ann", "ann")]
    await asyncio.sleep(0)
    with pytest.raises(ShareTaken):
        await ask("ann")
    cat = ask("cat")
    await asyncio.sleep(0)
    dan = ask("dan")
    with pytest.raises(LaneFull):
        await second
    with pytest.raises(LaneFull):
        await ask("eve")
    gate.set()
    assert all(await asyncio.gather(bob, first, cat, dan))


@in_loop
async def test_of_one_address_the_player_with_the_most_calls_loses_one() -> None:
    gate, lane, queue = Event(), BatchLane("test", 6), Client("school", "ann")
    held = [asyncio.ensure_future(lane.run(Client("first"), lambda: gate.wait(WAIT_S)))]
    players = (queue, queue, Client("school", "bob"))
    school = [asyncio.ensure_future(lane.run(each, lambda: gate.wait(WAIT_S))) for each in players]
    held += [asyncio.ensure_future(lane.run(Client(name), lambda: gate.wait(WAIT_S))) for name in ("cat", "dan", "eve")]
    await asyncio.sleep(0)
    with pytest.raises(LaneFull):
        await school[1]
    gate.set()
    assert all(await asyncio.gather(*held, school[0], school[2]))


def order_of(lane_calls: Sequence[tuple[Client, str]]) -> list[str]:
    """Return in which order a lane makes calls that all wait, where each takes the same time by a counted clock."""
    queue, made = FairQueue[tuple[Client, str]](2, 0.0), list[str]()
    for client, name in lane_calls:
        queue.put(client, (client, name))
    while queue:
        client, name = queue.take()
        made.append(name)
        queue.charge(client, 1.0)
    return made


def test_addresses_take_turns_and_so_do_the_players_of_one() -> None:
    flood = [(Client("a", "ann"), f"ann {n}") for n in range(5)]
    others = [(Client("a", "bob"), "bob"), (Client("b"), "b 0"), (Client("b"), "b 1"), (Client("c"), "c")]
    assert order_of([*flood, *others]) == ["ann 0", "b 0", "c", "bob", "b 1", "ann 1", "ann 2", "ann 3", "ann 4"]


def test_a_client_who_has_used_much_waits_until_others_have_had_as_much() -> None:
    queue, dear, cheap = FairQueue[str](2, 0.0), Client("a"), Client("b")
    queue.put(dear, "dear")
    assert queue.take() == "dear"
    queue.charge(dear, 3.0)
    for n in range(5):
        queue.put(cheap, f"cheap {n}")
    queue.put(dear, "dear again")
    taken = []
    while queue:
        taken.append(queue.take())
        queue.charge(dear if taken[-1].startswith("dear") else cheap, 1.0)
    assert taken == ["cheap 0", "cheap 1", "cheap 2", "dear again", "cheap 3", "cheap 4"]


@pytest.fixture
def crowded() -> FairQueue[str]:
    """A queue that remembers as many addresses as it can, each of which has used a little."""
    queue = FairQueue[str](2, 0.0)
    for n in range(MOST_REMEMBERED):
        queue.put(client := Client(f"address {n}"), "")
        queue.take()
        queue.charge(client, 0.001)
    return queue


def test_an_address_that_waits_for_its_first_turn_is_never_forgotten(crowded: FairQueue[str]) -> None:
    crowded.put(Client("one more"), "first")
    crowded.put(Client("another"), "second")
    assert [crowded.take(), crowded.take()] == ["first", "second"]


def test_among_very_many_addresses_a_new_one_pays_for_what_it_uses(crowded: FairQueue[str]) -> None:
    crowded.put(Client("one more"), "which makes room")
    crowded.put(flood := Client("flood"), "dear")
    assert [crowded.take(), crowded.take()] == ["which makes room", "dear"]
    crowded.charge(flood, 1.0)
    crowded.put(flood, "dear again")
    crowded.put(Client("fair"), "cheap")
    assert [crowded.take(), crowded.take()] == ["cheap", "dear again"]


@in_loop
async def test_a_call_that_reads_much_lets_others_have_their_turns() -> None:
    lane, seen, gate = BatchLane("test", 10), list[str](), Event()

    def read_much() -> int:
        gate.wait(WAIT_S)
        read = 0
        for _ in with_pauses(range(100_000)):
            read += 1
            seen[:] = seen or ["first"]
        seen.append("last")
        return read

    reading = asyncio.ensure_future(lane.run(Client("ann"), read_much))
    await asyncio.sleep(0)
    looking = asyncio.ensure_future(lane.run(Client("bob"), lambda: list(seen)))
    await asyncio.sleep(0)
    gate.set()
    assert await looking == ["first"]
    assert await reading == 100_000


@in_loop
async def test_calls_that_wait_for_one_game_leave_nothing_behind_that_delays_others() -> None:
    lane, lock, stored, most = BatchLane("test", 1000), RoundLock(), StoredAtOnce(), [0]

    def call() -> None:
        with lock:
            lane.await_commit(PendingCommit(stored, ()))
            most.append(lane._arrived.qsize())

    async def play(client: str) -> None:
        for _ in range(50):
            await lane.run(Client(client), call)

    async with asyncio.timeout(WAIT_S):
        await asyncio.gather(*(play(f"client {n}") for n in range(20)))
    lane.close()
    assert max(most) <= 20 + 1  # the calls, and the lock itself


class StoredAtOnce:
    """A store that does nothing."""

    def store(self, commits: Sequence[PendingCommit]) -> None:
        """Call every commit stored."""
