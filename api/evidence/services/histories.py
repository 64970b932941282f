"""The history of a game as its caller may see it, printed: audits, transcripts, and views at a version."""

from dataclasses import replace

import msgspec

from api.caller import Caller
from api.container import Services
from api.evidence.services.reports import corrupt_log_report
from api.play.services.game_reader import NO_HAND, NO_SEAT, NamedView
from api.play.services.games import visible_game
from api.play.services.gate import GameAccess
from api.problem import Problem
from domain.events import CeremonyOpened
from domain.store.aggregate import Corrupt
from projections.views.audience import Viewer, ceremonies_revealed_in, visible
from replay.audit import Report, audit
from replay.history import History, NoSuchHand, from_entries
from replay.rejudge import rejudge
from replay.text.audit_text import report_text as as_text
from replay.text.terminal import plain_text
from replay.text.transcribe import transcript_of
from replay.text.transcript import format_transcript

AUDIT_PASSES, TRANSCRIPT_PASSES, REPLAY_PASSES = 7, 2, 3
"""How often these go through all events of a game (`api.web.route.Route.passes`)."""


def visible_history(services: Services, access: GameAccess) -> History:
    """Return the history of the game as the caller may see it now."""
    revealed, names = ceremonies_revealed_in(access.state), services.reader.user_names(access.state)
    entries = services.gate.entries(access)
    history = from_entries(entries, names, lambda entry: visible(entry.event, access.viewer, revealed))
    return replace(history, admin_log=services.accounts.admin_log.to_json(history.header.game))


def print_game_audit(services: Services, caller: Caller, reference: str, *, width: int | None = None) -> bytes:
    """Return the report on a game (trickbook-audit/1) as JSON, or as text of `width` columns, with code 0, 1 or 2.

    For a corrupt log, the report names the first event that doesn't fit, and its code is 1.
    """
    try:
        return _print_audit(services, visible_game(services, caller, reference), None, width)
    except Corrupt as error:
        accounts = services.accounts
        log = accounts.admin_log.to_json(error.game)
        report = corrupt_log_report(error, accounts.boards.number_of(error.game), log)
        return _print_report(report, width)


def print_hand_audit(
    services: Services, caller: Caller, reference: str, hand: int, *, width: int | None = None
) -> bytes:
    """Return the report on one hand, from an audit of the whole game. Raise Problem for a hand that can't be seen."""
    try:
        return _print_audit(services, visible_game(services, caller, reference), hand, width)
    except NoSuchHand:
        raise Problem("not-found", NO_HAND.format(hand)) from None


def print_transcript(services: Services, caller: Caller, reference: str, hand: int) -> str:
    """Return a hand in the style of PBN; `??` stands for cards that the caller may not see."""
    try:
        history = visible_history(services, visible_game(services, caller, reference))
        return format_transcript(transcript_of(history, hand))
    except NoSuchHand:
        raise Problem("not-found", NO_HAND.format(hand)) from None


def view_at(services: Services, caller: Caller, reference: str, at: int | None, seat: int | None) -> NamedView:
    """Return the view at a version as a seat or the caller saw it, byte for byte as it was sent then.

    A caller's own seat is always allowed. Raise Problem for another seat before the hand is revealed.
    """
    access = visible_game(services, caller, reference)
    version = requested_version(access, at)
    view = services.gate.view(access, require_entitled(services, access, version, seat), version)
    return {**view, "names": services.reader.names(access.state)}


def requested_version(access: GameAccess, at: int | None) -> int:
    """Return the version that was asked for, the last by default. Raise Problem beyond what the caller may see."""
    if at is not None and at > access.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {access.version}.")
    return access.version if at is None else at


def require_entitled(services: Services, access: GameAccess, at: int, seat: int | None) -> Viewer:
    """Return the requested seat, or the caller's. Raise Problem for others if a hand dealt by `at` isn't revealed."""
    if seat is None or seat == access.viewer:
        return access.viewer
    state, entries = access.state, services.gate.entries(access, upto=at)
    ceremonies = {entry.event.data.n for entry in entries if isinstance(entry.event.data, CeremonyOpened)}
    if seat >= len(state.seats) or not ceremonies <= ceremonies_revealed_in(state):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    return seat


def _print_audit(services: Services, access: GameAccess, hand: int | None, width: int | None) -> bytes:
    history = visible_history(services, access)
    receipts = services.receipts.check(history, at_most=access.head)

    def make() -> bytes:
        report = audit(history, rejudge(history), receipts=receipts)
        return _print_report(report if hand is None else report.of_hand(hand), width)

    return services.reports.printed(history, receipts, (hand, width), make)


def _print_report(report: Report, width: int | None) -> bytes:
    if width is None:
        return msgspec.json.encode(report.to_json()) + b"\n"
    return plain_text(as_text(report), width).encode()
