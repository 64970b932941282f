"""The receipt in the footer of a mail from the server, as a mail program saves it."""

import re
from email import message_from_string, policy
from email.message import EmailMessage

from api.cli.common.config import CannotAnswer

HEADERS = re.compile(r"\A[A-Za-z][A-Za-z0-9-]{0,99}:[ \t]?[^\n]*\n(?:[A-Za-z][A-Za-z0-9-]{0,99}:|[ \t])")
"""How a mail begins: with two lines of headers, the second of which may belong to the first (RFC 5322, section 2.2).

Receipts, answers and exports don't begin so.
"""
RECEIPT = re.compile(r"^receipt\n([^\n]+\n[0-9]+\n[^\n]+\n\n(?:— [^\n]+\n)+)", re.MULTILINE)


def is_mail(text: str) -> bool:
    """Return whether a text begins as a mail does."""
    return HEADERS.match(text) is not None


def receipt_in_mail(name: str, text: str) -> str:
    """Return the receipt in the footer of a mail. Raise CannotAnswer if it holds no receipt."""
    message = message_from_string(text, EmailMessage, policy=policy.default)
    try:
        part = message.get_body(("plain",))
        content = "" if part is None else str(part.get_content())
    except (LookupError, ValueError, TypeError):
        content = ""
    found = RECEIPT.search(content.replace("\r\n", "\n"))
    if found is None:
        raise CannotAnswer(f"{name}: This mail holds no receipt. Name a mail about a board, as the server sent it.")
    return found[1]
