"""Reports of conduct and the caller's own standing; for moderators the queue, claims, rulings and appeals.

Everybody may read the log.
"""

import re
from typing import Annotated, Any, TypedDict

import msgspec
from flask import Response, request

from api.conduct.routes.access import moderator_and_body, other_user, require_moderator
from api.conduct.services.json import (
    AnyPlayer,
    OwnReport,
    ReportCase,
    ShownStep,
    own_report_json,
    report_json,
    step_json,
    time_json,
)
from api.conduct.services.moderation import ConductRuling
from api.conduct.services.schemas import (
    LOG_QUERY,
    NEW_APPEAL,
    NEW_APPEAL_DECISION,
    NEW_CONDUCT_RULING,
    NEW_REPORT,
    PAGE_QUERY,
    parse_until,
    require_length,
)
from api.conduct.services.writing import chat_place
from api.conduct.stored.chat_messages import ChatMessage
from api.conduct.stored.conduct_reports import ConductReport
from api.conduct.stored.conduct_steps import ConductStep, StandingWord, StepDecision
from api.conduct.stored.moderation_log import moderation_origin
from api.people.stored.token_scopes import READ
from api.people.stored.users import User
from api.play.services.game_schemas import NO_FIELDS
from api.problem import Problem
from api.web.context import current_caller, current_services, require_player
from api.web.costs import by_page_size
from api.web.responses import json_response
from api.web.route import TaggedBlueprint, query_args, route
from api.web.strict_json import read_json
from domain.json_fields import Names, Time, says

OF_REPORT = {"report": "$response.body#/report"}

reports = TaggedBlueprint("reports", __name__, "conduct")
NO_MESSAGE = "There is no such message of this player, or you may not read it."


class SentReport(TypedDict):
    """The id of a report."""

    report: str


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
    player, body, services = require_player(), read_json(request), current_services()
    fields = NEW_REPORT.load(body)
    require_length(current_services(), "text", fields["text"])
    about = other_user(fields["about"], player)
    game, message = _subject(fields, player, about)
    services.conduct.reports_sent.check(player.id)
    made = services.accounts.reports.add(
        player.id, about.id, fields["kind"], fields["text"], game=game,
        message=None if message is None else (message.id, message.text),
    )  # fmt: skip
    services.conduct.reports_sent.charge(player.id)
    sent: SentReport = {"report": made.id}
    return json_response(sent, 201)


def _subject(fields: dict[str, Any], player: User, about: User) -> tuple[str | None, ChatMessage | None]:
    """Return the game and the message that a report is about; 404 if the reporter may not see them."""
    if "game" not in fields:
        return None, None
    services, place = current_services(), chat_place(current_services(), current_caller(), fields["game"])
    if "message" not in fields:
        return place.game, None
    reader = services.conduct.chat.reader(place, ignores_blocks=True)
    found = services.accounts.chat.find(place.game, fields["message"], reader)
    if found is None or found.author != about.id:
        raise Problem("not-found", NO_MESSAGE)
    return place.game, found


class OwnReports(TypedDict):
    """The caller's reports, the newest first."""

    items: list[OwnReport]
    names: Names


@reports.get("/me/reports")
@route("your reports, and what became of them", answer=OwnReports, token="needed")
def own_reports() -> Response:
    """Return 200 `{"items", "names"}`: the caller's reports, the newest first, and what became of each."""
    player, accounts, at = require_player(READ), current_services().accounts, current_services().clock.now_us()
    found = accounts.reports.by(player.id)
    decisions = accounts.steps.decisions([each.id for each in found])
    body: OwnReports = {
        "items": [own_report_json(each, decisions.get(each.id), at) for each in found],
        "names": accounts.users.names_of(each.about for each in found),
    }
    return json_response(body)


class OwnStanding(TypedDict):
    """What the caller may do now, and all steps against them."""

    standing: StandingWord
    until: Time | None
    steps: list[ShownStep]


@reports.get("/me/standing")
@route("what you may do, and the steps of moderators against you", answer=OwnStanding, token="needed")
def own_standing() -> Response:
    """Return 200 `{"standing", "until", "steps"}`: what the caller may do now, and all steps against them."""
    player, steps = require_player(READ), current_services().accounts.steps
    shown, standing = [step_json(each) for each in steps.of(player.id)], steps.standing(player.id)
    body: OwnStanding = {"standing": standing.word, "until": time_json(standing.until), "steps": shown}
    return json_response(body)


