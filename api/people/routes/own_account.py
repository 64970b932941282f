"""One's own account: its data as one file, e-mail address, hours, deleting it, and coming back within a day."""

from collections.abc import Iterator
from typing import Annotated, NotRequired, TypedDict

from flask import Response, jsonify, request

from api.accounts.times import iso_time
from api.budgets import guess_limit
from api.container import Services
from api.mail.routes import MailSettings, mail_json
from api.people.routes.users import NAMED, TOKEN_MADE, token_response
from api.people.services import own_account as account_services
from api.people.services import own_hours
from api.people.services.own_account import AccountDeletion, EmailAddress
from api.people.services.own_hours import HOURS, OwnHours
from api.people.services.schemas import ADDRESS, CONFIRMATION, LEAVE, NAME_AND_PASSWORD
from api.people.services.seats import games_of
from api.people.stored.own_data import StoredData, stored_data
from api.people.stored.roles import Role
from api.people.stored.token_scopes import PLAY, USUAL_GRANT
from api.web.auth import client_address
from api.web.context import current_caller, current_services, require_player, require_token
from api.web.preconditions import read_body
from api.web.problem_groups import PASSWORD
from api.web.responses import json_response
from api.web.route import TaggedBlueprint, route
from api.web.strict_json import read_json
from domain.json_fields import PlayerId, Time, Uuid, says

own_account = TaggedBlueprint("own_account", __name__, "people")


class ThisToken(TypedDict):
    """The token of the request."""

    id: str
    label: str | None
    scope: str
    expires: Time | None


class Account(TypedDict):
    """The caller's account; the last four fields only for a token of the scope `play`."""

    id: PlayerId
    name: str
    guest: bool
    token: ThisToken
    roles: NotRequired[list[Role]]
    email: NotRequired[EmailAddress | None]
    mail: NotRequired[MailSettings]
    recovery_codes: NotRequired[Annotated[int, says("How many haven't been used.")]]


@own_account.get("/me")
@route("your account and this token", answer=Account, token="needed")
def show() -> Response:
    """Return 200 `{"id", "name", "guest", "token"}`, and for a token that manages the account also what belongs to it.

    That is `roles`, `email`, `mail` and `recovery_codes`, the number of unused ones.
    """
    token, accounts = require_token(), current_services().accounts
    player = token.player
    shown: ThisToken = {
        "id": token.id, "label": token.label, "scope": token.scope, "expires": iso_time(token.expires)
    }  # fmt: skip
    body: Account = {"id": player.id, "name": player.name, "guest": token.guest, "token": shown}
    if token.scope == PLAY:
        address = accounts.emails.address(player.id)
        body["roles"] = accounts.roles.of(player.id)
        body["email"] = None if address is None else {"address": address[0], "confirmed": address[1]}
        body["mail"] = mail_json(player.id)
        body["recovery_codes"] = accounts.recovery_codes.unused(player.id)
    return jsonify(body)


class OwnGame(TypedDict):
    """A game in which the caller has seats."""

    game: Uuid
    board: int
    variant: str
    seats: list[int]


class OwnData(StoredData):
    """All that the server stores about the caller."""

    games: list[OwnGame]


@own_account.get("/me/export")
@route(
    "all that the server stores about you, as one file",
    answer=OwnData,
    headers=("Content-Disposition",),
    token="needed",
    lane="heavy",
)
def export() -> Response:
    """Return 200 and everything stored about the caller as one JSON file, without secrets; games by id and seat."""
    player, services = require_player(), current_services()
    stored = stored_data(services.accounts.database, player.id)
    body: OwnData = {**stored, "games": list(_games(services, player.id))}
    response = json_response(body)
    response.headers["Content-Disposition"] = f"attachment; filename=trickbook-{player.id}.json"
    return response


