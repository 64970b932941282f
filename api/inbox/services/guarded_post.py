"""A POST to a host that a player has named, which reaches no address that isn't public or is the machine's own.

The URL is https, and nothing in it can be read in two ways.

A connection to one of them doesn't pass the firewall in front of the machine.

The networks are those of IANA's registries of special-purpose addresses (RFC 6890) and multicast. Of IPv6, only global
unicast is public. So every form in which an IPv6 address holds an IPv4 address is refused: mapped, compatible, NAT64,
6to4 and Teredo.

The name is resolved once. All its addresses must be public, and the connection goes to one of those that were checked,
so a name that changes in between changes nothing. Redirects aren't followed, and proxies aren't used.
"""

import re
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPSConnection
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Timer
from time import monotonic
from urllib.parse import urlsplit

from api.config import is_loopback

ANY_PORT = 9


def is_own(text: str) -> bool:
    """Return whether an address belongs to this machine. It asks the kernel for the way there, and sends nothing."""
    family = socket.AF_INET6 if ":" in text else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((text, ANY_PORT))
            return ip_address(probe.getsockname()[0]) == ip_address(text)
    except OSError:  # there is no way to it
        return False


SPECIAL_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)
GLOBAL_IPV6 = IPv6Network("2000::/3")
SPECIAL_IPV6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")))


def is_public(text: str) -> bool:
    """Return whether an address, as the resolver writes it, is one that the server may connect to."""
    try:
        address = ip_address(text)
    except (AddressValueError, ValueError):
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in SPECIAL_IPV4)
    return _is_public_ipv6(address)


def _is_public_ipv6(address: IPv6Address) -> bool:
    if address.scope_id is not None or address not in GLOBAL_IPV6:
        return False
    return not any(address in network for network in SPECIAL_IPV6)


