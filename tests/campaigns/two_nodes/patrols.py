"""What must hold at both nodes at any time: a revoked token is refused, and limits count both."""

import time
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import httpx

from tests.api.conftest import PASSWORD
from tests.api.stream_client import EVENT_STREAM
from tests.campaigns.kills.load import Places
from tests.campaigns.two_nodes.requests import Caller

WITHIN_S = 1.0
"""After this time, the other node must refuse a revoked token."""
FREE_GUESSES, FORGET_S = 10, 3600.0
GUESSER = "127.0.0.9"


class Patrol:
    """A thread that tries something again and again, as long as both nodes answer; `faults` are what went wrong."""

    pause_s = 0.3

    def __init__(self, places: Places, caller: Caller) -> None:
        self.places, self.caller = places, caller
        self.tries = 0
        self.faults: list[str] = []
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop_soon(self) -> None:
        """Stop after the current try, and don't wait for it."""
        self._stop.set()

    def end(self) -> None:
        """Stop after the current try."""
        self.stop_soon()
        self._thread.join(120)
        assert not self._thread.is_alive(), f"{type(self).__name__} still waits"
        self.caller.close()

    def _run(self) -> None:
        try:
            while not self._stop.wait(self.pause_s):
                with suppress(httpx.HTTPError, ValueError):
                    self.turn()
        except Exception as error:
            self.faults.append(f"{type(self).__name__}: {error!r}")
            raise

    def turn(self) -> None:
        """Try once."""
        raise NotImplementedError


class Revocations(Patrol):
    """Revokes a token at one node, and shows it to the other, with a stream that is open there."""

    pause_s = 1.0

    def __init__(self, places: Places, name: str) -> None:
        super().__init__(places, Caller(places, f"revocations {name}"))
        self.name = name
        self.refused_s: list[float] = []
        """How long after each revocation the last request began that the other node accepted."""
        self.ended_s: list[float] = []
        """How long after each revocation the stream at the other node ended."""

    def turn(self) -> None:
        here, there = self.places.urls[self.tries % 2], self.places.urls[1 - self.tries % 2]
        self.tries += 1
        self.caller.token = None
        made = self.caller.once(here, "POST", "/tokens", {"name": self.name, "password": PASSWORD})
        if made.status != 201:
            return
        self.caller.token = made.body["token"]
        headers = {"Accept": EVENT_STREAM, "Authorization": f"Bearer {made.body['token']}"}
        with httpx.stream("GET", f"{there}/api/v1/me/events", headers=headers, timeout=20) as stream:
            chunks = stream.iter_bytes()
            next(chunks)
            if self.caller.once(there, "GET", "/me").status != 200:
                return
            if self.caller.once(here, "DELETE", "/tokens/current").status != 204:
                return
            self._watch(there, time.monotonic(), chunks)

    def _watch(self, there: str, revoked_at: float, chunks: Any) -> None:
        accepted_s = 0.0
        while True:
            begun = time.monotonic() - revoked_at
            status = self.caller.once(there, "GET", "/me").status
            if status == 401:
                break
            assert begun < WITHIN_S, f"a token was accepted {begun:.2f} s after it was revoked, with {status}"
            accepted_s = begun
            time.sleep(0.02)
        for _ in chunks:
            continue
        self.refused_s.append(accepted_s)
        self.ended_s.append(time.monotonic() - revoked_at)


class Openings(Patrol):
    """Opens games at both nodes, more than a player may have."""

    def __init__(self, places: Places, token: str, number: int) -> None:
        super().__init__(places, Caller(places, f"openings {number}", token))
        self.number = number
        self.opened = self.refused = 0

    def turn(self) -> None:
        self.tries += 1
        key = f"eve-{self.number}-{self.tries}"
        answer = self.caller.ask("POST", "/games", {"variant": "pitch", "seats": ["eve", "bot:simple"]}, key)
        self.opened += answer.status == 201
        self.refused += answer.status != 201
        assert answer.status == 201 or answer.problem == "too-many", answer


class Guesses(Patrol):
    """Guesses a password at both nodes, from an address of its own."""

    pause_s = 0.1

    def __init__(self, places: Places) -> None:
        super().__init__(places, Caller(places, "guesses", source=GUESSER))
        self.tried = self.refused = 0
        self.begun = time.monotonic()

    def turn(self) -> None:
        self.tries += 1
        answer = self.caller.ask("POST", "/tokens", {"name": "bob", "password": f"wrong-{self.tries}"})
        self.tried += answer.status == 401
        self.refused += answer.status == 429
        assert answer.status in (401, 429), answer

    def most(self) -> int:
        """Return how many guesses the limit allows until now."""
        return most_guesses(time.monotonic() - self.begun)


def most_guesses(seconds: float) -> int:
    """Return how many guesses the limit allows: after the first ten it waits 1 s, then 2, 4, up to 30.

    An hour after the first guess it forgets them all, and begins again.
    """
    whole_hours, rest = divmod(seconds, FORGET_S)
    return int(whole_hours) * _guesses_within(FORGET_S) + _guesses_within(rest) + 1


def _guesses_within(seconds: float) -> int:
    left, wait_s, guesses = seconds, 1.0, FREE_GUESSES
    while left >= wait_s:
        left, wait_s, guesses = left - wait_s, min(30.0, 2 * wait_s), guesses + 1
    return guesses
