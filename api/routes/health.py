"""Whether the process lives, and whether it can serve: for whoever starts and watches it."""

from flask import Blueprint, Response, jsonify

from api.http.context import current_services

health = Blueprint("health", __name__, url_prefix="/health")


@health.get("/live")
def live() -> Response:
    """200 as long as requests are answered at all; asks nothing of any store."""
    return jsonify(status="live")


@health.get("/ready")
def ready() -> Response:
    """200 when every part answers; what the first that does not raises becomes a 503 like everywhere else.

    `lag` is how many events each list is behind the log.
    """
    services = current_services()
    for check in services.checks.values():
        check()
    return jsonify(status="ready", checks=dict.fromkeys(services.checks, "ok"), lag=services.followers.lag())
