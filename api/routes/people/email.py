"""One's own e-mail address, confirmed by a code that the server sends there."""

import hashlib

from flask import Blueprint, Response, jsonify, request

from api.http.context import current_services, require_player, require_token
from api.http.people.schemas import ADDRESS, CONFIRMATION
from api.http.problems import Problem
from api.http.strict_json import read_json

own_email = Blueprint("own_email", __name__)


@own_email.put("/me/email")
def set_address() -> tuple[Response, int]:
    """Return 202 `{"address", "confirmed"}`: a mail with a code is on its way; an earlier address is gone.

    409 if the server sends no mail, or for a guest; 429 for too many mails of one player or to one address.
    """
    address, player, services = ADDRESS.load(read_json(request))["email"], require_player(), current_services()
    if services.config.smtp_url is None:
        raise Problem("no-mail", "This server doesn't send mail, so it takes no addresses.")
    if require_token().guest:
        raise Problem("not-for-guests", "A guest has no address. POST /me/account gives you a name and a password.")
    services.mails.take(player.id)
    services.mails.take(hashlib.sha256(address.lower().encode()).hexdigest(), told=False)
    services.accounts.emails.ask(player.id, address)
    return jsonify(address=address, confirmed=False), 202


@own_email.post("/me/email/confirmation")
def confirm() -> Response:
    """Return 200 `{"address", "confirmed"}`; 409 for a wrong or old code."""
    code, player = CONFIRMATION.load(read_json(request))["code"], require_player()
    address = current_services().accounts.emails.confirm(player.id, code)
    if address is None:
        raise Problem("wrong-code", "This code doesn't confirm your address. PUT /me/email sends another one.")
    return jsonify(address=address, confirmed=True)


@own_email.delete("/me/email")
def remove() -> tuple[str, int]:
    """Return 204; the server doesn't have the caller's address any more."""
    current_services().accounts.emails.remove(require_player().id)
    return "", 204
