"""Parameters of requests, headers of responses, and problems as responses.

A status of an endpoint has one response with every type of problem that it can have there.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from werkzeug.routing import Rule

from api.description.components import pointer_to
from api.problem import ProblemBody, citations
from api.web import problems
from api.web.context import OWN_ACCOUNT
from api.web.problems import BASE, ProblemType, all_problem_types
from api.web.request_input import GameReference
from api.web.route import Route

JsonObject = dict[str, Any]
MAX_PATH_INTEGER = 10**9 - 1  # nine digits
VARIABLE = re.compile(r"<(?:[a-z_]+:)?([a-z_]+)>")
NUMBER: JsonObject = {"type": "integer", "minimum": 0, "maximum": MAX_PATH_INTEGER}
NAME: JsonObject = {"type": "string", "pattern": "^[A-Za-z0-9._-]+$"}
PUBLIC_NAMES: Mapping[str, str] = {"reference": "game"}
"""Variables of rules that have another name in the description."""
VARIABLES: Mapping[str, tuple[str, JsonObject, Any]] = {
    "game": (
        "The id of a game, or its board number.",
        {"type": "string", "pattern": f"^({GameReference.regex})$"},
        "1",
    ),
    "seat": ("The number of a seat.", NUMBER, 0),
    "hand": ("The number of a hand, from 1.", NUMBER, 1),
    "dispute": ("The number of a dispute in the game, from 1.", NUMBER, 1),
    "slug": ("A type of problem without its path.", NAME, "must-follow"),
    "file": ("The name of a file.", NAME, "verify.js"),
    "token": ("The id of a token in a list, or the token of an invitation.", NAME, "0a1b2c3d4e5f"),
    "version": ("The version of the pages' files.", NAME, "0123456789ab"),
    "asset": ("A file of the folder.", NAME, "dom.js"),
    "folder": ("A folder of the pages' files.", NAME, "base"),
    "sheet": ("The name of a rule sheet.", NAME, "pitch"),
    "address": ("The address of a rulebook.", {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "5d" * 32),
    "invitation": ("The id of an invitation.", NAME, "i_0123456789abcdef"),
    "name": ("The name of a player.", {"type": "string"}, "bob"),
    "opponent": ("The name of another player.", {"type": "string"}, "ann"),
    "message": ("The id of a message.", NAME, "m_0123456789abcdef01234567"),
    "report": ("The id of a report.", NAME, "r_0123456789abcdef01234567"),
    "step": ("The id of a step.", NAME, "s_0123456789abcdef01234567"),
    "webhook": ("The id of a webhook.", NAME, "w_0123456789abcdef01234567"),
    "key": ("The last part of a link in a mail.", {"type": "string"}, "0123456789abcdef"),
    "offer": ("The id of an offer.", NAME, "537cbd82a1f04c55"),
}
"""Each variable of a path: its description, its schema and an example."""


def path_of(rule: Rule) -> str:
    """Return a rule's address with its variables in braces: `/api/v1/games/{game}/seats/{seat}`."""
    return VARIABLE.sub(lambda found: f"{{{_public(found[1])}}}", rule.rule)


def variables_of(rule: Rule) -> list[str]:
    """Return the names of a path's variables, in order."""
    return [_public(name) for name in VARIABLE.findall(rule.rule)]


def path_parameters() -> dict[str, JsonObject]:
    """Return the parameter of each variable, by name."""
    return {
        name: {"name": name, "in": "path", "required": True, "description": says, "schema": schema, "example": example}
        for name, (says, schema, example) in VARIABLES.items()
    }


def _public(name: str) -> str:
    return PUBLIC_NAMES.get(name, name)


_VERSIONS = "^(\\*|{tag}(, ?{tag})*)$"
_NUMBER = "(0|[1-9][0-9]{0,14})"
_VERSION = {"type": "string", "pattern": '^"[0-9.]+"$', "examples": ['"43"']}

ASKED: Mapping[str, Mapping[str, Any]] = {
    "If-Match": {
        "description": "Act only if nothing has happened since this version, the latest of several; `*` accepts any.",
        "schema": {"type": "string", "pattern": _VERSIONS.format(tag=f'(W/)?"{_NUMBER}"'), "examples": ['"42"']},
    },
    "If-Match-Table": {
        "description": "Act only if the table hasn't changed since this ETag; `*` accepts any.",
        "schema": {"type": "string", "pattern": _VERSIONS.format(tag=f'(W/)?"0\\.{_NUMBER}"'), "examples": ['"0.3"']},
    },
    "If-None-Match": {
        "description": "Answer 304 if the ETag is still this one.",
        "schema": {"type": "string", "maxLength": 1024, "examples": ['"43"']},
    },
    "Idempotency-Key": {
        "description": "Makes the request safe to repeat: the same key with the same body gets the first response.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$", "examples": ["move-17"]},
    },
    "Last-Event-ID": {
        "description": "For a stream: the version after which it continues; it takes precedence over `after`.",
        "schema": {"type": "string", "examples": ["42"]},
    },
}
"""Parameters in headers of requests, by the name of their component."""

