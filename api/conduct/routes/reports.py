"""Reports of conduct and the caller's own standing; for moderators the queue, claims, rulings and appeals.

Everybody may read the log.
"""

from typing import Annotated, TypedDict

import msgspec
from flask import Response

from api.conduct.services import reports as reporting
from api.conduct.services.reports import (
    AppealedStep,
    ClaimedReport,
    DecidedStep,
    OwnReports,
    OwnStanding,
    ReportCases,
    RuledReport,
    SentReport,
    StepCases,
)
from api.conduct.services.schemas import (
    LOG_QUERY,
    NEW_APPEAL,
    NEW_APPEAL_DECISION,
    NEW_CONDUCT_RULING,
    NEW_REPORT,
    PAGE_QUERY,
)
from api.conduct.stored.moderation_log import moderation_origin
from api.play.services.game_schemas import NO_FIELDS
from api.web.context import current_caller, current_services
from api.web.request_input import sent_body
from api.web.responses import json_response
from api.web.route import TaggedBlueprint, by_page_size, query_args, route
from domain.json_fields import says

OF_REPORT = {"report": "$response.body#/report"}

reports = TaggedBlueprint("reports", __name__, "conduct")


@reports.post("/reports")
@route(
    "report a player's conduct to the moderators",
    answer=SentReport,
    status=201,
    token="needed",
    body=NEW_REPORT,
    example={"about": "bob", "kind": "abuse", "text": "He insults everybody."},
    problems=("not-found", "about-yourself", "already-reported"),
    leads_to=dict.fromkeys(("moderation.claim", "moderation.rule"), OF_REPORT),
)
def report() -> Response:
    """Return 201 `{"report"}`; 404 for an unknown player, game or message, 429 for too many reports in an hour."""
    return json_response(reporting.report_player(current_services(), current_caller(), sent_body()), 201)


@reports.get("/me/reports")
@route("your reports, and what became of them", answer=OwnReports, token="needed")
def own_reports() -> Response:
    """Return 200 `{"items", "names"}`: the caller's reports, the newest first, and what became of each."""
    return json_response(reporting.list_own_reports(current_services(), current_caller()))


@reports.get("/me/standing")
@route("what you may do, and the steps of moderators against you", answer=OwnStanding, token="needed")
def own_standing() -> Response:
    """Return 200 `{"standing", "until", "steps"}`: what the caller may do now, and all steps against them."""
    return json_response(reporting.show_own_standing(current_services(), current_caller()))


@reports.post("/me/appeals")
@route(
    "appeal against a step",
    answer=AppealedStep,
    status=201,
    token="needed",
    body=NEW_APPEAL,
    example={"step": "s_0123456789abcdef01234567", "text": "It was somebody else."},
    problems=("not-found", "already-judged"),
    leads_to={"moderation.decide": {"step": "$response.body#/step"}},
)
def appeal() -> Response:
    """Return 201 `{"step"}`: another moderator looks at the step. 404 for no step of the caller, 409 for a repeat."""
    return json_response(reporting.appeal_step(current_services(), current_caller(), sent_body()), 201)


moderation = TaggedBlueprint("moderation", __name__, "conduct")
REPORTS_PATH = "/moderation/reports"
REPORT_PATH = REPORTS_PATH + "/<report>"
APPEALS_PATH = "/moderation/appeals"


@moderation.get(REPORTS_PATH)
@route(
    "the reports that you can judge, as a moderator",
    answer=ReportCases,
    token="needed",
    query=PAGE_QUERY,
    problems=("forbidden",),
    lane="heavy",
)
def queue() -> Response:
    """Return 200 `{"items", "more", "names"}`: the reports that the moderator may judge, the oldest first."""
    return json_response(reporting.list_reports(current_services(), current_caller(), query_args()["limit"]))


@moderation.post(REPORT_PATH + "/claim")
@route(
    "claim one",
    answer=ClaimedReport,
    token="needed",
    body=NO_FIELDS,
    example={},
    problems=("not-found", "forbidden", "already-claimed", "already-judged"),
)
def claim(report: str) -> Response:
    """Return 200 and the report, which the moderator now judges; 409 if another moderator has claimed it."""
    return json_response(reporting.claim_report(current_services(), current_caller(), report, sent_body()))


@moderation.post(REPORT_PATH + "/ruling")
@route(
    "rule on it",
    answer=RuledReport,
    status=201,
    token="needed",
    body=NEW_CONDUCT_RULING,
    example={"step": "mute", "until": "2026-12-21T08:00:00Z", "reason": "Insults in the chat."},
    problems=("not-found", "forbidden", "not-claimed", "already-judged"),
)
def rule(report: str) -> Response:
    """Return 201 `{"report", "step"}`; 409 unless the moderator has claimed the report, and it has no ruling."""
    return json_response(reporting.rule_on_report(current_services(), current_caller(), report, sent_body()), 201)


@moderation.get(APPEALS_PATH)
@route(
    "the appeals that you can decide, as a moderator",
    answer=StepCases,
    token="needed",
    query=PAGE_QUERY,
    problems=("forbidden",),
    lane="heavy",
)
def appeals() -> Response:
    """Return 200 `{"items", "more", "names"}`: the appeals that the moderator may decide, each with the report."""
    return json_response(reporting.list_appeals(current_services(), current_caller(), query_args()["limit"]))


@moderation.post(APPEALS_PATH + "/<step>/decision")
@route(
    "uphold or reverse a step",
    answer=DecidedStep,
    status=201,
    token="needed",
    body=NEW_APPEAL_DECISION,
    example={"decision": "upheld", "reason": "The message is quoted in the report."},
    problems=("not-found", "forbidden", "already-judged"),
)
def decide(step: str) -> Response:
    """Return 201 `{"step", "decision"}`; 404 for the moderator who ruled, 409 if the appeal is decided."""
    return json_response(reporting.decide_appeal(current_services(), current_caller(), step, sent_body()), 201)


class ModerationLogItem(TypedDict):
    """An entry of the moderation log, and the signed checkpoint of the log up to it."""

    number: int
    entry: Annotated[msgspec.Raw, says(type="object")]
    note: str


class ModerationEntries(TypedDict):
    """The entries of the moderation log after a number."""

    origin: str
    items: list[ModerationLogItem]
    more: bool


@moderation.get("/moderation/log")
@route("the signed log of what moderators did", answer=ModerationEntries, query=LOG_QUERY, lane=by_page_size)
def log() -> Response:
    """Return 200 `{"origin", "items", "more"}`: the signed entries after a number, without names and texts."""
    services, args = current_services(), query_args()
    found = list(services.accounts.moderation_log.entries(args["after"], args["limit"] + 1))
    body: ModerationEntries = {
        "origin": moderation_origin(services.receipts.keys.current().name),
        "items": [
            {"number": each.number, "entry": msgspec.Raw(each.entry.encode()), "note": each.note}
            for each in found[: args["limit"]]
        ],
        "more": len(found) > args["limit"],
    }
    return json_response(body)
