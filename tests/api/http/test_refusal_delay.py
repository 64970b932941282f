"""Refusals that a client can cause without end come after other answers."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from api.server.fair_queue import Client
from api.server.sender import EACH_S, MOST_S, DateHeader, Pace, RefusalDelays, Sender
from tests.event_loop import run_coroutine


async def order_of_answers(status: int) -> list[int]:
    """Send this answer and then a 200, and return the statuses in the order in which they left."""
    left = list[int]()

    async def send(message: MutableMapping[str, Any]) -> None:
        left.extend([message["status"]] if "status" in message else [])

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.disconnect"}

    senders = [Sender(send, receive, DateHeader(lambda: 0), Pace(), RefusalDelays(0.01)) for _ in range(2)]
    await asyncio.gather(senders[0].whole(status, (), b""), senders[1].whole(200, (), b""))
    return left


def test_a_refusal_that_costs_a_client_nothing_leaves_late() -> None:
    for late in (408, 409, 413, 429, 431, 503):
        assert run_coroutine(order_of_answers(late)) == [200, late]
    for status in (401, 404):
        assert run_coroutine(order_of_answers(status)) == [status, 200]


def test_refusals_of_one_client_leave_one_after_another_and_delay_no_other() -> None:
    delays, flood, other = RefusalDelays(0.125), Client("a"), Client("b")
    leave = [delays.leaves_at(client, 1000.0) for client in (flood, flood, flood, other)]
    assert leave == pytest.approx([1000.125, 1000.125 + EACH_S, 1000.125 + 2 * EACH_S, 1000.125])
    assert delays.leaves_at(flood, 1001.0) == 1001.125


def test_no_refusal_is_delayed_for_longer_than_proxies_wait() -> None:
    delays = RefusalDelays(0.125)
    assert max(delays.leaves_at(Client("a"), 1000.0) for _ in range(2000)) == 1000.0 + MOST_S
