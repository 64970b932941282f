"""Messages, reports and steps as JSON values."""

from typing import Annotated, TypedDict, overload

from api.conduct.stored.chat_messages import Channel, ChatMessage
from api.conduct.stored.conduct_reports import ConductReport, ReportKind, ReportStatus
from api.conduct.stored.conduct_steps import ConductStep, StepDecision, StepKind
from api.conduct.stored.private_messages import PrivateMessage
from domain.engine.timestamps import format_time
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
