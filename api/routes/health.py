"""Whether the process lives, and whether it can serve: for whoever starts and watches it."""

from flask import Blueprint, Response, jsonify

from api.http.context import services

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
    here = services()
    for check in here.checks.values():
        check()
    return jsonify(status="ready", checks=dict.fromkeys(here.checks, "ok"), lag=here.followers.lag())
