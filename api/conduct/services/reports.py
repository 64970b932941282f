"""Callers who keep another player away, or report one: blocks, reports, and the work of moderators on these."""

import re
from collections.abc import Mapping
from typing import Any, TypedDict

from marshmallow import Schema

from api.caller import Caller, require_player, require_token
from api.conduct.services.moderation import ConductRuling
from api.conduct.services.schemas import (
    NEW_APPEAL,
    NEW_APPEAL_DECISION,
    NEW_CONDUCT_RULING,
    NEW_REPORT,
    AnyPlayer,
    OwnReport,
    ReportCase,
    ShownStep,
    own_report_json,
    parse_until,
    report_json,
    require_length,
    step_json,
    time_json,
)
from api.conduct.services.writing import chat_access, user_of_name
from api.conduct.stored.chat_messages import ChatMessage
from api.conduct.stored.conduct_reports import ConductReport
from api.conduct.stored.conduct_steps import ConductStep, StatusWord, StepDecision
from api.container import Services
from api.people.services.figures import NO_PLAYER
from api.people.stored.tokens import MODERATE, READ
from api.people.stored.users import User
from api.play.services.game_schemas import NO_FIELDS
from api.problem import Problem
from api.schemas import Read
from domain.json_fields import Names, Time
from domain.rejections import TooMany

NO_MESSAGE = "There is no such message of this player, or you may not read it."
CASE_ID = re.compile("[rs]_[0-9a-f]{24}")
MOST_BLOCKS = 1000
"""The most players that one player may have blocked."""


def _other_user(services: Services, name: str, player: User) -> User:
    """Return another user by name; 404 for an unknown name, 409 for the player themselves."""
    user = user_of_name(services, name)
    if user is None:
        raise Problem("not-found", NO_PLAYER)
    if user == player:
        raise Problem("about-yourself", "You can't block or report yourself.")
    return user


class BlockedPlayer(TypedDict):
    """A player whom the caller has blocked."""

    name: str
    since: Time


class BlockList(TypedDict):
    """The players whom the caller has blocked."""

    items: list[BlockedPlayer]


def list_blocks(services: Services, caller: Caller) -> BlockList:
    """Return the names of the players whom the caller has blocked, and since when."""
    found = services.accounts.blocks.with_times(require_player(services, caller, READ).id)
    names = services.accounts.users.names_of(other for other, _ in found)
    return {"items": [{"name": names[other], "since": time_json(since)} for other, since in found if other in names]}


def block_player(services: Services, caller: Caller, name: str, read: Read) -> None:
    """Block the player with this name. Raise Problem for an unknown name and the caller's own, or TooMany."""
    player = require_player(services, caller)
    read(NO_FIELDS)
    other = _other_user(services, name, player)
    if len(services.accounts.blocks.of(player.id)) >= MOST_BLOCKS:
        raise TooMany(f"You have blocked {MOST_BLOCKS} players, the most that this server allows.")
    services.conduct.blocks_made.take(player.id)
    services.accounts.blocks.add(player.id, other.id)


def unblock_player(services: Services, caller: Caller, name: str) -> None:
    """Lift the caller's block of the player with this name, if there is one."""
    player, other = require_player(services, caller), user_of_name(services, name)
    if other is not None:
        services.accounts.blocks.remove(player.id, other.id)


class SentReport(TypedDict):
    """The id of a report."""

    report: str


def report_player(services: Services, caller: Caller, read: Read) -> SentReport:
    """Report a player to the moderators. Raise Problem for an unknown player, game or message, or LimitReached."""
    player, fields = require_player(services, caller), read(NEW_REPORT).fields
    require_length(services, "text", fields["text"])
    about = _other_user(services, fields["about"], player)
    game, message = _subject(services, caller, fields, about)
    services.conduct.reports_sent.check(player.id)
    made = services.accounts.reports.add(
        player.id, about.id, fields["kind"], fields["text"], game=game,
        message=None if message is None else (message.id, message.text),
    )  # fmt: skip
    services.conduct.reports_sent.charge(player.id)
    return {"report": made.id}


def _subject(
    services: Services, caller: Caller, fields: Mapping[str, Any], about: User
) -> tuple[str | None, ChatMessage | None]:
    """Return the game and the message that a report is about; 404 if the reporter may not see them."""
    if "game" not in fields:
        return None, None
    access = chat_access(services, caller, fields["game"])
    if "message" not in fields:
        return access.game, None
    reader = services.conduct.chat.reader(access, ignores_blocks=True)
    found = services.accounts.chat.find(access.game, fields["message"], reader)
    if found is None or found.author != about.id:
        raise Problem("not-found", NO_MESSAGE)
    return access.game, found


class OwnReports(TypedDict):
    """The caller's reports, the newest first."""

    items: list[OwnReport]
    names: Names


def list_own_reports(services: Services, caller: Caller) -> OwnReports:
    """Return the caller's reports, and what became of each."""
    player, accounts, at = require_player(services, caller, READ), services.accounts, services.clock.now_us()
    found = accounts.reports.by(player.id)
    decisions = accounts.steps.decisions([each.id for each in found])
    return {
        "items": [own_report_json(each, decisions.get(each.id), at) for each in found],
        "names": accounts.users.names_of(each.about for each in found),
    }


