"""Another site can make a browser do nothing with the session's cookie."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import PASSWORD, Caller, check_problem
from tests.api.live_server import GameServer, open_server
from tests.people.browser import HOME, OWN_PAGE, Browser
from tests.people.conftest import json_of

FOREIGN: dict[str, dict[str, str]] = {
    "another site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
    "a subdomain of the same site": {"Sec-Fetch-Site": "same-site", "Origin": "http://evil.localhost"},
    "another port of the same host": {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:9000"},
    "a link that the user opened": {"Sec-Fetch-Site": "none"},
    "an older browser, another site": {"Origin": "https://evil.example"},
    "an older browser, the same name with https": {"Origin": "https://localhost"},
    "an older browser, a sandboxed frame": {"Origin": "null"},
    "an older browser, our name inside another": {"Origin": "http://localhost.evil.example"},
    "no header at all": {"Accept": "*/*"},
    "Sec-Fetch-Site outweighs a forged Origin": {"Sec-Fetch-Site": "cross-site", "Origin": HOME},
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GameServer]:
    """Return a server on SQLite: no store changes who may send a request."""
    with open_server(tmp_path, None) as opened:
        yield opened


@pytest.fixture
def browser(server: GameServer, ann: Caller) -> Browser:
    """Return ann's browser, with a session."""
    assert ann.token
    opened = Browser(server.app)
    opened.sign_in("ann", PASSWORD)
    return opened


def sent(headers: dict[str, str]) -> dict[str, str]:
    """Return headers as keywords."""
    return {name.replace("-", "_"): text for name, text in headers.items()}


def test_a_request_from_elsewhere_changes_nothing(browser: Browser) -> None:
    attempts: list[tuple[str, str, Any]] = [
        ("POST", "/api/v1/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]}),
        ("DELETE", "/api/v1/me", {"password": PASSWORD}),
        ("PUT", "/api/v1/me/seating", {"at_once": True}),
        ("DELETE", "/api/v1/tokens/current", None),
        ("DELETE", "/api/v1/me/tokens", None),
        ("DELETE", "/session", None),
        ("POST", "/session/guest", {}),
        ("POST", "/session", {"name": "ann", "password": PASSWORD}),
    ]
    before = dict(browser.cookies)
    for headers in FOREIGN.values():
        for method, path, body in attempts:
            check_problem(browser.send(method, path, body, **sent(headers)), 403, "cross-site")
    assert browser.cookies == before
    assert browser.player() == "ann"
    assert browser.send("GET", "/api/v1/games?player=ann").get_json()["items"] == []


def test_a_read_from_elsewhere_is_a_read_without_a_session(browser: Browser) -> None:
    for source in ("another site", "a subdomain of the same site", "another port of the same host"):
        check_problem(browser.send("GET", "/api/v1/me", **sent(FOREIGN[source])), 401, "unauthorized")
        assert browser.send("GET", "/session", **sent(FOREIGN[source])).get_json()["player"] is None
        assert browser.send("GET", "/api/v1/variants", **sent(FOREIGN[source])).status_code == 200


def test_an_older_browser_is_known_by_its_origin(browser: Browser) -> None:
    body = {"at_once": True}
    assert browser.send("PUT", "/api/v1/me/seating", body, Origin=HOME).status_code == 200
    for home in ("https://cards.example.com", "http://localhost:8000"):
        other = Browser(browser.app, home)
        assert other.send("POST", "/session/guest", {}, Origin=home).status_code == 201


def test_a_session_is_never_the_one_that_somebody_gave_the_browser(server: GameServer, browser: Browser) -> None:
    planted = server["bob"].token or ""
    victim = Browser(server.app, cookies={"trickbook": planted})
    victim.sign_in("ann", PASSWORD)
    assert victim.cookies["trickbook"] not in (planted, browser.cookies["trickbook"])
    assert victim.player() == "ann"
    check_problem(server["bob"].get("/me"), 401, "unauthorized")  # that session is over, too


def test_a_second_cookie_of_the_same_name_signs_nobody_in(server: GameServer, browser: Browser) -> None:
    mine, planted = browser.cookies["trickbook"], server["bob"].token
    for order in (f"trickbook={mine}; trickbook={planted}", f"trickbook={planted}; trickbook={mine}"):
        check_problem(browser.send("GET", "/api/v1/me", Cookie=order, **sent(OWN_PAGE)), 401, "unauthorized")
        found = browser.send("GET", "/session", Cookie=order, **sent(OWN_PAGE)).get_json()
        assert found["player"] is None


def test_a_cookie_that_is_no_token_is_refused_as_a_token_is(server: GameServer) -> None:
    for value in ("", "tb_x", "tb_" + "a" * 44, "Bearer tb_" + "a" * 43, "tb_" + "a" * 43, "\x7f"):
        stranger = Browser(server.app, cookies={"trickbook": value})
        check_problem(stranger.send("GET", "/api/v1/variants"), 401, "unauthorized")
        assert stranger.player() is None
        assert stranger.cookies == {}


def test_programs_send_no_such_headers_and_still_use_tokens(server: GameServer) -> None:
    assert json_of(server["cat"].ask("PUT", "/me/seating", {"at_once": True})) == {"at_once": True, "friends": []}
    assert server.nobody.post("/guests", {}).status_code == 201


def test_the_cookie_of_an_encrypted_address_counts_nowhere_else(server: GameServer, ann: Caller) -> None:
    assert ann.token
    browser = Browser(server.app, "https://cards.example.com")
    browser.sign_in("ann", PASSWORD)
    plain = Browser(server.app, "http://cards.example.com", dict(browser.cookies))
    check_problem(plain.send("GET", "/api/v1/me"), 401, "unauthorized")
    check_problem(plain.send("PUT", "/api/v1/me/seating", {"at_once": True}), 401, "unauthorized")
