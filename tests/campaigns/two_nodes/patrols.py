"""What must hold at both nodes at any time: a revoked token is refused, and limits count both."""

import time
from typing import Any

import httpx

from tests.api.conftest import PASSWORD
from tests.api.stream_client import EVENT_STREAM
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import Caller

WITHIN_S = 1.0
"""After this time, the other node must refuse a revoked token."""
FREE_GUESSES, FORGET_S = 10, 3600.0
GUESSER = "127.0.0.9"


class Revocations(Actor):
    """Revokes a token at one node, and shows it to the other, with a stream that is open there."""

    pause_s = 1.0

    def __init__(self, caller: Caller, player: str) -> None:
        super().__init__(caller)
        self.player = player
        self.refused_s: list[float] = []
        """How long after each revocation the last request began that the other node accepted."""
        self.ended_s: list[float] = []
        """How long after each revocation the stream at the other node ended."""

    def turn(self) -> None:
        here, there = self.caller.urls[self.tries % 2], self.caller.urls[1 - self.tries % 2]
        self.tries += 1
        self.caller.token = None
        made = self.caller.once(here, "POST", "/tokens", {"name": self.player, "password": PASSWORD})
        if made.status != 201:
            return
        self.caller.token = made.body["token"]
        headers = {"Accept": EVENT_STREAM, "Authorization": f"Bearer {self.caller.token}"}
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

    def summary(self) -> str:
        accepted_s, ended_s = max(self.refused_s, default=0), max(self.ended_s, default=0)
        return (
            f"{len(self.refused_s)} tokens revoked at one node; the other accepted one for at most {accepted_s:.2f} s,"
            f" and ended a stream after at most {ended_s:.2f} s"
        )


class Openings(Actor):
    """Opens games at both nodes, more than a player may have."""

    pause_s = 0.3

    def __init__(self, caller: Caller, number: int) -> None:
        super().__init__(caller)
        self.name, self.opened = f"eve-{number}", 0

    def turn(self) -> None:
        answer = self.caller.ask("POST", "/games", {"variant": "pitch", "seats": ["eve", "bot:simple"]}, self._key())
        self.opened += answer.status == 201
        assert answer.status == 201 or answer.problem == "too-many", answer


class Guesses(Actor):
    """Guesses a password at both nodes, from an address of its own."""

    pause_s = 0.1

    def __init__(self, caller: Caller) -> None:
        super().__init__(caller)
        self.tried = 0
        self.begun = time.monotonic()

    def turn(self) -> None:
        self.tries += 1
        answer = self.caller.ask("POST", "/tokens", {"name": "bob", "password": f"wrong-{self.tries}"})
        self.tried += answer.status == 401
        assert answer.status in (401, 429), answer
        most = most_guesses(time.monotonic() - self.begun)
        assert self.tried <= most, f"{self.tried} guesses of at most {most}"

    def summary(self) -> str:
        return f"{self.tried} guesses of a password, of at most {most_guesses(time.monotonic() - self.begun)}"


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
