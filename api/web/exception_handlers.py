"""Which problem an exception is, for a request as for a command line."""

import logging
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from functools import partial, singledispatch
from http import HTTPStatus
from itertools import islice
from typing import Any

import psycopg
from flask import Flask, Response, current_app, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from api.conduct.services.chat import ChatClosed, NoSuchEvent, NotInChat
from api.conduct.services.moderation import AlreadyClaimed, AlreadyJudged, NoSuchCase, NotClaimed, OwnCase
from api.conduct.stored.conduct_reports import AlreadyReported
from api.conduct.stored.conduct_steps import ForbiddenByStep
from api.evidence.services.disputes import AnswerRefused
from api.evidence.services.keys import NoSigningKey
from api.limits import LimitReached
from api.monitoring.log_watch import CannotWrite
from api.people.stored.guests import NotAGuest
from api.people.stored.passwords import HashingBusy
from api.people.stored.users import BadLogin, NameTaken, UserDisabled, UserLeaving
from api.play.services.event_stream import NoFreeStream, StreamLimitReached
from api.play.services.game_reader import NO_GAME
from api.problem import Problem, ProblemExtras, RefusedAtTable, clauses_of_refusal
from api.tables.services.open_game import NoSuchPlayer
from api.tables.services.opening import GameRunning, OtherSettings
from api.tables.stored.invitations import NoInvitation
from api.tables.stored.seats import NotForming, SeatsEmpty, SeatTaken, StaleRevision
from api.web.problems import (
    NO_ROUTE,
    PROBLEM_TYPES,
    REJECTED_STATUS,
    STORE_DOWN,
    ProblemDocument,
    body_too_long,
    document,
    plain_document,
    problem_pages,
    title_of,
)
from domain.rejections import Rejected
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
from domain.store.sql.database import describe_error
from projections.storage.rows import RowsUnavailable

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
PREDICATES = frozenset(("Must", "Is", "Isn't", "Needs", "Contains"))
"""The first words of messages that go on after the name of a field."""
SENTENCES, SEE_ERRORS = 3, "More fields are invalid; see errors."
MOST_ERRORS, OTHER_ERRORS = 100, "{others} more fields are invalid; errors names the first {most}."
# Slug and sentence by exception class. The nearest base class counts, of the error or of its cause: the event store
# wraps database errors in its own.
FAILURES: Mapping[type[Exception], tuple[str, str]] = {
    sqlite3.DatabaseError: ("store-down", STORE_DOWN),
    sqlite3.ProgrammingError: ("internal", ""),
    psycopg.OperationalError: ("store-down", STORE_DOWN),
    psycopg.InterfaceError: ("store-down", STORE_DOWN),
}
STATUS_SLUGS = {kind.status: slug for slug, kind in reversed(list(PROBLEM_TYPES.items()))}
"""The first slug of each status."""


@singledispatch
def problem_of(error: Exception) -> ProblemDocument:
    """Return the problem that an exception is, for a request as for a line. One that nobody expects is logged."""
    known = (FAILURES[ancestor] for cause in _causes(error) for ancestor in type(cause).__mro__ if ancestor in FAILURES)
    slug, sentence = next(known, ("internal", ""))
    if slug == "internal":
        LOG.error("unexpected %s", type(error).__name__, exc_info=error)
    else:
        LOG.warning("%s: %s", slug, describe_error(error))
    return document(slug, sentence)


@problem_of.register
def _of_problem(problem: Problem) -> ProblemDocument:
    return document(problem.slug, str(problem), problem.headers, **problem.extras)


@problem_of.register
def _of_rejected(refusal: Rejected) -> ProblemDocument:
    return _refused(refusal, {}, "")


@problem_of.register
def _of_refused_move(error: RefusedAtTable) -> ProblemDocument:
    return _refused(error.refusal, error.you, error.variant)


def _refused(refusal: Rejected, you: Mapping[str, Any], variant: str) -> ProblemDocument:
    extras: ProblemExtras = {}
    if you.get("legal"):
        extras["legal"] = you["legal"]
    if you.get("choose"):
        extras["choose"] = you["choose"]
    if clauses := clauses_of_refusal(variant, type(refusal)):
        extras["clauses"] = clauses
    status = REJECTED_STATUS.get(refusal.code, 409)
    return plain_document(refusal.code, status, title_of(refusal.code), str(refusal), extras, {})


