"""A hostile name server, which glibc asks: `python -m tests.inbox.hostile_names` in a network of its own.

Prints as JSON which addresses each name has, why nothing was sent there, and who connected to this machine: first with
the server's own rules, then, as a control, without them.
"""

import fcntl
import json
import socket
import struct
import sys
import threading
from contextlib import closing
from ipaddress import ip_address

from api.services.inbox.guarded_post import GuardedPoster, NotSent, resolve_host
from api.services.inbox.webhook_urls import parse_url
from tests.inbox.receivers import Trap, open_trap

NAME_SERVER = "127.0.0.53"
OWN_ADDRESS = "1.1.1.1"
"""A public address that the network gives to this machine."""
A, CNAME, AAAA = 1, 5, 28
ZONE = {
    "loop": [(A, "127.0.0.1")],
    "chain": [(CNAME, "a.evil.net"), (CNAME, "b.evil.net"), (A, "127.0.0.1")],
    "chain6": [(CNAME, "c.evil.net"), (AAAA, "::1")],
    "metadata": [(A, "169.254.169.254")],
    "mapped": [(AAAA, "::ffff:127.0.0.1")],
    "sixtofour": [(AAAA, "2002:7f00:1::1")],
    "nat64": [(AAAA, "64:ff9b::7f00:1")],
    "link": [(AAAA, "fe80::1")],
    "any": [(A, "0.0.0.0")],
    "both": [(A, "8.8.8.8"), (A, "127.0.0.1")],
    "own": [(A, OWN_ADDRESS)],
    "rebinding": [],
    "hanging": [],
    "nothing": [],
}  # fmt: skip
"""The records of `<name>.evil.net`: a chain of names, then an address."""


SET_FLAGS, SET_ADDRESS = 0x8914, 0x8916
"""Requests of Linux's ioctl for network interfaces."""
UP_AND_RUNNING = 0x41


def set_up_network() -> None:
    """Switch the loopback interface on, and give this machine its public address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as interfaces:
        fcntl.ioctl(interfaces, SET_FLAGS, struct.pack("16sh14x", b"lo", UP_AND_RUNNING))
        address = socket.inet_aton(OWN_ADDRESS)
        fcntl.ioctl(interfaces, SET_ADDRESS, struct.pack("16sH2x4s8x", b"lo:1", socket.AF_INET, address))


class NameServer:
    """Answers from the zone, with no time to live; `rebinding` has another address at every question."""

    def __init__(self) -> None:
        self.rebound = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((NAME_SERVER, 53))
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            question, peer = self._socket.recvfrom(4096)
            answer = self._answer(question)
            if answer is not None:
                self._socket.sendto(answer, peer)

    def _answer(self, question: bytes) -> bytes | None:
        labels, at = list[str](), 12
        while question[at]:
            labels.append(question[at + 1 : at + 1 + question[at]].decode())
            at += question[at] + 1
        (kind,) = struct.unpack(">H", question[at + 1 : at + 3])
        if labels[0] == "hanging":
            return None
        records = self._records(".".join(labels).lower(), kind)
        head = question[:2] + b"\x81\x80" + struct.pack(">HHHH", 1, len(records), 0, 0)
        return head + question[12 : at + 5] + b"".join(records)

    def _records(self, name: str, kind: int) -> list[bytes]:
        found = ZONE.get(name.partition(".")[0], [])
        if name.startswith("rebinding.") and kind == A:
            self.rebound += 1
            found = [(A, "8.8.4.4" if self.rebound % 2 else "127.0.0.1")]
        records, owner = list[bytes](), name
        for record, value in found:
            if record == CNAME:
                records.append(_record(owner, record, _encode(value)))
                owner = value
            elif record == kind:
                records.append(_record(owner, record, ip_address(value).packed))
        return records


def _record(owner: str, kind: int, data: bytes) -> bytes:
    return _encode(owner) + struct.pack(">HHIH", kind, 1, 0, len(data)) + data


def _encode(name: str) -> bytes:
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def attack(poster: GuardedPoster, trap: Trap, name: str) -> str:
    """Send to a name, and return why that failed."""
    try:
        poster.post(parse_url(f"https://{name}.evil.net:{trap.port}/"), b"{}", {})
    except NotSent as error:
        return str(error)
    return "sent"


def addresses_of(name: str) -> list[str]:
    """Return the addresses that glibc finds."""
    try:
        return resolve_host(f"{name}.evil.net", 443)
    except OSError:
        return []


def main() -> None:
    """Attack with each name, and print what happened."""
    set_up_network()
    NameServer()
    fixed = [name for name in ZONE if name not in ("hanging", "rebinding")]
    with open_trap("0.0.0.0", "::") as trap:
        with closing(GuardedPoster()) as poster:
            reasons = {name: attack(poster, trap, name) for name in fixed}
            reasons["hanging"] = attack(poster, trap, "hanging")
            rebinding = [attack(poster, trap, "rebinding") for _ in range(4)]
        visitors = list(trap.visitors)
        with closing(GuardedPoster(is_allowed=lambda _: True)) as unguarded:
            for name in ("chain", "mapped", "own"):
                attack(unguarded, trap, name)
        json.dump({"addresses": {name: addresses_of(name) for name in fixed}, "reasons": reasons,
                   "rebinding": rebinding, "visitors": visitors, "control": trap.visitors}, sys.stdout)  # fmt: skip


if __name__ == "__main__":
    main()
