"""The work of moderators: the queue of reports, claims, rulings, appeals, and the log that everybody may read."""

import re
from typing import Any

import msgspec
from flask import Blueprint, Response

from api.accounts.conduct.conduct_reports import ConductReport
from api.accounts.conduct.conduct_steps import ConductStep
from api.accounts.conduct.moderation_log import moderation_origin
from api.http.conduct.access import moderator_and_body, require_moderator
from api.http.conduct.json import report_json, step_json
from api.http.conduct.schemas import (
    LOG_QUERY,
    NEW_APPEAL_DECISION,
    NEW_CONDUCT_RULING,
    PAGE_QUERY,
    parse_until,
)
from api.http.conduct.texts import require_length
from api.http.context import current_services
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import json_response
from api.http.schemas_games import NO_FIELDS
from api.services.conduct.moderation import ConductRuling

moderation = Blueprint("moderation", __name__)
REPORTS_PATH = "/moderation/reports"
REPORT_PATH = REPORTS_PATH + "/<report>"
APPEALS_PATH = "/moderation/appeals"
CASE_ID = re.compile("[rs]_[0-9a-f]{24}")


def _case_id(text: str) -> str:
    if CASE_ID.fullmatch(text) is None:
        raise Problem("not-found", "There is no such case.")
    return text


def _with_names(body: dict[str, Any], found: list[ConductReport]) -> Response:
    ids = [player for each in found for player in (each.reporter, each.about, each.claimed_by or "")]
    return json_response(body | {"names": current_services().accounts.users.names_of(ids)})


def _json(report: ConductReport) -> dict[str, Any]:
    return report_json(report, current_services().clock.now_us())


@moderation.get(REPORTS_PATH)
@query(PAGE_QUERY)
def queue() -> Response:
    """Return 200 `{"items", "more", "names"}`: the reports that the moderator may judge, the oldest first."""
    moderator, limit = require_moderator(), query_args()["limit"]
    found = current_services().conduct.moderation.queue(moderator.id)
    shown = found[:limit]
    return _with_names({"items": [_json(each) for each in shown], "more": len(found) > limit}, shown)


@moderation.post(REPORT_PATH + "/claim")
def claim(report: str) -> Response:
    """Return 200 and the report, which the moderator now judges; 409 if another moderator has claimed it."""
    moderator, body = moderator_and_body()
    NO_FIELDS.load(body)
    found = current_services().conduct.moderation.claim(moderator.id, _case_id(report))
    return _with_names(_json(found), [found])


@moderation.post(REPORT_PATH + "/ruling")
def rule(report: str) -> Response:
    """Return 201 `{"report", "step"}`; 409 unless the moderator has claimed the report, and it has no ruling."""
    moderator, body = moderator_and_body()
    fields = NEW_CONDUCT_RULING.load(body)
    require_length("reason", fields["reason"])
    until = None if fields["until"] is None else parse_until(fields["until"], current_services().clock.now_us())
    ruling = ConductRuling(fields["step"], until, fields["reason"])
    step = current_services().conduct.moderation.rule(moderator.id, _case_id(report), ruling)
    return json_response({"report": report, "step": step}, 201)


@moderation.get(APPEALS_PATH)
@query(PAGE_QUERY)
def appeals() -> Response:
    """Return 200 `{"items", "more", "names"}`: the appeals that the moderator may decide, each with the report."""
    moderator, limit = require_moderator(), query_args()["limit"]
    found = current_services().conduct.moderation.appeals(moderator.id)
    cases = [(step, current_services().accounts.reports.find(step.report)) for step in found[:limit]]
    items = [_appeal_json(step, report) for step, report in cases]
    return _with_names({"items": items, "more": len(found) > limit}, [each for _, each in cases if each is not None])


def _appeal_json(step: ConductStep, report: ConductReport | None) -> dict[str, Any]:
    return step_json(step) | {
        "player": step.player,
        "report": None if report is None else _json(report),
    }


@moderation.post(APPEALS_PATH + "/<step>/decision")
def decide(step: str) -> Response:
    """Return 201 `{"step", "decision"}`; 404 for the moderator who ruled, 409 if the appeal is decided."""
    moderator, body = moderator_and_body()
    fields = NEW_APPEAL_DECISION.load(body)
    require_length("reason", fields["reason"])
    acts = current_services().conduct.moderation
    acts.decide(moderator.id, _case_id(step), fields["decision"], fields["reason"])
    return json_response({"step": step, "decision": fields["decision"]}, 201)


@moderation.get("/moderation/log")
@query(LOG_QUERY)
def log() -> Response:
    """Return 200 `{"origin", "items", "more"}`: the signed entries after a number, without names and texts."""
    services, args = current_services(), query_args()
    found = list(services.accounts.moderation_log.entries(args["after"], args["limit"] + 1))
    items = [
        {"number": each.number, "entry": msgspec.Raw(each.entry.encode()), "note": each.note}
        for each in found[: args["limit"]]
    ]
    origin = moderation_origin(services.receipts.keys.current().name)
    return json_response({"origin": origin, "items": items, "more": len(found) > args["limit"]})