MAX_URL = 1000
PLAIN = re.compile(r"[!-~]+")
"""Printable ASCII without spaces."""
AUTHORITY = re.compile(r"(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
"""A name or an address and a port, and nothing that one reader of URLs ignores and another doesn't."""
LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = re.compile(rf"(?:{LABEL}\.)+{LABEL}")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""Hosts whose last label is one are IPv4 addresses to some readers: 0x7f.1, 2130706433, 0177.0.0.1."""
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
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
    is_local: bool = False
    """Whether it's on this machine: for developers alone, who choose `TRICKBOOK_WEBHOOKS=local`."""
    is_plain: bool = False
    """Whether it's without TLS, as only one on this machine can be."""

    @property
    def authority(self) -> str:
        """The value of the header Host."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == HTTPS else f"{name}:{self.port}"


def parse_url(url: str, *, local: bool = False) -> WebhookTarget:
    """Return the target that a URL names; with `local`, also one on this machine. Raise BadUrl."""
    if len(url) > MAX_URL or PLAIN.fullmatch(url) is None or "\\" in url:
        raise BadUrl(f"Send a URL of at most {MAX_URL} characters of ASCII, without spaces and backslashes.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadUrl("This isn't a URL.") from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if local and host in LOOPBACK_HOSTS and parts.scheme in ("http", "https") and (port or 0) >= FIRST_FREE_PORT:
        return WebhookTarget(host, port or 0, path, is_local=True, is_plain=parts.scheme == "http")
    if parts.scheme != "https" or not url.lower().startswith("https://"):
        raise BadUrl("Send a URL that begins with https://.")
    if "@" in parts.netloc or "#" in url:
        raise BadUrl("Send a URL without a user, a password and a fragment.")
    if port is not None and port != HTTPS and port < FIRST_FREE_PORT:
        raise BadUrl(f"Send a URL whose port is {HTTPS}, or {FIRST_FREE_PORT} or higher.")
    if AUTHORITY.fullmatch(parts.netloc) is None:
        raise BadUrl(FULL_NAME)
    _check_host(host or "", bracketed=parts.netloc.startswith("["))
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


TIMEOUT_S = 3.0
"""How long a POST may take in all, from the question for the address to the status."""
NO_PUBLIC_ADDRESS = "the host has no address, or one that isn't public"
"""One sentence for both, so that nobody learns which names a network has inside."""
Resolve = Callable[[str, int], Sequence[str]]


class NotSent(Exception):
    """No answer with a status came; the text says why, in words for the player."""


def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raise OSError if it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def may_reach(address: str) -> bool:
    """Return whether the server may connect to an address that a player has named."""
    return is_public(address) and not is_own(address)


class GuardedPoster:
    """Sends POSTs, up to `threads` at a time. Tests may allow other addresses, and trust other certificates."""

    def __init__(
        self,
        threads: int = 4,
        resolve: Resolve = resolve_host,
        is_allowed: Callable[[str], bool] = may_reach,
        context: ssl.SSLContext | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._resolve, self._is_allowed, self._timeout_s = resolve, is_allowed, timeout_s
        self._context = context or _usual_context()
        self._resolvers = ThreadPoolExecutor(threads, thread_name_prefix="resolver")

    def post(self, target: WebhookTarget, body: bytes, headers: Mapping[str, str]) -> int:
        """Return the status of the answer; its body isn't read. Raise NotSent without an answer in time."""
        until = monotonic() + self._timeout_s
        addresses = self._public_addresses(target, until)
        connection = _CheckedConnection(target, addresses, self._context, until)
        watch = Timer(max(0.0, until - monotonic()), connection.cut)
        watch.daemon = True
        watch.start()
        try:
            connection.request("POST", target.path, body, {**headers, "Host": target.authority})
            return int(connection.getresponse().status)
        except ssl.SSLError as error:
            raise NotSent("there was no valid TLS connection") from error
        except (OSError, HTTPException) as error:
            late = monotonic() >= until
            raise NotSent("no answer came in time" if late else "the connection failed") from error
        finally:
            watch.cancel()
            connection.close()

    def close(self) -> None:
        """Let go of the threads."""
        self._resolvers.shutdown(wait=False, cancel_futures=True)

    def _public_addresses(self, target: WebhookTarget, until: float) -> Sequence[str]:
        """Return the addresses of the target. Raise NotSent unless all of them are public."""
        asked = self._resolvers.submit(self._resolve, target.host, target.port)
        try:
            addresses = asked.result(max(0.0, until - monotonic()))
        except (OSError, UnicodeError) as error:
            asked.cancel()
            raise NotSent(NO_PUBLIC_ADDRESS) from error
        is_allowed = is_loopback if target.is_local else self._is_allowed
        if not addresses or not all(map(is_allowed, addresses)):
            raise NotSent(NO_PUBLIC_ADDRESS)
        return addresses


class _CheckedConnection(HTTPSConnection):
    """A connection to one of some addresses, whatever the name says by now."""

    def __init__(self, target: WebhookTarget, addresses: Sequence[str], context: ssl.SSLContext, until: float) -> None:
        super().__init__(target.host, target.port, context=context)
        self._addresses, self._tls, self._until, self._is_plain = addresses, context, until, target.is_plain

    def connect(self) -> None:
        plain = self._connect_to_any()
        if self._is_plain:
            self.sock = plain
            return
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()

    def cut(self) -> None:
        """Break the connection, whatever it waits for."""
        if self.sock is not None:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                self.close()

    def _connect_to_any(self) -> socket.socket:
        """Connect to the first address that answers; one that doesn't leaves the others their part of the time."""
        failure: OSError | None = None
        for at, address in enumerate(self._addresses):
            left = (self._until - monotonic()) / (len(self._addresses) - at)
            if left <= 0:
                break
            try:
                connected = socket.create_connection((address, self.port), left)
            except OSError as error:
                failure = error
            else:
                connected.settimeout(max(0.001, self._until - monotonic()))
                return connected
        raise failure or TimeoutError("no time is left")


@cache
def _usual_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
