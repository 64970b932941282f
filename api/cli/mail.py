"""Commands that take mails from a mail server: by LMTP or SMTP, from a maildir, or one on standard input."""

import asyncio
import email
import logging
import mailbox
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from email.message import Message
from pathlib import Path

import click

from api.cli.common.config import (
    CannotAnswer,
    data_option,
    exit_on_store_errors,
    load_config,
    log_file_option,
    start_log,
)
from api.cli.common.stores import require_games
from api.config import Config
from api.container import open_services
from api.mail.incoming.listener import listen as take_mails
from api.mail.incoming.listener import open_socket
from api.mail.incoming.message import MOST_BYTES
from api.mail.incoming.reader import MailOutcome, MailReader
from api.monitoring.logs import setup_logging
from api.server.stop_signals import on_stop_signals_in_loop
from domain.store import StoreUnavailable
from domain.store.sql.database import DATABASE_ERRORS
from projections.storage.rows import RowsUnavailable

LOG = logging.getLogger("trickbook.mail")
NO_DOMAIN = "The server has no domain for mail. Set TRICKBOOK_MAIL_DOMAIN, or name it with --domain."
NO_MAILDIR = "{path} isn't a maildir: it needs the folders new, cur and tmp."
NO_RECIPIENT = "The mail doesn't say to whom it was delivered. Name the address with --recipient."
EXIT_CODES = {
    MailOutcome.TAKEN: os.EX_OK,
    MailOutcome.NO_SUCH_ADDRESS: os.EX_NOUSER,
    MailOutcome.LATER: os.EX_TEMPFAIL,
}
domain_option = click.option("--domain", help="The domain of the server's addresses [TRICKBOOK_MAIL_DOMAIN].")


@click.command("listen")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, for your mail server only.")
@click.option("--port", default=8024, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@click.option("--smtp", is_flag=True, help="Speak SMTP instead of LMTP.")
@domain_option
@data_option
@log_file_option
def listen(host: str, port: int, smtp: bool, domain: str | None, data: Path | None, log_file: Path | None) -> None:
    """Take mails by LMTP until interrupted, behind a mail server that checks them (docs/mail.md)."""
    config = _config(data, domain)
    start_log(config, log_file)
    with _reader(config) as reader:
        try:
            listening = open_socket(host, port)
        except OSError as error:
            raise CannotAnswer(f"Can't listen on {host}:{port}: {error.strerror}") from None
        asyncio.run(_listen(reader, listening, "smtp" if smtp else "lmtp"))
    click.echo("stopped")


async def _listen(reader: MailReader, listening: socket.socket, protocol: str) -> None:
    stop = asyncio.Event()
    on_stop_signals_in_loop(stop.set)
    host, port = listening.getsockname()[:2]
    click.echo(f"listening on {protocol}://{host}:{port}")
    await take_mails(reader, listening, lmtp=protocol == "lmtp", stop=stop)


@click.command("read")
@click.argument("maildir", type=click.Path(path_type=Path, file_okay=False))
@domain_option
@data_option
def read(maildir: Path, domain: str | None, data: Path | None) -> None:
    """Read the new mails of MAILDIR once, and mark them as seen.

    Return-Path must name the sender, and Delivered-To or X-Original-To the recipient, as mail servers write them.
    """
    if not all((maildir / name).is_dir() for name in ("new", "cur", "tmp")):
        raise CannotAnswer(NO_MAILDIR.format(path=maildir))
    config = _config(data, domain)
    setup_logging(config)
    counts = dict.fromkeys(MailOutcome, 0)
    with _reader(config) as reader:
        box = mailbox.Maildir(maildir, create=False)
        for key in sorted(each for each in box.keys() if box.get_message(each).get_subdir() == "new"):  # noqa: SIM118
            outcome = _read_file(reader, box.get_bytes(key))
            counts[outcome] += 1
            if outcome is not MailOutcome.LATER:
                _mark_as_seen(box, key)
    click.echo(", ".join(f"{counts[each]} {name}" for each, name in SHOWN.items()))


SHOWN = {
    MailOutcome.TAKEN: "read",
    MailOutcome.NO_SUCH_ADDRESS: "to no address of this server",
    MailOutcome.LATER: "left for later",
}


def _read_file(reader: MailReader, raw: bytes) -> MailOutcome:
    headers = _headers(raw)
    recipient = _recipient(headers)
    if recipient is None:
        return MailOutcome.NO_SUCH_ADDRESS
    return _read_or_wait(reader, raw, _address(headers["Return-Path"]), recipient)


def _read_or_wait(reader: MailReader, raw: bytes, sender: str, recipient: str) -> MailOutcome:
    """Read a mail; one that meets an error is for later, and doesn't keep the others back."""
    try:
        return reader.read(raw, sender, recipient)
    except (StoreUnavailable, RowsUnavailable, *DATABASE_ERRORS):
        raise  # all mails are for later
    except Exception:
        LOG.exception("reading a mail")
        return MailOutcome.LATER


def _mark_as_seen(box: mailbox.Maildir, key: str) -> None:
    message = box.get_message(key)
    message.set_subdir("cur")
    message.add_flag("S")
    box[key] = message


@click.command("pipe")
@click.option("--sender", required=True, help="The envelope's sender; empty for a mail that came back.")
@click.option("--recipient", help="The envelope's recipient; without it, that of Delivered-To or X-Original-To.")
@domain_option
@data_option
def pipe(sender: str, recipient: str | None, domain: str | None, data: Path | None) -> None:
    """Read one mail from standard input, for a mail server that pipes mails into programs.

    The exit codes are those of sysexits: 0 if the mail is taken, 67 if there is no such address, 75 for another try.
    """
    raw = sys.stdin.buffer.read(MOST_BYTES + 1)
    found = recipient or _recipient(_headers(raw))
    if found is None:
        click.echo(NO_RECIPIENT, err=True)
        sys.exit(os.EX_USAGE)
    try:
        config = _config(data, domain)
        setup_logging(config)
        with _reader(config) as reader:
            outcome = _read_or_wait(reader, raw, sender, found)
    except CannotAnswer as error:
        error.show()
        sys.exit(os.EX_TEMPFAIL)
    click.echo(outcome.value)
    sys.exit(EXIT_CODES[outcome])


def _headers(raw: bytes) -> Message:
    return email.message_from_bytes(raw.split(b"\n\n", 1)[0][:MOST_BYTES])


def _recipient(headers: Message) -> str | None:
    """Return the recipient that the mail server wrote on top."""
    for name in ("X-Original-To", "Delivered-To"):
        if headers[name]:
            return _address(headers[name])
    return None


def _address(text: object) -> str:
    return str(text or "").strip().strip("<>").strip()


def _config(data: Path | None, domain: str | None) -> Config:
    config = load_config(data)
    config = config if domain is None else replace(config, mail_domain=domain.lower())
    if config.mail_domain is None:
        raise CannotAnswer(NO_DOMAIN)
    require_games(config)
    return config


@contextmanager
def _reader(config: Config) -> Iterator[MailReader]:
    with exit_on_store_errors():
        services = open_services(config)
    with exit_on_store_errors(), closing(services):
        services.join_others()
        yield MailReader(services)


commands: list[click.Command] = [listen, read, pipe]
