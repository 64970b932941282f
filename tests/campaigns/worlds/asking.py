"""The requests that viewers send, of every route in the app's `url_map`, and all that they get but opaque hashes."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from api.container import Services
from api.inbox.services.entries import InboxStream, read_frames
from api.play.services.event_stream import (
    ENVIRON_KEY,
    WAITED_KEY,
    AnyStream,
    Cursor,
    EventPage,
    EventStream,
    read_page,
)
from api.play.services.positions import POSITION
from domain.store import NoSuchGame
from tests.api.conftest import services_of
from tests.api.secrecy.read_routes import API, GAME, HAND, SHOWS_NO_GAME, get_rules
from tests.api.worlds import HASHES
from tests.given import GAME as GAME_ID
from tests.watching.routes import BODIES

Told = tuple[int, str, bytes]
Request = tuple[str, str, Any, Mapping[str, str]]
"""Method, path, body and headers."""
STREAM = {"Accept": "text/event-stream"}
STREAMS = (
    (f"{GAME}/events", STREAM),
    (f"{GAME}/events?after={{middle}}&until={{at}}", STREAM),
    (f"{GAME}/events", STREAM | {"Last-Event-ID": "99999"}),
    (f"{GAME}/events", STREAM | {"Last-Event-ID": "{middle}"}),
    ("/me/events", STREAM),
    (GAME, {"If-None-Match": '"{at}"'}),
)
"""Event streams, and a read that asks whether the view has changed: address and headers."""
LONG = re.compile(rb"[0-9A-Za-z+/]{40,}={0,2}")
"""A hash, a key or a signature."""
OFTEN: dict[str, tuple[str, ...]] = {
    GAME: ("",),
    f"{GAME}/events": ("", "?after={middle}&limit=4", "?after=99999", "?after={at}&wait=1"),
    f"{GAME}/seats/<strictint:seat>": ("",),
    f"{GAME}/chat": ("", "?limit=1"),
    "/games": ("", "?status=forming"),
    "/me/events": ("", "?limit=1", "?wait=1&after={inbox}"),
}
OTHERS: dict[str, tuple[str, ...]] = {
    f"{GAME}/replay": ("", "?at={middle}", "?seat={seat}", "?at=99999"),
    **{f"{GAME}/{query}": ("", "?hand={hand}") for query in ("revokes", "draws", "score", "clock", "sight")},
    f"{GAME}/commits": ("", "?from=1&to=9"),
    f"{GAME}/legal": ("", "?seat={seat}", "?move=ad", "?seat={seat}&move=2&at={middle}", "?move=throw%202c"),
    f"{GAME}/compare": ("?size=3&root=" + "0" * 64, "?size=99999&root=" + "0" * 64),
    f"{GAME}/receipt": ("", "?size={middle}", "?size=99999"),
    f"{GAME}/proofs/inclusion": ("?version={middle}", "?version=99999", "?version=1&size={at}"),
    f"{GAME}/proofs/consistency": ("?first=2", "?first=1&second={at}", "?first=99999"),
    f"{HAND}/replay": ("", "?at={middle}", "?seat={seat}"),
    f"{HAND}/choices": ("", "?at={middle}"),
    "/games": ("?status=active", "?limit=1", "?player=p0"),
}
"""Query strings for some of the other routes that answer GET."""
ALSO = {
    f"{GAME}/invitations", "/messages", "/health/ready", "/me", "/me/tokens", "/me/webhooks",
    *(f"/me/{name}" for name in ("blocks", "export", "questions", "reports", "seating", "standing")),
    *(f"/moderation/{name}" for name in ("appeals", "log", "reports")),
}  # fmt: skip
"""Routes that show no game but something of the caller."""
OTHER_BODIES: dict[str, tuple[Any, ...]] = {
    "/reports": (
        {"about": "p1", "kind": "abuse", "text": "insults", "game": "{game}"},
        {"about": "p1", "kind": "abuse", "text": "insults", "game": "{game}", "message": "{message}"},
        {"about": "p1", "kind": "cheating", "text": "?", "game": "{missing}"},
    ),
    "/games": ({"variant": "pitch", "seats": ["p0", "p1"], "rematch_of": "{game}"},),
    "/me/webhooks": ({"url": "https://1.1.1.1/x", "game": "{game}"},),
    "/tokens": ({"name": "eve", "password": "correct-horse", "scope": "play:{game}"},),
}
SHOW_MORE = (f"{GAME}/handovers", f"{GAME}/handovers/return", f"{GAME}/handovers/<offer>/accept")
"""Routes after which a player may see more: a seat that comes back, a game that ends when nobody is left, or a fact
that was held back until there was one more."""
DISPUTE = f"{GAME}/disputes/<strictint:dispute>"
WRITE_FACTS = (f"{GAME}/disputes", *(f"{DISPUTE}/{name}" for name in ("ruling", "withdrawal", "appeal", "decision")))
"""Routes after which the table may draw from the seed, which shows the drawn change in either world."""
ERASE = (f"{GAME}/chat/<message>", f"{DISPUTE}/texts")
"""A moderator may erase texts of any game whose id a report names."""
ACCEPTS = ("*/*",) * 8 + ("text/plain", "application/x-ndjson")


def values_of(version: int, seat: int, hand: int, message: str) -> dict[str, object]:
    """Return what fills the `{names}` in addresses: the version that the viewer sees, a seat, a hand and a message."""
    return {
        "reference": 1, "at": version, "middle": max(1, version // 2), "seat": seat, "hand": hand, "message": message,
        "inbox": "1.1", "game": GAME_ID, "missing": "00000000-0000-4000-8000-000000000000",
    }  # fmt: skip


def other_reads(app: Flask) -> dict[str, tuple[str, ...]]:
    """Return the query strings of every route that shows something of a game or of the caller, but `OFTEN`."""
    shown = [rule for rule in get_rules(app) if rule not in SHOWS_NO_GAME or rule in ALSO]
    return {rule: OTHERS.get(rule, ("",)) for rule in shown if rule in OTHERS or rule not in OFTEN}


def reads(
    app: Flask, values: Mapping[str, object], chance: random.Random, often: int, others: int
) -> Iterator[Request]:
    """Yield the view, and some of the reads that everybody often sends, and of the others."""
    yield "GET", _filled(GAME, values), None, {}
    for table, number in ((OFTEN, often), (other_reads(app), others)):
        addresses = [rule + query for rule, queries in table.items() for query in queries]
        for address in chance.sample(addresses, min(number, len(addresses))):
            yield "GET", _filled(address, values), None, {"Accept": chance.choice(ACCEPTS)}
    for path, headers in chance.sample(STREAMS, min(often, 2)):
        yield "GET", _filled(path, values), None, {name: str(value).format(**values) for name, value in headers.items()}


def writes(
    app: Flask, values: Mapping[str, object], chance: random.Random, number: int, *left_out: str
) -> Iterator[Request]:
    """Yield some of the requests that change something, of all routes about a game that aren't `left_out`."""
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith(API)]
    methods = [(method, rule.rule.removeprefix(API)) for rule in rules for method in sorted(rule.methods or ())]
    asked: list[Request] = []
    for method, rule in methods:
        if method == "POST" and rule not in (f"{GAME}/moves", *left_out):
            bodies: Sequence[Any] = BODIES.get(rule, ()) or OTHER_BODIES.get(rule, ())
            asked += [(method, _filled(rule, values), _filled_body(body, values), {}) for body in bodies]
        elif method == "DELETE" and "game_ref" in rule and rule not in left_out:
            asked.append((method, _filled(rule, values), None, {}))
    yield from chance.sample(asked, min(number, len(asked)))


