"""Replies in the manner of mail programs: where they put the text, how they quote, and how they encode."""

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from html import escape

WROTE = "On Mon, 3 Nov 2026 at 10:00, trickbook <{to}> wrote:"


def quoted(original: str) -> str:
    """Return a text with > before each line."""
    return "\n".join(f"> {line}".rstrip() for line in original.splitlines())


def gmail(text: str, original: str, to: str) -> str:
    """Return text on top, a wrapped attribution and a quotation."""
    return f"{text}\n\n{WROTE.format(to=to)[:40]}\n{WROTE.format(to=to)[40:]}\n\n{quoted(original)}\n"


def outlook(text: str, original: str, to: str) -> str:
    """Return text on top, a rule, headers and the original without marks."""
    head = f"From: trickbook <{to}>\nSent: Monday, November 3, 2026 10:00 AM\nTo: Ann\nSubject: Board 1, gamerz Pitch"
    return f"{text}\n\n________________________________\n{head}\n\n{original}\n"


def old_outlook(text: str, original: str, to: str) -> str:
    """Return text on top and the line of old versions."""
    return f"{text}\n\n-----Original Message-----\nFrom: {to}\nSubject: Board 1\n\n{original}\n"


def apple(text: str, original: str, to: str) -> str:
    """Return text, a signature of a telephone, and a quotation."""
    return (
        f"{text}\n\nSent from my iPhone\n\n> On 3 Nov 2026, at 10:00, trickbook <{to}> wrote:\n> \n{quoted(original)}\n"
    )


def thunderbird_bottom(text: str, original: str, to: str) -> str:
    """Return the text below the quotation."""
    return f"{WROTE.format(to=to)}\n{quoted(original)}\n\n{text}\n"


def mutt_inline(text: str, original: str, to: str) -> str:
    """Return the text in the middle of the quotation."""
    lines = quoted(original).splitlines()
    at = next((n for n, line in enumerate(lines) if "Your cards" in line), len(lines) // 2)
    return "\n".join([WROTE.format(to=to), *lines[: at + 1], "", text, "", *lines[at + 1 :], ""])


def mutt_top(text: str, original: str, to: str) -> str:
    """Return the text right above the attribution, without an empty line."""
    return f"{text}\n{WROTE.format(to=to)}\n{quoted(original)}\n-- \nAnn\n"


def without_sentinel(text: str, original: str, to: str) -> str:
    """Return the original without marks and without its first line, as some telephones do."""
    return f"{text}\n" + "\n".join(original.splitlines()[2:]) + "\n"


def german(text: str, original: str, to: str) -> str:
    """Return an attribution in another language, right below the text."""
    return f"{text}\nAm 3.11.2026 um 10:00 schrieb trickbook:\n{quoted(original)}\n"


def bare(text: str, original: str, to: str) -> str:
    """Return the text alone."""
    return f"{text}\n"


PROGRAMS: Mapping[str, Callable[[str, str, str], str]] = {
    each.__name__: each
    for each in (
        gmail, outlook, old_outlook, apple, thunderbird_bottom, mutt_inline, mutt_top, without_sentinel, german, bare,
    )
}  # fmt: skip
ENCODINGS = ("plain", "quoted-printable", "base64", "html", "alternative")


def encode(mail: EmailMessage, body: str, encoding: str) -> None:
    """Give a mail its body."""
    html = "<div>" + "<br>".join(escape(line) for line in body.split("\n")) + "</div>"
    if encoding == "html":
        mail.set_content(html, subtype="html")
    elif encoding == "alternative":
        mail.set_content(body)
        mail.add_alternative(html, subtype="html")
    elif encoding == "plain":
        mail.set_content(body, cte="8bit")
    else:
        mail.set_content(body, cte=encoding)
