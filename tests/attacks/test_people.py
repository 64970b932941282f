"""Attacks 126 to 137: what one person could do to another, at tables, in chats, and with accounts and tokens."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.api.conftest import PASSWORD, Caller, services_of
from tests.api.live_server import open_server
from tests.attacks.running import problem_type
from tests.forming.tables import People
from tests.simultaneous import at_once

NOT_FOUND = (404, "not-found")


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """A server that asks players before it seats them."""
    with open_server(tmp_path_factory.mktemp("village"), seating="asked") as server:
        services_of(server.app).wait_timeout_s = 0.01
        yield People(server.app)


def guest_of(village: People) -> Caller:
    """Return a caller without a password."""
    return replace(village.nobody, token=village.nobody.post("/guests", {}).get_json()["token"])


def name_of(caller: Caller) -> str:
    """Return a caller's name."""
    return str(caller.get("/me").get_json()["name"])


def kind(answer: TestResponse) -> tuple[int, str]:
    """Return the status and the type of a problem."""
    return answer.status_code, problem_type(answer)


def test_attack_126_nobody_is_seated_by_a_name_or_a_claim_of_another(village: People) -> None:
    table = village.form("ann", "bob")
    claims: list[dict[str, Any]] = [{}, {"seat": 1}, {"seat": 0}, {"invitation": "A" * 22}]
    assert {kind(village.claim("eve", table, **body)) for body in claims} == {NOT_FOUND}
    assert kind(village.claim("ann", table, seat=1)) == (409, "seat-taken")
    for name in ("BOB", "b\u043eb", "bob ", "p_" + "0" * 24, "server", "seat:1"):
        answer = village["ann"].post("/games", {"variant": "pitch", "seats": ["ann", name]})
        assert kind(answer) in {(409, "no-such-player"), (400, "malformed")}, name
    assert village["ann"].get(f"/games/{table['id']}").get_json()["status"] == "forming"


def test_attack_127_an_invitation_is_for_its_uses_and_others_see_none(village: People) -> None:
    table, eve = village.form("ann", "invite", "invite"), guest_of(village)
    game, made = table["id"], village.invitation("ann", table, uses=1)
    for method, path in (("POST", ""), ("GET", ""), ("DELETE", f"/{made['id']}")):
        answer = eve.ask(method, f"/games/{game}/invitations{path}", {} if method == "POST" else None)
        assert kind(answer) == NOT_FOUND
    people = [eve, *(guest_of(village) for _ in range(3))]
    body = {"invitation": made["token"]}
    claims = at_once(*(partial(one.post, f"/games/{game}/seats", body) for one in people))
    assert Counter(claim.status_code for claim in claims) == {201: 1, 404: 3}


def test_attack_134_nobody_takes_over_an_account(village: People) -> None:
    login = {"name": "ida", "password": PASSWORD}
    codes = village.nobody.post("/users", login).get_json()["recovery_codes"]
    old = replace(village.nobody, token=village.nobody.post("/tokens", login).get_json()["token"])
    code = {"code": codes[0], "new_password": "brand-new-horse-7"}
    ann, eve, cat = village["ann"], guest_of(village), guest_of(village)
    stolen = village.nobody.post("/tokens/recovery", {"name": "ann", **code})
    unknown = village.nobody.post("/tokens/recovery", {"name": "nobody-here", **code})
    assert (stolen.status_code, stolen.data) == (unknown.status_code, unknown.data)
    assert village.nobody.post("/tokens/recovery", {"name": "ida", **code}).status_code == 201
    assert village.nobody.post("/tokens/recovery", {"name": "ida", **code}).status_code == 401
    assert old.get("/me").status_code == 401
    own = ann.get("/me").get_json()["token"]["id"]
    assert kind(eve.ask("DELETE", f"/me/tokens/{own}")) == NOT_FOUND
    for name in ("ann", "AnN", "open", "invite", "moderator", "guest-two", "deleted", name_of(cat)):
        answer = eve.post("/me/account", {"name": name, "password": PASSWORD})
        assert kind(answer) in {(409, "name-taken"), (400, "malformed")}, name
    for password in (PASSWORD, "x", " "):
        answer = village.nobody.post("/tokens", {"name": name_of(eve), "password": password})
        assert kind(answer) == (401, "bad-login")


def test_attack_135_a_table_that_is_cancelled_and_claimed_at_once_ends_one_way(village: People) -> None:
    outcomes = set()
    for _ in range(8):
        table = village.form("ann", "open")
        path = f"/games/{table['id']}"
        answers = at_once(partial(village["ann"].ask, "DELETE", path), partial(village.claim, "eve", table))
        status = village["ann"].get(path).get_json()["status"]
        outcomes.add((*(answer.status_code for answer in answers), status))
    assert outcomes <= {(204, 404, "cancelled"), (204, 409, "cancelled"), (409, 201, "active")}


def test_attack_136_a_player_who_leaves_and_claims_at_once_is_gone_or_seated(village: People) -> None:
    for _ in range(4):
        game, leaver = village.form("ann", "open")["id"], guest_of(village)
        left, claimed = at_once(
            partial(leaver.ask, "DELETE", "/me", {}), partial(leaver.post, f"/games/{game}/seats", {})
        )
        assert left.status_code == 202
        status = village["ann"].get(f"/games/{game}").get_json()["status"]
        assert (claimed.status_code, status) in {(201, "active"), (401, "forming")}
        assert leaver.get("/me").status_code == 401
