"""Identification of callers: the client's address, and the bearer token, which a URL must not contain."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

from flask import Request

from api.problem import Problem
from api.web.cookies import NAMES
from api.web.problems import INVALID_TOKEN, NO_ROUTE

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
