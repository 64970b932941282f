"""Reads the bytes of a mail: its headers within limits, and the refusal of what can be read in two ways.

Only the headers that the server reads are limited. The others, such as signatures, are never parsed.

DKIM still verifies if somebody puts a second Subject on top, and an encoded subject may decode to two lines. So a mail
with two of a header, or with control characters after decoding, is refused as a whole.

The text that counts are the lines above our sentinel, without what a mail program quotes: a quoted mail holds the cards
of its reader. So a comment for the table is at most the lines right below the first one, up to an empty line or
anything that looks like a quotation, and only from plain text that still has the sentinel.
"""

import codecs
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from html.parser import HTMLParser
from itertools import count
from typing import Any

from api.mail.outgoing.messages import OURS, SENTINEL_WORDS

MOST_LINES = 2000
MOST_CHARACTERS, MOST_TAGS = 65536, 2000
"""How much of a text, and how many tags of HTML, are read: tags without an end take Python's parser minutes."""
CODECS = re.compile(
    r"ascii|utf-(?:8|16|32)(?:-[bl]e)?|iso8859-\d+|cp125\d|cp(?:437|85\d|866|874|932|949|950)|koi8-[rtu]"
    r"|gb2312|gbk|gb18030|hz|big5|big5hkscs|euc_(?:jp|kr)|johab|shift_jis|iso2022_(?:jp|kr)\w{0,7}|mac-roman|tis-620"
)
"""The codecs, as Python names them, of charsets that mail programs write. Punycode takes seconds for a long text."""
INVISIBLE = dict.fromkeys(map(ord, "\u200b\ufeff"))
"""Characters that nobody sees: a space without width, and the mark with which some programs begin a text (BOM)."""
QUOTED = re.compile(r"\s{0,99}[>|]")
RULES = ("--", "__", "==", "**")
MARKS = ("play+", "@", "=== ")
FIELD = re.compile(r"[^:]{0,20}:\s")
"""Lines that begin a signature, a quotation or its headers, in whatever language."""
BLOCKS = frozenset(("p", "div", "br", "tr", "li", "table", "h1", "h2", "h3", "hr", "pre", "ul", "ol"))
QUOTING_TAGS = frozenset(("blockquote", "hr"))
QUOTING_MARKS = ("gmail_quote", "moz-cite-prefix", "divrplyfwdmsg", "yahoo_quoted", "protonmail_quote", "appendonsend")
HIDDEN_TAGS = frozenset(("style", "script", "head", "title"))


@dataclass(frozen=True)
class BodyText:
    """The first line of a mail, if it's one of its writer, and the lines right below it.

    Without `has_sentinel` nothing may be passed on to others. Without `starts_comment` the first line may belong to a
    signature or a quotation, as the lines below it then do.
    """

    first: str | None
    below: tuple[str, ...]
    has_sentinel: bool
    starts_comment: bool = False

    @property
    def comment(self) -> tuple[str, ...]:
        """The lines below the first one that may be passed on."""
        return self.below if self.has_sentinel else ()

    @property
    def whole_comment(self) -> tuple[str, ...]:
        """The lines that may be passed on if the subject holds the command."""
        if self.first is None or not self.starts_comment or not self.has_sentinel:
            return ()
        return (self.first, *self.below)


