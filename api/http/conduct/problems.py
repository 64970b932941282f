"""Problem responses for the exceptions of chat, reports and moderation."""

from collections.abc import Mapping

from flask import Response

from api.accounts.conduct.conduct_reports import AlreadyReported
from api.http.problems import problem_response
from api.services.conduct.cases import OwnCase
from api.services.conduct.chat import ChatClosed, NoSuchEvent, NotInChat
from api.services.conduct.moderation import AlreadyClaimed, AlreadyJudged, NoSuchCase, NotClaimed
from api.services.conduct.standing import NotInGoodStanding

CONDUCT_SLUGS: Mapping[type[Exception], str] = {
    ChatClosed: "chat-closed",
    NotInChat: "not-in-chat",
    NoSuchEvent: "not-found",
    AlreadyReported: "already-reported",
    NoSuchCase: "not-found",
    OwnCase: "forbidden",
    AlreadyClaimed: "already-claimed",
    NotClaimed: "not-claimed",
    AlreadyJudged: "already-judged",
}
"""The slug for each exception; the detail is the exception's own message."""


def not_in_good_standing(error: NotInGoodStanding) -> Response:
    """Return 403 with the time when the step ends, null for one that doesn't end."""
    return problem_response(error.slug, str(error), until=error.until)
