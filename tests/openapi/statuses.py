"""The statuses that the description names for each endpoint."""

from collections.abc import Iterator

from api.web.problems import SAME_EVERYWHERE, all_problem_types
from tests.routes import ROUTES

Responses = set[tuple[str, int]]
"""Endpoints and statuses."""


def own_statuses(endpoint: str) -> set[int]:
    """Return the statuses that a route declares for itself, without what every route has."""
    known, declared = all_problem_types(), ROUTES[endpoint]
    refusals = {known[slug].status for slug in declared.problems if slug not in SAME_EVERYWHERE}
    return {answer.status for answer in declared.answers} | refusals


def described_statuses() -> Iterator[tuple[str, int]]:
    """Yield each endpoint with each of its own statuses."""
    for endpoint in ROUTES:
        yield from ((endpoint, status) for status in sorted(own_statuses(endpoint)))
