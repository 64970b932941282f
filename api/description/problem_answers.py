"""Problems as responses: one for each status of an endpoint, with every type that it can have there."""

from collections.abc import Iterable, Mapping
from typing import Any

from api.description.moves import pointer_to
from api.description.parameters import header_name
from api.problem import ProblemBody
from api.web import problems
from api.web.clauses import citations
from api.web.context import OWN_ACCOUNT
from api.web.problems import BASE, ProblemType, all_problem_types
from api.web.route import Route

JsonObject = dict[str, Any]
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
    """Return a response that has one of these types."""
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
    """Return the headers that each of these types has."""
    return [name for name in headers if all(name in known[slug].headers for slug in slugs)]


def header_references(names: Iterable[str]) -> JsonObject:
    """Return header objects that refer to components."""
    return {header_name(name): {"$ref": "#/components/headers/" + name} for name in names}
