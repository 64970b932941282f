"""The root address: links for people who open the server's bare URL."""

from flask import Blueprint, Response

from api.http.responses import json_response

root = Blueprint("root", __name__)

LINKS = {
    "name": "trickbook",
    "variants": "/api/v1/variants",
    "games": "/api/v1/games",
    "ready": "/health/ready",
    "verify": "/verify",
    "documentation": ["README.md", "docs/tutorial.md", "docs/http.md"],
}


@root.get("/")
def links() -> Response:
    """Return 200: addresses to start from, and the pages of the documentation about them."""
    return json_response(LINKS)
