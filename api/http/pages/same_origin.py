"""Requests that another site makes a browser send (cross-site request forgery) change nothing.

A browser adds the session's cookie by itself, so a request that it signs in must come from a page of this server.
Browsers say so in Sec-Fetch-Site, which no script can set; older ones, and all on an unencrypted network, in Origin.
"""

from flask import Request

from api.http.pages.cookies import has_cookie
from api.http.problems import Problem

READS = ("GET", "HEAD", "OPTIONS")
SESSION_PATH = "/session"


def check_same_origin(request: Request) -> None:
    """Answer 403 for a changing request that a cookie signs in, or that makes a session, unless an own page sent it."""
    if request.method in READS:
        return
    makes_session = request.path == SESSION_PATH or request.path.startswith(SESSION_PATH + "/")
    if makes_session or ("HTTP_AUTHORIZATION" not in request.environ and has_cookie(request)):
        _require_own_page(request)


def _require_own_page(request: Request) -> None:
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    own = origin == f"{request.scheme}://{request.host}" if site is None else site == "same-origin"
    if not own:
        detail = "A page of another site sent this request, or a program with a cookie. Programs send a token."
        raise Problem("cross-site", detail)
