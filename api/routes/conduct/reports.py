"""Reports of conduct, what became of them, the caller's own standing, and appeals."""

from typing import Any

from flask import Blueprint, Response, request

from api.accounts.conduct.chat_messages import ChatMessage
from api.accounts.people.scopes import READ
from api.accounts.users import User
from api.http.conduct.access import chat_place, other_user
from api.http.conduct.json import own_report_json, standing_json, step_json
from api.http.conduct.schemas import NEW_APPEAL, NEW_REPORT
from api.http.conduct.texts import require_length
from api.http.context import current_services, require_player
from api.http.problems import Problem
from api.http.responses import json_response
from api.http.strict_json import read_json

reports = Blueprint("reports", __name__)
NO_MESSAGE = "There is no such message of this player, or you may not read it."


@reports.post("/reports")
def report() -> Response:
    """Return 201 `{"report"}`; 404 for an unknown player, game or message, 429 for too many reports in an hour."""
    player, body, services = require_player(), read_json(request), current_services()
    fields = NEW_REPORT.load(body)
    require_length("text", fields["text"])
    about = other_user(fields["about"], player)
    game, message = _subject(fields, player, about)
    services.conduct.reports_sent.check(player.id)
    made = services.accounts.reports.add(
        player.id, about.id, fields["kind"], fields["text"], game=game,
        message=None if message is None else (message.id, message.text),
    )  # fmt: skip
    services.conduct.reports_sent.charge(player.id)
    return json_response({"report": made.id}, 201)


def _subject(fields: dict[str, Any], player: User, about: User) -> tuple[str | None, ChatMessage | None]:
    """Return the game and the message that a report is about; 404 if the reporter may not see them."""
    if "game" not in fields:
        return None, None
    services, place = current_services(), chat_place(fields["game"], player)
    if "message" not in fields:
        return place.game, None
    reader = services.conduct.chat.reader(place, ignores_blocks=True)
    found = services.accounts.chat.find(place.game, fields["message"], reader)
    if found is None or found.author != about.id:
        raise Problem("not-found", NO_MESSAGE)
    return place.game, found


@reports.get("/me/reports")
def own_reports() -> Response:
    """Return 200 `{"items", "names"}`: the caller's reports, the newest first, and what became of each."""
    player, accounts, at = require_player(READ), current_services().accounts, current_services().clock.now_us()
    found = accounts.reports.by(player.id)
    decisions = accounts.steps.decisions([each.id for each in found])
    names = accounts.users.names_of(each.about for each in found)
    items = [own_report_json(each, decisions.get(each.id), at) for each in found]
    return json_response({"items": items, "names": names})


@reports.get("/me/standing")
def own_standing() -> Response:
    """Return 200 `{"standing", "until", "steps"}`: what the caller may do now, and all steps against them."""
    player, steps = require_player(READ), current_services().accounts.steps
    shown = [step_json(each) for each in steps.of(player.id)]
    return json_response(standing_json(steps.standing(player.id)) | {"steps": shown})


@reports.post("/me/appeals")
def appeal() -> Response:
    """Return 201 `{"step"}`: another moderator looks at the step. 404 for no step of the caller, 409 for a repeat."""
    player, body, services = require_player(), read_json(request), current_services()
    fields = NEW_APPEAL.load(body)
    require_length("text", fields["text"])
    services.conduct.moderation.appeal(player.id, fields["step"], fields["text"])
    return json_response({"step": fields["step"]}, 201)
