"""Promises that must hold at both nodes at any time: a revoked token is refused, and limits count both."""

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
    what = "tokens revoked at one node"

    def __init__(self, caller: Caller, player: str) -> None:
        super().__init__(caller)
        self.player = player
        self.accepted_s = self.ended_s = 0.0
        """How long after a revocation the other node accepted a request, and ended a stream, at most."""

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
        self.done += 1
        self.accepted_s = max(self.accepted_s, accepted_s)
        self.ended_s = max(self.ended_s, time.monotonic() - revoked_at)
        until = f"the other accepted one for {self.accepted_s:.2f} s, and ended a stream after {self.ended_s:.2f} s"
        self.what = f"tokens revoked at one node; at most, {until}"


class Openings(Actor):
    """Opens games at both nodes, more than a player may have."""

    pause_s = 0.3
    what = "games opened by somebody who may open that many"

    def __init__(self, caller: Caller, number: int) -> None:
        super().__init__(caller)
        self.name = f"eve-{number}"

    def turn(self) -> None:
        answer = self.caller.ask("POST", "/games", {"variant": "pitch", "seats": ["eve", "bot:simple"]}, self._key())
        self.done += answer.status == 201
        assert answer.status == 201 or answer.problem == "too-many", answer


class Guesses(Actor):
    """Guesses a password at both nodes, from an address of its own."""

    pause_s = 0.1
    what = "guesses of a password that were answered"

    def __init__(self, caller: Caller) -> None:
        super().__init__(caller)
        self.begun = time.monotonic()

    def turn(self) -> None:
        self.tries += 1
        answer = self.caller.ask("POST", "/tokens", {"name": "bob", "password": f"wrong-{self.tries}"})
        self.done += answer.status == 401
        assert answer.status in (401, 429), answer
        most = most_guesses(time.monotonic() - self.begun)
        assert self.done <= most, f"{self.done} guesses of at most {most}"


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
