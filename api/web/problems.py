"""Errors as application/problem+json (RFC 9457), from one table, and a page that explains each type.

The domain knows no statuses: a refusal answers 409 with its own code as type, except for the codes in
`REJECTED_STATUS`. A route that wants refusals to list the legal moves calls `add_legal_moves_to_refusals` first.
"""

import json
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from itertools import islice
from typing import Any

import psycopg
from flask import Blueprint, Flask, Response, current_app, g, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from api.monitoring.metrics import PROBLEMS
from api.web.clauses import citations, clauses_of_all_variants, clauses_of_variant
from domain.rejections import Rejected, refusals
from projections.storage.database import describe_error

LOG = logging.getLogger("trickbook.problems")
BASE = "/problems/"


@dataclass(frozen=True)
class ProblemType:
    """A type of problem: its status, its title, the text of the page about it, and the clauses it rests on."""

    status: int
    title: str
    meaning: str
    headers: Mapping[str, str] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()


PREDICATES = frozenset(("Must", "Is", "Isn't", "Needs", "Contains"))
"""The first words of messages that go on after the name of a field."""
SENTENCES, SEE_ERRORS = 3, "More fields are invalid; see errors."
RETRY_SOON = {"Retry-After": "1"}
CHALLENGE = 'Bearer realm="trickbook"'
TOKEN_CHALLENGE = {"WWW-Authenticate": CHALLENGE}
INVALID_TOKEN = {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}
SCOPE_CHALLENGE = {"WWW-Authenticate": f'{CHALLENGE}, error="insufficient_scope"'}
"""What RFC 6750, section 3 asks for: an `error` for a token that was sent, and none without a token."""

