"""Refusals that a client can cause without end, and that cost it nothing, leave late and one after another.

A client that sends one request after another then sends fewer, however many connections it has.
"""

import asyncio

from api.server.fair_queue import Client

DELAYED = frozenset((408, 409, 413, 429, 431, 503))
"""The statuses of such refusals."""
EACH_S = 0.02
"""How much later than the refusal before it a client's next one leaves."""
MOST_S = 20.0
"""The longest delay: proxies often end a request after 30 seconds."""
MOST_REMEMBERED = 4096


class RefusalDelays:
    """Delays refusals by `delay_s` and by the other refusals of the same client; 0 means not at all."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._last = dict[Client, float]()
        """When the last refusal of each client leaves."""

    async def wait(self, client: Client) -> None:
        """Wait until a refusal of this client may leave."""
        if self._delay_s:
            now = asyncio.get_running_loop().time()
            await asyncio.sleep(self.leaves_at(client, now) - now)

    def leaves_at(self, client: Client, now: float) -> float:
        """Return when a refusal that is made `now` leaves, in seconds."""
        leaves = min(max(now + self._delay_s, self._last.get(client, 0.0) + EACH_S), now + MOST_S)
        self._last[client] = leaves
        if len(self._last) > MOST_REMEMBERED:
            self._last = {each: last for each, last in self._last.items() if last > now}
        return leaves
