"""Who a request comes from: the client's address and the bearer token, which may not be in the URL."""

import ipaddress
import re

from flask import Request, request

from api.http.problems import Problem


def client_address(request: Request) -> str:
    """Whom a limit counts: the peer's address, for IPv6 its /64, as one household commands 2^64 of them."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


BEARER = re.compile(r"(?i:bearer) +(tb_[A-Za-z0-9_-]{43})")
TOKEN = re.compile("tb_[A-Za-z0-9_-]{43}")
TOKEN_KEYS = frozenset(("token", "access_token", "bearer", "authorization", "auth", "api_key"))


def check_url() -> None:
    """400 for an address that holds a token anywhere, or raw bytes in its query (RFC 3986 has ASCII alone)."""
    if not request.query_string.isascii():  # werkzeug would fail on it
        raise Problem("malformed", "the query holds bytes that are not ASCII; percent-encode them")
    for key, value in request.args.items(multi=True):
        if key.lower() in TOKEN_KEYS or TOKEN.search(key) or TOKEN.search(value):
            raise _token_in_url()
    if TOKEN.search(request.path):
        raise _token_in_url()


def _token_in_url() -> Problem:
    return Problem("token-in-url", "send the token in the Authorization header; this one may have been seen")


def bearer_token() -> str | None:
    """The token in the Authorization header; None without the header, 401 for a header that holds none."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    if found := BEARER.fullmatch(header.strip()):
        return found[1]
    raise Problem("unauthorized", "the Authorization header holds no token of this server")