PROBLEM_TYPES: Mapping[str, ProblemType] = {
    "malformed": ProblemType(400, "Malformed request", "The request isn't in the form that this route expects."),
    "token-in-url": ProblemType(
        400, "Token in the URL", "URLs end up in logs. Send the token in the Authorization header instead."
    ),
    "unauthorized": ProblemType(
        401, "Token needed", "Send `Authorization: Bearer TOKEN`. POST /tokens returns a token.", TOKEN_CHALLENGE
    ),
    "bad-login": ProblemType(
        401, "Wrong name or password", "No user has this name and this password.", TOKEN_CHALLENGE
    ),
    "user-disabled": ProblemType(403, "User disabled", "The host has disabled this user. Ask the host of the server."),
    "user-leaving": ProblemType(
        403, "Account being deleted", "The user asked to be deleted. POST /me/restore keeps the account."
    ),
    "token-scope": ProblemType(
        403,
        "Token for something else",
        "The token is valid, but its scope doesn't allow this. Use another token.",
        SCOPE_CHALLENGE,
    ),
    "cross-site": ProblemType(
        403,
        "Sent by another site",
        "A cookie counts on requests of this server's own pages alone. Programs send a token.",
    ),
    "insecure-address": ProblemType(
        403, "Address not encrypted", "The server sets no cookie where others could read it. Open the page with https."
    ),
    "forbidden": ProblemType(403, "Not allowed", "The token is valid, but its user isn't allowed to do this."),
    "muted": ProblemType(403, "Muted", "A moderator's step forbids you to write in chats. GET /me/standing says why."),
    "suspended": ProblemType(
        403, "Suspended", "A moderator has suspended you: until the time in `until`, you can only read and use /me."
    ),
    "banned": ProblemType(
        403, "Banned", "A moderator has banned you: you can only use /me, to get your own data and to appeal."
    ),
    "not-in-chat": ProblemType(403, "Not in this chat", "You aren't in the part of the chat that the message goes to."),
    "registration-closed": ProblemType(403, "Registration closed", "This server doesn't accept new users."),
    "guests-closed": ProblemType(403, "No guests", "This server doesn't accept guests."),
    "not-found": ProblemType(404, "Not found", "There is nothing at this address, or nothing that you may see."),
    "method-not-allowed": ProblemType(
        405, "Method not allowed", "This address doesn't support this method. The Allow header lists those it supports."
    ),
    "not-acceptable": ProblemType(406, "Not acceptable", "The Accept header allows no content type that is available."),
    "request-timeout": ProblemType(
        408, "Request too slow", "The request didn't arrive completely within the time that this server allows."
    ),
    "conflict": ProblemType(409, "Conflict", "The request doesn't fit the current state of the game."),
    "name-taken": ProblemType(
        409, "Name taken", "Another user has this name. Upper and lower case don't matter.", clauses=("R-P12",)
    ),
    "no-such-player": ProblemType(
        409, "No such player", "Every seat of a game needs a registered player or a bot.", clauses=("R-P1",)
    ),
    "not-a-guest": ProblemType(409, "Not a guest", "Only a guest can take a name and a password."),
    "not-for-guests": ProblemType(
        409, "Not for guests", "A guest has no password. POST /me/account gives you a name and a password."
    ),
    "no-mail": ProblemType(409, "No mail", "This server doesn't send mail, so it takes no addresses."),
    "no-webhooks": ProblemType(
        409, "No webhooks", "This server sends nothing to webhooks. GET /me/events says what has happened, and waits."
    ),
    "wrong-code": ProblemType(
        409, "Wrong code", "This code doesn't confirm your address, or it's too old. PUT /me/email sends another one."
    ),
    "forming": ProblemType(
        409, "Table still forming", "Nothing is dealt before every seat has a player. Wait, or start with bots."
    ),
    "table-closed": ProblemType(
        409, "Table closed", "This table is full, has started, was cancelled or has lapsed. Nobody sits down or leaves."
    ),
    "seat-taken": ProblemType(409, "Seat taken", "The table has no such seat that you may take or leave."),
    "seats-empty": ProblemType(409, "Seats empty", "A table starts when every seat has a player, or with bots."),
    "game-running": ProblemType(409, "Game running", "A rematch follows a game that is over."),
    "other-settings": ProblemType(
        409, "Other settings", "The table for this rematch has other settings. Join it without yours, or open a game."
    ),
    "no-hints": ProblemType(409, "No hints", "Hints are for a table of practice, where one person plays with bots."),
    "not-revealed": ProblemType(409, "Not revealed", "A strong bot is explained once the hand's cards are public."),
    "chat-closed": ProblemType(409, "Chat closed", "Nobody may write there during a hand. Write when it's over."),
    "about-yourself": ProblemType(409, "About yourself", "You can't block, report or write to yourself."),
    "already-reported": ProblemType(409, "Already reported", "A moderator will look at your earlier report."),
    "already-claimed": ProblemType(409, "Already claimed", "Another moderator looks at this report."),
    "not-claimed": ProblemType(409, "Not claimed", "Claim the report before you rule on it."),
    "already-judged": ProblemType(
        409, "Already judged", "The report has its ruling, or the step has its appeal or the decision on it."
    ),
    "length-required": ProblemType(
        411, "Length required", "Send bodies with a Content-Length. This server accepts no Transfer-Encoding."
    ),
    "other-history": ProblemType(
        409,
        "Position of another history",
        "This server doesn't have the write that the position belongs to. Its games may come from an older backup."
        " Read the list without `wait`.",
    ),
    "stale-version": ProblemType(
        412,
        "Stale version",
        "The game has changed since the version in If-Match. Read the game again.",
        clauses=("R-P3",),
    ),
    "too-large": ProblemType(413, "Too large", "The body is longer than this server accepts."),
    "uri-too-long": ProblemType(414, "Address too long", "The address is longer than this server accepts."),
    "unsupported-media-type": ProblemType(
        415, "Unsupported media type", "Send bodies as application/json in UTF-8, without a content encoding."
    ),
    "key-reused": ProblemType(
        422, "Idempotency-Key reused", "An earlier, different request had this Idempotency-Key. Send a new key."
    ),
    "too-many-requests": ProblemType(
        429, "Too many requests", "Try again after the number of seconds in the Retry-After header.", RETRY_SOON
    ),
    "headers-too-large": ProblemType(431, "Headers too large", "The headers are longer than this server accepts."),
    "internal": ProblemType(500, "Internal error", "The server failed. Its log has the details."),
    "corrupt-log": ProblemType(
        500, "Log changed", "The game's log isn't the one that was written. The game's audit names the place."
    ),
    "store-down": ProblemType(
        503, "Store unavailable", "The store doesn't respond. Nothing is lost; try again.", RETRY_SOON
    ),
    "race-lost": ProblemType(
        503, "Race lost", "Other requests changed the game first, three times. Try again.", {"Retry-After": "0"}
    ),
    "behind": ProblemType(503, "Behind the log", "The list doesn't include this position yet. Try again.", RETRY_SOON),
    "busy": ProblemType(503, "Busy", "The server has too much to do at the moment. Try again.", RETRY_SOON),
    "not-ready": ProblemType(
        503, "Not ready", "A part that this server needs doesn't respond, or an upgrade isn't done yet.", RETRY_SOON
    ),
}

REJECTED_STATUS: Mapping[str, int] = {"not-seated": 403, "arbiter-seated": 403, "no-such-dispute": 404}

NO_ROUTE = "There is nothing at this address. The page /docs lists the addresses of this server."
STORE_DOWN = "The store doesn't respond. Nothing is lost; try again."

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


class Problem(Exception):
    """An error response: a slug of `PROBLEM_TYPES`, a sentence for this case, and further members of the body."""

    def __init__(self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **extras: object) -> None:
        super().__init__(detail)
        self.slug = slug
        self.headers = dict(headers or {})
        self.extras = extras


LEGAL_MOVE_FIELDS = ("legal", "choose")
"""The fields of the caller's own seat in a view (docs/views.md) that a refusal repeats."""


def add_legal_moves_to_refusals(you: Callable[[], Mapping[str, object]], variant: Callable[[], str]) -> None:
    """Make refusals of this request include `legal` and `choose`, if present, and the clauses of the variant's sheet.

    Both are called only for a refusal.
    """
    g.legal_moves, g.variant = you, variant


