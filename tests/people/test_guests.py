"""Guests play without registering, can take a name later, and are removed when they no longer come."""

from dataclasses import replace
from pathlib import Path

import pytest

from api.config import Config, Registration
from api.config.limits import NO_LIMITS, Limits, Rate
from api.people.services.housekeeping import Housekeeper
from api.people.stored.tokens import DAY_US
from tests.api.conftest import PASSWORD, Caller, check_problem, services_of
from tests.api.live_server import GameServer
from tests.people.conftest import json_of, open_caller, with_token

NAME = {"name": "gus", "password": PASSWORD}


def arrive(server: GameServer) -> tuple[Caller, str, str]:
    """Return a new guest with id and name."""
    made = json_of(server.nobody.post("/guests", {}), 201)
    return with_token(server.nobody, made), made["id"], made["name"]


@pytest.mark.both_stores
def test_a_guest_plays_and_keeps_the_game_under_a_name(server: GameServer) -> None:
    guest, player, name = arrive(server)
    assert json_of(guest.get("/me"))["guest"] is True
    game = json_of(guest.post("/games", {"variant": "pitch", "seats": [name, "bot:simple"]}), 201)["id"]
    assert json_of(guest.get(f"/games/{game}/seats/0"))["names"][player] == name
    taken = json_of(guest.post("/me/account", NAME), 201)
    assert (taken["id"], taken["name"], len(taken["recovery_codes"])) == (player, "gus", 8)
    assert json_of(guest.get("/me"))["guest"] is False
    assert json_of(guest.get(f"/games/{game}/seats/0"))["names"][player] == "gus"
    again = with_token(server.nobody, json_of(server.nobody.post("/tokens", NAME), 201))
    assert again.post(f"/games/{game}/moves", {"type": "resign"}).status_code == 201
    check_problem(guest.post("/me/account", NAME | {"name": "other"}), 409, "not-a-guest")


@pytest.mark.both_stores
def test_another_server_shows_the_name_that_a_guest_took(server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.play.services.game_reader.NAMES_MAX_AGE_S", 0.0)
    guest, player, name = arrive(server)
    game = json_of(guest.post("/games", {"variant": "pitch", "seats": [name, "bot:simple"]}), 201)["id"]
    with open_caller(server.config) as other:
        shown = [json_of(other.get(f"/games/{game}"))["names"][player]]
        json_of(guest.post("/me/account", NAME | {"name": "gail"}), 201)
        shown.append(json_of(other.get(f"/games/{game}"))["names"][player])
    assert shown == [name, "gail"]


def test_a_guest_has_no_password_to_change_or_recover(server: GameServer) -> None:
    guest, _, _ = arrive(server)
    for path in ("/me/password", "/me/recovery-codes"):
        body = {"password": "x"} | ({"new_password": PASSWORD} if path == "/me/password" else {})
        check_problem(guest.post(path, body), 409, "not-for-guests")


@pytest.mark.parametrize("registration", ["no-guests", "closed"])
def test_a_server_without_guests_says_so(tmp_path: Path, registration: Registration) -> None:
    config = Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, registration=registration)
    with open_caller(config) as caller:
        check_problem(caller.post("/guests", {}), 403, "guests-closed")


def test_guests_take_no_name_while_registration_is_closed(tmp_path: Path) -> None:
    config = Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    with open_caller(config) as caller:
        guest = with_token(caller, json_of(caller.post("/guests", {}), 201))
    with open_caller(replace(config, registration="closed")) as caller:
        check_problem(replace(caller, token=guest.token).post("/me/account", NAME), 403, "registration-closed")


def test_guests_are_limited_by_address(tmp_path: Path) -> None:
    limits = Limits(guests=Rate(count=3, window_s=3600))
    with open_caller(Config(data=tmp_path, hashing="cheapest", limits=limits)) as caller:
        statuses = [caller.post("/guests", {}).status_code for _ in range(5)]
    assert statuses == [201, 201, 201, 429, 429]


def test_guests_who_no_longer_come_are_removed(server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    services = services_of(server.app)
    accounts, housekeeper = services.accounts, Housekeeper(services)
    player, player_id, name = arrive(server)
    idle, idle_id, idle_name = arrive(server)
    game = json_of(player.post("/games", {"variant": "pitch", "seats": [name, "bot:simple"]}), 201)["id"]
    server.follow()
    start = accounts.guests.all()[0].created

    def after(days: float) -> int:
        with monkeypatch.context() as patch:
            patch.setattr(accounts.database, "clock", lambda: start + int(days * DAY_US))
            return housekeeper.remove_unused_guests()

    assert (after(0.9), after(1.1), after(29)) == (0, 1, 0)
    assert (accounts.users.by_name(idle_name), accounts.erasures.all()) == (None, [])
    check_problem(idle.get("/me"), 401, "unauthorized")
    assert accounts.guests.among([player_id, idle_id]) == {player_id}
    assert after(30.1) == 1
    assert [each.player for each in accounts.erasures.all()] == [player_id]
    view = json_of(server.nobody.get(f"/games/{game}"))
    assert (view["status"], accounts.users.by_name(name)) == ("finished", None)


def test_a_guest_who_comes_stays(server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    services = services_of(server.app)
    guest, _, _ = arrive(server)
    start = services.accounts.guests.all()[0].created
    monkeypatch.setattr(services.accounts.database, "clock", lambda: start + 5 * DAY_US)
    assert guest.get("/me").status_code == 200
    services.accounts.tokens.write_days()
    assert Housekeeper(services).remove_unused_guests() == 0
    assert guest.get("/me").status_code == 200