def _games(services: Services, player: str) -> Iterator[OwnGame]:
    for game in games_of(services, player):
        seats = [seat["seat"] for seat in game["seats"] if seat["player"] == player]
        yield {"game": game["id"], "board": game["board"], "variant": game["variant"], "seats": seats}


own_email = TaggedBlueprint("own_email", __name__, "people")


@own_email.put("/me/email")
@route(
    "give the server your address",
    answer=EmailAddress,
    status=202,
    says="A mail with a code is on its way.",
    token="needed",
    body=ADDRESS,
    example={"email": "ann@example.com"},
    problems=("no-mail", "not-for-guests"),
)
def set_address() -> tuple[Response, int]:
    """Return 202 `{"address", "confirmed"}`: a mail with a code is on its way; an earlier address is gone.

    409 if the server sends no mail, or for a guest; 429 for too many mails of one player or to one address.
    """
    return jsonify(account_services.set_address(current_services(), current_caller(), read_body)), 202


@own_email.post("/me/email/confirmation")
@route(
    "confirm it with the code from the mail",
    answer=EmailAddress,
    token="needed",
    body=CONFIRMATION,
    example={"code": "12345678"},
    problems=("wrong-code",),
)
def confirm() -> Response:
    """Return 200 `{"address", "confirmed"}`; 409 for a wrong or old code."""
    return jsonify(account_services.confirm_address(current_services(), current_caller(), read_body))


@own_email.delete("/me/email")
@route("take it back", says="The server doesn't have your address any more.", token="needed")
def remove() -> tuple[str, int]:
    """Return 204; the server doesn't have the caller's address any more."""
    account_services.remove_address(current_services(), current_caller())
    return "", 204


leaving = TaggedBlueprint("leaving", __name__, "people")


@leaving.delete("/me")
@route(
    "delete your account, in a day",
    answer=AccountDeletion,
    status=202,
    says="From now on your tokens are invalid.",
    token="needed",
    body=LEAVE,
    example={"password": NAMED["password"]},
    problems=PASSWORD,
    lane="login",
)
def leave() -> tuple[Response, int]:
    """Return 202 `{"deleted_at"}`: tokens and log-ins are refused from now on, and in a day the account is deleted.

    401 for a wrong password. A guest has none, and sends `{}`.
    """
    return jsonify(account_services.leave(current_services(), current_caller(), read_body)), 202


@leaving.post("/me/restore")
@route(
    "keep it after all",
    answer=TOKEN_MADE,
    body=NAME_AND_PASSWORD,
    example=NAMED,
    problems=("bad-login",),
    lane="login",
)
def come_back() -> tuple[Response, int]:
    """Return 201 and a new token: the account isn't deleted. 401 for a wrong name or password."""
    wanted, accounts = NAME_AND_PASSWORD.load(read_json(request)), current_services().accounts
    with guess_limit(current_services(), client_address(request), wanted["name"], "restore"):
        player, stored, _ = accounts.users.check_password(wanted["name"], wanted["password"])
        token = accounts.leaving.come_back(player, stored, USUAL_GRANT)
    return token_response(token, USUAL_GRANT)


hours = TaggedBlueprint("hours", __name__, "people")
PATH = "/me/hours"


@hours.get(PATH)
@route("when your clock stands still", answer=OwnHours, token="needed")
def show_hours() -> Response:
    """Return 200 `{"zone", "night", "weekends", "vacation", "vacation_days_left"}`."""
    return json_response(own_hours.show_hours(current_services(), current_caller()))


@hours.put(PATH)
@route(
    "set it",
    answer=OwnHours,
    token="needed",
    body=HOURS,
    example={"zone": "Europe/Berlin", "night": {"start": "22:00", "end": "07:00"}, "weekends": True, "vacation": []},
    problems=("too-many",),
)
def set_hours() -> Response:
    """Return 200 and the hours as they are from now on, for turns that begin from now on; 409 for too much vacation."""
    return json_response(own_hours.set_hours(current_services(), current_caller(), read_body))
