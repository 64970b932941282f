"""Messages, reports and steps: their answers, and the schemas for bodies and queries about them."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, TypedDict, overload

from marshmallow import ValidationError, fields, validate, validates_schema

from api.conduct.services.chat import MOST_READERS
from api.conduct.stored.chat_messages import CHANNELS, TABLE, Channel, ChatMessage
from api.conduct.stored.conduct_reports import REPORT_KINDS, ConductReport, ReportKind, ReportStatus
from api.conduct.stored.conduct_steps import (
    LIMITED_KINDS,
    REVERSED,
    STEP_KINDS,
    UPHELD,
    ConductStep,
    StepDecision,
    StepKind,
)
from api.conduct.stored.private_messages import PrivateMessage
from api.container import Services
from api.play.services.game_schemas import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from api.schemas import IS_GAME, MAX_INTEGER, StrictSchema, name_field, query_integer_field, text_field
from domain.engine.timestamps import format_time, parse_time
from domain.json_fields import Time, says

Author = Annotated[str, says("The author's id.")]
AnyPlayer = Annotated[str, says("The player's id.")]


@overload
def time_json(at: int) -> str: ...


@overload
def time_json(at: int | None) -> str | None: ...


def time_json(at: int | None) -> str | None:
    """Return UTC microseconds since 1970 in the format of events; None for None."""
    return None if at is None else format_time(at)


class ShownMessage(TypedDict):
    """A message of a game's chat."""

    id: str
    at: Time
    by: Author
    to: Channel
    event: Annotated[int | None, says("The version of the event that it comments on.")]
    text: str | None
    erased: bool


def message_json(message: ChatMessage) -> ShownMessage:
    """Return a message as everybody gets it who may read it."""
    return {
        "id": message.id,
        "at": time_json(message.written),
        "by": message.author,
        "to": message.channel,
        "event": message.event,
        "text": message.text,
        "erased": message.erased is not None,
    }


class ShownPrivateMessage(TypedDict):
    """A message between players, or one to everybody."""

    id: str
    at: Time
    by: Author
    to: Annotated[list[str] | None, says("The ids of those it was written to; null if it's to everybody.")]
    text: str


def private_message_json(message: PrivateMessage) -> ShownPrivateMessage:
    """Return a private message or a broadcast."""
    return {
        "id": message.id,
        "at": time_json(message.written),
        "by": message.author,
        "to": None if message.readers is None else list(message.readers),
        "text": message.text,
    }


class ReportHead(TypedDict):
    """A report of a player's conduct."""

    report: str
    at: Time
    about: AnyPlayer
    kind: ReportKind
    game: str | None
    message: str | None
    status: ReportStatus


class ReportCase(ReportHead):
    """A report as a moderator gets it."""

    reporter: AnyPlayer
    text: str | None
    quoted: Annotated[str | None, says("The message that it's about.")]
    claimed_by: str | None


def report_json(report: ConductReport, at: int) -> ReportCase:
    """Return a report as a moderator gets it at a time."""
    return {
        **_report_head(report, at),
        "reporter": report.reporter,
        "text": report.text,
        "quoted": report.quoted,
        "claimed_by": report.holder(at) if report.ruled is None else None,
    }


class OwnReport(ReportHead):
    """A report of the caller, and what became of it."""

    text: str | None
    step: StepKind | None
    appeal: StepDecision | None
    ruled: Time | None


def own_report_json(report: ConductReport, decision: StepDecision | None, at: int) -> OwnReport:
    """Return a report as its author gets it at a time: what became of it, but not who judged it, or why.

    `decision` is the one on an appeal against the step.
    """
    return {
        **_report_head(report, at),
        "text": report.text,
        "step": report.step,
        "appeal": decision,
        "ruled": time_json(report.ruled),
    }


def _report_head(report: ConductReport, at: int) -> ReportHead:
    return {
        "report": report.id,
        "at": time_json(report.written),
        "about": report.about,
        "kind": report.kind,
        "game": report.game,
        "message": report.message,
        "status": report.status(at),
    }


class StepAppeal(TypedDict):
    """An appeal against a step."""

    at: Time
    text: str | None
    decision: StepDecision | None
    decided: Time | None
    reason: str | None
    salt: str | None


class ShownStep(TypedDict):
    """A moderator's step."""

    step: str
    kind: StepKind
    since: Time
    until: Time | None
    reason: str | None
    salt: str | None
    appeal: StepAppeal | None


def step_json(step: ConductStep) -> ShownStep:
    """Return a step with its appeal, as the player and the moderators of the appeal get it; no moderator is named."""
    appeal: StepAppeal | None = None
    if step.appealed is not None:
        appeal = {
            "at": time_json(step.appealed),
            "text": step.appeal_text,
            "decision": step.decision,
            "decided": time_json(step.decided),
            "reason": step.decision_reason,
            "salt": step.decision_salt,
        }
    return {
        "step": step.id,
        "kind": step.kind,
        "since": time_json(step.since),
        "until": time_json(step.until),
        "reason": step.reason,
        "salt": step.salt,
        "appeal": appeal,
    }


