"""Health checks for process managers and load balancers, and the server's metrics for Prometheus."""

import hmac
import ipaddress
from typing import Annotated, Literal, TypedDict

from flask import Request, Response, jsonify
from prometheus_client import CONTENT_TYPE_LATEST

from api.monitoring.exposition import exposition
from api.problem import Problem
from api.web.context import current_request, current_services
from api.web.route import AS_TEXT, TaggedBlueprint, route
from domain.json_fields import says

health = TaggedBlueprint("health", __name__, "server", url_prefix="/health")


class Live(TypedDict):
    """The process answers requests."""

    status: Literal["live"]


@health.get("/live")
@route("whether the process lives", answer=Live, token="none")
def live() -> Response:
    """Return 200 if the process answers requests; doesn't use the stores."""
    body: Live = {"status": "live"}
    return jsonify(body)


class Ready(TypedDict):
    """Every part responds."""

    status: Literal["ready"]
    checks: dict[str, str]
    lag: Annotated[dict[str, int], says("How many events each list is behind the log.")]
    lists: Annotated[dict[str, str], says("ok, or why a list isn't updated.")]
    quarantined: Annotated[int, says("How many games the lists leave out.")]


@health.get("/ready")
@route("whether it can serve", answer=Ready, token="none")
def ready() -> Response:
    """Return 200 if every part responds; the first exception becomes a 503, as in every route.

    `lag` is the number of events that each list is behind the log, and `lists` has "ok" or the reason why a list isn't
    updated. `quarantined` is the number of games that lists leave out.
    """
    services = current_services()
    for check in services.checks.values():
        check()
    body: Ready = {
        "status": "ready",
        "checks": dict.fromkeys(services.checks, "ok"),
        "lag": services.followers.lag(),
        "lists": dict.fromkeys(services.rows.projections, "ok") | services.rows.troubles(),
        "quarantined": services.rows.count_quarantined(),
    }
    return jsonify(body)


metrics = TaggedBlueprint("metrics", __name__, "server")

INDIRECT = ("Forwarded", "Origin", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")
"""Headers of requests that a proxy passes on, or that a page in a browser sends."""
TOKEN_NEEDED = "Send the token of TRICKBOOK_METRICS_TOKEN as Authorization: Bearer TOKEN."
LOCAL_ONLY = "Without TRICKBOOK_METRICS_TOKEN, only programs of the server's machine read its metrics, without a proxy."


@metrics.get("/metrics")
@route(
    "metrics for Prometheus, for the operator",
    answer=(AS_TEXT,),
    token="none",
    problems=("unauthorized", "forbidden"),
)
def scrape() -> Response:
    """Return 200 and the metrics in Prometheus's text format; 401 or 403 for anybody else."""
    services = current_services()
    _check_reader(current_request(), services.config.metrics_token)
    return Response(exposition(services), content_type=CONTENT_TYPE_LATEST)


def _check_reader(request: Request, token: str | None) -> None:
    """Raise Problem unless the request has the token or, on a server without one, comes from this machine directly."""
    if token is not None:
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(sent.strip().encode(), token.encode()):
            raise Problem("unauthorized", TOKEN_NEEDED)
    elif not _is_local(request):
        raise Problem("forbidden", LOCAL_ONLY)


def _is_local(request: Request) -> bool:
    if any(name in request.headers for name in INDIRECT):
        return False
    try:
        address = ipaddress.ip_address(request.environ.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
