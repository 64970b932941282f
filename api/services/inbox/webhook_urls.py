"""The URLs of webhooks: https, a public host, and nothing that two readers of URLs could read in two ways."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from api.services.inbox.public_addresses import is_public

MAX_URL = 1000
PLAIN = re.compile(r"[!-~]+")
"""Printable ASCII without spaces."""
AUTHORITY = re.compile(r"(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
"""A name or an address and a port, and nothing that one reader of URLs ignores and another doesn't."""
LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = re.compile(rf"(?:{LABEL}\.)+{LABEL}")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""Hosts whose last label is one are IPv4 addresses to some readers: 0x7f.1, 2130706433, 0177.0.0.1."""
LOCAL_NAMES = ("localhost", "local", "internal", "home.arpa", "lan", "test", "example", "invalid", "onion")
FULL_NAME = "Send a URL with the full name of a public host, such as https://bot.cards.net/inbox."
HTTPS = 443
FIRST_FREE_PORT = 1024


class BadUrl(ValueError):
    """The text isn't the URL of a webhook; it says why."""


@dataclass(frozen=True)
class WebhookTarget:
    """Where a message goes: a name or a public address, a port, and the path with its query."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The value of the header Host."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == HTTPS else f"{name}:{self.port}"


def parse_url(url: str) -> WebhookTarget:
    """Return the target that a URL names. Raise BadUrl."""
    if len(url) > MAX_URL or PLAIN.fullmatch(url) is None or "\\" in url:
        raise BadUrl(f"Send a URL of at most {MAX_URL} characters of ASCII, without spaces and backslashes.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadUrl("This isn't a URL.") from None
    if parts.scheme != "https" or not url.lower().startswith("https://"):
        raise BadUrl("Send a URL that begins with https://.")
    if "@" in parts.netloc or "#" in url:
        raise BadUrl("Send a URL without a user, a password and a fragment.")
    if port is not None and port != HTTPS and port < FIRST_FREE_PORT:
        raise BadUrl(f"Send a URL whose port is {HTTPS}, or {FIRST_FREE_PORT} or higher.")
    if AUTHORITY.fullmatch(parts.netloc) is None:
        raise BadUrl(FULL_NAME)
    _check_host(host or "", bracketed=parts.netloc.startswith("["))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return WebhookTarget(host or "", port or HTTPS, path)


def _check_host(host: str, *, bracketed: bool) -> None:
    """Raise BadUrl for a host that isn't public by its looks; its addresses are checked with each message."""
    if bracketed or _is_address(host):
        if bracketed is not (":" in host) or not is_public(host):
            raise BadUrl("This server sends nothing to an address that isn't public.")
        return
    is_local = any(host == name or host.endswith(f".{name}") for name in LOCAL_NAMES)
    if len(host) > 253 or NAME.fullmatch(host) is None or NUMBER.fullmatch(host.rpartition(".")[2]) or is_local:
        raise BadUrl(FULL_NAME)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
