"""The text of a mail that counts: the lines above our sentinel, without what a mail program quotes.

A quoted mail holds the cards of its reader. So a comment for the table is at most the lines right below the first one,
up to an empty line or anything that looks like a quotation, and only from plain text that still has the sentinel.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage, MIMEPart
from html.parser import HTMLParser

from api.mail.outgoing.messages import SENTINEL_WORDS

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
