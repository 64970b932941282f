"""Takes mails by LMTP or SMTP, behind a mail server that faces the network."""

import asyncio
import logging
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from api.mail.incoming.message import MOST_BYTES
from api.mail.incoming.reader import MailOutcome, MailReader

T = TypeVar("T")
LOG = logging.getLogger("trickbook.mail")
THREADS = 4
TAKEN, NO_SUCH_ADDRESS = "250 2.0.0 OK", "550 5.1.1 There is no such address"
LATER, ONE_AT_A_TIME = "451 4.3.0 Try again later", "452 4.5.3 One recipient at a time"
REPLIES = {
    MailOutcome.TAKEN: TAKEN,
    MailOutcome.NO_SUCH_ADDRESS: NO_SUCH_ADDRESS,
    MailOutcome.LATER: LATER,
}


class MailHandler:
    """The handler that aiosmtpd calls. Reading is done in threads, so that one mail doesn't keep others waiting."""

    def __init__(self, reader: MailReader) -> None:
        self._reader = reader
        self.threads = ThreadPoolExecutor(THREADS, "mail")

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient whose signature holds; others don't exist."""
        if envelope.rcpt_tos:
            return ONE_AT_A_TIME
        try:
            taken = await self._run(partial(self._reader.takes, address))
        except Exception:  # the store doesn't answer; the mail server tries again
            LOG.exception("checking a recipient")
            return LATER
        if not taken:
            return NO_SUCH_ADDRESS
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return TAKEN

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Read a mail."""
        content, sender = envelope.content, envelope.mail_from or ""
        raw = content if isinstance(content, bytes) else (content or "").encode()
        try:
            outcome: MailOutcome = await self._run(partial(self._reader.read, raw, sender, envelope.rcpt_tos[0]))
        except Exception:  # the mail server keeps the mail and tries again
            LOG.exception("reading a mail")
            return LATER
        return REPLIES[outcome]

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)


def open_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise OSError if the address isn't available."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(100)
    except BaseException:
        listening.close()
        raise
    return listening


async def listen(reader: MailReader, listening: socket.socket, *, lmtp: bool, stop: asyncio.Event) -> None:
    """Take mails on a socket until `stop` is set."""
    handler, loop = MailHandler(reader), asyncio.get_running_loop()
    protocol = LMTP if lmtp else SMTP

    def make() -> SMTP:
        return protocol(
            handler, data_size_limit=MOST_BYTES, enable_SMTPUTF8=False, hostname=reader.addresses.domain, ident="mail",
            loop=loop, timeout=60,
        )  # fmt: skip

    server = await loop.create_server(make, sock=listening)
    try:
        await stop.wait()
    finally:
        server.close()
        await server.wait_closed()
        handler.threads.shutdown()
