"""A server that plays by mail: a relay that keeps its mails, an LMTP server that takes replies, and people."""

import asyncio
import re
import smtplib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask

from api.app import create_app
from api.container import Services
from api.mail.incoming.listener import listen, open_socket
from api.mail.incoming.reader import MailReader
from api.mail.outgoing.sender import Mailer
from domain.store.sql.database import Database as AccountsDatabase
from tests.api.conftest import Caller, config_for, services_of
from tests.conftest import Database
from tests.plugins.chance import seeded_randomness
from tests.ports import free_port

DOMAIN = "cards.example.org"
AUTHSERV = "mx.example.org"
NAMES = ("ann", "bob", "cat", "dan")
LOST = "250 and the connection ends before the answer"


@dataclass
class Relay:
    """Keeps the mails that the server sends, in order, calls `on_mail`, and answers with `answer`; LOST hangs up."""

    port: int = 0
    mails: list[tuple[str, EmailMessage]] = field(default_factory=list)
    answer: str = "250 OK"
    on_mail: Callable[[], object] = object
    refused: frozenset[str] = frozenset()

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Refuse the addresses that don't exist."""
        if address in self.refused:
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Keep a mail."""
        self.on_mail()
        if self.answer == LOST:
            assert isinstance(server.transport, asyncio.WriteTransport)
            server.transport.abort()
        if self.answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            mail = message_from_bytes(content, EmailMessage, policy=policy.default)
            mail["X-Envelope-From"] = envelope.mail_from
            self.mails.append((envelope.rcpt_tos[0], mail))
        return self.answer

    @property
    def url(self) -> str:
        """The URL for the server's settings."""
        return f"smtp://127.0.0.1:{self.port}"


@contextmanager
def open_relay() -> Iterator[Relay]:
    """Open a relay on a free port of loopback."""
    relay = Relay(free_port())
    controller = Controller(relay, hostname="127.0.0.1", port=relay.port)
    controller.start()
    yield relay
    controller.stop()


@dataclass
class Person:
    """A player with a mailbox."""

    name: str
    caller: Caller
    id: str
    address: str


@dataclass
class PostOffice:
    """The server, its relay, and its players by name."""

    app: Flask
    relay: Relay
    people: dict[str, Person] = field(default_factory=dict)
    port: int = 0

    @property
    def services(self) -> Services:
        return services_of(self.app)

    @property
    def reader(self) -> MailReader:
        return MailReader(self.services)

    def __getitem__(self, name: str) -> Person:
        """Return a person, and register them with a confirmed address the first time."""
        if name not in self.people:
            self.register(name)
        return self.people[name]

    def register(self, name: str) -> None:
        """Register a person with a confirmed address."""
        with seeded_randomness(name):
            caller = Caller(self.app.test_client()).join(name)
        user = self.services.accounts.users.by_name(name)
        assert user is not None
        person = Person(name, caller, user.id, f"{name}@example.net")
        self.people[name] = person
        self.confirm(person, person.address)

    def confirm(self, person: Person, address: str) -> None:
        """Give a person a confirmed address."""
        emails, database = self.services.accounts.emails, self.services.accounts.database
        emails.ask(person.id, address)
        code = newest_code(database)
        database.run("DELETE FROM deliveries WHERE queue = 'account-mails'")
        assert emails.confirm(person.id, code) == address
        person.address = address

    def challenge(self, names: Sequence[str], variant: str = "pitch", **more: Any) -> int:
        """Open a game of these players, and return its board."""
        self.send_all()  # the server begins with the log's end
        people = [self[name] for name in names if not name.startswith("bot:")]
        made = people[0].caller.post("/games", {"variant": variant, "seats": list(names), **more})
        assert made.status_code == 201, made.text
        board: int = made.get_json()["view"]["board"]
        return board

    def send_all(self) -> int:
        """Let the worker send what is due."""
        return Mailer(self.services).run_once()

    def mails_to(self, name: str) -> list[EmailMessage]:
        """Return the mails to a person, in order."""
        return [mail for to, mail in self.relay.mails if to == self[name].address]

    def deliver(self, mail: EmailMessage, recipient: str, sender: str) -> str:
        """Hand a mail to the server by LMTP; return its answer."""
        try:
            with smtplib.LMTP("127.0.0.1", self.port) as client:
                client.sendmail(sender, [recipient], mail.as_bytes(policy=policy.SMTP))
        except smtplib.SMTPRecipientsRefused as error:
            code, words = error.recipients[recipient]
            return f"{code} {words.decode()}"
        except smtplib.SMTPResponseException as error:
            return f"{error.smtp_code} {error.smtp_error!r}"
        return "250"

    def reply(self, name: str, text: str, to: EmailMessage | None = None, **headers: str) -> str:
        """Reply to a person's newest mail, or another one, by LMTP; return the answer."""
        answered = to or self.mails_to(name)[-1]
        mail = reply_to(answered, self[name].address, text)
        for header, value in headers.items():
            mail[header.replace("_", "-")] = value
        return self.deliver(mail, str(answered["Reply-To"]), self[name].address)


def newest_code(accounts: AccountsDatabase) -> str:
    """Return the code in the newest mail that waits."""
    [(body,)] = accounts.run("SELECT body FROM mails ORDER BY number DESC LIMIT 1")
    return str(re.findall(r"\b[0-9]{8}\b", str(body))[0])


_numbers = iter(range(1, 10**9))


def reply_to(answered: EmailMessage, sender: str, text: str) -> EmailMessage:
    """Return a reply that quotes the mail below the text, as most mail programs do."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, str(answered["Reply-To"]), f"Re: {answered['Subject']}"
    mail["Message-ID"], mail["In-Reply-To"] = f"<{next(_numbers)}@example.net>", str(answered["Message-ID"])
    quoted = "\n".join(f"> {line}".rstrip() for line in answered.get_content().splitlines())
    mail.set_content(f"{text}\n\nOn Mon, 3 Nov 2026, trickbook <{answered['Reply-To']}> wrote:\n{quoted}\n")
    return mail


@contextmanager
def open_office(database: Database, relay: Relay, **settings: Any) -> Iterator[PostOffice]:
    """Open a server that sends to the relay and listens for LMTP in a thread."""
    given: dict[str, Any] = {
        "smtp_url": relay.url,
        "mail_domain": DOMAIN,
        "mail_authserv": AUTHSERV,
        "mail_delay_s": 0,
        "seating": "at-once",
    } | settings
    app = create_app(replace(config_for(database), **given))
    try:
        with listening(app) as port:
            yield PostOffice(app, relay, port=port)
    finally:
        services_of(app).close()


@contextmanager
def listening(app: Flask) -> Iterator[int]:
    """Take mails by LMTP on a free port, in a thread."""
    bound = open_socket("127.0.0.1", 0)
    port: int = bound.getsockname()[1]
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    reader = MailReader(services_of(app))
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(listen(reader, bound, lmtp=True, stop=stop)), daemon=True
    )
    thread.start()
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
