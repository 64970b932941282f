"""Passwords: hashed with argon2id and never stored as text; easy ones are refused, by zxcvbn."""

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from api.config import Hashing

MAX_CONCURRENT_HASHES = 2
MAX_WAITING = 4
"""The most threads that wait for a slot, so that log-ins can't take all threads of a server."""
HASHING_TIMEOUT_S = 1.0


class HashingBusy(Exception):
    """Too many passwords are being hashed at the moment."""


class Passwords:
    """argon2id with t=2, 19 MiB, p=1 (OWASP's first choice; about 17 ms). At most two hashes run at the same time.

    Passwords are normalized to NFC (RFC 8265 section 4.2), so that a password typed on another keyboard still matches.
    """

    def __init__(self, hashing: Hashing) -> None:
        cheapest = PasswordHasher.from_parameters(profiles.CHEAPEST)
        standard = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._hasher = cheapest if hashing == "cheapest" else standard
        self._slots = threading.BoundedSemaphore(MAX_CONCURRENT_HASHES)
        self._places = threading.BoundedSemaphore(MAX_CONCURRENT_HASHES + MAX_WAITING)
        self._unused_hash = self.hash("a password that nobody has")

    def hash(self, password: str) -> str:
        """Return the hash to store. Raise HashingBusy if too many others wait."""
        with self._slot():
            return self._hasher.hash(_normalized(password))

    def matches(self, stored: str | None, password: str) -> bool:
        """Return whether the password matches the stored hash. Without one, take as long and return False."""
        with self._slot():
            try:
                self._hasher.verify(stored or self._unused_hash, _normalized(password))
            except (VerifyMismatchError, InvalidHashError):
                return False
        return stored is not None

    @contextmanager
    def _slot(self) -> Iterator[None]:
        with _acquired(self._places, timeout_s=0), _acquired(self._slots, timeout_s=HASHING_TIMEOUT_S):
            yield


@contextmanager
def _acquired(semaphore: threading.BoundedSemaphore, timeout_s: float) -> Iterator[None]:
    if not semaphore.acquire(timeout=timeout_s):
        raise HashingBusy("too many people are logging in just now")
    try:
        yield
    finally:
        semaphore.release()


def _normalized(password: str) -> bytes:
    return unicodedata.normalize("NFC", password).encode()


PASSWORD_MIN_LENGTH, PASSWORD_MAX_LENGTH = 8, 256
MIN_SCORE = 3
"""Of 0 to 4: the password withstands 10^8 guesses (zxcvbn)."""
MAX_JUDGED_LENGTH = 72
"""Characters; the time to judge a password grows with their square."""


class WeakPassword(Exception):
    """The password is easy to guess; the message says how to choose a better one."""


def check_password_strength(password: str, name: str) -> None:
    """Raise WeakPassword for a password that is easy to guess, for example because it repeats the user's name."""
    from zxcvbn import zxcvbn  # noqa: PLC0415 # its word lists take long to load

    judged = zxcvbn(password[:MAX_JUDGED_LENGTH], user_inputs=[name, "trickbook"])
    if judged["score"] < MIN_SCORE:
        feedback = judged["feedback"]
        advice = [text.rstrip(".") + "." for text in (feedback["warning"], *feedback["suggestions"]) if text]
        raise WeakPassword(" ".join(["This password is easy to guess.", *advice]))
