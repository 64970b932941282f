"""Limits for headers before anything parses them: Python's parser takes minutes for a From of 250 KB.

Only the headers that the server reads are limited. The others, such as signatures, are never parsed.
"""

import re

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