def require_length(services: Services, field: str, text: str) -> None:
    """Raise ValidationError if a text is longer than the number `text_length` of the limits allows."""
    longest = services.config.text_length
    if len(text) > longest:
        raise ValidationError({field: [f"A text may have {longest} characters, and this one has {len(text)}."]})


MAX_DAYS = 3660
DAY_US = timedelta(days=1) // timedelta(microseconds=1)
UTC_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z")
UNTIL = f"Must be a time in UTC within {MAX_DAYS} days from now, such as 2026-11-21T08:00:00Z."


def _one_of(choices: tuple[str, ...], **more: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(choices, error="Must be one of: {choices}."), **more)


def id_field(letter: str, **more: Any) -> fields.String:
    """Return a field for the id of a message (m), a report (r) or a step (s)."""
    pattern = validate.Regexp(rf"{letter}_[0-9a-f]{{24}}\Z", error=f"Must be {letter}_ and 24 hex digits.")
    return fields.String(validate=pattern, **more)


def parse_until(text: str, at: int) -> int:
    """Return a time after `at` in UTC microseconds since 1970; raise ValidationError for another text."""
    until = _parse_utc(text) if UTC_TIME.fullmatch(text) else None
    if until is None or not at < until <= at + MAX_DAYS * DAY_US:
        raise ValidationError({"until": [UNTIL]})
    return until


def _parse_utc(text: str) -> int | None:
    try:
        return parse_time(datetime.fromisoformat(text[:-1]).isoformat(timespec="microseconds") + "Z")
    except ValueError:  # no 31 June, no 25:00
        return None


class NewMessageBody(StrictSchema):
    """`POST /games/{game}/chat`"""

    text = text_field()
    to = _one_of(CHANNELS, load_default=TABLE)
    event = fields.Integer(strict=True, allow_none=True, load_default=None, validate=validate.Range(1, MAX_INTEGER))


class ChatQuery(StrictSchema):
    """`GET /games/{game}/chat`: messages after one, before one, or without either the newest ones."""

    after = id_field("m")
    before = id_field("m")
    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)

    @validates_schema
    def _check_one(self, data: Mapping[str, Any], **_: Any) -> None:
        if "after" in data and "before" in data:
            raise ValidationError({"before": ["Send after or before, not both."]})


class NewPrivateMessage(StrictSchema):
    """`POST /messages`: the names of the players to write to."""

    to = fields.List(name_field(), required=True, validate=validate.Length(1, MOST_READERS))
    text = text_field()


class NewBroadcast(StrictSchema):
    """`POST /broadcasts`"""

    text = text_field()


class MessagesQuery(StrictSchema):
    """`GET /messages`: messages before one, or without it the newest ones."""

    before = id_field("m")
    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)


class NewReport(StrictSchema):
    """`POST /reports`: `game` and `message` say what it's about, if it's about one."""

    about = name_field()
    kind = _one_of(REPORT_KINDS, required=True)
    text = text_field()
    game = fields.String(validate=IS_GAME)
    message = id_field("m")

    @validates_schema
    def _check_game(self, data: Mapping[str, Any], **_: Any) -> None:
        if "message" in data and "game" not in data:
            raise ValidationError({"game": ["Name the game of the message."]})


class NewConductRuling(StrictSchema):
    """`POST /moderation/reports/{report}/ruling`: a mute and a suspension have an end, the other steps have none."""

    step = _one_of(STEP_KINDS, required=True)
    until = fields.String(allow_none=True, load_default=None)
    reason = text_field()

    @validates_schema
    def _check_end(self, data: Mapping[str, Any], **_: Any) -> None:
        if (data["until"] is not None) is not (data["step"] in LIMITED_KINDS):
            raise ValidationError({"until": ["A mute and a suspension need a time, and no other step takes one."]})


class NewAppeal(StrictSchema):
    """`POST /me/appeals`"""

    step = id_field("s", required=True)
    text = text_field()


class NewAppealDecision(StrictSchema):
    """`POST /moderation/appeals/{step}/decision`"""

    decision = _one_of((UPHELD, REVERSED), required=True)
    reason = text_field()


class PageQuery(StrictSchema):
    """A list of moderators: the maximum number of items."""

    limit = query_integer_field(1, MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)


class LogQuery(PageQuery):
    """`GET /moderation/log`: the entries after a number."""

    after = query_integer_field(0, MAX_INTEGER, default=0)


NEW_PRIVATE_MESSAGE, NEW_BROADCAST, MESSAGES_QUERY = NewPrivateMessage(), NewBroadcast(), MessagesQuery()
NEW_MESSAGE, CHAT_QUERY, NEW_REPORT = NewMessageBody(), ChatQuery(), NewReport()
NEW_CONDUCT_RULING, NEW_APPEAL, NEW_APPEAL_DECISION = NewConductRuling(), NewAppeal(), NewAppealDecision()
PAGE_QUERY, LOG_QUERY = PageQuery(), LogQuery()
