"""Refusals that a client can cause without end come after other answers."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

from api.server.sender import Pace, Sender
from tests.event_loop import run_coroutine


async def order_of_answers(status: int) -> list[int]:
    """Send this answer and then a 200, and return the statuses in the order in which they left."""
    left = list[int]()

    async def send(message: MutableMapping[str, Any]) -> None:
        left.extend([message["status"]] if "status" in message else [])

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.disconnect"}

    senders = [Sender(send, receive, Pace(), refusal_delay_s=0.01) for _ in range(2)]
    await asyncio.gather(senders[0].whole(status, (), b""), senders[1].whole(200, (), b""))
    return left


def test_a_refusal_that_costs_a_client_nothing_leaves_late() -> None:
    for late in (408, 409, 413, 429, 431, 503):
        assert run_coroutine(order_of_answers(late)) == [200, late]
    for status in (401, 404):
        assert run_coroutine(order_of_answers(status)) == [status, 200]
