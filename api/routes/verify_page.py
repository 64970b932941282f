"""The page that checks an export in the browser, and the files of the second implementation that it runs.

The page may load only files of the server, and can't send anything anywhere (CSP level 3, Trusted Types): unlike the
other pages it may not even ask its own server. The same implementation runs under node, without a server:
docs/verify-a-hand.md.
"""

from pathlib import Path

from flask import Blueprint, Response

from api.http.problems import Problem
from api.http.static_files import TYPES, file_response
from api.routes.pages.html import POLICY, page_response

STATIC = Path(__file__).parents[1] / "static" / "verify"
NO_REQUESTS = POLICY.replace("connect-src 'self'; ", "")
FILES = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}

verify_page = Blueprint("verify_page", __name__)


@verify_page.get("/verify")
def page() -> Response:
    """Return 200: the page."""
    response = page_response("verify")
    response.headers["Content-Security-Policy"] = NO_REQUESTS
    return response


@verify_page.get("/static/<file>")
def static(file: str) -> Response:
    """Return 200: a file of the implementation; 404 for any other name."""
    if file not in FILES:
        raise Problem("not-found", "There is no such file. The page that checks a game is at /verify.")
    return file_response(file, FILES[file])
