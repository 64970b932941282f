"""The ASGI application that receives every request, in this process without a socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from flask import Flask

from api.server.batch_lane import BatchLane
from api.server.front import Front, Lanes
from api.server.process_lane import ThreadLane


@asynccontextmanager
async def open_front(app: Flask, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the application, which has lanes for light requests, for log-ins and for those that wait."""
    light = BatchLane("light", 100)
    front = Front(app, Lanes(light, ThreadLane("login", 1, 1), ThreadLane("waiting", 4, 64)), **settings)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(front), base_url="http://x", timeout=60) as client:
        yield client
    light.close()
