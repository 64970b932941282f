"""Problem responses for exceptions of stores, accounts and services."""

import logging
from collections.abc import Mapping
from functools import partial

from flask import Flask, Response

from api.conduct.services.chat import ChatClosed, NoSuchEvent, NotInChat
from api.conduct.services.moderation import AlreadyClaimed, AlreadyJudged, NoSuchCase, NotClaimed, OwnCase
from api.conduct.services.standing import NotInGoodStanding
from api.conduct.stored.conduct_reports import AlreadyReported
from api.evidence.services.disputes import AnswerRefused
from api.evidence.services.keys import NoSigningKey
from api.limits import LimitReached
from api.monitoring.log_watch import CannotWrite
from api.people.stored.guests import NotAGuest
from api.people.stored.passwords import HashingBusy
from api.people.stored.users import BadLogin, NameTaken, UserDisabled, UserLeaving
from api.play.services.event_stream import NoFreeStream, StreamLimitReached
from api.tables.services.open_game import NoSuchPlayer
from api.tables.services.rematch import GameRunning, OtherSettings
from api.tables.stored.invitations import NoInvitation
from api.tables.stored.seats import NotForming, SeatsEmpty, SeatTaken, StaleRevision
from api.web.game_reader import NO_GAME
from api.web.problems import problem_response
from domain.store import (
    ClockHeld,
    CommandReused,
    FactTooNew,
    LogDamaged,
    NoSuchGame,
    RaceLost,
    StaleVersion,
    StoreUnavailable,
)
from domain.store.aggregate import Corrupt
from projections.storage.rows import RowsUnavailable

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


LOG = logging.getLogger("trickbook.problems")
DAMAGED = (
    "The log of this server is damaged, or isn't the one that it wrote, so the server takes no moves until its host has"
    " looked: the messages of the server and `trickbook doctor` say what is wrong, and what to do."
)
CANNOT_WRITE = (
    "The server can't store moves: its disk is full, or can't be written. Its host has to make room; `trickbook doctor`"
    " says more. Nothing that was stored is lost."
)
SLUGS: Mapping[type[Exception], str] = {
    NameTaken: "name-taken",
    BadLogin: "bad-login",
    UserDisabled: "user-disabled",
    UserLeaving: "user-leaving",
    NotAGuest: "not-a-guest",
    HashingBusy: "busy",
    NoFreeStream: "busy",
    StreamLimitReached: "too-many-requests",
    NoSuchPlayer: "no-such-player",
    NotForming: "table-closed",
    StaleRevision: "stale-version",
    SeatTaken: "seat-taken",
    SeatsEmpty: "seats-empty",
    NoInvitation: "not-found",
    GameRunning: "game-running",
    OtherSettings: "other-settings",
    AnswerRefused: "forbidden",
    CommandReused: "key-reused",
    RaceLost: "race-lost",
    **CONDUCT_SLUGS,
}
"""The slug for each exception; the detail is the exception's own message."""


def register_exception_handlers(app: Flask) -> None:
    """Answer 404, 412, 422 and 503 for what stores raise; 500 for a corrupt log."""
    app.register_error_handler(NoSuchGame, _no_such_game)
    app.register_error_handler(StaleVersion, _stale)
    app.register_error_handler(Corrupt, _corrupt)
    app.register_error_handler(NoSigningKey, _no_key)
    app.register_error_handler(StoreUnavailable, _unavailable)
    app.register_error_handler(ClockHeld, _not_ready)
    app.register_error_handler(FactTooNew, _not_ready)
    app.register_error_handler(LogDamaged, _damaged)
    app.register_error_handler(CannotWrite, _cannot_write)
    app.register_error_handler(RowsUnavailable, _unavailable)
    app.register_error_handler(NotInGoodStanding, not_in_good_standing)
    for raised, slug in SLUGS.items():
        app.register_error_handler(raised, partial(_detailed, slug))
    app.register_error_handler(LimitReached, _limit_reached)


def _no_such_game(_error: NoSuchGame) -> Response:
    return problem_response("not-found", NO_GAME)


def _stale(error: StaleVersion) -> Response:
    return problem_response("stale-version", str(error), version=error.version)


def _corrupt(error: Corrupt) -> Response:
    LOG.error("corrupt log: %s", error)
    return problem_response("corrupt-log", str(error), game=error.game, version=error.version)


def _unavailable(error: StoreUnavailable | RowsUnavailable) -> Response:
    LOG.warning("store-down: %s", error)
    return problem_response("store-down", "The store doesn't respond. Nothing is lost; try again.")


def _not_ready(error: ClockHeld | FactTooNew) -> Response:
    return problem_response("not-ready", str(error))


def _damaged(error: LogDamaged) -> Response:
    LOG.error("not-ready: %s", error)
    return problem_response("not-ready", DAMAGED)


def _cannot_write(error: CannotWrite) -> Response:
    LOG.error("not-ready: %s", error)
    return problem_response("not-ready", CANNOT_WRITE)


def _no_key(error: NoSigningKey) -> Response:
    LOG.error("no key: %s", error)
    return problem_response("not-ready", "The server can't sign receipts at the moment. Its log has the reason.")


def _detailed(slug: str, error: Exception) -> Response:
    return problem_response(slug, str(error))


def _limit_reached(error: LimitReached) -> Response:
    response = problem_response("too-many-requests", str(error))
    response.headers["Retry-After"] = str(error.wait_s)
    return response
