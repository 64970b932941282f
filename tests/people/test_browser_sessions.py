"""Sessions of browsers: the token is in a cookie, which works as the token does and ends with it."""

from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from tests.api.conftest import PASSWORD, Caller, check_problem, config_for, services_of
from tests.api.live_server import GameServer
from tests.conftest import Database
from tests.people.browser import Browser
from tests.people.conftest import OTHER, json_of, open_caller

TABLE = {"variant": "pitch", "seats": ["ann", "bot:simple"]}


@pytest.fixture
def app(server: GameServer, ann: Caller) -> Flask:
    """Return the app, which ann uses already."""
    assert ann.token
    return server.app


def test_a_session_plays_and_no_answer_shows_its_token(app: Flask) -> None:
    browser = Browser(app)
    begun = browser.sign_in("ann", PASSWORD)
    token = browser.cookies["trickbook"]
    assert begun.headers["Set-Cookie"].endswith("; HttpOnly; Path=/; SameSite=Strict")
    assert begun.get_json()["player"]["name"] == browser.player() == "ann"
    game = browser.send("POST", "/api/v1/games", TABLE).get_json()["id"]
    view = browser.send("GET", f"/api/v1/games/{game}/seats/0")
    assert len(view.get_json()["you"]["cards"]) == 6
    for answer in (begun, view, browser.send("GET", "/session"), browser.send("GET", "/api/v1/me/tokens")):
        assert token not in answer.text
    listed = browser.send("GET", "/api/v1/me/tokens").get_json()["items"]
    assert [(each["label"], each["scope"]) for each in listed if each["current"]] == [("browser", "play")]


def test_over_https_the_cookie_is_of_this_host_alone(app: Flask) -> None:
    browser = Browser(app, "https://cards.example.com")
    sent = browser.sign_in("ann", PASSWORD).headers["Set-Cookie"]
    assert sent.startswith("__Host-trickbook=tb_")
    assert "; Secure; HttpOnly; Path=/; SameSite=Strict" in sent
    assert "Domain" not in sent
    assert browser.player() == "ann"
    assert (
        Browser(app, "https://cards.example.com", {"trickbook": browser.cookies["__Host-trickbook"]}).player() is None
    )


@pytest.mark.both_stores
def test_a_session_ends_with_its_token(app: Flask, ann: Caller) -> None:
    browser, other = Browser(app), Browser(app)
    other.sign_in("ann", PASSWORD)
    for path in ("/session", "/api/v1/tokens/current"):
        browser.sign_in("ann", PASSWORD)
        stolen = Browser(app, cookies=dict(browser.cookies))
        assert browser.send("DELETE", path).status_code == 204
        assert browser.cookies == {}
        check_problem(stolen.send("GET", "/api/v1/me"), 401, "unauthorized")
        assert stolen.player() is None
        assert stolen.cookies == {}
    assert json_of(ann.delete("/me/tokens"))["ended"] == 1
    check_problem(other.send("GET", "/api/v1/me"), 401, "unauthorized")


def test_a_new_password_renews_the_session_and_ends_all_others(app: Flask, ann: Caller) -> None:
    browser, other = Browser(app), Browser(app)
    browser.sign_in("ann", PASSWORD)
    other.sign_in("ann", PASSWORD)
    before = dict(browser.cookies)
    changed = browser.send("POST", "/api/v1/me/password", {"password": PASSWORD, "new_password": OTHER})
    assert changed.status_code == 200
    assert "token" not in changed.get_json()
    assert browser.cookies != before
    assert browser.player() == "ann"
    assert (Browser(app, cookies=before).player(), other.player()) == (None, None)
    check_problem(ann.get("/me"), 401, "unauthorized")


def test_a_recovery_code_begins_a_session(app: Flask, ann: Caller) -> None:
    code = json_of(ann.post("/me/recovery-codes", {"password": PASSWORD}), 201)["recovery_codes"][0]
    browser = Browser(app)
    body = {"name": "ann", "code": code, "new_password": OTHER}
    assert browser.send("POST", "/session/recovery", body).status_code == 201
    assert browser.player() == "ann"
    check_problem(Browser(app).send("POST", "/session/recovery", body), 401, "bad-login")


def test_an_account_that_is_being_deleted_comes_back_into_a_session(app: Flask) -> None:
    browser = Browser(app)
    browser.sign_in("ann", PASSWORD)
    assert browser.send("DELETE", "/api/v1/me", {"password": PASSWORD}).status_code == 202
    assert browser.player() is None
    wanted = {"name": "ann", "password": PASSWORD}
    check_problem(browser.send("POST", "/session", wanted), 403, "user-leaving")
    assert browser.send("POST", "/session/restore", wanted).status_code == 201
    assert browser.player() == "ann"


def test_a_guest_begins_with_one_request_and_takes_a_name(app: Flask) -> None:
    browser = Browser(app)
    made = browser.send("POST", "/session/guest", {})
    assert (made.status_code, made.get_json()["player"]["guest"]) == (201, True)
    assert browser.send("POST", "/api/v1/me/account", {"name": "gus", "password": PASSWORD}).status_code == 201
    assert browser.send("GET", "/session").get_json()["player"] == made.get_json()["player"] | {
        "name": "gus",
        "guest": False,
    }


def test_authorization_takes_precedence_over_the_cookie(app: Flask, server: GameServer) -> None:
    browser, bob = Browser(app), server["bob"]
    browser.sign_in("ann", PASSWORD)
    both = browser.send("GET", "/api/v1/me", Authorization=f"Bearer {bob.token}")
    assert both.get_json()["name"] == "bob"
    check_problem(browser.send("GET", "/api/v1/me", Authorization="Bearer tb_x"), 401, "unauthorized")


def test_a_disabled_user_has_no_session(app: Flask, server: GameServer) -> None:
    browser = Browser(app)
    browser.sign_in("ann", PASSWORD)
    assert server.command("user", "disable", "ann").exit_code == 0
    services_of(server.app).accounts.tokens.timer = lambda: 1e9  # so that nothing is remembered
    check_problem(browser.send("GET", "/api/v1/me"), 403, "user-disabled")
    assert browser.player() is None


@pytest.mark.parametrize("insecure_lan", [False, True])
def test_a_cookie_is_set_only_at_addresses_without_eavesdroppers(tmp_path: Path, insecure_lan: bool) -> None:
    of_a_network = "network" if insecure_lan else "refused"
    with open_caller(replace(config_for(Database(None, tmp_path)), insecure_lan=insecure_lan)) as caller:
        for home, safety in (
            ("https://cards.example.com", "encrypted"),
            *((f"http://{name}", "loopback") for name in ("localhost:8000", "cards.localhost", "127.0.0.1", "[::1]")),
            *((f"http://{name}", of_a_network) for name in ("192.168.1.7:8000", "[fd00::7]", "nas.local", "nas")),
            *((f"http://{name}", "refused") for name in ("93.184.216.34", "cards.example.com", "localhost.example")),
        ):
            browser = Browser(caller.client.application, home)
            assert browser.send("GET", "/session").get_json()["address"] == safety, home
            made = browser.send("POST", "/session/guest", {})
            if safety == "refused":
                check_problem(made, 403, "insecure-address")
                assert "Set-Cookie" not in made.headers
            else:
                assert made.status_code == 201
                assert browser.player() == made.get_json()["player"]["name"]
