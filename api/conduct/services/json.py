"""Messages, reports and steps as JSON values."""

from typing import Any

from api.conduct.stored.chat_messages import ChatMessage
from api.conduct.stored.conduct_reports import ConductReport
from api.conduct.stored.conduct_steps import ConductStep, Standing
from api.conduct.stored.private_messages import PrivateMessage
from domain.engine.timestamps import format_time


def time_json(at: int | None) -> str | None:
    """Return UTC microseconds since 1970 in the format of events; None for None."""
    return None if at is None else format_time(at)


def message_json(message: ChatMessage) -> dict[str, Any]:
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


def private_message_json(message: PrivateMessage) -> dict[str, Any]:
    """Return a private message; `to` is null for a broadcast."""
    return {
        "id": message.id,
        "at": time_json(message.written),
        "by": message.author,
        "to": None if message.readers is None else list(message.readers),
        "text": message.text,
    }


def report_json(report: ConductReport, at: int) -> dict[str, Any]:
    """Return a report as a moderator gets it at a time."""
    return _report_head(report, at) | {
        "reporter": report.reporter,
        "text": report.text,
        "quoted": report.quoted,
        "claimed_by": report.holder(at) if report.ruled is None else None,
    }


def own_report_json(report: ConductReport, decision: str | None, at: int) -> dict[str, Any]:
    """Return a report as its author gets it at a time: what became of it, but not who judged it, or why.

    `decision` is the one on an appeal against the step.
    """
    head = _report_head(report, at) | {"text": report.text, "step": report.step, "appeal": decision}
    return head | {"ruled": time_json(report.ruled)}


def _report_head(report: ConductReport, at: int) -> dict[str, Any]:
    return {
        "report": report.id,
        "at": time_json(report.written),
        "about": report.about,
        "kind": report.kind,
        "game": report.game,
        "message": report.message,
        "status": report.status(at),
    }


def standing_json(standing: Standing) -> dict[str, Any]:
    """Return a standing in one word, and when it ends."""
    return {"standing": standing.word, "until": time_json(standing.until)}


def step_json(step: ConductStep) -> dict[str, Any]:
    """Return a step with its appeal, as the player and the moderators of the appeal get it; no moderator is named."""
    appeal = None
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