SENT: Mapping[str, Mapping[str, Any]] = {
    "ETag": {"description": "The version in quotes.", "required": True, "schema": _VERSION},
    "Move-ETag": {"description": "The version in quotes, in the response to a move.", "schema": _VERSION},
    "File-ETag": {"description": "Changes with the file.", "required": True, "schema": {"type": "string"}},
    "Set-Cookie": {"description": "The session, for browsers.", "required": True, "schema": {"type": "string"}},
    "Location": {"description": "The address of what was made.", "required": True, "schema": {"type": "string"}},
    "Trickbook-Position": {
        "description": "A position in the log: send it as `wait` to a list.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
    },
    "Content-Disposition": {"description": "The name of the file.", "schema": {"type": "string"}},
    "X-Request-Id": {"description": "The id of the request, also in the server's log.", "schema": {"type": "string"}},
    "WWW-Authenticate": {
        "description": "How to send a token, and if one was sent, its fault (RFC 6750).",
        "required": True,
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "After how many seconds to try again.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
    },
}
"""Headers of responses, by the name of their component."""


def header_name(component: str) -> str:
    """Return the name of the header that a component describes."""
    return {"If-Match-Table": "If-Match", "File-ETag": "ETag", "Move-ETag": "ETag"}.get(component, component)


MEDIA = "application/problem+json"
EXAMPLES = "#/components/examples/"
SHARED_NAMES = 3
"""The most types of a response that is described once for all endpoints."""


def problems_of(declared: Route, path: str, method: str) -> dict[int, list[str]]:
    """Return the types of problems of an endpoint by status, each once."""
    known, slugs = all_problem_types(), [*problems.ANY, *problems.ANY_FAILURE]
    if path.startswith("/api/"):
        slugs += problems.API
    elif "{game}" in path:
        slugs.append("not-found")  # no page has a malformed reference
    if path.startswith("/api/") and OWN_ACCOUNT.fullmatch(path) is None:
        slugs += problems.STANDING if method == "get" else problems.STANDING_OF_WRITES
    if method != "get":
        slugs += problems.WRITES
    if declared.body is not None:
        slugs += problems.BODY
    by_status: dict[int, list[str]] = {}
    for slug in dict.fromkeys([*slugs, *declared.problems]):
        by_status.setdefault(known[slug].status, []).append(slug)
    return dict(sorted(by_status.items()))


def problem_examples() -> dict[str, JsonObject]:
    """Return an example of each type of problem, with its meaning and its clauses."""
    return {slug: _example(slug, kind) for slug, kind in sorted(all_problem_types().items())}


def problem_catalog() -> dict[str, JsonObject]:
    """Return every type of problem with its status, title, meaning and clauses."""
    return {
        slug: {"status": kind.status, "title": kind.title, "meaning": kind.meaning, "clauses": list(kind.clauses)}
        for slug, kind in sorted(all_problem_types().items())
    }


def _example(slug: str, kind: ProblemType) -> JsonObject:
    rules = "".join(f" {line}." for line in citations(kind.clauses))
    value = {"type": BASE + slug, "title": kind.title, "status": kind.status, "detail": kind.meaning}
    return {"summary": kind.title, "description": f"{kind.meaning}{rules}", "value": value}


def response_name(slugs: Iterable[str]) -> str | None:
    """Return the name of the component for a response with these types; None if it's an endpoint's own."""
    named = list(slugs)
    return ".".join(named) if len(named) <= SHARED_NAMES else None


def problem_response(slugs: Iterable[str], *, newest: bool) -> JsonObject:
    named, known = list(slugs), all_problem_types()
    body: JsonObject = pointer_to(ProblemBody.__name__)
    if newest:
        types = {"properties": {"type": {"enum": [BASE + slug for slug in named]}}}
        body = {"allOf": [body, types]}
    headers = dict.fromkeys(name for slug in named for name in known[slug].headers)
    return {
        "description": "\n".join(f"* `{slug}`: {known[slug].meaning}" for slug in named),
        "content": {MEDIA: {"schema": body, "examples": {slug: {"$ref": EXAMPLES + slug} for slug in named}}},
        "headers": header_references([*_on_all(headers, known, named), "X-Request-Id"]),
    }


def _on_all(headers: Iterable[str], known: Mapping[str, ProblemType], slugs: list[str]) -> list[str]:
    return [name for name in headers if all(name in known[slug].headers for slug in slugs)]


def header_references(names: Iterable[str]) -> JsonObject:
    """Return header objects that refer to components."""
    return {header_name(name): {"$ref": "#/components/headers/" + name} for name in names}
