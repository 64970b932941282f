"""The page that verifies an export in the browser, and the files of the second implementation that it runs.

The page may load only its own scripts and styles, and can't send anything anywhere (CSP level 3, Trusted Types). The
same files run under node, without a server: docs/verify-a-hand.md.
"""

from pathlib import Path

from flask import Blueprint, Response

from api.http.problems import Problem
from api.http.static_files import TYPES, file_response

STATIC = Path(__file__).parents[1] / "static" / "verify"
PAGE = "verify.html"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
FILES = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}

verify_page = Blueprint("verify_page", __name__)


@verify_page.get("/verify")
def page() -> Response:
    """Return 200: the page."""
    return file_response(PAGE, FILES[PAGE], POLICY)


@verify_page.get("/static/<file>")
def static(file: str) -> Response:
    """Return 200: a script or style of the page; 404 for any other name."""
    if file not in FILES or file == PAGE:
        raise Problem("not-found", "There is no such file. The page that verifies a game is at /verify.")
    return file_response(file, FILES[file])
