"""A connection that loses answers: the server gets each request, and the client doesn't hear of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import httpx

from api.client import Server

LOST, BUSY = "lost", "busy"


@dataclass
class LossyTransport(httpx.BaseTransport):
    """Passes requests on, and treats the first answers as `faults` say: lost on the way, or replaced by a 503."""

    faults: list[str]
    sent: list[httpx.Request] = field(default_factory=list)
    inner: httpx.HTTPTransport = field(default_factory=httpx.HTTPTransport)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request, and return its answer or a fault."""
        self.sent.append(request)
        fault = self.faults.pop(0) if self.faults else None
        if fault == BUSY:
            problem = {"type": "/problems/busy", "status": 503, "title": "Busy"}
            headers = {"Content-Type": "application/problem+json", "Retry-After": "0"}
            return httpx.Response(503, json=problem, headers=headers)
        response = self.inner.handle_request(request)
        if fault == LOST:
            response.close()
            raise httpx.ReadError("the connection is gone", request=request)
        return response


def lose_answers(server: Server, *faults: str) -> LossyTransport:
    """Let the server's client lose its next answers."""
    transport = LossyTransport(list(faults))
    server.connection.use(httpx.Client(transport=transport))
    return transport


def keys(requests: Iterable[httpx.Request]) -> set[str | None]:
    """Return the Idempotency-Keys of requests."""
    return {request.headers.get("Idempotency-Key") for request in requests}
