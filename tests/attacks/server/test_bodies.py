"""Attacks with bodies: each is sent to every route that takes one, and none stores a fact."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from api.app import API
from tests.attacks.running import Target, problem_type, routes

JSON = "application/json"
VALID: dict[str, dict[str, Any]] = {
    "/users": {"name": "zoe", "password": "correct-horse"},
    "/tokens": {"name": "ann", "password": "correct-horse"},
    "/tokens/recovery": {"name": "ann", "code": "abcd-efgh", "new_password": "violet otter lantern"},
    "/guests": {},
    "/me/account": {"name": "yan", "password": "violet otter lantern"},
    "/me/password": {"password": "wrong-horse", "new_password": "violet otter lantern"},
    "/me/recovery-codes": {"password": "wrong-horse"},
    "/me/restore": {"name": "ann", "password": "wrong-horse"},
    "/me/email/confirmation": {"code": "12345678"},
    "/games": {"variant": "pitch", "seats": ["ann", "bob", "bot:simple"]},
    "/rulebooks": {"name": "Ours", "from": "pitch"},
    "/games/1/seats": {"seat": 1, "invitation": "abc"},
    "/games/1/start": {"bots": "bot:simple"},
    "/games/1/invitations": {"uses": 1},
    "/games/1/rematch": {"expires_s": 3600},
    "/games/1/moves": {"type": "bid", "bid": 4},
    "/commands": {"line": "pitch move 1 4"},
    "/games/1/branches": {"at": 1},
    "/games/1/receipts": {},
    "/games/1/cosignatures": {"size": 1, "lines": ["x"]},
    "/games/1/handovers": {"to": "bot:simple"},
    "/games/1/handovers/return": {},
    "/games/1/handovers/1/accept": {},
    "/games/1/handovers/1/decline": {},
    "/games/1/disputes": {"hand": 1, "kind": "score", "text": "so", "details": {"accused": {"seat": 1}}},
    "/games/1/disputes/1/withdrawal": {},
    "/games/1/disputes/1/ruling": {"decision": "none", "basis": None, "standard": "likely", "text": "x"},
    "/games/1/disputes/1/appeal": {"text": "no"},
    "/games/1/disputes/1/decision": {"decision": "upheld"},
    "/games/1/chat": {"text": "hello"},
    "/messages": {"to": ["bob"], "text": "hello"},
    "/broadcasts": {"text": "hello"},
    "/reports": {"about": "bob", "kind": "abuse", "text": "x"},
    "/me/appeals": {"step": "s_" + "0" * 24, "text": "no"},
    "/moderation/reports/1/claim": {},
    "/moderation/reports/1/ruling": {"step": "none", "reason": "x"},
    "/moderation/appeals/1/decision": {"decision": "upheld", "reason": "x"},
    "/me/webhooks": {"url": "https://bot.cards.net/inbox"},
    "/me/webhooks/1/test": {},
}
SESSIONS: dict[str, dict[str, Any]] = {
    "/session": {"name": "ann", "password": "correct-horse"},
    "/session/guest": {},
    "/session/recovery": VALID["/tokens/recovery"],
    "/session/restore": VALID["/me/restore"],
}
VALID_BODIES = {API + path: body for path, body in VALID.items()} | SESSIONS
"""A body with valid fields for each route that takes one."""


@pytest.fixture(autouse=True)
def log_stays(target: Target) -> Iterator[None]:
    """Check after each test that the game's log is as before, that the game can be read and audited."""
    before = target.export()
    yield
    assert target.export() == before
    assert target.server["ann"].get("/games/1/audit").get_json()["verdict"]["code"] in {0, 2}


TAKE_NONE = {"/api/v1/mail/unsubscribe/1", "/mail/unsubscribe/1"}
"""The routes that read no body: the key in the address is all that they need."""
TAKE_TEXT = {"/api/v1/commands"}
"""The routes that take text beside JSON."""


def check_refused(target: Target, body: bytes, status: int, content_type: str = JSON) -> None:
    """Post the body to every route, and check that each answers with a problem of this status.

    What one route refuses because of the bytes, such as a number of 5,000 digits, is in test_strict_json.py.
    """
    for path in set(routes("POST")) - TAKE_NONE - (TAKE_TEXT if content_type == "text/plain" else set()):
        answer = target.post(path, body, content_type)
        assert answer.status_code == status, (path, body[:60], answer.data)
        assert problem_type(answer) in {"malformed", "too-large", "unsupported-media-type"}, (path, answer.data)


