"""Group commit: commands that wait at the same time share a transaction, and none makes another one fail."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from eventsourcing.persistence import DataError, IntegrityError, InterfaceError, PersistenceError, StoredEvent

from domain.store.aggregate import Game, Request
from domain.store.group_commit import GroupCommit
from domain.store.recorder import LogRecorder
from tests.conftest import Database
from tests.domain.store.recording import events, open_recorder
from tests.domain.store.storing import at, command_id, new_id, open_game, opening
from tests.games.tables import entropy
from tests.given import AT
from tests.waiting import wait_until

Batches = Sequence[Sequence[StoredEvent]]
TOO_LARGE = 1 << 63
"""A version that neither store can hold."""


@pytest.fixture
def log(database: Database) -> Iterator[LogRecorder]:
    with open_recorder(database.data, database.url) as recorder:
        yield recorder


def test_batches_are_stored_in_order_and_return_their_ids(log: LogRecorder) -> None:
    one, two = uuid4(), uuid4()
    assert log.insert_batches([events(one, 1, 3), events(two, 1, 70)]) == [[1, 2, 3], list(range(4, 74))]
    assert log.insert_batches([events(two, 71, 72), events(one, 4, 4)]) == [[74, 75], [76]]
    assert [(each.originator_id, each.originator_version) for each in log.select_notifications(72, 9)] == [
        (two, 69), (two, 70), (two, 71), (two, 72), (one, 4)
    ]  # fmt: skip
    assert (log.insert_batches([]), log.insert_events([])) == ([], None)


def test_a_batch_that_does_not_follow_its_game_is_left_out_alone(log: LogRecorder) -> None:
    one, two, three, four = uuid4(), uuid4(), uuid4(), uuid4()
    log.insert_events([*events(one, 1, 3), *events(two, 1, 3)])
    stored = log.insert_batches([events(one, 3, 4), events(two, 5, 6), events(three, 2, 2), events(four, 1, 2)])
    assert stored[:3] == [None, None, None]
    assert stored[3] is not None
    assert [log.last_version(game) for game in (one, two, three, four)] == [3, 3, None, 2]


def test_batches_share_one_transaction(log: LogRecorder) -> None:
    game = uuid4()
    with pytest.raises(DataError):
        log.insert_batches([events(game), [*events(uuid4()), *events(uuid4(), TOO_LARGE, TOO_LARGE)]])
    assert (log.last_version(game), log.max_notification_id()) == (None, None)


class Gate:
    """Passes batches to a recorder, but only while the gate is open."""

    def __init__(self, log: LogRecorder) -> None:
        self.log, self.open, self.sizes = log, Event(), list[int]()
        recorder: Any = self
        self.group = GroupCommit(recorder)

    def insert_batches(self, batches: Batches) -> list[list[int] | None]:
        self.sizes.append(len(batches))
        assert self.open.wait(60)
        return self.log.insert_batches(batches)


def insert_together(gate: Gate, pool: ThreadPoolExecutor, several: Batches) -> list[Future[list[int]]]:
    """Let the first command reach the closed gate, then the others wait behind it; open the gate."""
    started = [pool.submit(gate.group.insert, several[0])]
    wait_until(lambda: gate.sizes, pause_s=0.001)
    started += [pool.submit(gate.group.insert, each) for each in several[1:]]
    wait_until(lambda: len(gate.group._waiting) >= len(several) - 1, pause_s=0.001)
    gate.open.set()
    return started


def test_commands_that_wait_share_a_transaction_and_a_lone_one_does_not_wait(log: LogRecorder) -> None:
    gate, games = Gate(log), [uuid4() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        stored = insert_together(gate, pool, [events(game, 1, 2) for game in games])
        assert sorted(at for each in stored for at in each.result(60)) == list(range(1, 17))
    assert gate.sizes == [1, 7]


def test_a_conflict_and_a_failure_leave_the_other_commands_of_their_transaction_alone(log: LogRecorder) -> None:
    gate, games = Gate(log), [uuid4() for _ in range(6)]
    log.insert_events(events(games[2]))
    several = [events(game) for game in games]
    several[4] = [StoredEvent(games[4], 1, "Card\0Played", b""), *events(games[4], TOO_LARGE, TOO_LARGE)]
    with ThreadPoolExecutor(8) as pool:
        stored = insert_together(gate, pool, several)
        with pytest.raises(IntegrityError):
            stored[2].result(60)
        with pytest.raises(PersistenceError):
            stored[4].result(60)
        assert len({at for place in (0, 1, 3, 5) for at in stored[place].result(60)}) == 4
    assert gate.sizes == [1, 5, 1, 1, 1, 1, 1]
    assert [log.last_version(game) for game in games] == [1, 1, 1, 1, None, 1]


def test_32_saves_of_games_share_a_transaction_and_one_conflict_fails_alone(database: Database) -> None:
    with at(database) as games, ThreadPoolExecutor(32) as pool:
        taken, drafts = open_game(games), [Game(new_id()) for _ in range(31)]
        drafts.insert(7, Game(taken))
        for number, game in enumerate(drafts):
            game.act(opening(game.game), Request("p0", command_id(number), AT), entropy(number))
        gate: Any = Gate(games.log)  # type: ignore[arg-type]  # it has what the gate asks
        for shard in range(games.log.shards):
            games.log.recorder(shard).group = gate.group
        saves = [partial(games.log.application_of(game.id).save, game) for game in drafts]
        started = [pool.submit(saves[0])]
        wait_until(lambda: gate.sizes, pause_s=0.001)
        started += [pool.submit(save) for save in saves[1:]]
        wait_until(lambda: len(gate.group._waiting) == 31, pause_s=0.001)
        gate.open.set()
        failed = [number for number, save in enumerate(started) if save.exception(60) is not None]
        assert (failed, gate.sizes) == ([7], [1, 31])
        assert [games.state(game.game).version for game in drafts[:2]] == [len(drafts[0].recent)] * 2


class Stopped(BaseException):
    """The end of a thread."""


def test_if_the_thread_that_stores_is_stopped_the_others_learn_it(log: LogRecorder) -> None:
    class Stopping(Gate):
        def insert_batches(self, batches: Batches) -> list[list[int] | None]:
            stored = super().insert_batches(batches)
            if len(batches) > 1:
                raise Stopped
            return stored

    gate = Stopping(log)
    with ThreadPoolExecutor(8) as pool:
        stored = insert_together(gate, pool, [events(uuid4()) for _ in range(4)])
        assert stored[0].result(60) == [1]
        for each in stored[1:]:
            with suppress(Stopped), pytest.raises(InterfaceError):
                each.result(60)
        assert len(gate.group.insert(events(uuid4()))) == 1
