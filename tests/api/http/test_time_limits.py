"""One timer limits many waits."""

import asyncio

import pytest

from api.server import sender
from api.server.sender import TimeLimits
from tests.event_loop import in_loop

NEVER, AT_ONCE = 3600.0, 0.0


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "CHECK_EVERY_S", 0.001)


async def answer(after_s: float) -> str:
    await asyncio.sleep(after_s)
    return "done"


@in_loop
async def test_a_wait_that_ends_in_time_has_its_result() -> None:
    limits = TimeLimits()
    waits = [limits.limit(NEVER, answer(0.005)) for _ in range(3)]
    assert await asyncio.gather(*waits) == ["done"] * 3


@in_loop
async def test_a_limit_is_checked_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "CHECK_EVERY_S", NEVER)
    assert await TimeLimits().limit(AT_ONCE, answer(0)) == "done"


@in_loop
async def test_a_wait_beyond_its_limit_ends_alone_and_its_task_goes_on() -> None:
    async def patient(limits: TimeLimits) -> str:
        with pytest.raises(TimeoutError):
            await limits.limit(AT_ONCE, answer(NEVER))
        task = asyncio.current_task()
        assert task is not None
        assert not task.cancelling()
        await asyncio.sleep(0.005)  # nothing is left that could cancel it now
        return await limits.limit(NEVER, answer(0))

    limits = TimeLimits()
    other = asyncio.create_task(limits.limit(NEVER, answer(0.02)))
    assert await asyncio.gather(*(patient(limits) for _ in range(3))) == ["done"] * 3
    assert await other == "done"


@in_loop
async def test_a_wait_that_is_cancelled_stays_cancelled() -> None:
    limits = TimeLimits()
    waiting = asyncio.create_task(limits.limit(NEVER, answer(NEVER)))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@in_loop
async def test_a_limit_also_ends_a_wait_that_begins_when_no_other_is_left() -> None:
    limits = TimeLimits()
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await limits.limit(AT_ONCE, answer(NEVER))
        await asyncio.sleep(0.005)
