"""Spectators: they follow streams for a while, and read pages and lists of games."""

import time
from contextlib import suppress
from random import Random

import httpx

from tests.api.stream_client import EVENT_STREAM
from tests.campaigns.kills.load import PASSING, Places
from tests.campaigns.two_nodes.patrols import Patrol
from tests.campaigns.two_nodes.racers import Ledger
from tests.campaigns.two_nodes.requests import Caller

PAGES = (
    "/", "/api/v1/games?limit=20", "/api/v1/games?status=active", "/api/v1/standings", "/api/v1/ratings",
    "/api/v1/variants", "/health/ready", "/games/{game}", "/api/v1/games/{game}", "/api/v1/games/{game}/scoreboard",
    "/api/v1/games/{game}/events?limit=50", "/api/v1/games/{game}/hands/1", "/api/v1/games/{game}/hands/1/transcript",
    "/api/v1/games/{game}/audit", "/api/v1/games/{game}/export", "/api/v1/games/{game}/receipt",
)  # fmt: skip
LONGEST_S = 15.0
TIMEOUT_S = 30.0


class Visitor(Patrol):
    """Somebody without a token who looks at the games of a ledger."""

    def __init__(self, places: Places, ledger: Ledger, seed: str, pause_s: float) -> None:
        super().__init__(places, Caller(places, seed))
        self.ledger, self.pause_s, self.draw = ledger, pause_s, Random(seed)
        self.answers = 0

    def _url(self, path: str) -> str:
        return self.places.pick(self.draw) + path.format(game=self.draw.choice(list(self.ledger.notes)))


class PageReader(Visitor):
    """Reads one page after the other. None may fail; a node that starts may ask to come back."""

    def turn(self) -> None:
        url = self._url(self.draw.choice(PAGES))
        answer = httpx.get(url, timeout=TIMEOUT_S, trust_env=False)
        assert answer.status_code < 500 or answer.status_code in PASSING, f"{url}: {answer.status_code} {answer.text}"
        self.answers += 1


class Watcher(Visitor):
    """Follows the events of a game for a while, then goes to another one."""

    def turn(self) -> None:
        until = time.monotonic() + self.draw.uniform(0.5, LONGEST_S)
        timeout = httpx.Timeout(TIMEOUT_S, read=1.0)
        headers = {"Accept": EVENT_STREAM}
        with (
            suppress(httpx.ReadTimeout),
            httpx.stream("GET", self._url("/api/v1/games/{game}/events"), headers=headers, timeout=timeout,
                         trust_env=False) as answer,
        ):  # fmt: skip
            assert answer.status_code in (200, 429, *PASSING), answer.read()
            for _ in answer.iter_lines():
                if time.monotonic() > until or self._stop.is_set():
                    break
        self.answers += 1
