"""Our mails as messages of ASCII text, with the headers that mail programs and other servers act on."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

SENTINEL = "=== Write your move above this line. ==="
"""The first line of our mails. Only what stands above it in a reply is read."""
UNFOLDED = SMTP.clone(max_line_length=900)
"""Headers in one line each: folding would encode long addresses."""
SENTINEL_WORDS = "=== Write your move above this line"
OURS = "X-Trickbook"
"""A header of our mails, by which the server knows its own."""


@dataclass(frozen=True)
class Letter:
    """A mail to write: who gets it, and what it says; `id` and `thread` name it and the mails of its board.

    `at` is the time in UTC microseconds since 1970.
    """

    sender: str
    address: str
    reply_to: str | None
    subject: str
    body: str
    id: str
    thread: str | None
    at: int
    unsubscribe: tuple[str, ...] = ()
    automatic: str = "auto-generated"
    answers: str | None = None


def message_text(letter: Letter) -> str:
    """Return the message as it goes to the relay."""
    message = EmailMessage(policy=SMTP)
    headers: Mapping[str, str | None] = {
        "From": letter.sender,
        "To": letter.address,
        "Reply-To": letter.reply_to,
        "Subject": letter.subject,
        "Date": format_datetime(datetime.fromtimestamp(letter.at // 1_000_000, UTC)),
        "Message-ID": letter.id,
        "In-Reply-To": letter.answers or letter.thread,
        "References": " ".join(each for each in (letter.thread, letter.answers) if each) or None,
        "Auto-Submitted": letter.automatic,
        "X-Auto-Response-Suppress": "All",
        OURS: "1",
        "List-Unsubscribe": ", ".join(f"<{each}>" for each in letter.unsubscribe) or None,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" if _has_url(letter.unsubscribe) else None,
    }
    for name, value in headers.items():
        if value is not None:
            message[name] = value
    message.set_content(letter.body, cte="quoted-printable")
    return message.as_bytes(policy=UNFOLDED).decode("ascii")


def _has_url(unsubscribe: tuple[str, ...]) -> bool:
    return any(each.startswith("https:") for each in unsubscribe)


def message_id(domain: str, *parts: object) -> str:
    """Return the Message-ID that belongs to these parts, the same at every time.

    Programs show one of two mails with the same id. A part that nobody else knows keeps others from sending it first.
    """
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:32]
    return f"<{digest}@{domain}>"
