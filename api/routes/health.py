"""Health checks for process managers and load balancers: is the process alive, and can it serve requests?"""

from flask import Blueprint, Response, jsonify

from api.http.context import current_services

health = Blueprint("health", __name__, url_prefix="/health")


@health.get("/live")
def live() -> Response:
    """Return 200 if the process answers requests; doesn't use the stores."""
    return jsonify(status="live")


@health.get("/ready")
def ready() -> Response:
    """Return 200 if every part responds; the first exception becomes a 503, as in every route.

    `lag` is the number of events that each list is behind the log, and `lists` has "ok" or the reason why a list isn't
    updated. `quarantined` is the number of games that lists leave out.
    """
    services = current_services()
    for check in services.checks.values():
        check()
    return jsonify(
        status="ready",
        checks=dict.fromkeys(services.checks, "ok"),
        lag=services.followers.lag(),
        lists=dict.fromkeys(services.rows.projections, "ok") | services.rows.troubles(),
        quarantined=services.rows.count_quarantined(),
    )
