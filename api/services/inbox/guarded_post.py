"""A POST to a host that a player has named, which reaches no address that isn't public or is the machine's own.

The name is resolved once. All its addresses must be public, and the connection goes to one of those that were checked,
so a name that changes in between changes nothing. Redirects aren't followed, and proxies aren't used.
"""

import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http.client import HTTPException, HTTPSConnection
from threading import Timer
from time import monotonic

from api.services.inbox.own_addresses import is_own
from api.services.inbox.public_addresses import is_public
from api.services.inbox.webhook_urls import WebhookTarget

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
        if not addresses or not all(map(self._is_allowed, addresses)):
            raise NotSent(NO_PUBLIC_ADDRESS)
        return addresses


class _CheckedConnection(HTTPSConnection):
    """A connection to one of some addresses, whatever the name says by now."""

    def __init__(self, target: WebhookTarget, addresses: Sequence[str], context: ssl.SSLContext, until: float) -> None:
        super().__init__(target.host, target.port, context=context)
        self._addresses, self._tls, self._until = addresses, context, until

    def connect(self) -> None:
        plain = self._connect_to_any()
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
