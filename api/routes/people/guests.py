"""Guests: play without registering, and take a name and a password later."""

from flask import Blueprint, Response, jsonify, request

from api.accounts.people.grants import USUAL_GRANT, TokenGrant
from api.accounts.users import User
from api.http.auth import client_address
from api.http.context import current_reader, current_services, require_player
from api.http.people.guesses import hash_new_password
from api.http.people.schemas import GUEST_NAME, NO_FIELDS
from api.http.problems import Problem
from api.http.strict_json import read_json

guests = Blueprint("guests", __name__)


@guests.post("/guests")
def create() -> tuple[Response, int]:
    """Return 201 `{"id", "name", "token"}`; 403 if the server accepts no guests, 429 for too many from one address."""
    NO_FIELDS.load(read_json(request))
    guest, token = new_guest(client_address(request), USUAL_GRANT)
    return jsonify(id=guest.id, name=guest.name, token=token), 201


def new_guest(address: str, grant: TokenGrant) -> tuple[User, str]:
    """Return a new guest and a token; 403 if the server accepts no guests, 429 for too many from one address."""
    services = current_services()
    if services.config.guests == "off" or services.config.registration == "closed":
        raise Problem("guests-closed", "This server doesn't accept guests.")
    services.guests.take(address)
    return services.accounts.guests.create(grant)


@guests.post("/me/account")
def take_name() -> tuple[Response, int]:
    """Return 201 `{"id", "name", "recovery_codes"}`: the guest is a user now, with the same id, games and tokens.

    409 for a taken name and for a user who isn't a guest; 403 if registration is closed.
    """
    wanted, player, services = GUEST_NAME.load(read_json(request)), require_player(), current_services()
    if services.config.registration == "closed":
        raise Problem("registration-closed", "This server doesn't accept new users.")
    accounts, name = services.accounts, wanted["name"]
    stored = hash_new_password("password", lambda: accounts.users.hash_password(wanted["password"], name))
    codes = accounts.guests.take_name(player.id, name, stored)
    accounts.tokens.forget(player.id)
    current_reader().forget_names()
    return jsonify(id=player.id, name=name, recovery_codes=codes), 201
