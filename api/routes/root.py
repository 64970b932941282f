"""The root address: the lobby for people, and links for programs."""

from flask import Blueprint, Response, request

from api.http.responses import JSON, json_response, own_address
from api.routes.pages.html import page_response

root = Blueprint("root", __name__)

HTML = "text/html"
LINKS = {
    "variants": "/api/v1/variants",
    "games": "/api/v1/games",
    "ready": "/health/ready",
    "verify": "/verify",
    "description": "/openapi.json",
    "docs": "/docs",
}
DOCUMENTATION = ["README.md", "docs/tutorial.md", "docs/http.md"]


@root.get("/")
def links() -> Response:
    """Return 200: the lobby for a browser; for a program addresses to start from, and the pages about them."""
    addresses = {name: own_address(path) for name, path in LINKS.items()}
    return (
        json_response({"name": "trickbook"} | addresses | {"documentation": DOCUMENTATION})
        if request.accept_mimetypes.best_match((JSON, HTML), JSON) == JSON
        else page_response("lobby")
    )
