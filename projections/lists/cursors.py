"""Where a page of a list ends and the next one begins, as a text that a client hands back."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


class BadCursor(ValueError):
    """A cursor that no page of the list ended with."""


def make_cursor(*parts: object) -> str:
    """The cursor of a row that these parts tell apart; none of them holds a blank."""
    return urlsafe_b64encode(" ".join(map(str, parts)).encode()).decode()


def parse_cursor(cursor: str, count: int, of: str) -> list[str]:
    """The `count` parts of a cursor of the list `of`; BadCursor where it has others, or what cannot be printed."""
    try:
        parts = urlsafe_b64decode(cursor.encode("ascii")).decode("ascii").split(" ")
    except ValueError as error:
        raise bad_cursor(of) from error
    if len(parts) != count or not all(part.isprintable() for part in parts):
        raise bad_cursor(of)
    return parts


def bad_cursor(of: str) -> BadCursor:
    """What is said of a cursor that is none of the list `of`."""
    return BadCursor(f"the cursor is not one of a page of {of}")
