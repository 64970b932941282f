"""Which addresses are this machine's own, whatever they are called outside.

A connection to one of them doesn't pass the firewall in front of the machine.
"""

import socket
from ipaddress import ip_address

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
