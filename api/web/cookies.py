"""The cookie of a browser's session, and the refusal of requests that another site's page sends.

A cookie is sent in the clear over plain HTTP, so the server sets none there, except on the machine itself and, if the
host says so, on a private network. A cookie counts only on requests of this server's own pages.

A browser adds the session's cookie by itself, so a request that it signs in must come from a page of this server.
Browsers say so in Sec-Fetch-Site, which no script can set; older ones, and all on an unencrypted network, in Origin.
"""

import ipaddress
import re
from typing import Literal

from flask import Request, Response

from api.config import is_loopback
from api.people.stored.tokens import USUAL_DAYS
from api.problem import Problem

SECURE_NAME, PLAIN_NAME = "__Host-trickbook", "trickbook"
"""Browsers accept the first from an encrypted answer of this very host alone, so that no other host can set it."""
SECURE_NAME_BELOW = "__Secure-trickbook"
"""The first's name at a server below a path: `__Host-` would send the token to all other servers on the host."""
NAMES = (SECURE_NAME, SECURE_NAME_BELOW, PLAIN_NAME)
VALUE = re.compile(r"tb_[A-Za-z0-9_-]{43}")
MAX_AGE_S = USUAL_DAYS * 24 * 3600
OWN_SITE = ("same-origin", "none")
LOCAL_SUFFIXES = (".local", ".lan", ".home.arpa", ".internal")

Safety = Literal["encrypted", "loopback", "network", "refused"]


def address_safety(request: Request, *, insecure_lan: bool) -> Safety:
    """Return whether and why a cookie is safe at the address that the browser asked."""
    host = _host_name(request)
    if request.scheme == "https":
        return "encrypted"
    if is_loopback(host) or host.endswith(".localhost"):
        return "loopback"
    return "network" if insecure_lan and _is_private(host) else "refused"


def has_cookie(request: Request) -> bool:
    """Return whether the request carries a cookie with the name of a session's, whether or not it's valid."""
    return "HTTP_COOKIE" in request.environ and bool(_values(request, {_secure_name(request), PLAIN_NAME}))


def cookie_token(request: Request, *, insecure_lan: bool) -> str | None:
    """Return the token of the session's cookie; None without one, on an unsafe address, or from another site's page.

    401 for a cookie that holds no token, and for two cookies: one of them was set by somebody else.
    """
    if "HTTP_COOKIE" not in request.environ or request.headers.get("Sec-Fetch-Site", "none") not in OWN_SITE:
        return None
    safety = address_safety(request, insecure_lan=insecure_lan)
    if safety == "refused":
        return None
    values = _values(request, {_name(request, safety)})
    if not values:
        return None
    if len(values) > 1 or VALUE.fullmatch(values[0]) is None:
        raise Problem("unauthorized", "The cookie of the session isn't valid. Log in again.")
    return values[0]


def set_cookie(response: Response, request: Request, token: str, *, insecure_lan: bool) -> None:
    """Give the browser a token to keep; 403 for an address where others could read it on the way."""
    safety = require_safe_address(request, insecure_lan=insecure_lan)
    response.set_cookie(
        _name(request, safety),
        token,
        MAX_AGE_S,
        path=_path(request),
        secure=safety == "encrypted",
        httponly=True,
        samesite="Strict",
    )


def delete_cookie(response: Response, request: Request) -> None:
    """Make the browser forget the session's cookie."""
    secure = request.scheme == "https"
    name = _secure_name(request) if secure else PLAIN_NAME
    response.delete_cookie(name, path=_path(request), secure=secure, httponly=True, samesite="Strict")


def require_safe_address(request: Request, *, insecure_lan: bool) -> Safety:
    """Return why a cookie is safe at this address; 403 where it isn't."""
    safety = address_safety(request, insecure_lan=insecure_lan)
    if safety == "refused":
        detail = f"The address http://{request.host} isn't encrypted, so others could read along. Use https."
        raise Problem("insecure-address", detail)
    return safety


def _name(request: Request, safety: Safety) -> str:
    return _secure_name(request) if safety == "encrypted" else PLAIN_NAME


def _secure_name(request: Request) -> str:
    return SECURE_NAME_BELOW if request.root_path else SECURE_NAME


def _path(request: Request) -> str:
    return request.root_path or "/"


def _values(request: Request, names: set[str]) -> list[str]:
    pairs = (part.strip().partition("=") for part in request.environ.get("HTTP_COOKIE", "").split(";"))
    return [value for name, _, value in pairs if name in names]


def _host_name(request: Request) -> str:
    host = request.host
    return host[1 : host.find("]")] if host.startswith("[") else host.partition(":")[0]


def _is_private(host: str) -> bool:
    address = _address(host)
    if address is None:
        return "." not in host or host.endswith(LOCAL_SUFFIXES)
    return address.is_private or address.is_link_local


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


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
