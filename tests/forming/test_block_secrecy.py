"""A blocked player gets the answers that an unblocked stranger gets, on every route of the application."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.api.conftest import check_problem, services_of
from tests.api.secrecy.read_routes import API
from tests.forming.tables import People
from tests.watching.routes import requests_about

BLOCKED, STRANGER = "quentin", "rupert"
Request = tuple[str, str, object]
CLAIM = "/seats"
"""The one request that a block refuses; `test_consent` and `test_invitations` compare its words."""
LOG_OUT = "/tokens/current"
VALUES = {
    "name": "eve",
    "opponent": "dan",
    "webhook": "w_1",
    "step": "s_" + "0" * 24,
    "report": "r_" + "0" * 24,
    "slug": "forming",
    "key": "x",
    "address": "0" * 64,
}
BODIES = {
    "/games": {"variant": "pitch", "seats": ["ME", "ann"]},
    "/messages": {"to": ["ann"], "text": "hello"},
    "/reports": {"about": "ann", "kind": "abuse", "text": "insults"},
    "/me/seating": {"friends": ["ann"]},
}
"""Bodies that name the player who made the block."""
VOLATILE = re.compile(
    r"(m|r|w|s)_[0-9a-f]{8,}|tb_[\w-]{43}|guest-\w{8}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{12,}\b"
    r"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\"board\":\d+|(\w{4}-){3}\w{4}|[\w-]{22,}={0,2}"
)
NAMES = re.compile(r'(?<="names":\{)[^}]*')
"""Their order is that of ids, which are random."""


FILES = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""These ask every route, which takes twice as long on PostgreSQL."""


@pytest.fixture
def references(people: People) -> list[str]:
    """Tables and games of ann, who blocks quentin; each is as open as the other player finds it."""
    people.register("ann", "dan", "eve", BLOCKED, STRANGER)
    people["dan"].ask("PUT", "/me/seating", {"at_once": True})
    running = people.form("ann", "open")
    people.claim("dan", running)
    people["ann"].post(f"/games/{running['id']}/chat", {"text": "before the block"})
    assert people["ann"].ask("PUT", f"/me/blocks/{BLOCKED}").status_code == 204
    offered = people["ann"].post(f"/games/{running['id']}/handovers", {"to": BLOCKED})
    assert offered.status_code == 201
    private: dict[str, Any] = {"watch": {"public": False, "delay": 0}}
    finished = people.open("ann", "dan").get_json()
    people["dan"].post(f"/games/{finished['id']}/moves", {"type": "resign"})
    tables = [
        people.form("ann", "open"),
        people.form("ann", "invite"),
        people.form("ann", BLOCKED, "open"),
        people.form("ann", BLOCKED, "invite"),
        people.open("ann", "dan", **private).get_json(),
        running,
        finished,
    ]
    services_of(people.app).followers.catch_up()
    return [table["id"] for table in tables]


def other_requests(app: Flask, token: str) -> Iterator[Request]:
    """Yield a request to each route that is about no game."""
    for rule in app.url_map.iter_rules():
        if "game_ref:" in rule.rule or not rule.rule.startswith(API) or rule.rule == API + LOG_OUT:
            continue
        path = re.sub("<(?:[a-z_]+:)?([a-z]+)>", lambda part: {"token": token, **VALUES}[part[1]], rule.rule)
        for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"}):
            body = BODIES.get(rule.rule.removeprefix(API), {})
            yield method, path.removeprefix(API), None if method in ("GET", "DELETE") else body


def answer(people: People, name: str, request: Request) -> tuple[int, str]:
    """Return the status and the text that a player gets, without what differs between any two players."""
    method, path, body = request
    named = body if not isinstance(body, dict) else {
        key: [name if each == "ME" else each for each in value] if isinstance(value, list) else value
        for key, value in body.items()
    }  # fmt: skip
    found = people[name].ask(method, path, named)
    own = services_of(people.app).accounts.users.by_name(name)
    assert own is not None
    text = VOLATILE.sub("*", found.text.replace(own.id, "ME").replace(name, "ME"))
    return found.status_code, NAMES.sub(lambda match: ",".join(sorted(match[0].split(","))), text)