class AppealedStep(TypedDict):
    """A step that the caller appeals against."""

    step: str


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
    player, body, services = require_player(), read_json(request), current_services()
    fields = NEW_APPEAL.load(body)
    require_length(current_services(), "text", fields["text"])
    services.conduct.moderation.appeal(player.id, fields["step"], fields["text"])
    made: AppealedStep = {"step": fields["step"]}
    return json_response(made, 201)


moderation = TaggedBlueprint("moderation", __name__, "conduct")
REPORTS_PATH = "/moderation/reports"
REPORT_PATH = REPORTS_PATH + "/<report>"
APPEALS_PATH = "/moderation/appeals"
CASE_ID = re.compile("[rs]_[0-9a-f]{24}")


def _case_id(text: str) -> str:
    if CASE_ID.fullmatch(text) is None:
        raise Problem("not-found", "There is no such case.")
    return text


class ClaimedReport(ReportCase):
    """A report that the caller judges."""

    names: Names


class ReportCases(TypedDict):
    """The reports that the caller may judge, the oldest first."""

    items: list[ReportCase]
    more: bool
    names: Names


class StepCase(ShownStep):
    """An appeal that the caller may decide, with the report."""

    player: AnyPlayer
    report: ReportCase | None


class StepCases(TypedDict):
    """The appeals that the caller may decide, the oldest first."""

    items: list[StepCase]
    more: bool
    names: Names


def _names(found: list[ConductReport]) -> Names:
    ids = [player for each in found for player in (each.reporter, each.about, each.claimed_by or "")]
    return current_services().accounts.users.names_of(ids)


def _json(report: ConductReport) -> ReportCase:
    return report_json(report, current_services().clock.now_us())


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
    moderator, limit = require_moderator(), query_args()["limit"]
    found = current_services().conduct.moderation.queue(moderator.id)
    shown = found[:limit]
    body: ReportCases = {
        "items": [_json(each) for each in shown], "more": len(found) > limit, "names": _names(shown)
    }  # fmt: skip
    return json_response(body)


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
    moderator, body = moderator_and_body()
    NO_FIELDS.load(body)
    found = current_services().conduct.moderation.claim(moderator.id, _case_id(report))
    claimed: ClaimedReport = {**_json(found), "names": _names([found])}
    return json_response(claimed)


class RuledReport(TypedDict):
    """A report and the step that was taken; null if none was."""

    report: str
    step: str | None


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
    moderator, body = moderator_and_body()
    fields = NEW_CONDUCT_RULING.load(body)
    require_length(current_services(), "reason", fields["reason"])
    until = None if fields["until"] is None else parse_until(fields["until"], current_services().clock.now_us())
    ruling = ConductRuling(fields["step"], until, fields["reason"])
    step = current_services().conduct.moderation.rule(moderator.id, _case_id(report), ruling)
    ruled: RuledReport = {"report": report, "step": step}
    return json_response(ruled, 201)


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
    moderator, limit = require_moderator(), query_args()["limit"]
    found = current_services().conduct.moderation.appeals(moderator.id)
    cases = [(step, current_services().accounts.reports.find(step.report)) for step in found[:limit]]
    body: StepCases = {
        "items": [_appeal_json(step, report) for step, report in cases],
        "more": len(found) > limit,
        "names": _names([each for _, each in cases if each is not None]),
    }
    return json_response(body)


def _appeal_json(step: ConductStep, report: ConductReport | None) -> StepCase:
    return {**step_json(step), "player": step.player, "report": None if report is None else _json(report)}


class DecidedStep(TypedDict):
    """A step and the decision on the appeal."""

    step: str
    decision: StepDecision


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
    moderator, body = moderator_and_body()
    fields = NEW_APPEAL_DECISION.load(body)
    require_length(current_services(), "reason", fields["reason"])
    acts = current_services().conduct.moderation
    acts.decide(moderator.id, _case_id(step), fields["decision"], fields["reason"])
    decided: DecidedStep = {"step": step, "decision": fields["decision"]}
    return json_response(decided, 201)


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
