"""The page that verifies an export in the browser, and the files of the second implementation that it runs.

The page may load only its own scripts and styles, and can't send anything anywhere (CSP level 3, Trusted Types). The
same files run under node, without a server: docs/verify-a-hand.md.
"""

from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, request

from api.http.problems import Problem
from api.http.responses import not_modified

STATIC = Path(__file__).parents[1] / "static" / "verify"
PAGE = "verify.html"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
}
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
    response = _file(PAGE)
    response.headers["Content-Security-Policy"] = POLICY
    return response


@verify_page.get("/static/<file>")
def static(file: str) -> Response:
    """Return 200: a script or style of the page; 404 for any other name."""
    if file not in FILES or file == PAGE:
        raise Problem("not-found", "There is no such file. The page that verifies a game is at /verify.")
    return _file(file)


def _file(name: str) -> Response:
    """Return a file that browsers revalidate on each use."""
    response = Response(FILES[name], content_type=TYPES[Path(name).suffix])
    response.set_etag(sha256(FILES[name]).hexdigest()[:32])
    response.headers["Cache-Control"] = "no-cache"
    return not_modified(response, request)
