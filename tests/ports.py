"""Free ports for programs that tests start."""

import socket
from contextlib import suppress
from random import SystemRandom

PORTS = range(10_000, 32_000)
"""Below the ports that Linux gives to clients and to servers that ask for any: nobody takes one in the meantime."""
_given, _draw = set[int](), SystemRandom()


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on, another one at each call."""
    while (port := _draw.choice(PORTS)) in _given or not _is_free(port):
        pass  # the test has a time limit
    _given.add(port)
    return port


def _is_free(port: int) -> bool:
    """Return whether a server could listen on a port."""
    with socket.socket() as probe, suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False
