"""Reads the bytes of a mail: its headers within limits, and the refusal of what can be read in two ways.

Only the headers that the server reads are limited. The others, such as signatures, are never parsed.

DKIM still verifies if somebody puts a second Subject on top, and an encoded subject may decode to two lines. So a mail
with two of a header, or with control characters after decoding, is refused as a whole.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from api.mail.incoming.body_text import BodyText, read_body
from api.mail.outgoing.messages import OURS

MOST_PARTS = 20
MOST_HEADER_BYTES = 2000
MOST_DASHES = 200
"""The most lines that begin like a boundary between parts."""
READ = (
    rb"from|subject|message-id|auto-submitted|precedence|list-id|list-post|authentication-results"
    rb"|content-[a-z-]{1,30}|mime-version"
)
HEADER = re.compile(rb"(?:^|[\r\n])(" + READ + rb")[ \t]*:((?:[^\r\n]|\r?\n[ \t]|\r[ \t])*+)", re.IGNORECASE)
"""A header that is read, in the mail or one of its parts, with its further lines. A bare CR ends a line, too."""
TOO_MANY_PARTS = f"Your mail has more than {MOST_PARTS} parts. Send the text alone."
TOO_LONG = "The header {name} of your mail is too long. Send a plain mail."


def fault_of_headers(raw: bytes) -> str | None:
    """Return what is wrong with the size or the number of a mail's headers, for its writer."""
    if raw.count(b"\n--") + raw.count(b"\r--") > MOST_DASHES:  # a part of multipart/digest needs no header
        return TOO_MANY_PARTS
    parts = 0
    for found in HEADER.finditer(raw):
        parts += found[1].lower() == b"content-type"
        if parts > MOST_PARTS:
            return TOO_MANY_PARTS
        if len(found[2]) > MOST_HEADER_BYTES:
            return TOO_LONG.format(name=found[1].decode("ascii").title())
    return None


MOST_BYTES = 256 * 1024
SINGLE = ("From", "To", "Subject", "Date", "Sender", "Reply-To", "Message-ID")
"""Headers that a mail has at most once."""
AUTOMATIC = ("List-Id", "List-Post", "X-Autoreply", "X-Autorespond", OURS)
"""Headers that only programs write."""
BULK = ("bulk", "list", "junk", "auto_reply")
DAEMONS = ("mailer-daemon", "postmaster", "noreply", "no-reply")


class UnusableMail(ValueError):
    """The mail can't be read in one way alone; the message says why and what to do."""


@dataclass(frozen=True)
class IncomingMail:
    """A mail: `sender` is the address of From in lower case, and `id` its Message-ID, if it has a sound one.

    `key` is the same for each delivery of the mail.
    """

    sender: str
    subject: str
    body: BodyText
    id: str | None
    key: str
    is_automatic: bool
    results: tuple[str, ...]
    """The Authentication-Results as they came, the newest first: decoded words could look like results."""


def parse_message(raw: bytes) -> EmailMessage:
    """Return a message within the limits of size and parts. Raise UnusableMail."""
    if len(raw) > MOST_BYTES:
        raise UnusableMail(f"Your mail is larger than {MOST_BYTES // 1024} KiB. Send the text alone.")
    fault = fault_of_headers(raw)
    if fault is not None:
        raise UnusableMail(fault)
    try:
        message = message_from_bytes(raw, EmailMessage, policy=policy.default)
        parts = sum(1 for _ in message.walk())
    except Exception as error:  # the package has many errors of its own for broken mails
        raise UnusableMail("Your mail can't be read.") from error
    if parts > MOST_PARTS:
        raise UnusableMail(TOO_MANY_PARTS)
    return message


def read_mail(raw: bytes, envelope_sender: str, recipient: str) -> IncomingMail:
    """Return a mail that can be read in one way alone. Raise UnusableMail."""
    message = parse_message(raw)
    try:
        return _read(message, raw, envelope_sender, recipient)
    except UnusableMail:
        raise
    except Exception as error:  # as above
        raise UnusableMail("Your mail can't be read.") from error


def _read(message: EmailMessage, raw: bytes, envelope_sender: str, recipient: str) -> IncomingMail:
    names = Counter(name.lower() for name in message.keys())  # noqa: SIM118
    for name in SINGLE:
        if names[name.lower()] > 1:
            raise UnusableMail(f"Your mail has two headers {name}. Send it again with one.")
    sender, subject = _sender(message), str(message["Subject"] or "")
    if _has_control(subject) or _has_control(str(message["From"])):
        raise UnusableMail("A header of your mail has control characters. Write the subject as one line of text.")
    identity = _identity(message)
    named = (identity or "").encode() or raw
    key = hashlib.sha256(recipient.lower().encode() + b"\0" + named).hexdigest()[:40]
    results = tuple(str(text) for name, text in message.raw_items() if name.lower() == "authentication-results")
    is_automatic = _is_automatic(message, sender, envelope_sender)
    return IncomingMail(sender, subject, read_body(message), identity, key, is_automatic, results)


def _sender(message: EmailMessage) -> str:
    """Return the one address of From. Raise UnusableMail."""
    header = message["From"]
    addresses: Sequence[Any] = () if header is None else header.addresses
    if len(addresses) != 1 or not addresses[0].username or not addresses[0].domain:
        raise UnusableMail("The From of your mail isn't one address.")
    address = str(addresses[0].addr_spec).lower()
    if not address.isascii() or _has_control(address) or " " in address:
        raise UnusableMail("The From of your mail isn't an address of ASCII letters.")
    return address


def _identity(message: EmailMessage) -> str | None:
    """Return the Message-ID if it can stand in a header of ours, where an encoded word (`=?`) would be decoded."""
    text = str(message["Message-ID"] or "").strip()
    sound = text.isascii() and text.startswith("<") and text.endswith(">") and len(text) <= 200 and "=?" not in text
    return text if sound and not any(char.isspace() for char in text) and not _has_control(text) else None


def _is_automatic(message: EmailMessage, sender: str, envelope_sender: str) -> bool:
    """Return whether a program wrote the mail: it's never answered (RFC 3834)."""
    submitted = str(message["Auto-Submitted"] or "no").split(";")[0].strip().lower()
    precedence = str(message["Precedence"] or "").strip().lower()
    return (
        envelope_sender in ("", "<>")
        or submitted != "no"
        or precedence in BULK
        or any(message[name] is not None for name in AUTOMATIC)
        or sender.partition("@")[0] in DAEMONS
    )


def _has_control(text: str) -> bool:
    return any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text)
