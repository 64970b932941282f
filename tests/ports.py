"""Free ports for programs that tests start and that can't choose a port themselves."""

import socket
from contextlib import closing
from itertools import count

PORTS = range(10_000, 32_000)
"""Below the ports that Linux gives to clients and to servers that ask for any: nobody takes one in the meantime."""
_claims = list[socket.socket]()
_next = count()


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on, another one at each call and in each process of the tests.

    This process binds the port's number for UDP until it ends, which claims it among all test processes. A program
    that listens on TCP doesn't notice.
    """
    while True:
        port, claim = PORTS[next(_next) % len(PORTS)], socket.socket(type=socket.SOCK_DGRAM)
        if _binds(claim, port):
            with closing(socket.socket()) as probe:
                if _binds(probe, port):
                    _claims.append(claim)
                    return port
        claim.close()


def _binds(this: socket.socket, port: int) -> bool:
    """Bind a socket, and return whether that was possible."""
    try:
        this.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True
