"""One's own account: its data as one file, e-mail address, hours, deleting it, and coming back within a day."""

from flask import Response, jsonify, request

from api.people.routes.users import NAMED, TOKEN_MADE, token_response
from api.people.services import own_account as account_services
from api.people.services import own_hours, own_tokens
from api.people.services.own_account import Account, AccountDeletion, EmailAddress, OwnData
from api.people.services.own_hours import HOURS, OwnHours
from api.people.services.schemas import ADDRESS, CONFIRMATION, LEAVE, NAME_AND_PASSWORD
from api.people.stored.tokens import USUAL_GRANT
from api.web.context import client_address, current_caller, current_services
from api.web.problems import PASSWORD
from api.web.request_input import read_json, sent_body
from api.web.responses import json_response
from api.web.route import TaggedBlueprint, route

own_account = TaggedBlueprint("own_account", __name__, "people")


@own_account.get("/me")
@route("your account and this token", answer=Account, token="needed")
def show() -> Response:
    """Return 200 `{"id", "name", "guest", "token"}`, and for a token that manages the account also what belongs to it.

    That is `roles`, `email`, `mail` and `recovery_codes`, the number of unused ones.
    """
    return jsonify(account_services.show_account(current_services(), current_caller()))


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
    body = account_services.export_data(current_services(), current_caller())
    response = json_response(body)
    response.headers["Content-Disposition"] = f"attachment; filename=trickbook-{current_caller().id}.json"
    return response


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
    return jsonify(account_services.set_address(current_services(), current_caller(), sent_body())), 202


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
    return jsonify(account_services.confirm_address(current_services(), current_caller(), sent_body()))


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
    return jsonify(account_services.leave(current_services(), current_caller(), sent_body())), 202


@leaving.post("/me/restore")
@route(
    "keep the account that you were deleting",
    answer=TOKEN_MADE,
    body=NAME_AND_PASSWORD,
    example=NAMED,
    problems=("bad-login",),
    lane="login",
)
def come_back() -> tuple[Response, int]:
    """Return 201 and a new token: the account isn't deleted. 401 for a wrong name or password."""
    wanted = NAME_AND_PASSWORD.load(read_json(request))
    token = own_tokens.come_back(current_services(), client_address(request), wanted, USUAL_GRANT)
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
    return json_response(own_hours.set_hours(current_services(), current_caller(), sent_body()))
