"""Fuzzed requests with correct HTTP framing, for every route of the application."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote

from werkzeug.routing import Rule

from tests.campaigns.fuzz.values import any_text, any_value, mutated_body
from tests.routes import ROUTED_APP, ROUTES

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get")
PARTS = {
    "reference": ("1", "2", "1", "2", "0", "3", "9" * 11, "0f8fad5b-d9cb-469f-a165-70867728950e", "x"),
    "seat": ("0", "1", "2", "9"),
    "hand": ("1", "2", "0", "99"),
    "dispute": ("1", "2", "0"),
    "name": ("fay", "fred", "Fred", "nobody"),
    "message": ("m_" + "0" * 24, "m_", "1"),
    "report": ("r_" + "0" * 24, "r_", "1"),
    "step": ("s_" + "0" * 24, "s_", "1"),
    "slug": ("malformed", "busy", "nothing"),
    "file": ("verify.js", "../app.py", "nothing.css"),
}
"""Likely values of the variable parts of addresses, by name."""
CORELLIAN = {
    "variant": "corellian", "seats": ["fay", "fred", "bot:simple", "bot:simple"],
    "options": {"randomizer": {"when": [1, 8], "end": [1, 240], "points": ["4", "10"], "dirty": True}},
    "timing": {"nag_days": 7, "forfeit_days": 21, "total_days": None, "ends_at": None},
    "fairness": {"cuts": "none", "window_s": None},
}  # fmt: skip
MORE_BODIES: dict[str, Sequence[Any]] = {
    "opening.open_game": (CORELLIAN,),
    "games.move": (
        {"type": "bid", "bid": 2}, {"type": "pass"}, {"text": "pass"}, {"type": "undo"},
        {"type": "discard", "cards": ["2C", "3C"]}, {"type": "name_trump", "suit": "C"}, {"type": "propose_draw"},
        {"type": "change_rules", "change": "points:7"}, {"type": "call_partner", "card": "AS"},
    ),
}  # fmt: skip
"""Bodies to start from, besides the example that the description has for each route."""
ENDS_THE_CALLER = ("leaving.leave", "own_tokens.change_password")
"""Routes whose example would let a caller's password no longer be valid."""
QUERY = (
    "after", "limit", "at", "seat", "wait", "cursor", "player", "status", "since", "variant", "waiting", "until",
    "move",
    "root", "version", "first", "second", "size", "from", "to", "hand", "token", "format",
)  # fmt: skip
QUERY_VALUES = ("0", "1", "5", "12", "100", "500", "active", "finished", "pitch", "0" * 64, "pass")
HEADERS = (
    "Accept", "Accept-Encoding", "Accept-Language", "Content-Type", "Content-Encoding", "Cookie", "Expect", "Forwarded",
    "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "Last-Event-ID", "Origin", "Range",
    "Referer", "Trickbook-Client", "Trickbook-Position", "Upgrade", "User-Agent", "X-Forwarded-For", "X-Forwarded-Host",
    "X-HTTP-Method-Override", "X-Request-Id",
)  # fmt: skip
HEADER_VALUES = (
    b"*/*", b"text/plain", b"text/event-stream", b"application/x-ndjson", b"application/json",
    b"application/json; charset=utf-16",
    b"gzip", b'"1"', b'W/"9"', b"*", b"bytes=0-1,2-", b'"' * 200, b"127.0.0.1, ::1, x", b"\xff\xfe", b"\t", b"",
    b"Sat, 21 Nov 2026 99:99:99 GMT", b"100-continue", b"h2c, websocket",
)  # fmt: skip
LONG_VALUES = (b"a" + b" " * 9_000 + b"b", b"," * 5_000, b";q=" * 2_000, b"x" * 300, b"x" * 40_000)
CALLERS = ("nobody", "fay", "fay", "fred", "rhea", "bad")
BAD_CREDENTIALS = (
    b"Bearer", b"Bearer ", b"Bearer tb_" + b"0" * 43, b"Bearer " + b"x" * 5_000, b"Basic eDp5", b"Digest \xff",
    b"bearer\ttb_1",
    b'"', b"Bearer tb_\xe9",
)  # fmt: skip


