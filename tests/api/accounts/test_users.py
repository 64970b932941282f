"""Registering, logging in and logging out over HTTP, and the limits on guessing passwords."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from api.config import Config
from api.config.limits import Backoff, Limits, Rate
from api.people.stored.passwords import Passwords
from api.people.stored.users import User
from tests.api.conftest import PASSWORD, Caller, MakeApp, at_one_moment, check_problem, services_of

ANN = {"name": "ann", "password": PASSWORD}


@pytest.fixture
def sqlite(tmp_path: Path) -> Config:
    return Config(data=tmp_path, hashing="cheapest")


@pytest.fixture
def stranger(make_app: MakeApp, sqlite: Config) -> Caller:
    """A caller on SQLite, for requests that no store can change."""
    return Caller(make_app(sqlite).test_client())


def caller_at(app: Flask, address: str) -> Caller:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Caller(client)


def test_a_player_registers_logs_in_and_out(caller: Caller, app: Flask) -> None:
    made = caller.post("/users", ANN)
    assert (made.status_code, len(made.get_json()["recovery_codes"])) == (201, 8)
    assert services_of(app).accounts.users.by_name("ann") == User(made.get_json()["id"], made.get_json()["name"])
    assert made.get_json()["name"] == "ann"
    answer = caller.post("/tokens", ANN)
    assert (answer.status_code, set(answer.get_json())) == (201, {"token", "id", "label", "scope", "days"})
    ann = replace(caller, token=answer.get_json()["token"])
    gone = ann.delete("/tokens/current")
    assert (gone.status_code, gone.data) == (204, b"")
    check_problem(ann.delete("/tokens/current"), 401, "unauthorized")


HEADERS = [
    None, "", "Bearer", "Bearer ", "Bearer garbage", "Bearer tb_" + "x" * 43, "Bearer tb_" + "x" * 42,
    "Bearer tb_" + "x" * 400, "Bearer {token} {token}", "Bearer {token}x", "Bearer {cut}", "Basic {token}",
    "Basic YW5uOmNvcnJlY3QtaG9yc2U=", "{token}", "Digest username=ann", "Bearer '; DROP TABLE tokens; --",
    "Bearer \u00e9\u00ff",
]  # fmt: skip


def test_a_request_without_a_valid_token_is_refused(stranger: Caller) -> None:
    ann = stranger.join("ann")
    token = ann.token or ""
    for header in HEADERS:
        headers = {} if header is None else {"Authorization": header.format(token=token, cut=token[:-1])}
        answer = replace(ann, token=None).delete("/tokens/current", **headers)
        check_problem(answer, 401, "unauthorized")
        error = ', error="invalid_token"' if (header or "").strip().startswith("Bearer ") else ""
        assert answer.headers["WWW-Authenticate"] == f'Bearer realm="trickbook"{error}', header


def test_the_scheme_is_read_in_any_case(stranger: Caller) -> None:
    for name, scheme in (("ann", "Bearer"), ("bob", "bearer"), ("cat", "BEARER ")):
        own = stranger.join(name)
        answer = replace(own, token=None).delete("/tokens/current", Authorization=f"{scheme} {own.token}")
        assert answer.status_code == 204


def test_a_token_anywhere_in_the_url_is_refused_and_not_repeated_or_logged(
    stranger: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    ann, unknown = stranger.join("ann"), "tb_" + "k" * 43
    caplog.set_level(logging.DEBUG)
    queries = ["{token}=1", "foo=a{token}b", "foo=Bearer%20{token}", "%74{rest}", "a=1&b={token}!"]
    queries += [f"{key}={{token}}" for key in ("token", "access_token", "Authorization", "api_key")]
    for token in (str(ann.token), unknown):
        for path in ("/health/live", "/tokens/current", "/games", "/tokens", "/nowhere", "/problems/x"):
            for query in queries:
                answer = ann.get(f"{path}?{query.format(token=token, rest=token[1:])}")
                check_problem(answer, 400, "token-in-url")
                assert token[4:] not in answer.text
        answer = stranger.get(f"/games/{token}")
        check_problem(answer, 400, "token-in-url")
        assert token[4:] not in answer.text
        assert token not in caplog.text


def test_names_of_plain_letters_are_accepted(stranger: Caller) -> None:
    for name in ("a", "Ann", "x" * 32, "7", "a.b-c_d", "0-0", "Bob.", "servant", "botany", "administer"):
        assert stranger.join(name).delete("/tokens/current").status_code == 204


MALFORMED = [
    "", "x" * 33, "x" * 10_000,
    "ann bob", "ann\u00a0bob", 'ann"', "ann'", "bot:random",  # R-P12
    "\u0430nn", "ann\u200b", "\u202enna", "\uff41nn", "stra\u00dfe", "\u212aen", "caf\u00e9", "cafe\u0301",
    "ann ", " ann", "a" + "\u0301" * 10_000, "\U0001f1e9\U0001f1ea", "\u0130rma", "\u017fam",
    "<script>alert(1)</script>", "{{7*7}}", "%s%n", "ann\r\nSet-Cookie: x", "@sum", "+1",
    "<b>ann</b>", "=cmd|calc", "-win=7", "..", "a/b", "%00", "ann\n", "\u001b[31mann", "ann\u0000",
    7, None, ["ann"], {"$ne": ""}, True,
]  # fmt: skip


def test_R_P12_other_names_are_malformed(stranger: Caller) -> None:
    for name in MALFORMED:
        for path in ("/users", "/tokens"):
            answer = stranger.post(path, {"name": name, "password": PASSWORD})
            check_problem(answer, 400, "malformed")
            assert "Set-Cookie" not in answer.headers
            assert "<" not in answer.text


def test_invalid_passwords_are_malformed(stranger: Caller) -> None:
    for password in ("short12", "x" * 257, "nul\u0000nul0", "tab\tstop-otter", "esc\u001botter-lantern", 12345678):
        body = check_problem(stranger.post("/users", {"name": "ann", "password": password}), 400, "malformed")
        assert str(password) not in str(body)


GOOD = [
    "correct horse", 'otter"s lantern', "otter's lantern", "l@n:tern otter", "pässwörter",
    "<b>%s {{7*7}} =cmd'\";--", "Öl:&\U0001f0a1\U0001f0ae~7q", "violet-otter-lantern".ljust(256),
]  # fmt: skip


def test_valid_passwords_are_accepted(stranger: Caller) -> None:
    for number, password in enumerate(GOOD):
        body = {"name": f"ann{number}", "password": password}
        assert [stranger.post(path, body).status_code for path in ("/users", "/tokens")] == [201, 201]


def test_a_password_that_is_easy_to_guess_is_refused_with_advice(stranger: Caller) -> None:
    for password in ("12345678", "password1", "x" * 256, "qwertyuiop", "trickbook1", "annabella1"):
        body = check_problem(stranger.post("/users", {"name": "annabella", "password": password}), 400, "malformed")
        assert list(body["errors"]) == ["password"]  # type: ignore[call-overload]
        told = str(body["errors"])
        assert "This password is easy to guess. " in told
        assert "Add another word or two." in told
        assert password not in told


@pytest.mark.parametrize("path", ["/users", "/tokens"])
def test_missing_fields_are_named(stranger: Caller, path: str) -> None:
    body = check_problem(stranger.post(path, {}), 400, "malformed")
    required = ["Is missing."]
    assert body["errors"] == {"name": required, "password": required}


def test_a_password_is_hashed_with_the_parameters_that_owasp_names() -> None:
    assert re.match(r"\$argon2id\$v=19\$m=19456,t=2,p=1\$", Passwords("standard").hash(PASSWORD))


def test_registered_players_can_log_in_while_registration_is_closed(make_app: MakeApp, sqlite: Config) -> None:
    Caller(make_app(sqlite).test_client()).join("ann")
    caller = Caller(make_app(replace(sqlite, registration="closed")).test_client())
    check_problem(caller.post("/users", {"name": "bob", "password": PASSWORD}), 403, "registration-closed")
    assert caller.post("/tokens", ANN).status_code == 201


def test_guesses_at_many_names_are_limited_by_address(make_app: MakeApp, sqlite: Config) -> None:
    app = at_one_moment(make_app(replace(sqlite, limits=Limits(guesses_by_address=Rate(count=20, window_s=60)))))
    thief, owner = caller_at(app, "203.0.113.9"), caller_at(app, "198.51.100.7")
    owner.join("ann")
    for _ in range(21):
        assert thief.post("/tokens", ANN).status_code == 201  # it isn't counted
    answers = [thief.post("/tokens", {"name": f"n{n}", "password": "wrong-horse"}) for n in range(25)]
    assert [answer.status_code for answer in answers] == [401] * 20 + [429] * 5
    assert 59 <= int(answers[-1].headers["Retry-After"]) <= 61
    check_problem(thief.post("/tokens", ANN), 429, "too-many-requests")
    assert owner.post("/tokens", ANN).status_code == 201


def test_a_household_may_mistype_passwords(make_app: MakeApp, sqlite: Config) -> None:
    caller = Caller(make_app(sqlite).test_client())
    wrong = [caller.post("/tokens", {"name": f"n{n % 10}", "password": "wrong-horse"}) for n in range(60)]
    assert {answer.status_code for answer in wrong} == {401}


def test_simultaneous_right_logins_all_succeed(make_app: MakeApp, sqlite: Config) -> None:
    app = make_app(replace(sqlite, limits=Limits(guesses=Backoff(1, 60, 60), guesses_by_address=Rate(1, 60))))
    Caller(app.test_client()).join("ann")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: Caller(app.test_client()).post("/tokens", ANN).status_code, range(16)))
    assert set(answers) == {201}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:203.0.113.9", "::ffff:203.0.113.10", False),
        ("203.0.113.9", "203.0.113.10", False),
        ("", "nonsense", True),
    ],
)
def test_the_addresses_of_a_household_share_one_limit(
    make_app: MakeApp, sqlite: Config, one: str, other: str, same: bool
) -> None:
    app = at_one_moment(make_app(replace(sqlite, limits=Limits(registrations=Rate(count=1, window_s=60)))))
    assert caller_at(app, one).post("/users", ANN).status_code == 201
    answer = caller_at(app, other).post("/users", {"name": "bob", "password": PASSWORD})
    assert answer.status_code == (429 if same else 201)
    assert ("Retry-After" in answer.headers) is same


@pytest.mark.parametrize(("proxies", "statuses"), [(0, [201, 429]), (1, [201, 201])])
def test_forwarded_addresses_count_only_behind_a_trusted_proxy(
    make_app: MakeApp, sqlite: Config, proxies: int, statuses: list[int]
) -> None:
    limits = Limits(registrations=Rate(count=1, window_s=60))
    caller = Caller(at_one_moment(make_app(replace(sqlite, limits=limits, trusted_proxies=proxies))).test_client())
    asked = [
        caller.post("/users", {"name": name, "password": PASSWORD}, X_Forwarded_For=f"198.51.100.1, {address}")
        for name, address in (("ann", "203.0.113.1"), ("bob", "203.0.113.2"))
    ]
    assert [answer.status_code for answer in asked] == statuses


def test_hashing_waits_for_a_slot_and_is_busy_after_a_timeout(
    make_app: MakeApp, sqlite: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(sqlite)
    monkeypatch.setattr("api.people.stored.passwords.HASHING_TIMEOUT_S", 0.01)
    passwords = services_of(app).accounts.users._passwords
    with passwords._slot(), passwords._slot():
        answer = Caller(app.test_client()).post("/users", ANN)
    check_problem(answer, 503, "busy")
    assert answer.headers["Retry-After"] == "1"
    assert Caller(app.test_client()).post("/users", ANN).status_code == 201
