"""Rules for every route: invalid tokens and unknown parameters are refused."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from api.web.problems import NO_ROUTE
from tests.api.conftest import PASSWORD, Caller, check_problem
from tests.api.live_server import open_server
from tests.docs.markdown import ROOT

API = "/api/v1"
ANN = {"name": "ann", "password": PASSWORD}
PLACES = {"game_ref": "1", "strictint": "1"}
"""Text for the parts of addresses, by their type; any other part is `x`."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """A caller on SQLite, for requests that no store can change."""
    with open_server(tmp_path_factory.mktemp("data")) as server:
        yield server.nobody


@pytest.fixture(scope="module")
def ann(stranger: Caller) -> Caller:
    return stranger.join("ann")


def routes(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield the methods and addresses of all routes."""
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda part: PLACES.get(part[1], "x"), rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield method, path


def test_an_invalid_token_is_unauthorized(stranger: Caller, ann: Caller) -> None:
    login = stranger.post("/tokens", ANN).get_json()
    gone = replace(stranger, token=login["token"])
    assert gone.delete("/tokens/current").status_code == 204
    asked = [(method, path[len(API) :]) for method, path in routes(stranger.client.application) if path.startswith(API)]
    assert len(asked) > 100
    for method, path in asked:
        for caller in (gone, replace(stranger, token="tb_" + "x" * 43), replace(stranger, token="garbage")):
            check_problem(caller.ask(method, path, ANN), 401, "unauthorized")


def test_a_401_says_how_to_send_a_token_and_if_only_the_word_bearer_is_missing(stranger: Caller, ann: Caller) -> None:
    token = str(ann.token)
    for header, says in (
        (token, "doesn't begin with the word Bearer. Send `Authorization: Bearer TOKEN`."),
        (f"Token {token}", "doesn't begin with the word Bearer."),
        ("Bearer tb_wrong", "contains no valid token of this server."),
    ):
        problem = check_problem(stranger.get("/games", Authorization=header), 401, "unauthorized")
        assert says in str(problem["detail"])
        assert token not in str(problem)
    without = check_problem(stranger.post("/games", {}), 401, "unauthorized")
    assert "Send `Authorization: Bearer TOKEN`. POST /tokens returns a token." in str(without["detail"])


def test_a_query_of_too_many_parameters_is_malformed_before_it_is_parsed(stranger: Caller) -> None:
    for many, is_read in ((64, True), (65, False), (7500, False)):
        answer = stranger.get("/variants?" + "&".join(["a"] * many))
        assert answer.get_json().get("errors") == ({"a": ["Is given twice."]} if is_read else None)
        check_problem(answer, 400, "malformed")
        assert ("Send at most 64 parameters." in answer.get_json()["detail"]) is not is_read


def test_a_path_with_a_nul_is_not_found_before_a_database_is_asked(ann: Caller) -> None:
    headers = {"Authorization": f"Bearer {ann.token}"}
    for path in ("/players/%00/history", "/players/a%00b/ratings", "/me/tokens/%00", "/games/1/handovers/%00/decline"):
        for method in ("GET", "POST", "DELETE"):
            answer = ann.client.open(API + path, method=method, json={}, headers=headers)
            if answer.status_code != 405:
                check_problem(answer, 404, "not-found")
                assert answer.get_json()["detail"] == NO_ROUTE


def test_an_unknown_parameter_is_malformed(stranger: Caller, ann: Caller) -> None:
    before = [ann.get("/games").get_json()["items"], ann.get("/games/1").status_code]
    own_page = {"Sec-Fetch-Site": "same-origin"}
    for method, path in routes(stranger.client.application):
        headers = own_page | ({"Authorization": f"Bearer {ann.token}"} if path.startswith(API) else {})
        for query in ("seed=00", "%FF=1", "x"):
            answer = stranger.client.open(f"{path}?{query}", method=method, json=ANN, headers=headers)
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
