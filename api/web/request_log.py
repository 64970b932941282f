"""One log line for each request, and the id that connects a request with all lines about it.

A line has the rule of the route, never the address that the client sent: an address may hold anything.
"""

import logging
import re
import secrets
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Response, g, request

from api.limits import QUOTAS, Quota
from api.monitoring.logs import REQUEST_ID, log_event
from api.monitoring.metrics import METHODS, REQUEST_SECONDS, REQUESTS, UNREAD
from api.play.services.event_stream import ENVIRON_KEY as STREAM_KEY
from api.play.services.event_stream import AnyStream
from api.web.context import client_address

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LOG = logging.getLogger("trickbook.requests")
HEADER, ENVIRON_KEY = "X-Request-Id", "HTTP_X_REQUEST_ID"
VALID_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
NO_ROUTE = "none"
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))


class RequestNote:
    """A request: its id and the quotas that it's counted in, which count for all that the block calls."""

    def __init__(self, environ: "WSGIEnvironment") -> None:
        self._environ, self._id, self._began = environ, request_id(environ.get(ENVIRON_KEY)), time.monotonic()
        self._quotas = list[Quota]()

    def __enter__(self) -> None:
        self._reset = REQUEST_ID.set(self._id), QUOTAS.set(self._quotas)

    def __exit__(self, *_error: object) -> None:
        REQUEST_ID.reset(self._reset[0])
        QUOTAS.reset(self._reset[1])

    def answered(self, status: int, headers: list[tuple[str, str]]) -> None:
        """Add the headers of the id and the quotas, and log a line, when the response starts."""
        headers.append((HEADER, self._id))
        headers.extend(_quota_headers(self._quotas))
        asked: AnyStream | None = self._environ.get(STREAM_KEY)
        if asked is None or asked.wait_s is None:  # a request that waits is called again
            _note(request.method, status, time.monotonic() - self._began)


def _quota_headers(quotas: list[Quota]) -> list[tuple[str, str]]:
    """Return what the limits leave to this client (draft-ietf-httpapi-ratelimit-headers-10), in the order of need."""
    if not quotas:
        return []
    quotas.sort(key=lambda each: each.left / each.rate.count)
    policies = (f'"{each.name}";q={each.rate.count};w={each.rate.window_s}' for each in quotas)
    left = (f'"{each.name}";r={each.left};t={each.wait_s}' for each in quotas)
    return [("RateLimit-Policy", ", ".join(policies)), ("RateLimit", ", ".join(left))]


def request_id(sent: str | None) -> str:
    """Return the id that a proxy or client sent in X-Request-Id, or a new one if that isn't a valid id."""
    return sent if sent is not None and VALID_ID.fullmatch(sent) else secrets.token_hex(16)


def log_refusal(
    response: Response, sent_id: str | None, logger: logging.Logger, lane: str | None, reason: str, **fields: str | None
) -> None:
    """Give a refusal that no route has made an id as `RequestNote` does, log a line about it, and count it."""
    UNREAD.labels(lane or "none", reason).inc()
    response.headers[HEADER] = found = request_id(sent_id)
    reset = REQUEST_ID.set(found)
    try:
        status = response.status_code
        log_event(logger, "refused", logging.INFO, status=status, lane=lane, reason=reason, **fields)
    finally:
        REQUEST_ID.reset(reset)


def _note(method: str, status: int, time_s: float) -> None:
    """Count a request and log its line."""
    route = NO_ROUTE if request.url_rule is None else request.url_rule.rule
    # a method is the client's word, so unusual ones share a label
    REQUESTS.labels(route, method if method in METHODS else "other", str(status)).inc()
    REQUEST_SECONDS.labels(route).observe(time_s)
    level = _level(method, status)
    if LOG.isEnabledFor(level):
        _log(level, route, status, time_s)


def _log(level: int, route: str, status: int, time_s: float) -> None:
    caller = g.get("caller")
    log_event(
        LOG,
        "request",
        level,
        route=route,
        method=request.method,
        status=status,
        time_ms=round(time_s * 1000, 1),
        player=None if caller is None else caller.id,
        address=client_address(request),
    )


def _level(method: str, status: int) -> int:
    """Return the level of a request's line: a 503 says that the client can try again, so it's no error.

    A read that succeeds is for `debug`: during play, such lines were four fifths of a log, and metrics count them.
    """
    if status < 400 and method in SAFE_METHODS:
        return logging.DEBUG
    if status < 500:
        return logging.INFO
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        return logging.WARNING
    return logging.ERROR
