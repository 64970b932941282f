"""The statuses that the description names for each endpoint."""

from collections.abc import Iterator

from api.description.operations import OPERATIONS
from api.description.problem_groups import SAME_EVERYWHERE
from api.web.problems import all_problem_types

Responses = set[tuple[str, int]]
"""Endpoints and statuses."""


def own_statuses(endpoint: str) -> set[int]:
    """Return the statuses that an endpoint's entry names for itself, without what every route has."""
    known, operation = all_problem_types(), OPERATIONS[endpoint]
    refusals = {known[slug].status for slug in operation.problems if slug not in SAME_EVERYWHERE}
    return {answer.status for answer in operation.answers} | refusals


def described_statuses() -> Iterator[tuple[str, int]]:
    """Yield each endpoint with each of its own statuses."""
    for endpoint in OPERATIONS:
        yield from ((endpoint, status) for status in sorted(own_statuses(endpoint)))
