"""Receivers of webhooks on this machine: one that speaks TLS and HTTP, and one that only notes who connects."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from api.inbox.services.guarded_post import TIMEOUT_S, GuardedPoster
from tests.http_server import body_of, http_server, send

HOST = "receiver.cards.net"
"""The name in the certificate of receivers."""


@dataclass
class Received:
    """A message that a receiver got; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A TLS server for `HOST`. It answers with the next of `answers`, then with 204."""

    port: int
    context: ssl.SSLContext
    """Trusts the receiver's certificate."""
    messages: list[Received] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    location: str | None = None
    on_message: Callable[[], object] = lambda: None
    """Called with each message, before the answer."""

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}/inbox?x=1"


@contextmanager
def open_receiver(folder: Path) -> Iterator[Receiver]:
    """Run a receiver on a free port of 127.0.0.1."""
    key_file = _make_certificate(folder)
    receiver = Receiver(0, ssl.create_default_context(cafile=key_file))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(key_file)
    with http_server(lambda request: _receive(receiver, request), tls) as receiver.port:
        yield receiver


def guarded_poster(
    context: ssl.SSLContext | None = None, threads: int = 4, timeout_s: float = TIMEOUT_S
) -> GuardedPoster:
    """Return a poster for which every host is on this machine."""
    return GuardedPoster(threads, lambda *_: ["127.0.0.1"], lambda _: True, context, timeout_s)


def _receive(receiver: Receiver, request: BaseHTTPRequestHandler) -> None:
    headers = {name.lower(): value for name, value in request.headers.items()}
    receiver.messages.append(Received(request.path, headers, body_of(request)))
    receiver.on_message()
    status = receiver.answers.pop(0) if receiver.answers else 204
    send(request, b"", status, {} if receiver.location is None else {"Location": receiver.location})


def _make_certificate(folder: Path) -> Path:
    """Write a key and its own certificate for `HOST` into one file, and return its path."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, SHA256())
    )
    path = folder / "receiver.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return path


@dataclass
class Trap:
    """A port on addresses of this machine; `visitors` are the addresses of all that connected."""

    port: int
    visitors: list[str] = field(default_factory=list)


@contextmanager
def open_trap(*addresses: str) -> Iterator[Trap]:
    """Listen at one free port on all of these addresses, as far as the machine has them."""
    trap, sockets = Trap(0), list[socket.socket]()
    for address in addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        with suppress(OSError):
            listener.bind((address, trap.port))
            listener.listen()
            trap.port = listener.getsockname()[1]
            sockets.append(listener)
            threading.Thread(target=_note_visitors, args=(listener, trap), daemon=True).start()
    try:
        yield trap
    finally:
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def _note_visitors(listener: socket.socket, trap: Trap) -> None:
    with suppress(OSError):
        while True:
            connection, address = listener.accept()
            trap.visitors.append(str(address[0]))
            connection.close()