def read_body(message: EmailMessage) -> BodyText:
    """Return the text of a message: its plain text, or without any its HTML, from which nothing is passed on."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return BodyText(None, (), has_sentinel=False)
    text = decode_part(part)[:MOST_CHARACTERS]
    if part.get_content_subtype() == "html":
        found = read_lines(html_lines(text))
        return BodyText(found.first, found.below, has_sentinel=False)
    return read_lines(text.splitlines())


def decode_part(part: MIMEPart) -> str:
    """Return the text of a part; what its charset can't say is replaced. A charset that mails don't use is UTF-8."""
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    try:
        codec = codecs.lookup(part.get_content_charset("utf-8")).name
    except (LookupError, ValueError):
        codec = "utf-8"
    return data.decode(codec if CODECS.fullmatch(codec) else "utf-8", "replace")


def read_lines(lines: Sequence[str]) -> BodyText:
    """Return the first line and those right below it, above the sentinel."""
    cleaned = [line.replace("\xa0", " ").translate(INVISIBLE).strip() for line in lines[:MOST_LINES]]
    at = next((number for number, line in enumerate(cleaned) if SENTINEL_WORDS in line), None)
    above = cleaned if at is None else cleaned[:at]
    start = next((number for number, line in enumerate(above) if line), None)
    if start is None or QUOTED.match(above[start]):
        return BodyText(None, (), has_sentinel=at is not None)
    below = []
    for line in above[start + 1 :]:
        if not line or QUOTED.match(line) or _ends_comment(line):
            break
        below.append(line)
    starts_comment = not _ends_comment(above[start])
    return BodyText(above[start], tuple(below), has_sentinel=at is not None, starts_comment=starts_comment)


def _ends_comment(line: str) -> bool:
    """Tell whether a line may belong to a signature, a header or a quotation, and so isn't the writer's comment."""
    looks_like_header = line.endswith(":") or FIELD.match(line) is not None
    return line.startswith(RULES) or looks_like_header or any(mark in line.lower() for mark in MARKS)


def html_lines(text: str) -> list[str]:
    """Return the lines of an HTML text, up to what it quotes, or to the limits of what is read."""
    parser = _Lines()
    parser.feed("<".join(text.split("<", MOST_TAGS)[:MOST_TAGS]))
    parser.close()
    return "".join(parser.parts).split("\n")


class _Lines(HTMLParser):
    """Collects text until the first quotation."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0
        self._ended = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a new line at a block; end at a quotation."""
        marks = " ".join(value or "" for name, value in attrs if name in ("class", "id")).lower()
        if tag in QUOTING_TAGS or any(mark in marks for mark in QUOTING_MARKS):
            self._ended = True
        if tag in HIDDEN_TAGS:
            self._hidden += 1
        if tag in BLOCKS:
            self._add("\n")

    def handle_endtag(self, tag: str) -> None:
        """End the line of a block."""
        if tag in HIDDEN_TAGS:
            self._hidden = max(0, self._hidden - 1)
        if tag in BLOCKS:
            self._add("\n")

    def handle_data(self, data: str) -> None:
        """Add text; line breaks in it are spaces."""
        if not self._hidden:
            self._add(" ".join(data.split("\n")))

    def _add(self, text: str) -> None:
        if not self._ended:
            self.parts.append(text)


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
SINGLE = (
    *("From", "To", "Subject", "Date", "Sender", "Reply-To", "Message-ID", "Content-Type", "Content-Transfer-Encoding"),
)
"""Headers that a mail has at most once."""
AUTOMATIC = frozenset(("list-id", "list-post", "x-autoreply", "x-autorespond", OURS.lower()))
"""Headers that only programs write. They may be long: they aren't parsed."""
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
    numbers = count()

    def new_part(**options: Any) -> EmailMessage:
        """Count parts as they come: an empty line begins one in a report. The parser makes one more as a trial."""
        if next(numbers) > MOST_PARTS:
            raise UnusableMail(TOO_MANY_PARTS)
        return EmailMessage(**options)

    try:
        return message_from_bytes(raw, new_part, policy=policy.default)
    except UnusableMail:
        raise
    except Exception as error:  # the package has many errors of its own for broken mails
        raise UnusableMail("Your mail can't be read.") from error


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
    # with the sender: somebody else's mail with the same id, which a copy tells, is another one
    key = hashlib.sha256(b"\0".join([recipient.lower().encode(), sender.encode(), named])).hexdigest()[:40]
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
    submitted = [str(text).split(";")[0].strip().lower() for text in message.get_all("Auto-Submitted", ())]
    precedences = [str(text).strip().lower() for text in message.get_all("Precedence", ())]
    return (
        envelope_sender in ("", "<>")
        or any(text != "no" for text in submitted)
        or any(text in BULK for text in precedences)
        or any(name.lower() in AUTOMATIC for name in message.keys())  # noqa: SIM118
        or sender.partition("@")[0] in DAEMONS
    )


def _has_control(text: str) -> bool:
    return any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text)
