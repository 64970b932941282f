"""Mails that came back: reports of a mail server (RFC 3464) that an address doesn't take mail."""

import re

from api.commands.mail.incoming import UnusableMail, parse_message

FAILED = re.compile(r"^action:\s*failed\s*$", re.IGNORECASE | re.MULTILINE)
STATUS = re.compile(r"^status:\s*(5\.[0-9]{1,3}\.[0-9]{1,3})\s*", re.IGNORECASE | re.MULTILINE)


def failure_of(raw: bytes) -> str | None:
    """Return the status of a delivery that failed for good, such as "5.1.1"; None for every other mail."""
    try:
        message = parse_message(raw)
        if message.get_content_type() != "multipart/report":
            return None
        reports = [part for part in message.walk() if part.get_content_type() == "message/delivery-status"]
        text = "\n".join(report.as_string() for report in reports)
    except (UnusableMail, LookupError, ValueError, TypeError, AttributeError):  # a broken report says nothing
        return None
    status = STATUS.search(text)
    return status[1] if FAILED.search(text) and status else None