@FILES
def test_a_block_changes_no_answer_but_a_claim(people: People, references: list[str]) -> None:
    token = people.invitation("ann", {"id": references[1]})["token"]
    requests = [
        *(each for reference in references for each in requests_about(people.app, reference)),
        *other_requests(people.app, token),
    ]
    compared = [each for each in requests if each[:1] != ("POST",) or not each[1].endswith(CLAIM)]
    for request in sorted(compared, key=lambda each: each[0] != "GET"):  # first what changes nothing
        assert answer(people, BLOCKED, request) == answer(people, STRANGER, request), request


@FILES
def test_everybody_sees_with_a_token_what_they_see_without(people: People, references: list[str]) -> None:
    token = people.invitation("ann", {"id": references[1]})["token"]
    paths = ["/games?status=forming", "/games", f"/invitations/{token}"]
    for reference in references:
        paths += [path for method, path, _ in requests_about(people.app, reference) if method == "GET"]
    shown = [path for path in paths if people.nobody.get(path).status_code == 200]
    assert [path for path in shown if people[BLOCKED].get(path).status_code != 200] == []
    assert {f"/games/{references[0]}", f"/games/{references[2]}", *paths[:3]} <= set(shown)


def test_a_blocked_player_claims_as_one_who_comes_too_late(people: People, references: list[str]) -> None:
    table = {"id": references[0]}
    refused = people.claim(BLOCKED, table)
    check_problem(refused, 409, "seat-taken")
    assert refused.data == people.claim(STRANGER, table, seat=0).data
    assert people.claim(STRANGER, table).status_code == 201


def ask_across(people: People, name: str) -> list[tuple[int, str]]:
    """Let a player do everything that asks ann, and return the answers."""
    opened = people[name].post("/games", {"variant": "pitch", "seats": [name, "ann"]}).get_json()["id"]
    game = people[name].post("/games", {"variant": "pitch", "seats": [name, "bot:simple"]}).get_json()["id"]
    requests: list[Request] = [
        ("GET", f"/games/{opened}", None),
        ("POST", f"/games/{opened}/chat", {"text": "hello"}),
        ("GET", f"/games/{opened}/chat", None),
        ("POST", f"/games/{opened}/start", {}),
        ("POST", f"/games/{game}/handovers", {"to": "ann"}),
        ("GET", f"/games/{game}/handovers", None),
        ("GET", "/me/handovers", None),
        ("GET", "/me/questions", None),
        ("GET", "/me/events", None),
        ("GET", "/me/seating", None),
    ]
    return [answer(people, name, each) for each in requests]


@pytest.mark.usefixtures("references")
def test_a_question_to_the_player_who_made_the_block_looks_unanswered(people: People) -> None:
    assert ask_across(people, BLOCKED) == ask_across(people, STRANGER)


@pytest.mark.both_stores
def test_lists_leave_out_tables_that_the_players_own_block_keeps_them_from(people: People) -> None:
    people.register("ann", "dan", "eve", BLOCKED)
    tables = {name: people.form(name, "open", "open")["id"] for name in ("ann", "dan", "eve", BLOCKED)}
    for name in ("dan", BLOCKED):
        assert people.claim("ann", {"id": tables[name]}).status_code == 201

    def openers(viewer: str) -> set[str]:
        items = people[viewer].get("/games?status=forming").get_json()["items"]
        return {name for name, game in tables.items() if game in [item["id"] for item in items]}

    assert people[BLOCKED].ask("PUT", "/me/blocks/ann").status_code == 204
    assert openers(BLOCKED) == {"eve", BLOCKED}, "the table where they sit stays"
    assert openers("ann") == openers("eve") == tables.keys(), "the blocked player doesn't notice"
    assert people[BLOCKED].ask("DELETE", "/me/blocks/ann").status_code == 204
    assert openers(BLOCKED) == tables.keys()
