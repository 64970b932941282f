"""The big check of the description: `make contract`.

Sends random requests to every route, follows links from response to response, and then runs the tests of the API: each
status that a route's entry names must have been the response to some test. What any request can get
(`SAME_EVERYWHERE`) counts once for all routes.
"""

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from api.http.openapi.operations import OPERATIONS
from api.http.openapi.problem_groups import SAME_EVERYWHERE
from api.http.problems import all_problem_types
from tests.api.described_client import RECORD, Responses, recorded_responses
from tests.openapi.random_requests import follow_links, operations_of, send_requests
from tests.openapi.world import open_world

EXAMPLES, WALKS, STEPS = 200, 100, 10
TESTS = ("api", "people", "forming", "handover", "watching", "conduct", "openapi")
ON_A_REAL_SERVER = {
    "events.list_events 204": "a stream: tests/api/test_event_streams.py",
    "metrics.scrape 401": "a server with a token for metrics: tests/operations",
}
"""What the client of these tests can't get, with the test that gets it."""


def random_requests() -> None:
    """Send random requests; raise an error for a response that isn't described."""
    with tempfile.TemporaryDirectory() as data, open_world(Path(data)) as world:
        for operation in operations_of(world).values():
            send_requests(world, operation, EXAMPLES)
        for caller in ("ann", "bob", "mod"):
            follow_links(world, caller, WALKS, STEPS)


def responses_of_tests() -> Responses:
    """Run the tests of the API on SQLite, and return the statuses that each endpoint answered with."""
    with tempfile.TemporaryDirectory() as folder:
        folders = [f"tests/{name}" for name in TESTS]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-k", "not postgres", *folders]
        subprocess.run(command, env=os.environ | {RECORD: folder}, check=False)
        return recorded_responses(Path(folder))


def described_statuses() -> Iterator[tuple[str, int]]:
    """Yield the statuses that the entry of each endpoint names for itself."""
    known = all_problem_types()
    for endpoint, operation in OPERATIONS.items():
        statuses = {answer.status for answer in operation.answers}
        statuses |= {known[slug].status for slug in operation.problems if slug not in SAME_EVERYWHERE}
        yield from ((endpoint, status) for status in sorted(statuses))


def missing(found: Responses) -> list[str]:
    """Return each status of an endpoint that no response had."""
    pairs = (f"{endpoint} {status}" for endpoint, status in described_statuses() if (endpoint, status) not in found)
    return [pair for pair in pairs if pair not in ON_A_REAL_SERVER]


def main() -> int:
    """Run both parts; 1 if a status that is described has no test."""
    logging.disable(logging.CRITICAL)
    random_requests()
    untested = missing(responses_of_tests())
    sys.stdout.write("\n".join([*untested, f"{len(untested)} statuses without a test"]) + "\n")
    return 1 if untested else 0


if __name__ == "__main__":
    sys.exit(main())
