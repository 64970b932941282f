"""Refusals that a client can cause without end come after other answers."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("status", "late"),
    [(408, True), (409, True), (413, True), (429, True), (431, True), (503, True), (404, False), (401, False)],
)
def test_a_refusal_that_costs_a_client_nothing_leaves_late(status: int, late: bool) -> None:
    assert run_coroutine(order_of_answers(status)) == ([200, status] if late else [status, 200])