def test_every_route_that_takes_a_body_has_a_valid_one() -> None:
    assert set(VALID_BODIES) == set(routes("POST")) - TAKE_NONE


def test_attack_77_a_body_over_the_limit_is_413(target: Target) -> None:
    check_refused(target, b"{" + b" " * 70_000 + b"}", 413)
    check_refused(target, b"x" * 70_000, 413)


def test_attack_81_a_key_given_twice_is_400(target: Target) -> None:
    check_refused(target, b'{"text":"pass","text":"pass"}', 400)
    check_refused(target, b'{"type":"bid","bid":3,"b\\u0069d":4}', 400)
    check_refused(target, b'{"variant":"pitch","options":{"win":7,"win":9}}', 400)


def test_attack_84_anything_but_one_object_is_400(target: Target) -> None:
    for body in (b"[]", b'[{"text":"pass"}]', b'"pass"', b"7", b"null", b"true", b" ", b"{", b"{}x", b"{}{}", b"{},"):
        check_refused(target, body, 400)
    for path in set(routes("POST")) - TAKE_NONE:
        assert target.post(path, b"").status_code == 400, path


def test_attack_85_another_content_type_is_415(target: Target) -> None:
    body = b'{"text":"pass"}'
    for content_type in ("", "text/plain", "text/json", "application/json+x", "application/*", "*/*", "json", ";", "/"):
        check_refused(target, body, 415, content_type=content_type)
    check_refused(target, b"text=pass", 415, content_type="application/x-www-form-urlencoded")
    parts = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\npass\r\n--x--\r\n'
    check_refused(target, parts, 415, content_type="multipart/form-data; boundary=x")


def test_attack_87_words_of_the_event_store_are_refused_in_every_field(target: Target) -> None:
    transcoded = {"_type_": "uuid_hex", "_data_": "0" * 32}
    for path, valid in VALID_BODIES.items():
        for body in (transcoded, valid | transcoded, *(valid | {key: transcoded} for key in valid)):
            answer = target.post(path, json.dumps(body).encode())
            assert (answer.status_code, problem_type(answer)) == (400, "malformed"), (path, body, answer.data)
    for key in ("options", "timing", "fairness"):
        for value in (transcoded, {"win": transcoded}):
            answer = target.post(f"{API}/games", json.dumps(VALID["/games"] | {key: value}).encode())
            assert (answer.status_code, problem_type(answer)) == (409, "not-offered"), (key, answer.data)


FIELDS = (
    "__proto__", "constructor", "prototype", "__class__", "class_version", "originator_id", "originator_version",
    "prev", "salt", "topic", "timestamp", "leaf", "seat", "by", "seen_by", "is_bot", "role", "score", "version", "id",
    "",
)  # fmt: skip


def test_attack_88_a_field_that_no_client_sets_is_400(target: Target) -> None:
    for path, valid in VALID_BODIES.items():
        allowed = {*valid, *(["seat"] if path == f"{API}/games/1/branches" else [])}
        for field in (each for each in FIELDS if each not in allowed):
            for value in (1, None):
                answer = target.post(path, json.dumps(valid | {field: value}).encode())
                told = (answer.status_code, problem_type(answer))
                assert told == (400, "malformed"), (path, field, value, answer.data)


def test_attack_88_thousands_of_unknown_fields_get_a_hundred_messages(target: Target) -> None:
    unknown = {f"f{number}": 1 for number in range(3000)}
    moves, disputes = f"{API}/games/1/moves", f"{API}/games/1/disputes"
    for path, body in (
        (moves, VALID_BODIES[moves] | unknown),
        (disputes, VALID_BODIES[disputes] | {"details": unknown}),
    ):
        problem = target.post(path, json.dumps(body).encode()).get_json()
        assert len(problem["errors"].get("details", problem["errors"])) == 100
        assert problem["detail"].endswith(" 2997 more fields are invalid; errors names the first 100.")