def problem_response(slug: str, detail: str, **extras: object) -> Response:
    """Return the response for a slug of `PROBLEM_TYPES`."""
    kind = PROBLEM_TYPES[slug]
    return _response(slug, kind.status, kind.title, detail, extras, kind.headers)


def _response(
    slug: str, status: int, title: str, detail: str, extras: Mapping[str, object], headers: Mapping[str, str]
) -> Response:
    PROBLEMS.labels(slug).inc()
    body: dict[str, object] = {"type": BASE + slug, "title": title, "status": status}
    if detail:
        body["detail"] = detail
    response = Response(json.dumps(body | dict(extras)) + "\n", status, content_type="application/problem+json")
    response.headers.update(headers)
    return response


def title_of(code: str) -> str:
    """Return the title for a refusal's code: `must-follow` -> `Must follow`."""
    return code.replace("-", " ").capitalize()


def _on_problem(problem: Problem) -> Response:
    response = problem_response(problem.slug, str(problem), **problem.extras)
    response.headers.update(problem.headers)
    return response


def _on_rejected(refusal: Rejected) -> Response:
    try:
        return _refusal(refusal)
    except Exception as error:  # noqa: BLE001 - the store may fail while the legal moves are read
        return current_app.make_response(current_app.handle_user_exception(error))


def _refusal(refusal: Rejected) -> Response:
    you: Callable[[], Mapping[str, object]] | None = g.get("legal_moves")
    allowed = {} if you is None else you()
    extras = {name: allowed[name] for name in LEGAL_MOVE_FIELDS if allowed.get(name)}
    variant: Callable[[], str] | None = g.get("variant")
    clauses = clauses_of_variant("" if variant is None else variant(), refusal.code)
    extras |= {"clauses": clauses} if clauses else {}
    status = REJECTED_STATUS.get(refusal.code, 409)
    return _response(refusal.code, status, title_of(refusal.code), str(refusal), extras, {})


def _on_invalid(error: ValidationError) -> Response:
    errors = error.messages if isinstance(error.messages, dict) else {error.field_name: error.messages}
    sentences = list(islice(sentences_of(errors), SENTENCES + 1))
    more = [SEE_ERRORS] if len(sentences) > SENTENCES else []
    return problem_response("malformed", " ".join([*sentences[:SENTENCES], *more]), errors=errors)


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


def _on_http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if status < 400:
        return error
    slug = STATUS_SLUGS.get(status)
    if slug is None:
        return _response(f"http-{status}", status, HTTPStatus(status).phrase, "", {}, {})
    allowed: Any = getattr(error, "valid_methods", None) or ()
    response = problem_response(slug, "" if status >= 500 else _detail_of(status, allowed) or error.description or "")
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


def body_too_long(limit: int) -> str:
    """Return the sentence about a body of more than `limit` bytes."""
    return f"The body is longer than this server accepts. Send at most {limit} bytes."


def _on_failure(error: Exception) -> Response:
    known = (FAILURES[ancestor] for cause in _causes(error) for ancestor in type(cause).__mro__ if ancestor in FAILURES)
    slug, sentence = next(known, ("internal", ""))
    if slug == "internal":
        LOG.error("unexpected %s", type(error).__name__, exc_info=error)
    else:
        LOG.warning("%s: %s", slug, describe_error(error))
    return problem_response(slug, sentence)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


problem_pages = Blueprint("problems", __name__)


@problem_pages.get(BASE + "<slug>")
def problem_page(slug: str) -> Response:
    """Return 200, text/plain: what a type of problem means, including the refusals of the domain."""
    kind = all_problem_types().get(slug)
    if kind is None:
        raise Problem("not-found", "There is no such type of problem.")
    rules = ["\nBy the rules (docs/rules):", *citations(kind.clauses)] if kind.clauses else []
    lines = [f"{kind.title} ({kind.status}, {BASE}{slug})", "", kind.meaning, *rules]
    return Response("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@cache
def all_problem_types() -> Mapping[str, ProblemType]:
    """Return every type of problem by slug: those of `PROBLEM_TYPES` and the refusals of the domain."""
    return dict(PROBLEM_TYPES) | {code: _problem_type(refusal) for code, refusal in refusals().items()}


def _problem_type(refusal: type[Rejected]) -> ProblemType:
    status, meaning = REJECTED_STATUS.get(refusal.code, 409), " ".join((refusal.__doc__ or "").split())
    return ProblemType(status, title_of(refusal.code), meaning, clauses=clauses_of_all_variants(refusal))


def register_problem_handlers(app: Flask) -> None:
    """Answer every error of `app` with a problem, and serve the pages about the types of problems."""
    app.register_error_handler(Problem, _on_problem)
    app.register_error_handler(Rejected, _on_rejected)
    app.register_error_handler(ValidationError, _on_invalid)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(Exception, _on_failure)
    app.register_blueprint(problem_pages)
