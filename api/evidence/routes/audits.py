"""Audits of a game or a hand, and transcripts of hands.

They use what the caller may see, as an export does. While a hand is live, they can't check its deal.
"""

from flask import Response, request

from api.evidence.services.histories import (
    AUDIT_PASSES,
    TRANSCRIPT_PASSES,
    print_game_audit,
    print_hand_audit,
    print_transcript,
)
from api.play.routes.games import HAND_PATH
from api.web.context import current_caller, current_services
from api.web.problems import NEGOTIATED, READING
from api.web.responses import JSON, TEXT, negotiate
from api.web.route import AS_TEXT, TaggedBlueprint, or_text, route
from replay.audit.report import AuditReport
from replay.text.terminal import FILE_WIDTH

WIDTHS = {JSON: None, TEXT: FILE_WIDTH}

audits = TaggedBlueprint("audits", __name__, "questions")


@audits.get("/games/<game_ref:reference>/audit")
@route(
    "an audit of the whole game",
    answer=or_text(AuditReport),
    problems=("not-found", *NEGOTIATED),
    lane="heavy",
    passes=AUDIT_PASSES,
    reads=1,
)
def game_audit(reference: str) -> Response:
    """Return 200: the report on the game (trickbook-audit/1) as JSON or text, with code 0, 1 or 2.

    For a corrupt log, the report names the first event that doesn't fit, and its code is 1.
    """
    kind = negotiate(request, JSON, TEXT)
    report = print_game_audit(
        current_services(), current_caller(), reference, width=None if kind == JSON else FILE_WIDTH
    )
    return _report_response(report, kind)


@audits.get(HAND_PATH + "/audit")
@route(
    "an audit of the hand",
    answer=or_text(AuditReport),
    problems=READING,
    lane="heavy",
    passes=AUDIT_PASSES,
    reads=1,
)
def hand_audit(reference: str, hand: int) -> Response:
    """Return 200: the report on one hand, from an audit of the whole game."""
    kind = negotiate(request, JSON, TEXT)
    report = print_hand_audit(
        current_services(), current_caller(), reference, hand, width=None if kind == JSON else FILE_WIDTH
    )
    return _report_response(report, kind)


@audits.get(HAND_PATH + "/transcript")
@route("the hand as text", answer=(AS_TEXT,), problems=READING, lane="heavy", passes=TRANSCRIPT_PASSES, reads=1)
def transcript(reference: str, hand: int) -> Response:
    """Return 200, text/plain: the hand in the style of PBN; `??` stands for cards that the caller may not see."""
    negotiate(request, TEXT)
    text = print_transcript(current_services(), current_caller(), reference, hand)
    return Response(text, content_type=f"{TEXT}; charset=utf-8")


def _report_response(report: bytes, kind: str) -> Response:
    return Response(report, content_type=JSON if kind == JSON else f"{TEXT}; charset=utf-8")
