"""Attacks 126 to 137: what one person could do to another, at tables, in chats, and with accounts and tokens."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.api.conftest import PASSWORD, Caller, services_of
from tests.api.live_server import GameServer, open_server
from tests.attacks.running import problem_type

NOT_FOUND = (404, "not-found")


class Village:
    """A server that asks players before it seats them. Its people: ann and bob have passwords, others are guests."""

    def __init__(self, server: GameServer) -> None:
        self.server, self.nobody = server, server.nobody
        for name in ("ann", "bob"):
            self.register(name)
        self.ann = self.log_in("ann")
        self.eve, self.cat, self.dan = (self.guest() for _ in range(3))

    def register(self, name: str) -> list[str]:
        """Register somebody, and return their recovery codes."""
        found: list[str] = self.nobody.post("/users", {"name": name, "password": PASSWORD}).get_json()["recovery_codes"]
        return found

    def log_in(self, name: str) -> Caller:
        """Return a caller with a new token."""
        answer = self.nobody.post("/tokens", {"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return Caller(self.server.app.test_client(), answer.get_json()["token"])

    def guest(self) -> Caller:
        """Return a caller without a password."""
        return Caller(self.server.app.test_client(), self.nobody.post("/guests", {}).get_json()["token"])

    def table(self, by: Caller, *seats: str) -> str:
        """Open a table whose first seat is the opener's, and return its id."""
        answer = by.post("/games", {"variant": "pitch", "seats": [name_of(by), *seats]})
        assert answer.status_code == 201, answer.text
        return str(answer.get_json()["id"])


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Village]:
    with open_server(tmp_path_factory.mktemp("village"), seating="asked") as server:
        services_of(server.app).wait_timeout_s = 0.01
        yield Village(server)


def name_of(caller: Caller) -> str:
    """Return a caller's name."""
    return str(caller.get("/me").get_json()["name"])


def kind(answer: TestResponse) -> tuple[int, str]:
    """Return the status and the type of a problem."""
    return answer.status_code, problem_type(answer)


def test_attack_126_nobody_is_seated_by_a_name_or_a_claim_of_another(village: Village) -> None:
    game = village.table(village.ann, "bob")
    claims: list[dict[str, Any]] = [{}, {"seat": 1}, {"seat": 0}, {"invitation": "A" * 22}]
    assert {kind(village.eve.post(f"/games/{game}/seats", body)) for body in claims} == {NOT_FOUND}
    assert kind(village.ann.post(f"/games/{game}/seats", {"seat": 1})) == (409, "seat-taken")
    for name in ("BOB", "b\u043eb", "bob ", "p_" + "0" * 24, "server", "seat:1"):
        answer = village.ann.post("/games", {"variant": "pitch", "seats": ["ann", name]})
        assert kind(answer) in {(409, "no-such-player"), (400, "malformed")}, name
    assert village.ann.get(f"/games/{game}").get_json()["status"] == "forming"


def test_attack_127_an_invitation_is_for_its_uses_and_others_see_none(village: Village) -> None:
    game = village.table(village.ann, "invite", "invite")
    made = village.ann.post(f"/games/{game}/invitations", {"uses": 1}).get_json()
    for method, path in (("POST", ""), ("GET", ""), ("DELETE", f"/{made['id']}")):
        answer = village.eve.ask(method, f"/games/{game}/invitations{path}", {} if method == "POST" else None)
        assert kind(answer) == NOT_FOUND
    people = [village.eve, village.cat, village.dan, village.guest()]
    with ThreadPoolExecutor(len(people)) as pool:
        claims = list(pool.map(lambda one: one.post(f"/games/{game}/seats", {"invitation": made["token"]}), people))
    assert Counter(claim.status_code for claim in claims) == {201: 1, 404: 3}


def test_attack_134_nobody_takes_over_an_account(village: Village) -> None:
    ida = village.register("ida")
    old, code = village.log_in("ida"), {"code": ida[0], "new_password": "brand-new-horse-7"}
    stolen = village.nobody.post("/tokens/recovery", {"name": "ann", **code})
    unknown = village.nobody.post("/tokens/recovery", {"name": "nobody-here", **code})
    assert (stolen.status_code, stolen.data) == (unknown.status_code, unknown.data)
    assert village.nobody.post("/tokens/recovery", {"name": "ida", **code}).status_code == 201
    assert village.nobody.post("/tokens/recovery", {"name": "ida", **code}).status_code == 401
    assert old.get("/me").status_code == 401
    own = village.ann.get("/me").get_json()["token"]["id"]
    assert kind(village.eve.ask("DELETE", f"/me/tokens/{own}")) == NOT_FOUND
    for name in ("ann", "AnN", "open", "invite", "moderator", "guest-two", "deleted", name_of(village.cat)):
        answer = village.eve.post("/me/account", {"name": name, "password": PASSWORD})
        assert kind(answer) in {(409, "name-taken"), (400, "malformed")}, name
    for password in (PASSWORD, "x", " "):
        answer = village.nobody.post("/tokens", {"name": name_of(village.eve), "password": password})
        assert kind(answer) == (401, "bad-login")


def test_attack_135_a_table_that_is_cancelled_and_claimed_at_once_ends_one_way(village: Village) -> None:
    outcomes = set()
    for _ in range(8):
        game = village.table(village.ann, "open")
        with ThreadPoolExecutor(2) as pool:
            cancelled = pool.submit(village.ann.ask, "DELETE", f"/games/{game}")
            claimed = pool.submit(village.eve.post, f"/games/{game}/seats", {})
        status = village.ann.get(f"/games/{game}").get_json()["status"]
        outcomes.add((cancelled.result().status_code, claimed.result().status_code, status))
    assert outcomes <= {(204, 404, "cancelled"), (204, 409, "cancelled"), (409, 201, "active")}


def test_attack_136_a_player_who_leaves_and_claims_at_once_is_gone_or_seated(village: Village) -> None:
    for _ in range(4):
        game, leaver = village.table(village.ann, "open"), village.guest()
        with ThreadPoolExecutor(2) as pool:
            left = pool.submit(leaver.ask, "DELETE", "/me", {})
            claimed = pool.submit(leaver.post, f"/games/{game}/seats", {})
        assert left.result().status_code == 202
        status = village.ann.get(f"/games/{game}").get_json()["status"]
        assert (claimed.result().status_code, status) in {(201, "active"), (401, "forming")}
        assert leaver.get("/me").status_code == 401
