"""Turns: how a thousand tasks that wake together leave room for requests in the event loop."""

import asyncio
from collections import deque


class Turns:
    """Lets `at_once` tasks go on in each round of the event loop, in the order in which they came."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._given = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for a turn."""
        loop = asyncio.get_running_loop()
        if not self._given:
            loop.call_soon(self._next_round, loop)
        if self._given < self._at_once:
            self._given += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _next_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._given = 0
        while self._waiting and self._given < self._at_once:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._given += 1
        if self._given:
            loop.call_soon(self._next_round, loop)
