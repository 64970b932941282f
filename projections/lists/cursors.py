"""Cursors: a client sends the cursor of a page to get the next page of a list."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


class BadCursor(ValueError):
    """The cursor isn't one that a page of the list returned."""


def make_cursor(*parts: object) -> str:
    """Return the cursor of a row that these parts identify; no part may hold a space."""
    return urlsafe_b64encode(" ".join(map(str, parts)).encode()).decode()


def parse_cursor(cursor: str, count: int, list_name: str) -> list[str]:
    """Return the parts of a cursor; raise BadCursor unless it has `count` parts of printable text."""
    try:
        parts = urlsafe_b64decode(cursor.encode("ascii")).decode("ascii").split(" ")
    except ValueError as error:
        raise bad_cursor(list_name) from error
    if len(parts) != count or not all(part.isprintable() for part in parts):
        raise bad_cursor(list_name)
    return parts


def bad_cursor(list_name: str) -> BadCursor:
    """Return the error for a cursor that isn't valid for this list."""
    return BadCursor(f"the cursor isn't one that a page of {list_name} returned")
