"""Spectators: they follow streams for a while, and read pages and lists of games."""

import time
from contextlib import suppress

import httpx

from tests.api.stream_client import EVENT_STREAM
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import PASSING, Caller
from tests.campaigns.traffic.racers import Ledger

PAGES = (
    "/", "/api/v1/games?limit=20", "/api/v1/games?status=active", "/api/v1/standings", "/api/v1/ratings",
    "/api/v1/variants", "/health/ready", "/games/{game}", "/api/v1/games/{game}", "/api/v1/games/{game}/scoreboard",
    "/api/v1/games/{game}/events?limit=50", "/api/v1/games/{game}/hands/1", "/api/v1/games/{game}/hands/1/transcript",
    "/api/v1/games/{game}/audit", "/api/v1/games/{game}/export", "/api/v1/games/{game}/receipt",
)  # fmt: skip
LONGEST_S = 15.0
TIMEOUT_S = 30.0


class Visitor(Actor):
    """Somebody without a token who looks at the games of a ledger."""

    def __init__(self, caller: Caller, ledger: Ledger, pause_s: float) -> None:
        super().__init__(caller)
        self.ledger, self.pause_s = ledger, pause_s

    def url(self, path: str) -> str:
        """Return an address of one of the servers, about one of the games."""
        chance = self.caller.chance
        return chance.choice(self.caller.urls) + path.format(game=chance.choice(list(self.ledger.notes)))


class PageReader(Visitor):
    """Reads one page after the other. None may fail; a node that starts may ask to come back."""

    what = "pages"

    def turn(self) -> None:
        url = self.url(self.caller.chance.choice(PAGES))
        answer = httpx.get(url, timeout=TIMEOUT_S, trust_env=False)
        assert answer.status_code < 500 or answer.status_code in PASSING, f"{url}: {answer.status_code} {answer.text}"
        self.done += 1


class Watcher(Visitor):
    """Follows the events of a game for a while, then goes to another one."""

    what = "streams that were followed for a while"

    def turn(self) -> None:
        until = time.monotonic() + self.caller.chance.uniform(0.5, LONGEST_S)
        url, timeout = self.url("/api/v1/games/{game}/events"), httpx.Timeout(TIMEOUT_S, read=1.0)
        with (
            suppress(httpx.ReadTimeout),
            httpx.stream("GET", url, headers={"Accept": EVENT_STREAM}, timeout=timeout, trust_env=False) as answer,
        ):
            assert answer.status_code in (200, 429, *PASSING), answer.read()
            for _ in answer.iter_lines():
                if time.monotonic() > until or self._stop.is_set():
                    break
        self.done += 1