@dataclass(frozen=True)
class FuzzedRequest:
    """A request without Host, Content-Length and the caller's Authorization, which `to_bytes` adds."""

    method: str
    target: bytes
    headers: tuple[tuple[str, bytes], ...]
    body: bytes
    caller: str
    endpoint: str

    def to_bytes(self, token: str | None) -> bytes:
        """Return the request as it is sent."""
        lines = [b"%s %s HTTP/1.1" % (self.method.encode(), self.target), b"Host: fuzz.example"]
        lines += [b"Authorization: Bearer " + token.encode()] if token else []
        lines += [name.encode() + b": " + value for name, value in self.headers]
        lines += [b"Content-Length: %d" % len(self.body)] if self.body or self.method == "POST" else []
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body


def bodies_of(endpoint: str) -> Sequence[Any]:
    """Return bodies that a route accepts, about the players of the campaign."""
    example = ROUTES[endpoint].example
    if example is None or endpoint in ENDS_THE_CALLER:
        return ()
    ours = json.dumps(example).replace('"ann"', '"fay"').replace('"bob"', '"fred"')
    return json.loads(ours), *MORE_BODIES.get(endpoint, ())


class RequestMaker:
    """Makes the requests of a seed; request `number` is the same in every run."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._rules: list[Rule] = sorted(ROUTED_APP.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint))

    def make(self, number: int) -> FuzzedRequest:
        """Return one request; the routes take turns."""
        chance = Random(f"request {self._seed} {number}")
        rule = self._rules[number % len(self._rules)]
        usual = sorted((rule.methods or {"GET"}) - {"HEAD", "OPTIONS"})
        method = chance.choice(usual) if chance.random() < 0.85 else chance.choice(METHODS)
        target = _target(rule.rule, chance) + _query(chance)
        headers = [(chance.choice(HEADERS), _header_value(chance)) for _ in range(chance.choice((0, 0, 1, 1, 2, 5)))]
        caller, body = chance.choice(CALLERS), b""
        if caller == "bad":
            headers.append(("Authorization", chance.choice(BAD_CREDENTIALS)))
        if method not in ("GET", "HEAD") or chance.random() < 0.05:
            body = mutated_body(chance.choice(bodies_of(rule.endpoint) or ({"a": any_value(chance)},)), chance)
            if chance.random() < 0.9:
                headers.insert(0, ("Content-Type", b"application/json"))
        return FuzzedRequest(method, target, tuple(headers), body, caller, rule.endpoint)


def _target(rule: str, chance: Random) -> bytes:
    def fill(part: re.Match[str]) -> str:
        likely = PARTS.get(part[1], ("1",))
        return chance.choice(likely) if chance.random() < 0.9 else quote(any_text(chance)[:200], errors="replace")

    path = re.sub("<(?:[a-z_]+:)?([a-z]+)>", fill, rule)
    kind = chance.random()
    if kind < 0.04:
        path += chance.choice(("/", "//", "/..", "/%2e%2e/", "/%00", ";a=b", "%", "%zz", "/" * 400, "\xe9"))
    elif kind < 0.06:
        path = chance.choice(("//" + path, path.upper(), path.replace("/", "%2F"), "/" + "x" * 3_000, "/./" + path))
    return path.encode()


def _query(chance: Random) -> bytes:
    pairs = []
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        name = chance.choice(QUERY) if chance.random() < 0.95 else quote(any_text(chance)[:50], errors="replace")
        value = (
            chance.choice(QUERY_VALUES) if chance.random() < 0.6 else quote(any_text(chance)[:2_000], errors="replace")
        )
        pairs.append(f"{name}={value}")
    if chance.random() < 0.03:
        pairs.append(chance.choice(("&&&", "=", "a", "a=%", "a=%ff", "&" * 2_000, "a=b;c=d", "[]=1")))
    return b"?" + "&".join(pairs).encode() if pairs else b""


def _header_value(chance: Random) -> bytes:
    kind = chance.random()
    if kind < 0.75:
        return chance.choice(HEADER_VALUES if kind > 0.04 else LONG_VALUES)
    return bytes(chance.choice((9, *range(32, 127), *range(128, 256))) for _ in range(chance.randrange(60)))
