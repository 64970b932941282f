"""Every error as application/problem+json (RFC 9457), from one table, and a page that explains each type.

The domain knows no status: what it refuses is 409 with the refusal's own code as type, but for the few in
`REJECTED_STATUS`. A route that wants the refusal to say what the asker may do calls `allowed_would_be` before it asks.
"""

import json
import logging
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import psycopg
from flask import Blueprint, Flask, Response, g
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from api.http.clause_refs import cited
from domain.rejections import Rejected

LOG = logging.getLogger("trickbook.problems")
BASE = "/problems/"
CLAUSES = re.compile(r" \((?:R-)?[A-Z][0-9][^)]*\)")
"""Clauses in a refusal's docstring, of which `cited` knows more."""


@dataclass(frozen=True)
class Kind:
    """One type of problem: the status it answers with, its title, and what the page about it says."""

    status: int
    title: str
    meaning: str
    headers: Mapping[str, str] = field(default_factory=dict)


AGAIN = {"Retry-After": "1"}
ASK_TOKEN = {"WWW-Authenticate": 'Bearer realm="trickbook"'}

KINDS: Mapping[str, Kind] = {
    "malformed": Kind(400, "Malformed request", "The request cannot be read as what this route expects."),
    "token-in-url": Kind(400, "Token in the URL", "URLs end up in logs: send the token in the Authorization header."),
    "unauthorized": Kind(401, "Token needed", "Send `Authorization: Bearer TOKEN`; POST /tokens gives one.", ASK_TOKEN),
    "bad-login": Kind(401, "Wrong name or password", "No user has this name with this password.", ASK_TOKEN),
    "forbidden": Kind(403, "Not allowed", "The token is good, but not for this."),
    "registration-closed": Kind(403, "Registration closed", "This server takes no new users."),
    "not-found": Kind(404, "Not found", "There is nothing here, or nothing that you may know of."),
    "method-not-allowed": Kind(405, "Method not allowed", "The Allow header lists what this address hears."),
    "not-acceptable": Kind(406, "Not acceptable", "None of the offered content types is what you accept."),
    "conflict": Kind(409, "Conflict", "The request does not fit the present state."),
    "name-taken": Kind(409, "Name taken", "Another user has this name, perhaps in other upper and lower case."),
    "no-such-player": Kind(409, "No such player", "A game can be opened for registered players only."),
    "stale-version": Kind(412, "Stale version", "The game has gone on since the version named in If-Match."),
    "too-large": Kind(413, "Too large", "The body is longer than this server takes."),
    "uri-too-long": Kind(414, "Address too long", "The address is longer than this server takes."),
    "unsupported-media-type": Kind(415, "Unsupported media type", "Bodies are application/json in UTF-8, not encoded."),
    "key-reused": Kind(422, "Idempotency-Key reused", "The same Idempotency-Key came before with another request."),
    "too-many-requests": Kind(429, "Too many requests", "Retry-After says in how many seconds to try again.", AGAIN),
    "headers-too-large": Kind(431, "Headers too large", "The headers are longer than this server takes."),
    "internal": Kind(500, "Internal error", "A fault of the server's own. It is in its log."),
    "corrupt-log": Kind(500, "Log changed", "The game's log is not the one that was written. Its audit says where."),
    "store-down": Kind(503, "Store unavailable", "The store does not answer; nothing is lost. Try again.", AGAIN),
    "race-lost": Kind(503, "Race lost", "Others wrote first, three times. Try again.", {"Retry-After": "0"}),
    "behind": Kind(503, "Behind the log", "The list does not hold yet what was asked for. Try again.", AGAIN),
    "busy": Kind(503, "Busy", "Too much is going on just now. Try again.", AGAIN),
    "not-ready": Kind(503, "Not ready", "Something this server needs does not answer.", AGAIN),
}

REJECTED_STATUS: Mapping[str, int] = {"not-seated": 403, "arbiter-seated": 403, "no-such-dispute": 404}

NOWHERE = "nothing has this address: a game is named by its id or its board number, a seat or a hand by its number"
STORE_SENTENCE = "the store does not answer; nothing is lost"

# What databases raise -> slug and sentence; the nearest class in the ancestry counts, of the error or of what caused it
# (the event store wraps them in errors of its own).
FAILURES: Mapping[type[Exception], tuple[str, str]] = {
    sqlite3.DatabaseError: ("store-down", STORE_SENTENCE),
    sqlite3.ProgrammingError: ("internal", ""),
    psycopg.OperationalError: ("store-down", STORE_SENTENCE),
    psycopg.InterfaceError: ("store-down", STORE_SENTENCE),
}

