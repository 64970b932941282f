"""The context of the current request: the cookie or token that names its caller, the caller, and the services."""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, cast

from flask import Flask, Request, Response, current_app, g, request

from api.caller import Caller, admit, take_heavy_budget
from api.config import is_loopback
from api.container import Services
from api.people.stored.tokens import USUAL_DAYS, TokenInfo
from api.people.stored.users import User
from api.problem import Problem
from api.web.problems import INVALID_TOKEN, NO_ROUTE

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


CACHED_ADDRESSES, MAX_ADDRESS_LENGTH = 4096, 64


def client_address(request: Request) -> str:
    """Return the key that rate limits count by: the peer's address, or for IPv6 its /64 network.

    One household has 2^64 IPv6 addresses.
    """
    return network_of(request.remote_addr or "")


def network_of(text: str) -> str:
    """Return an address, or for IPv6 its /64 network; `unknown` for a text that isn't an address."""
    return _network_of(text) if len(text) <= MAX_ADDRESS_LENGTH else "unknown"


@lru_cache(CACHED_ADDRESSES)
def _network_of(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def forwarded_address(forwarded_for: str, peer: str, proxies: int) -> str:
    """Return the address that the outermost of `proxies` trusted proxies saw (X-Forwarded-For), or the peer's."""
    addresses = [part.strip() for part in forwarded_for.split(",")] if proxies and forwarded_for else []
    return addresses[-proxies] if len(addresses) >= proxies > 0 else peer


BEARER = re.compile(r"(?i:bearer) +(tb_[A-Za-z0-9_-]{43})")
TOKEN = re.compile("tb_[A-Za-z0-9_-]{43}")
HEADERS_WITH_TOKEN = {
    b"authorization": re.compile(rf"({TOKEN.pattern})".encode()),
    b"cookie": re.compile(rf"(?:^|;)\s*(?:{'|'.join(NAMES)})=({TOKEN.pattern})\s*(?=;|$)".encode()),
}
"""Where a token may be: in a cookie by the names of a session's alone."""
MAX_TOKEN_HEADER = 8 * 1024
MAX_PARAMETERS = 64
"""More of them, which no route takes, would take milliseconds to parse."""
TOKEN_KEYS = frozenset(("token", "access_token", "bearer", "authorization", "auth", "api_key"))


def check_url(request: Request) -> None:
    """Answer 400 for a URL that contains a token, or whose query has bytes outside ASCII (RFC 3986) or is too long."""
    if not request.query_string.isascii():
        raise Problem("malformed", "The query contains bytes outside ASCII. Percent-encode them.")
    if TOKEN.search(request.path):
        raise _token_in_url()
    if "\0" in request.path:  # PostgreSQL stores no such text, so it can't even be asked for one
        raise Problem("not-found", NO_ROUTE)
    if request.query_string.count(b"&") >= MAX_PARAMETERS:
        raise Problem("malformed", f"Send at most {MAX_PARAMETERS} parameters.")
    if not request.query_string:
        return
    for key, value in request.args.items(multi=True):
        if key.lower() in TOKEN_KEYS or TOKEN.search(key) or TOKEN.search(value):
            raise _token_in_url()


def sent_tokens(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """Return what may be the token of a request that nothing has checked yet, by its headers as sent."""
    values = [(HEADERS_WITH_TOKEN[name], value) for name, value in headers if name in HEADERS_WITH_TOKEN]
    return [found.decode() for token, value in values for found in token.findall(value[:MAX_TOKEN_HEADER])]


def _token_in_url() -> Problem:
    return Problem("token-in-url", "Send the token in the Authorization header. Others may have seen this one.")


def bearer_token(request: Request) -> str | None:
    """Return the token of the Authorization header, or None without the header; 401 for an invalid header."""
    header: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    if match := BEARER.fullmatch(header.strip()):
        return match[1]
    raise invalid_token() if header.strip().lower().startswith("bearer ") else _no_bearer()


def _no_bearer() -> Problem:
    return Problem(
        "unauthorized",
        "The Authorization header doesn't begin with the word Bearer. Send `Authorization: Bearer TOKEN`.",
    )


def invalid_token(*, expired: bool = False) -> Problem:
    """Return the answer to an expired token, or to an invalid, unknown or revoked one, without saying which."""
    detail = "The token has expired" if expired else "The Authorization header contains no valid token of this server"
    return Problem("unauthorized", f"{detail}. Log in again.", INVALID_TOKEN)


SERVICES_KEY = "trickbook"
ENDPOINTS_OF_ANY_TOKEN = frozenset(
    ("users.log_out", "own_account.show", "inbox.list_entries", "variants.list_variants")
)
"""The requests beside that game that a token for one game may send."""
OWN_ACCOUNT = re.compile("/api/v1/(me(/.*)?|tokens/current)")
"""The addresses that a suspended or banned player may still use: their account, to appeal too."""


def attach_services(app: Flask, services: Services) -> None:
    """Make `services` available to every request of `app`."""
    app.extensions[SERVICES_KEY] = services


def current_request() -> Request:
    """Return the request itself: `flask.request` looks for it at every access."""
    found: Request = cast("Any", request)._get_current_object()
    return found


def current_application() -> Flask:
    """Return the app that handles the current request."""
    found: Flask = cast("Any", current_app)._get_current_object()
    return found


def current_services() -> Services:
    """Return the services of the app that handles the current request."""
    services: Services = current_application().extensions[SERVICES_KEY]
    return services


def current_caller() -> Caller:
    """Return the caller of the current request, whose token is looked up the first time.

    Raise Problem for an invalid token, LimitReached for too many of them from one address.
    """
    known: Any = cast("Any", g)._get_current_object()
    if "caller" not in known:
        known.caller = Caller(client_address(current_request()), _authenticate())
    caller: Caller = known.caller
    return caller


def current_player() -> User | None:
    """Return the player whose token the request carries, or None without one, as `current_caller` does."""
    return current_caller().player


def take_passes(passes: float) -> None:
    """Let the current request count as heavy. Raise LimitReached beyond the caller's budget."""
    caller = current_caller()
    take_heavy_budget(current_services(), caller)
    g.caller = replace(caller, passes=passes)


def admit_request() -> None:
    """Answer 403 for a token of another game, for a banned player, and for a suspended one who doesn't only read."""
    caller, request = current_caller(), current_request()
    reference = (request.view_args or {}).get("reference")
    if caller.token is not None and request.endpoint in (None, *ENDPOINTS_OF_ANY_TOKEN):
        reference = caller.token.game
    own = OWN_ACCOUNT.fullmatch(request.path) is not None
    admit(current_services(), caller, reference, reads=request.method in READS, own=own)


def sent_token() -> str | None:
    """Return the text of the token that the request carries, valid or not: that of Authorization, or of the cookie."""
    request = current_request()
    token = bearer_token(request)
    return cookie_token(request, insecure_lan=current_services().config.insecure_lan) if token is None else token


def uses_cookie() -> bool:
    """Return whether the request's token is that of a cookie."""
    return "HTTP_AUTHORIZATION" not in current_request().environ and sent_token() is not None


def _authenticate() -> TokenInfo | None:
    request, token = current_request(), sent_token()
    if token is None:
        return None
    services = current_services()
    found = services.accounts.tokens.find(token)
    if found is None:
        services.unknown_tokens.take(client_address(request))  # after the look-up: a valid token works all the same
        raise invalid_token(expired=services.accounts.tokens.has_expired(token))
    return found
