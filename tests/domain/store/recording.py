"""Helpers for the tests of the recorders."""

from collections.abc import Callable, Iterator, Sized
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TypeVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import PersistenceError, StoredEvent

from domain.store.recorder import LogRecorder, recorder_env
from tests.waiting import wait_until

PATIENT = {"SQLITE_LOCK_TIMEOUT": "60", "POSTGRES_LOCK_TIMEOUT": "60", "POSTGRES_CONNECT_TIMEOUT": "60"}
"""Settings of a process that waits for others even on a busy machine, in seconds."""

T = TypeVar("T")


class Games(Application[UUID]):
    """An eventsourcing application like the store."""


@contextmanager
def open_recorder(place: Path, url: str | None = None, **settings: str) -> Iterator[LogRecorder]:
    """Open the recorder as an application does."""
    with closing(Games(env=recorder_env(place, url, **settings))) as games:
        assert isinstance(games.recorder, LogRecorder)
        yield games.recorder


def events(game: UUID, first: int = 1, last: int = 1, topic: str = "CardPlayed") -> list[StoredEvent]:
    return [StoredEvent(game, version, topic, b"state %d" % version) for version in range(first, last + 1)]


def when_back(ask: Callable[[], T], refusal: type[Exception] = PersistenceError) -> T:
    """Retry until the store answers: it refuses for a while after a time-out, and the pool reconnects now and then."""
    answers = list[T]()

    def has_answered() -> bool:
        with suppress(refusal):
            answers.append(ask())
        return bool(answers)

    wait_until(has_answered, "the store doesn't answer", within_s=240)
    return answers[0]


@contextmanager
def following(live: Iterator[T], stop: Callable[[], None]) -> Iterator[list[T]]:
    """Yield a list to which a thread adds what a subscription yields. Afterwards the thread ends by `stop`."""
    seen = list[T]()
    thread = Thread(target=lambda: seen.extend(live), daemon=True)  # extend adds one by one
    thread.start()
    try:
        yield seen
    finally:
        stop()
        thread.join(60)
    assert not thread.is_alive()


def await_length(seen: Sized, length: int) -> None:
    """Wait until that many events have arrived."""
    wait_until(lambda: len(seen) >= length, f"{length} events don't arrive")
