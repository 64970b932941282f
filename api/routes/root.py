"""The front door, for who opens the server's bare address: where to look next."""

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
    """200: addresses to go on from, and the pages of the documentation that tell of them."""
    return json_response(LINKS)