@problem_of.register
def _of_invalid(error: ValidationError) -> ProblemDocument:
    errors = error.messages if isinstance(error.messages, dict) else {error.field_name: error.messages}
    sentences = list(islice(sentences_of(errors), SENTENCES + 1))
    more = [SEE_ERRORS] if len(sentences) > SENTENCES else []
    shown, fields = _first_errors(errors, MOST_ERRORS)
    if fields > MOST_ERRORS:
        more = [OTHER_ERRORS.format(others=fields - SENTENCES, most=MOST_ERRORS)]
    return document("malformed", " ".join([*sentences[:SENTENCES], *more]), errors=shown)


for _raised, _slug in SLUGS.items():
    problem_of.register(_raised, partial(lambda slug, error: document(slug, str(error)), _slug))


@problem_of.register
def _forbidden_by_step(error: ForbiddenByStep) -> ProblemDocument:
    """Return 403 with the time when the step ends, null for one that doesn't end."""
    return document(error.slug, str(error), until=error.until)


@problem_of.register
def _no_such_game(_error: NoSuchGame) -> ProblemDocument:
    return document("not-found", NO_GAME)


@problem_of.register
def _stale(error: StaleVersion) -> ProblemDocument:
    return document("stale-version", str(error), version=error.version)


@problem_of.register
def _corrupt(error: Corrupt) -> ProblemDocument:
    LOG.error("corrupt log: %s", error)
    return document("corrupt-log", str(error), game=error.game, version=error.version)


@problem_of.register
def _unavailable(error: StoreUnavailable | RowsUnavailable) -> ProblemDocument:
    LOG.warning("store-down: %s", error)
    return document("store-down", STORE_DOWN)


@problem_of.register
def _not_ready(error: ClockHeld | FactTooNew) -> ProblemDocument:
    return document("not-ready", str(error))


@problem_of.register
def _damaged(error: LogDamaged) -> ProblemDocument:
    LOG.error("not-ready: %s", error)
    return document("not-ready", DAMAGED)


@problem_of.register
def _cannot_write(error: CannotWrite) -> ProblemDocument:
    LOG.error("not-ready: %s", error)
    return document("not-ready", CANNOT_WRITE)


@problem_of.register
def _no_key(error: NoSigningKey) -> ProblemDocument:
    LOG.error("no key: %s", error)
    return document("not-ready", "The server can't sign receipts at the moment. Its log has the reason.")


@problem_of.register
def _limit_reached(error: LimitReached) -> ProblemDocument:
    return document("too-many-requests", str(error), {"Retry-After": str(error.wait_s)})


def sentences_of(errors: Any, path: str = "") -> Iterator[str]:
    """Yield what is wrong with each invalid field: its path, and then the message, which goes on after it."""
    if not isinstance(errors, Mapping):
        for message in map(str, errors):
            goes_on = message.partition(" ")[0] in PREDICATES
            yield f"{path[:80]} {message[0].lower()}{message[1:]}" if goes_on else f"{path[:80]}: {message}"
        return
    for key, found in errors.items():
        is_word = isinstance(key, str) and key.isascii() and key.isidentifier()
        part = f"[{ascii(key)[:40]}]" if not is_word else f".{key}" if path else key
        yield from sentences_of(found, path + part)


def _first_errors(errors: Mapping[Any, Any], most: int) -> tuple[dict[Any, Any], int]:
    """Return the errors of the first `most` fields, also of fields in fields, and the number of all."""
    shown, fields = dict[Any, Any](), 0
    for key, found in errors.items():
        inner, count = _first_errors(found, most - fields) if isinstance(found, Mapping) else (found, 1)
        if fields < most and inner:
            shown[key] = inner
        fields += count
    return shown, fields


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _on_http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if status < 400:
        return error
    slug = STATUS_SLUGS.get(status)
    if slug is None:
        return plain_document(f"http-{status}", status, HTTPStatus(status).phrase, "", {}, {}).response()
    allowed: Any = getattr(error, "valid_methods", None) or ()
    detail = "" if status >= 500 else _detail_of(status, allowed) or error.description or ""
    response = document(slug, detail).response()
    if allowed:
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def _detail_of(status: int, allowed: Collection[str]) -> str | None:
    """Return our sentence for an error of Flask's, or None."""
    if status == HTTPStatus.NOT_FOUND:
        return NO_ROUTE
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        methods = " or ".join(sorted({*allowed} - {"HEAD", "OPTIONS"}))
        return f"This address doesn't support {request.method}. Use {methods}."
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return body_too_long(current_app.config["MAX_CONTENT_LENGTH"])
    return None


def register_problem_handlers(app: Flask) -> None:
    """Answer every error of `app` with a problem, and serve the pages about the types of problems."""
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(Exception, lambda error: problem_of(error).response())
    app.register_blueprint(problem_pages)
