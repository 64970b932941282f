"""Answers to requests of attackers."""

import json
from collections.abc import Sequence

from werkzeug.test import TestResponse

from tests.api.remote_server import RemoteResponse

Answer = TestResponse | RemoteResponse


def statuses(answers: Sequence[Answer]) -> list[int]:
    """Return the statuses in ascending order."""
    return sorted(answer.status_code for answer in answers)


def same_bytes(*answers: Answer) -> bool:
    """Return whether status, headers and body are the same, except for the ids of the requests and their positions."""
    told = set()
    for answer in answers:
        headers = {name: text for name, text in answer.headers.items() if name.lower() not in VARYING}
        told.add((answer.status_code, json.dumps(headers, sort_keys=True), answer.data))
    return len(told) == 1


VARYING = ("x-request-id", "date", "trickbook-position")
"""Headers that differ between any two answers."""
