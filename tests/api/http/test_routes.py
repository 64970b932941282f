"""Rules for every route: invalid tokens and unknown parameters are refused."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from tests.api.conftest import PASSWORD, Caller, check_problem
from tests.api.live_server import open_server
from tests.docs.markdown import ROOT

ANN = {"name": "ann", "password": PASSWORD}
HAND, DISPUTE = "/games/1/hands/1", "/games/1/disputes/1"
MESSAGE, REPORT = "m_" + "0" * 24, "/moderation/reports/r_" + "0" * 24
ROUTES = [
    ("GET", "/variants"), ("POST", "/users"), ("POST", "/tokens"), ("DELETE", "/tokens/current"), ("POST", "/games"),
    ("GET", "/games"), ("GET", "/games/1"), ("GET", "/games/1/seats/0"), ("POST", "/games/1/moves"),
    ("POST", "/commands"),
    ("GET", "/games/1/events"), ("GET", "/games/1/export"), ("GET", "/games/1/scoreboard"), ("GET", "/games/1/audit"),
    ("GET", "/games/1/receipt"), ("POST", "/games/1/receipts"), ("POST", "/games/1/cosignatures"),
    ("GET", "/games/1/proofs/inclusion"), ("GET", "/games/1/proofs/consistency"),
    ("GET", "/exports/games"),
    ("GET", "/games/1/replay"), ("GET", "/games/1/legal"), ("GET", "/games/1/revokes"), ("GET", "/games/1/draws"),
    ("GET", "/games/1/score"), ("GET", "/games/1/clock"), ("GET", "/games/1/sight"), ("GET", "/games/1/commits"),
    ("GET", "/games/1/compare"), ("POST", "/games/1/branches"), ("GET", HAND + "/deal"),
    ("GET", HAND + "/choices"), ("GET", "/games/1/hint"),
    ("GET", "/disputes"), ("GET", "/games/1/disputes"), ("POST", "/games/1/disputes"), ("POST", DISPUTE + "/ruling"),
    ("POST", DISPUTE + "/appeal"), ("POST", DISPUTE + "/decision"), ("DELETE", DISPUTE + "/texts"),
    ("GET", "/me"), ("DELETE", "/me"), ("GET", "/me/tokens"), ("DELETE", "/me/tokens"), ("DELETE", "/me/tokens/0a1b"),
    ("POST", "/me/password"), ("POST", "/tokens/recovery"), ("POST", "/me/recovery-codes"), ("GET", "/me/export"),
    ("POST", "/me/restore"), ("POST", "/guests"), ("POST", "/me/account"), ("PUT", "/me/email"),
    ("POST", "/me/email/confirmation"), ("DELETE", "/me/email"),
    ("POST", "/games/1/seats"), ("DELETE", "/games/1/seats/current"), ("POST", "/games/1/start"),
    ("DELETE", "/games/1"),
    ("POST", "/games/1/rematch"), ("GET", "/me/questions"), ("GET", "/me/seating"), ("PUT", "/me/seating"),
    ("GET", "/me/hours"), ("PUT", "/me/hours"), ("PUT", "/me/mail"), ("POST", "/mail/unsubscribe/x"),
    ("POST", "/games/1/invitations"), ("GET", "/games/1/invitations"), ("DELETE", "/games/1/invitations/i_1"),
    ("GET", "/invitations/x"), ("GET", "/me/events"),
    ("GET", "/me/webhooks"), ("POST", "/me/webhooks"), ("DELETE", "/me/webhooks/w_1"),
    ("GET", "/me/handovers"), ("GET", "/games/1/handovers"), ("POST", "/games/1/handovers"),
    ("POST", "/games/1/handovers/x/accept"), ("POST", "/games/1/handovers/x/decline"),
    ("DELETE", "/games/1/handovers/x"), ("POST", "/games/1/handovers/return"),
    ("GET", "/me/blocks"), ("PUT", "/me/blocks/bob"), ("DELETE", "/me/blocks/bob"),
    ("GET", "/games/1/chat"), ("POST", "/games/1/chat"), ("DELETE", "/games/1/chat/" + MESSAGE),
    ("GET", "/messages"), ("POST", "/messages"), ("POST", "/broadcasts"),
    ("POST", "/reports"), ("GET", "/me/reports"), ("GET", "/me/standing"), ("POST", "/me/appeals"),
    ("GET", "/moderation/reports"), ("POST", REPORT + "/claim"), ("POST", REPORT + "/ruling"),
    ("GET", "/moderation/appeals"), ("POST", f"/moderation/appeals/s_{'0' * 24}/decision"), ("GET", "/moderation/log"),
    ("GET", "/standings"), ("GET", "/players/ann/standings"), ("GET", "/players/ann/history"),
    ("GET", "/players/ann/against/bob"),
    ("GET", "/ratings"), ("GET", "/ratings/changes"), ("GET", "/players/ann/ratings"),
    ("GET", HAND), ("GET", HAND + "/replay"), ("GET", HAND + "/transcript"), ("GET", HAND + "/audit"),
]  # fmt: skip
OTHERS = [
    ("GET", "/"), ("GET", "/.well-known/trickbook/keys"), ("GET", "/health/live"), ("GET", "/health/ready"),
    ("GET", "/metrics"),
    ("GET", "/problems/malformed"), ("GET", "/verify"), ("GET", "/static/verify.js"),
    ("GET", "/session"), ("GET", "/rules"), ("GET", "/rules/pitch"), ("GET", "/worker.js"),
    ("GET", "/static/0a1b/base/dom.js"),
    ("GET", "/openapi.json"), ("GET", "/openapi-3.1.json"), ("GET", "/docs"), ("GET", "/docs/docs.js"),
]  # fmt: skip
SESSIONS = [
    ("POST", "/session"), ("DELETE", "/session"), ("POST", "/session/guest"), ("POST", "/session/recovery"),
    ("POST", "/session/restore"), ("POST", "/mail/unsubscribe/x"),
]  # fmt: skip
PAGES = [
    "/new", "/join", "/me", "/sign-in", "/sign-up", "/recover", "/app", "/offline", "/mail/unsubscribe/x",
    "/players/ann", "/games/1", "/games/1/replay", "/games/1/score", "/games/1/audit",
    "/games/1/disputes", "/games/1/text", "/disputes", "/standings", "/embed/games/1/hands/1",
    "/manifest.webmanifest",
]  # fmt: skip


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """A caller on SQLite, for requests that no store can change."""
    with open_server(tmp_path_factory.mktemp("data")) as server:
        yield server.nobody


@pytest.fixture(scope="module")
def ann(stranger: Caller) -> Caller:
    return stranger.join("ann")


def test_the_list_of_routes_is_complete(stranger: Caller) -> None:
    listed = len(ROUTES) + len(OTHERS) + len(SESSIONS) + len(PAGES)
    assert listed == len(list(stranger.client.application.url_map.iter_rules()))


def test_an_invalid_token_is_unauthorized(stranger: Caller, ann: Caller) -> None:
    login = stranger.post("/tokens", ANN).get_json()
    gone = replace(stranger, token=login["token"])
    assert gone.delete("/tokens/current").status_code == 204
    for method, path in ROUTES:
        for caller in (gone, replace(stranger, token="tb_" + "x" * 43), replace(stranger, token="garbage")):
            check_problem(caller.ask(method, path, ANN), 401, "unauthorized")


def test_an_unknown_parameter_is_malformed(stranger: Caller, ann: Caller) -> None:
    before = [ann.get("/games").get_json()["items"], ann.get("/games/1").status_code]
    for method, path in (*ROUTES, *OTHERS):
        for query in ("seed=00", "%FF=1", "x"):
            check_problem(ann.ask(method, f"{path}?{query}", ANN), 400, "malformed")
    for method, path in (*SESSIONS, *(("GET", page) for page in PAGES)):
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = stranger.client.open(f"{path}?seed=00", method=method, json=ANN, headers=headers)
        check_problem(answer, 400, "malformed")
    table = {"variant": "pitch", "seats": ["ann", "bot:random"]}
    check_problem(ann.post("/games?seed=00", table), 400, "malformed")
    assert [ann.get("/games").get_json()["items"], ann.get("/games/1").status_code] == before


def test_the_root_names_addresses_and_pages_that_exist(stranger: Caller) -> None:
    answer = stranger.client.get("/")
    signs = answer.get_json()
    assert (answer.status_code, answer.data[-1:]) == (200, b"\n")
    for address in (signs["variants"], signs["games"], signs["ready"]):
        assert stranger.client.get(address).status_code == 200
    assert all((ROOT / page).is_file() for page in signs["documentation"])


def test_a_missing_resource_is_a_problem_in_our_own_words(stranger: Caller) -> None:
    for path in ("/games/abc", "/games/01", "/games/1/seats/x", "/nowhere"):
        answer = stranger.get(path)
        assert str(check_problem(answer, 404, "not-found")["detail"]).startswith("There is nothing at this address.")
        assert answer.data.endswith(b"}\n")


def test_a_number_beyond_nine_digits_is_not_found_with_any_method(stranger: Caller) -> None:
    rules = [rule.rule for rule in stranger.client.application.url_map.iter_rules()]
    numbered = {re.sub("<(game_ref|strictint):[a-z]+>", "1000000000", rule) for rule in rules}
    paths = {re.sub("<[a-z]+>", "x", rule) for rule in numbered - set(rules)}
    assert len(paths) > 40
    for path in paths:
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            check_problem(stranger.ask(method, path.removeprefix("/api/v1"), {}), 404, "not-found")


def test_a_missing_hand_is_named(ann: Caller) -> None:
    board = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"]}).get_json()["board"]
    for rest in ("", "/replay", "/transcript", "/audit"):
        refused = check_problem(ann.get(f"/games/{board}/hands/99{rest}"), 404, "not-found")
        assert refused["detail"] == "There is no hand 99, or you may not see it yet."


def test_a_hook_can_answer_before_the_view_and_no_hook_is_registered_that_the_application_never_calls(
    stranger: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = stranger.client.application
    assert set(app.before_request_funcs) == {None}
    never_called = (app.url_value_preprocessors, app.after_request_funcs, app.teardown_request_funcs)
    assert [*never_called, app.teardown_appcontext_funcs] == [{}, {}, {}, []]
    hooks = app.before_request_funcs[None]
    monkeypatch.setitem(app.before_request_funcs, None, [*hooks, lambda: ("closed", 503)])
    answer = FlaskClient(app, app.response_class).get("/health/live")
    assert (answer.status_code, answer.data) == (503, b"closed")
