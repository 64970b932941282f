"""Identification of callers: the client's address, and the bearer token, which a URL must not contain."""

import ipaddress
import re

from flask import Request, request

from api.http.problems import Problem


def client_address(request: Request) -> str:
    """Return the key that rate limits count by: the peer's address, or for IPv6 its /64 network.

    One household has 2^64 IPv6 addresses.
    """
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
    """Answer 400 for a URL that contains a token, or whose query contains bytes outside ASCII (RFC 3986)."""
    if not request.query_string.isascii():
        raise Problem("malformed", "The query contains bytes outside ASCII. Percent-encode them.")
    for key, value in request.args.items(multi=True):
        if key.lower() in TOKEN_KEYS or TOKEN.search(key) or TOKEN.search(value):
            raise _token_in_url()
    if TOKEN.search(request.path):
        raise _token_in_url()


def _token_in_url() -> Problem:
    return Problem("token-in-url", "Send the token in the Authorization header. Others may have seen this one.")


def bearer_token() -> str | None:
    """Return the token of the Authorization header, or None without the header; 401 for an invalid header."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    if match := BEARER.fullmatch(header.strip()):
        return match[1]
    raise Problem("unauthorized", "The Authorization header contains no token of this server.")
