"""The way out: the mail server that the settings name, which takes all mail of this server.

`smtps://` encrypts from the start, and `smtp://` by STARTTLS except to this machine.
"""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from functools import cache
from socket import SHUT_RDWR
from threading import Timer
from urllib.parse import SplitResult, unquote

TIMEOUT_S = 10.0
"""How long the relay may be silent."""
MOST_S = 18.0
"""How long it may take over the log-in, and over a message, at any pace.

Together with the greeting that's less than the time after which another process may send the message.
"""
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
"""Hosts to which mail may go without encryption."""
SMTP_PORT, SMTPS_PORT = 587, 465


class Delivery(Enum):
    """The outcome of a message."""

    YES = "sent"
    LATER = "refused for now, or nobody answered"
    NO_SUCH_ADDRESS = "the relay refuses the recipient"
    REFUSED = "the relay refuses the message"
    UNKNOWN = "the connection ended before the relay's answer"


def send(url: SplitResult, message: str, sender: str, recipient: str) -> tuple[Delivery, str]:
    """Hand a message of ASCII text to the relay; return what became of it, and the relay's words."""
    try:
        server = connect(url)
    except (OSError, smtplib.SMTPException) as error:
        return Delivery.LATER, type(error).__name__
    try:
        with _cut_off(server):
            server.sendmail(sender, [recipient], message.encode("ascii"))
    except smtplib.SMTPRecipientsRefused as error:
        code, words = error.recipients[recipient]
        return (Delivery.NO_SUCH_ADDRESS if code >= 500 else Delivery.LATER), _words(code, words)
    except smtplib.SMTPResponseException as error:
        return (Delivery.REFUSED if error.smtp_code >= 500 else Delivery.LATER), _words(
            error.smtp_code, error.smtp_error
        )
    except (OSError, smtplib.SMTPException) as error:
        return Delivery.UNKNOWN, type(error).__name__
    finally:
        server.close()
    return Delivery.YES, ""


@contextmanager
def _cut_off(server: smtplib.SMTP) -> Iterator[None]:
    """Break the connection if the block takes too long."""
    watch = Timer(MOST_S, _hang_up, (server,))
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _hang_up(server: smtplib.SMTP) -> None:
    """Break a connection, whatever it waits for."""
    with suppress(OSError):
        if server.sock is not None:
            server.sock.shutdown(SHUT_RDWR)


def _words(code: int, text: bytes | str) -> str:
    """Return an answer of the relay as one line of ASCII."""
    words = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    return " ".join(f"{code} {words}".split())[:200]


@cache
def _certificates() -> ssl.SSLContext:
    """Return the context for encrypted connections. Reading the machine's certificates takes a while, so once."""
    return ssl.create_default_context()


def connect(url: SplitResult) -> smtplib.SMTP:
    """Return a connection that is encrypted, and logged in if the URL has a user."""
    host = url.hostname or ""
    server = (
        smtplib.SMTP_SSL(host, url.port or SMTPS_PORT, timeout=TIMEOUT_S, context=_certificates())
        if url.scheme == "smtps"
        else smtplib.SMTP(host, url.port or SMTP_PORT, timeout=TIMEOUT_S)
    )
    try:
        with _cut_off(server):
            if url.scheme == "smtp" and host not in LOOPBACK:
                server.starttls(context=_certificates())
            if url.username:
                server.login(unquote(url.username), unquote(url.password or ""))
    except BaseException:
        server.close()
        raise
    return server
