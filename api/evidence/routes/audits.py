"""Audits of a game or a hand, and transcripts of hands.

They use what the caller may see, as an export does. While a hand is live, they can't check its deal.
"""

from dataclasses import replace

from flask import Blueprint, Response, request

from api.evidence.services.reports import corrupt_log_report
from api.play.routes.hands import HAND_PATH
from api.web.context import current_reader, current_services
from api.web.game_access import GameAccess, visible_game
from api.web.game_reader import NO_HAND
from api.web.problems import Problem
from api.web.responses import JSON, TEXT, json_response, negotiate
from domain.store.aggregate import Corrupt
from projections.views.audience import ceremonies_revealed_in, visible
from replay.audit import Report, audit
from replay.history import History, NoSuchHand, from_entries
from replay.rejudge import rejudge
from replay.text.audit_text import report_text as as_text
from replay.text.terminal import plain_text
from replay.text.transcribe import transcript_of
from replay.text.transcript import format_transcript

audits = Blueprint("audits", __name__)


@audits.get("/games/<game_ref:reference>/audit")
def game_audit(reference: str) -> Response:
    """Return 200: the report on the game (trickbook-audit/1) as JSON or text, with code 0, 1 or 2.

    For a corrupt log, the report names the first event that doesn't fit, and its code is 1.
    """
    kind = negotiate(request, JSON, TEXT)
    try:
        return _audit_response(visible_game(reference), None, kind)
    except Corrupt as error:
        accounts = current_services().accounts
        log = accounts.admin_log.to_json(error.game)
        report = corrupt_log_report(error, accounts.boards.number_of(error.game), log)
        return _report_response(_print_report(report, kind), kind)


@audits.get(HAND_PATH + "/audit")
def hand_audit(reference: str, hand: int) -> Response:
    """Return 200: the report on one hand, from an audit of the whole game."""
    kind = negotiate(request, JSON, TEXT)
    try:
        return _audit_response(visible_game(reference), hand, kind)
    except NoSuchHand:
        raise Problem("not-found", NO_HAND.format(hand)) from None


@audits.get(HAND_PATH + "/transcript")
def transcript(reference: str, hand: int) -> Response:
    """Return 200, text/plain: the hand in the style of PBN; `??` stands for cards that the caller may not see."""
    negotiate(request, TEXT)
    try:
        return _text_response(format_transcript(transcript_of(visible_history(visible_game(reference)), hand)))
    except NoSuchHand:
        raise Problem("not-found", NO_HAND.format(hand)) from None


def visible_history(access: GameAccess) -> History:
    """Return the history of the game as the caller may see it now."""
    services, revealed = current_services(), ceremonies_revealed_in(access.state)
    names = current_reader().user_names(access.state)
    entries = services.gate.entries(access)
    history = from_entries(entries, names, lambda entry: visible(entry.event, access.viewer, revealed))
    return replace(history, admin_log=services.accounts.admin_log.to_json(history.header.game))


def _audit_response(access: GameAccess, hand: int | None, kind: str) -> Response:
    services, history = current_services(), visible_history(access)
    receipts = services.receipts.check(history, at_most=access.head)

    def make() -> bytes:
        report = audit(history, rejudge(history), receipts=receipts)
        return _print_report(report if hand is None else report.of_hand(hand), kind)

    return _report_response(services.reports.printed(history, receipts, (hand, kind), make), kind)


def _print_report(report: Report, kind: str) -> bytes:
    return json_response(report.to_json()).get_data() if kind == JSON else plain_text(as_text(report)).encode()


def _report_response(body: bytes, kind: str) -> Response:
    return Response(body, content_type=JSON if kind == JSON else f"{TEXT}; charset=utf-8")


def _text_response(body: str) -> Response:
    return Response(body, content_type=f"{TEXT}; charset=utf-8")
