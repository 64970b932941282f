"""Errors as application/problem+json (RFC 9457), from one table, and a page that explains each type.

The domain knows no statuses: a refusal answers 409 with its own code as type, except for the codes in
`REJECTED_STATUS`. `api.web.exception_handlers` says which problem an exception is.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Unpack

from flask import Response

from api.monitoring.metrics import PROBLEMS
from api.problem import Problem, ProblemBody, ProblemExtras, citations, clauses_of_all_variants
from api.web.route import AS_TEXT, TaggedBlueprint, route
from domain.rejections import Rejected, refusals

BASE = "/problems/"


@dataclass(frozen=True)
class ProblemType:
    """A type of problem: its status, its title, the text of the page about it, and the clauses it rests on."""

    status: int
    title: str
    meaning: str
    headers: Mapping[str, str] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()


RETRY_SOON = {"Retry-After": "1"}
CHALLENGE = 'Bearer realm="trickbook"'
TOKEN_CHALLENGE = {"WWW-Authenticate": CHALLENGE}
INVALID_TOKEN = {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}
SCOPE_CHALLENGE = {"WWW-Authenticate": f'{CHALLENGE}, error="insufficient_scope"'}
"""The challenge of RFC 6750, section 3: an `error` for a token that was sent, and none without a token."""

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


@dataclass(frozen=True)
class ProblemDocument:
    """A problem as it's sent: its status, the JSON object, and the headers beside it."""

    status: int
    body: ProblemBody
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        response = Response(json.dumps(self.body) + "\n", self.status, content_type="application/problem+json")
        response.headers.update(self.headers)
        return response


def problem_response(slug: str, detail: str) -> Response:
    return document(slug, detail).response()


def document(
    slug: str, detail: str, headers: Mapping[str, str] | None = None, **extras: Unpack[ProblemExtras]
) -> ProblemDocument:
    """Return the problem for a slug of `PROBLEM_TYPES`, with the headers of its type and others."""
    kind = PROBLEM_TYPES[slug]
    return plain_document(slug, kind.status, kind.title, detail, extras, {**kind.headers, **(headers or {})})


def plain_document(
    slug: str, status: int, title: str, detail: str, extras: ProblemExtras, headers: Mapping[str, str]
) -> ProblemDocument:
    """Return the problem for a slug that needs none of `PROBLEM_TYPES`."""
    PROBLEMS.labels(slug).inc()
    body: ProblemBody = {"type": BASE + slug, "title": title, "status": status}
    if detail:
        body["detail"] = detail
    return ProblemDocument(status, {**body, **extras}, headers)


def title_of(code: str) -> str:
    """Return the title for a refusal's code: `must-follow` -> `Must follow`."""
    return code.replace("-", " ").capitalize()


def body_too_long(limit: int) -> str:
    """Return the sentence about a body of more than `limit` bytes."""
    return f"The body is longer than this server accepts. Send at most {limit} bytes."


problem_pages = TaggedBlueprint("problems", __name__, "server")


@problem_pages.get(BASE + "<slug>")
@route("the meaning of a type of problem", answer=(AS_TEXT,), token="none", problems=("not-found",))
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


ANY = ("malformed", "token-in-url", "request-timeout", "length-required", "too-large", "uri-too-long")
"""Problems of any request, whatever its route is."""
ANY_FAILURE = ("headers-too-large", "internal", "store-down", "busy", "not-ready")
API = ("unauthorized", "token-scope", "user-disabled", "too-many-requests")
"""Problems of a request to a route below /api/v1: its token is checked everywhere."""
STANDING = ("banned",)
"""Problems of a read because of a moderator's step; one's own account is left out."""
STANDING_OF_WRITES = ("suspended", "banned")
WRITES = ("cross-site",)
"""Problems of a request that changes something, with a cookie on a page of another site."""
BODY = ("unsupported-media-type",)
SAME_EVERYWHERE = frozenset((*ANY, *ANY_FAILURE, *API, *STANDING_OF_WRITES, *WRITES, *BODY))
"""Problems that aren't about one route: tests of one route stand for all."""
GAME = ("not-found", "corrupt-log")
NEGOTIATED = ("not-acceptable",)
READING = (*GAME, *NEGOTIATED)
WAIT = ("behind", "other-history")
PASSWORD = ("bad-login", "not-for-guests")

BIDS = ("not-a-bid", "bid-too-low", "bid-too-high", "hooked", "must-bid")
CARDS = ("not-in-hand", "must-follow", "not-a-trump", "must-play-called", "cannot-discard", "no-call")
DELAY = ("too-soon", "delay-open", "no-delay")
RULES = ("not-host", "no-change")
CUTS = ("no-cut", "not-a-cut", "wrong-commitment", "already-cut", "not-as-sealed", "no-beacon", "wrong-beacon")
PROPOSALS = ("nothing-to-undo", "no-proposal", "proposal-open", "no-draw")
CLOCKS = ("no-claim",)
HANDOVERS = ("handover-open", "no-handover", "deal-pending", "seated-before")
RARE = ("conflict", "not-due", "rejected")
TURNS = ("out-of-turn", "wrong-phase", "game-over", "seat-left")
REFUSED_MOVES = (*TURNS, *BIDS, *CARDS, *DELAY, *RULES, *CUTS, *PROPOSALS, *HANDOVERS, *CLOCKS, *RARE, "too-many")
COMMAND = ("not-seated", "stale-version", "key-reused", "race-lost")
"""Problems of a command to a game beside the refusals of the rules."""
OPENING = (
    "not-offered",
    "wrong-number-of-players",
    "same-player-twice",
    "no-person",
    "no-such-player",
    "too-many",
)
REMATCHES = ("key-reused", "game-running", "other-settings", "not-seated", "seat-taken", "table-closed")
SEATS = ("seat-taken", "seats-empty", "table-closed", "stale-version")
DISPUTES = (
    "not-a-dispute",
    "already-disputed",
    "not-a-ruling",
    "already-ruled",
    "wrong-evidence",
    "hand-in-play",
    "nothing-to-void",
    "not-ruled",
    "already-appealed",
    "already-withdrawn",
    "appeal-time-over",
    "no-appeal",
    "same-arbiter",
    "no-such-dispute",
    "arbiter-seated",
    "game-over",
    "seat-left",
    "too-many",
    *RARE,
)
