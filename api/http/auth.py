"""Passwords, guesses and tokens: what stands between a request and a player."""

import ipaddress
import re
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from flask import Request, request

from api.config import Hashing, Rate
from api.http.problems import Problem

HASHING_AT_ONCE = 2
HASHING_PATIENCE_S = 5.0
BUCKETS = 100_000


class Passwords:
    """argon2id at t=2, 19 MiB, p=1 (OWASP's first choice; about 17 ms), never more than two at a time.

    Text is hashed in NFC (RFC 8265 section 4.2), so that a password typed on another keyboard still fits.
    """

    def __init__(self, hashing: Hashing) -> None:
        cheapest = PasswordHasher.from_parameters(profiles.CHEAPEST)
        standard = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._hasher = cheapest if hashing == "cheapest" else standard
        self._slots = threading.BoundedSemaphore(HASHING_AT_ONCE)
        self._nobodys = self.hash("a password that nobody has")

    def hash(self, password: str) -> str:
        """The text to store; refuses with 503 when too many others wait."""
        with self._slot():
            return self._hasher.hash(_canonical(password))

    def fits(self, stored: str | None, password: str) -> bool:
        """Whether the password is the stored one; with nothing stored no, after as long a while."""
        with self._slot():
            try:
                self._hasher.verify(stored or self._nobodys, _canonical(password))
            except (VerifyMismatchError, InvalidHashError):
                return False
        return stored is not None

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._slots.acquire(timeout=HASHING_PATIENCE_S):
            raise Problem("busy", "too many people are logging in just now")
        try:
            yield
        finally:
            self._slots.release()


def _canonical(password: str) -> bytes:
    return unicodedata.normalize("NFC", password).encode()


class RateLimiter:
    """Token buckets by key, in this process; the least used is forgotten when there are too many."""

    def __init__(self, rate: Rate | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # key -> (left, when)
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> None:
        """Take one token; 429 with Retry-After when there is none."""
        self._ask(key, cost=1)

    def ask(self, key: Hashable) -> None:
        """The same, but the token stays: who has asked is charged where it turns out that something is to be paid."""
        self._ask(key, cost=0)

    def charge(self, key: Hashable) -> None:
        """One token less, though it leave a debt: many may have asked at once."""
        if self._rate is not None:
            with self._lock:
                self._put(key, self._left(key, self._rate) - 1)

    def _ask(self, key: Hashable, cost: int) -> None:
        if self._rate is None:
            return
        with self._lock:
            left = self._left(key, self._rate)
            if left >= 1 and cost:
                self._put(key, left - cost)
        if left < 1:
            wait = max(1, round((1 - left) * self._rate.every_s + 0.5))
            raise Problem("too-many-requests", f"try again in {wait} s", {"Retry-After": str(wait)})

    def _left(self, key: Hashable, rate: Rate) -> float:
        left, when = self._buckets.get(key, (float(rate.burst), self._clock()))
        return min(float(rate.burst), left + (self._clock() - when) / rate.every_s)

    def _put(self, key: Hashable, left: float) -> None:
        self._buckets[key] = (left, self._clock())
        self._buckets.move_to_end(key)
        while len(self._buckets) > BUCKETS:
            self._buckets.popitem(last=False)


def client_address(request: Request) -> str:
    """Whom a limit counts: the peer's address, for IPv6 its /64, as one household commands 2^64 of them."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


BEARER = re.compile(r"(?i:bearer) +(tb_[A-Za-z0-9_-]{43})")
TOKEN = re.compile("tb_[A-Za-z0-9_-]{43}")
TOKEN_KEYS = frozenset(("token", "access_token", "bearer", "authorization", "auth", "api_key"))


def check_url() -> None:
    """400 for an address that holds a token anywhere, or raw bytes in its query (RFC 3986 has ASCII alone)."""
    if not request.query_string.isascii():  # werkzeug would fail on it
        raise Problem("malformed", "the query holds bytes that are not ASCII; percent-encode them")
    for key, value in request.args.items(multi=True):
        if key.lower() in TOKEN_KEYS or TOKEN.search(key) or TOKEN.search(value):
            raise _token_in_url()
    if TOKEN.search(request.path):
        raise _token_in_url()


def _token_in_url() -> Problem:
    return Problem("token-in-url", "send the token in the Authorization header; this one may have been seen")


def bearer_token() -> str | None:
    """The token in the Authorization header; None without the header, 401 for a header that holds none."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    if found := BEARER.fullmatch(header.strip()):
        return found[1]
    raise Problem("unauthorized", "the Authorization header holds no token of this server")
