"""Every route about a game, taken from the app's `url_map`, with bodies and queries that it accepts."""

import re
from collections.abc import Iterator

from flask import Flask
from werkzeug.test import TestResponse

from tests.api.conftest import Caller
from tests.api.disputed_table import GROUNDS, TEXT
from tests.api.secrecy.read_routes import API, GAME, HAND

RANDOM_HEADERS = ("X-Request-Id", "Date")
QUERIES: dict[str, tuple[str, ...]] = {
    f"{GAME}/events": ("", "?limit=3", "?after=2&until=5", "?after=999"),
    f"{GAME}/replay": ("", "?at=1", "?seat=1", "?at=99999"),
    f"{GAME}/legal": ("?seat=1", "?seat=0&move=as", "?at=99999"),
    f"{GAME}/commits": ("?from=1&to=9",),
    f"{GAME}/compare": ("?size=3&root=" + "0" * 64,),
    f"{GAME}/proofs/inclusion": ("?version=1", "?version=99999", "?version=1&size=99999"),
    f"{GAME}/proofs/consistency": ("?first=2", "?first=99999"),
    f"{GAME}/receipt": ("", "?size=1", "?size=99999"),
    f"{GAME}/scoreboard": ("",),
    f"{GAME}/chat": ("", "?limit=1", "?after=m_" + "0" * 24),
    f"{HAND}/replay": ("", "?at=3", "?seat=9"),
    **{f"{GAME}/{name}": ("", "?hand=1") for name in ("revokes", "draws", "score", "clock", "sight")},
}
"""The query strings for routes that take some; others are read as they are."""
RULING = {"decision": "none", "basis": "S34", "standard": "likely", "text": GROUNDS}
BODIES: dict[str, tuple[object, ...]] = {
    f"{GAME}/moves": ({"type": "pass"}, {"text": "3"}, {"type": "fly"}, {}),
    f"{GAME}/handovers": ({"to": "bot:simple"}, {"to": "nobody"}, {}),
    f"{GAME}/handovers/return": ({}, {"to": "x"}),
    **{f"{GAME}/handovers/<offer>/{answer}": ({}, {"to": "x"}) for answer in ("accept", "decline")},
    f"{GAME}/chat": ({"text": "hello"}, {"text": "hello", "to": "watchers", "event": 1}, {}),
    f"{GAME}/branches": ({"at": 1, "moves": []}, {"at": 99999, "moves": []}, {}),
    f"{GAME}/seats": ({}, {"seat": 1}, {"invitation": "x"}, {"seat": "x"}),
    f"{GAME}/start": ({}, {"bots": "bot:simple"}, {"bots": "x"}),
    f"{GAME}/invitations": ({}, {"uses": 0}),
    f"{GAME}/rematch": ({}, {"expires_s": 1}),
    f"{GAME}/receipts": ({}, {"size": 3}),
    f"{GAME}/cosignatures": ({"size": 3, "lines": ["x"]}, {}),
    f"{GAME}/disputes": ({"hand": 1, "kind": "conduct", "text": TEXT}, {}),
    f"{GAME}/disputes/<strictint:dispute>/ruling": (RULING, {}),
    f"{GAME}/disputes/<strictint:dispute>/withdrawal": ({}, {"text": TEXT}),
    f"{GAME}/disputes/<strictint:dispute>/appeal": ({}, {"text": TEXT}),
    f"{GAME}/disputes/<strictint:dispute>/decision": ({"decision": "upheld", "text": GROUNDS}, {}),
}
"""Bodies for each route that takes one, good and bad."""
HEADERS: tuple[dict[str, str], ...] = (
    {},
    {"If_Match": '"3"', "Idempotency_Key": "k"},
    {"If_None_Match": '"3"', "Accept": "text/plain"},
    {"If_Match": "x", "Accept": "application/x-ndjson"},
)
Response = tuple[int, str, bytes]


def game_routes(app: Flask) -> set[tuple[str, str]]:
    """Return (method, rule) of every route about one game, without the prefix of the API."""
    rules = [rule for rule in app.url_map.iter_rules() if "game_ref:" in rule.rule]
    return {(method, rule.rule.removeprefix(API)) for rule in rules for method in rule.methods or ()}


def requests_about(app: Flask, reference: object) -> Iterator[tuple[str, str, object]]:
    """Yield method, address and body of requests to every route about a game."""
    for method, rule in sorted(game_routes(app)):
        path = re.sub("<(?:[a-z_]+:)?([a-z]+)>", r"{\1}", rule)
        ids = {"invitation": "i_1", "offer": "0" * 32, "message": "m_" + "0" * 24}
        address = path.format(reference=reference, hand=1, seat=0, dispute=1, **ids)
        if method == "POST":
            yield from ((method, address, body) for body in BODIES[rule])
        else:
            yield from ((method, address + query, None) for query in QUERIES.get(rule, ("",)))


def whole_response(answer: TestResponse) -> Response:
    """Return every byte of a response but the id of the request."""
    headers = [pair for pair in answer.headers if pair[0] not in RANDOM_HEADERS]
    return answer.status_code, str(headers), answer.data


def responses_about(caller: Caller, reference: object, begin: int | None = None) -> dict[str, Response]:
    """Return the responses of every route about a game, by request.

    Each request is sent with every set of headers, or with one in turn if `begin` is the number of the first.
    """
    answers: dict[str, Response] = {}
    for at, (method, address, body) in enumerate(requests_about(caller.client.application, reference)):
        for headers in HEADERS if begin is None else (HEADERS[(begin + at) % len(HEADERS)],):
            request = f"{method} {address.replace(str(reference), 'GAME', 1)} {body} {headers}"
            answers[request] = whole_response(caller.ask(method, address, body, **headers))
    return answers