STATUS_SLUGS = {kind.status: slug for slug, kind in reversed(list(KINDS.items()))}  # the first slug of each status


class Problem(Exception):
    """An error with a slug of `KINDS`, the sentence for this case, and whatever else the body should hold."""

    def __init__(self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **extras: object) -> None:
        super().__init__(detail)
        self.slug = slug
        self.headers = dict(headers or {})
        self.extras = extras


ALLOWED = ("legal", "choose")
"""What of the asker's part of the view (docs/views.md) a refusal repeats."""


def allowed_would_be(you: Callable[[], Mapping[str, object]]) -> None:
    """Have refusals of this request carry `legal` and `choose`, where there are any; `you` is called only for one."""
    g.allowed_would_be = you


def problem_response(slug: str, detail: str, **extras: object) -> Response:
    """The answer for a slug of `KINDS`."""
    kind = KINDS[slug]
    return _response(slug, kind.status, kind.title, detail, extras, kind.headers)


def _response(
    slug: str, status: int, title: str, detail: str, extras: Mapping[str, object], headers: Mapping[str, str]
) -> Response:
    body: dict[str, object] = {"type": BASE + slug, "title": title, "status": status}
    if detail:
        body["detail"] = detail
    response = Response(json.dumps(body | dict(extras)) + "\n", status, content_type="application/problem+json")
    response.headers.update(headers)
    return response


def title_of(code: str) -> str:
    """`must-follow` -> `Must follow`."""
    return code.replace("-", " ").capitalize()


def _on_problem(problem: Problem) -> Response:
    response = problem_response(problem.slug, str(problem), **problem.extras)
    response.headers.update(problem.headers)
    return response


def _on_rejected(refusal: Rejected) -> Response:
    you: Callable[[], Mapping[str, object]] | None = g.get("allowed_would_be")
    allowed = {} if you is None else you()
    extras = {name: allowed[name] for name in ALLOWED if allowed.get(name)}
    status = REJECTED_STATUS.get(refusal.code, 409)
    return _response(refusal.code, status, title_of(refusal.code), str(refusal), extras, {})


def _on_invalid(error: ValidationError) -> Response:
    return problem_response("malformed", "some fields are missing, unknown or wrong", errors=error.messages)


def _on_http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if status < 400:
        return error
    slug = STATUS_SLUGS.get(status)
    if slug is None:
        return _response(f"http-{status}", status, HTTPStatus(status).phrase, "", {}, {})
    said = NOWHERE if status == 404 else error.description or ""
    response = problem_response(slug, "" if status >= 500 else said)
    allowed: Any = getattr(error, "valid_methods", None)
    if allowed:
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def _on_failure(error: Exception) -> Response:
    known = (FAILURES[ancestor] for cause in _causes(error) for ancestor in type(cause).__mro__ if ancestor in FAILURES)
    slug, sentence = next(known, ("internal", ""))
    if slug == "internal":
        LOG.error("unexpected %s", type(error).__name__, exc_info=error)
    else:
        LOG.warning("%s: %s", slug, type(error).__name__)
    return problem_response(slug, sentence)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


pages = Blueprint("problems", __name__)


@pages.get(BASE + "<slug>")
def explain(slug: str) -> Response:
    """A short text about one type of problem, the domain's refusals included."""
    kind = kinds().get(slug)
    if kind is None:
        raise Problem("not-found", "there is no such type of problem")
    rests_on = ["\nBy the rules (docs/rules):", *cited(slug)] if cited(slug) else []
    lines = [f"{kind.title} ({kind.status}, {BASE}{slug})", "", kind.meaning, *rests_on]
    return Response("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def kinds() -> dict[str, Kind]:
    """Every type of problem by slug: those of this table and the refusals of the domain."""
    return dict(KINDS) | {refusal.code: _kind_of(refusal) for refusal in _family(Rejected)}


def _kind_of(refusal: type[Rejected]) -> Kind:
    meaning = CLAUSES.sub("", " ".join((refusal.__doc__ or "").split()))
    return Kind(REJECTED_STATUS.get(refusal.code, 409), title_of(refusal.code), meaning)


def _family(ancestor: type[Rejected]) -> list[type[Rejected]]:
    return [ancestor, *(member for child in ancestor.__subclasses__() for member in _family(child))]


def install(app: Flask) -> None:
    """Make every error of `app` a problem, and serve the pages about them."""
    app.register_error_handler(Problem, _on_problem)
    app.register_error_handler(Rejected, _on_rejected)
    app.register_error_handler(ValidationError, _on_invalid)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(Exception, _on_failure)
    app.register_blueprint(pages)
