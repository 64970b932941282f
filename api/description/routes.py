"""The description of this interface as OpenAPI, and a page that shows it without any other server.

The page is Swagger UI, from the wheel flask-swagger-ui. It shows the description of this server and no other: the
server refuses `?url=`, and the page ignores it.
"""

import json
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from flask import Flask, Response, request

from api.description.document import FOR_GENERATORS, NEWEST, openapi_document
from api.pages.html import below
from api.problem import Problem
from api.web.context import current_application
from api.web.responses import JSON, file_response
from api.web.route import ASSETS, Content, TaggedBlueprint, file_route, page_route

STATIC = Path(__file__).parents[1] / "static" / "docs"
PAGE, SCRIPT = "docs.html", "docs.js"
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # Swagger UI draws its icons and sizes with style attributes
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

DOCUMENT = Content(JSON, {"type": "object"})

description = TaggedBlueprint("description", __name__, "server")


@description.get("/openapi.json")
@file_route("this interface as OpenAPI 3.2", DOCUMENT, says="An OpenAPI document.", lane="heavy")
def newest() -> Response:
    """Return 200: this interface as OpenAPI 3.2, with the items of streams."""
    return file_response("openapi.json", _document(current_application(), NEWEST, request.root_path))


@description.get("/openapi-3.1.json")
@file_route("the same as OpenAPI 3.1, for generators of clients", DOCUMENT, says="An OpenAPI document.", lane="heavy")
def for_generators() -> Response:
    """Return 200: the same as OpenAPI 3.1, without the items of streams, for generators of clients."""
    return file_response("openapi-3.1.json", _document(current_application(), FOR_GENERATORS, request.root_path))


@description.get("/docs")
@page_route("a page that shows this interface")
def page() -> Response:
    """Return 200: a page that shows this interface, and can send requests to this server."""
    return file_response(PAGE, below(request.root_path, _asset(PAGE).decode()).encode(), POLICY)


@description.get("/docs/<file>")
@file_route("the files of that page", *ASSETS, problems=("not-found",))
def asset(file: str) -> Response:
    """Return 200: a script or style of the page; 404 for any other name."""
    if file not in (SCRIPT, *SWAGGER_FILES):
        raise Problem("not-found", "There is no such file. The page that shows this interface is at /docs.")
    return file_response(file, _asset(file))


@lru_cache(maxsize=4)
def _document(app: Flask, openapi_version: str, root: str) -> bytes:
    """Return a document as JSON. The routes of an app don't change."""
    return json.dumps(openapi_document(app, openapi_version, root), ensure_ascii=False).encode() + b"\n"


@lru_cache(maxsize=len(SWAGGER_FILES) + 2)
def _asset(name: str) -> bytes:
    found = STATIC / name if name in (PAGE, SCRIPT) else files("flask_swagger_ui") / "dist" / name
    return found.read_bytes()