class OwnStanding(TypedDict):
    """The caller's standing, and all steps against them."""

    standing: StatusWord
    until: Time | None
    steps: list[ShownStep]


def show_own_standing(services: Services, caller: Caller) -> OwnStanding:
    """Return the caller's status and all steps of moderators against them."""
    player, steps = require_player(services, caller, READ), services.accounts.steps
    shown, status = [step_json(each) for each in steps.of(player.id)], steps.status(player.id)
    return {"standing": status.word, "until": time_json(status.until), "steps": shown}


class AppealedStep(TypedDict):
    """A step that the caller appeals against."""

    step: str


def appeal_step(services: Services, caller: Caller, read: Read) -> AppealedStep:
    """Appeal against a step. Raise NoSuchCase for a step against somebody else, AlreadyJudged for a repeat."""
    player, fields = require_player(services, caller), read(NEW_APPEAL).fields
    require_length(services, "text", fields["text"])
    services.conduct.moderation.appeal(player.id, fields["step"], fields["text"])
    return {"step": fields["step"]}


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


def list_reports(services: Services, caller: Caller, limit: int) -> ReportCases:
    """Return the reports that the caller may judge, as a moderator."""
    moderator = require_player(services, caller, MODERATE)
    found = services.conduct.moderation.queue(moderator.id)
    shown = found[:limit]
    items = [_case_json(services, each) for each in shown]
    return {"items": items, "more": len(found) > limit, "names": _names(services, shown)}


def claim_report(services: Services, caller: Caller, report: str, read: Read) -> ClaimedReport:
    """Claim a report, which the caller now judges. Raise AlreadyClaimed if another moderator does."""
    moderator, _ = _moderator_and_fields(services, caller, read, NO_FIELDS)
    found = services.conduct.moderation.claim(moderator.id, _case_id(report))
    return {**_case_json(services, found), "names": _names(services, [found])}


class RuledReport(TypedDict):
    """A report and the step that was taken; null if none was."""

    report: str
    step: str | None


def rule_on_report(services: Services, caller: Caller, report: str, read: Read) -> RuledReport:
    """Rule on a report. Raise NotClaimed unless the caller has claimed it, AlreadyJudged if it has a ruling."""
    moderator, fields = _moderator_and_fields(services, caller, read, NEW_CONDUCT_RULING)
    require_length(services, "reason", fields["reason"])
    until = None if fields["until"] is None else parse_until(fields["until"], services.clock.now_us())
    ruling = ConductRuling(fields["step"], until, fields["reason"])
    return {"report": report, "step": services.conduct.moderation.rule(moderator.id, _case_id(report), ruling)}


def list_appeals(services: Services, caller: Caller, limit: int) -> StepCases:
    """Return the appeals that the caller may decide, as a moderator, each with the report."""
    moderator = require_player(services, caller, MODERATE)
    found = services.conduct.moderation.appeals(moderator.id)
    cases = [(step, services.accounts.reports.find(step.report)) for step in found[:limit]]
    return {
        "items": [_appeal_json(services, step, report) for step, report in cases],
        "more": len(found) > limit,
        "names": _names(services, [each for _, each in cases if each is not None]),
    }


class DecidedStep(TypedDict):
    """A step and the decision on the appeal."""

    step: str
    decision: StepDecision


def decide_appeal(services: Services, caller: Caller, step: str, read: Read) -> DecidedStep:
    """Uphold or reverse a step. Raise NoSuchCase for the moderator who ruled, AlreadyJudged if it's decided."""
    moderator, fields = _moderator_and_fields(services, caller, read, NEW_APPEAL_DECISION)
    require_length(services, "reason", fields["reason"])
    services.conduct.moderation.decide(moderator.id, _case_id(step), fields["decision"], fields["reason"])
    return {"step": step, "decision": fields["decision"]}


def _moderator_and_fields(
    services: Services, caller: Caller, read: Read, schema: Schema
) -> tuple[User, Mapping[str, Any]]:
    """Return the calling moderator and what was sent; as elsewhere, 400 for a body without a form comes before 403."""
    require_token(caller)
    sent = read()
    moderator = require_player(services, caller, MODERATE)
    return moderator, schema.load(sent.body)


def _case_id(text: str) -> str:
    if CASE_ID.fullmatch(text) is None:
        raise Problem("not-found", "There is no such case.")
    return text


def _names(services: Services, found: list[ConductReport]) -> Names:
    ids = [player for each in found for player in (each.reporter, each.about, each.claimed_by or "")]
    return services.accounts.users.names_of(ids)


def _case_json(services: Services, report: ConductReport) -> ReportCase:
    return report_json(report, services.clock.now_us())


def _appeal_json(services: Services, step: ConductStep, report: ConductReport | None) -> StepCase:
    shown = None if report is None else _case_json(services, report)
    return {**step_json(step), "player": step.player, "report": shown}
