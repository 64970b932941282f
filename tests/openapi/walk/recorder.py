"""A client that keeps the first response of each endpoint with each status and content type."""

from dataclasses import dataclass
from typing import Any

from werkzeug.test import TestResponse

from tests.api.http.described_client import DescribedClient, rule_of

Key = tuple[str, int, str]
"""An endpoint, a status and a content type."""


@dataclass(frozen=True)
class Sample:
    """A response: its body, and the path that it came from."""

    path: str
    body: bytes


class Recorder(DescribedClient):
    """A client that checks responses against the description, and keeps a sample of each in `samples`."""

    samples: dict[Key, Sample]

    def open(self, *args: Any, **options: Any) -> TestResponse:
        """Send a request, and keep the response."""
        response = super().open(*args, **options)
        rule = rule_of(self.application, response.request.method, response.request.path)
        if rule is not None and response.request.method != "HEAD":
            key = (rule.endpoint, response.status_code, response.mimetype or "")
            self.samples.setdefault(key, Sample(response.request.path, response.data))
        return response


def want(status: int, response: TestResponse) -> Any:
    """Check the status of a response, and return its body as JSON, or None."""
    request = response.request
    assert response.status_code == status, f"{request.method} {request.path} {response.status_code}: {response.text}"
    return response.get_json(silent=True)