def _filled(address: str, values: Mapping[str, object]) -> str:
    path = re.sub("<(?:[a-z_]+:)?([a-z]+)>", r"{\1}", address)
    ids = {"invitation": "i_1", "offer": "0f" * 16, "dispute": 1}
    return path.format(**{**ids, **values})


def _filled_body(body: Any, values: Mapping[str, object]) -> Any:
    if not isinstance(body, dict):
        return body
    return {
        name: value.format(**values) if isinstance(value, str) and "{" in value else value
        for name, value in body.items()
    }


def answer_to(app: Flask, token: str | None, request: Request) -> Told:
    """Send a request, and return all that the client gets and its length, without opaque hashes and the random id."""
    path = request[1].split("?", 1)[0]
    status, headers, content = _answer(app, token, request, waited=False)
    opaque = re.search("/(receipt|receipts|proofs/.*|compare)$", path)
    headers += f" {len(content)} bytes"
    return status, headers, LONG.sub(b"?", content) if opaque else HASHES.sub(rb"\1\2\3\4\5?", content)


def _answer(app: Flask, token: str | None, request: Request, *, waited: bool) -> Told:
    """Return the answer as the server sends it: a stream with its frames, and a request that waits asked again."""
    method, path, body, more = request
    headers = dict(more) if token is None else {"Authorization": f"Bearer {token}", **more}
    url = path if path.startswith("/health") else API + path
    environ = EnvironBuilder(url, method=method, json=body, headers=list(headers.items())).get_environ()
    environ |= {ENVIRON_KEY: None, WAITED_KEY: waited}
    status, found, content = _run(app, environ)
    stream = environ[ENVIRON_KEY]
    if stream is None:
        return status, found, content
    stream.slot.release()
    return (
        _answer(app, token, request, waited=True)
        if stream.wait_s is not None
        else (status, found, _frames(app, stream))
    )


def _run(app: Flask, environ: dict[str, Any]) -> Told:
    """Return status, headers and body; of an encrypted position only the length. Leave a stream in the environ."""

    def keep_stream(given: dict[str, Any], start_response: Any) -> Any:
        body = app(given, start_response)
        environ[ENVIRON_KEY] = given[ENVIRON_KEY]  # `given` is a copy
        return body

    parts, status, headers = run_wsgi_app(keep_stream, environ, buffered=True)
    pairs = [(name, len(value) if name == POSITION else value) for name, value in headers if name != "X-Request-Id"]
    return int(status.split()[0]), str(pairs), b"".join(parts)


def _frames(app: Flask, stream: AnyStream) -> bytes:
    """Return what the server sends of a stream, up to what there is now."""
    here, sent, at = services_of(app), list[bytes](), stream.start
    while True:
        try:
            page = _page(here, stream, at)
        except NoSuchGame:
            return b"".join(sent)
        frames, reached = page.upto(stream.end)
        sent.append(frames)
        if not page.frames or reached == at:
            return b"".join(sent)
        at = reached


def _page(here: Services, stream: AnyStream, at: Cursor) -> EventPage:
    if isinstance(stream, EventStream):
        return read_page(here.gate, stream.game, stream.player, at[1])
    assert isinstance(stream, InboxStream)
    return read_frames(here.rows, here.labels, stream.ids, stream.player, stream.game, at)
