"""Names that are reserved, and names that look alike.

Characters look alike if the Unicode Technical Standard 39 lists them as confusable, and so do pairs of letters that
fonts join into another letter. A name has only ASCII letters, digits and separators (`http.schemas.NAME`).
"""

import re
import string
from collections.abc import Iterator
from functools import cache

RESERVED = (
    "admin", "administrator", "moderator", "arbiter", "operator", "support", "staff", "host", "system", "server", "bot",
    "table", "house", "deleted", "open", "invite", "trickbook",
)  # fmt: skip
GUEST_PREFIX = "guest-"
RESERVED_PREFIXES = ("bot-", "server", GUEST_PREFIX)
DELETED_NAME = "deleted"
"""The name to display for the id of a deleted user."""
PLAYER_ID = re.compile(r"p_[0-9a-f]+")
SEPARATORS = "._-"
JOINED = {"w": "vv", "d": "cl"}
"""Letters that fonts make of pairs of letters, beside m of rn, which the standard lists."""
LETTERS = string.ascii_lowercase + string.digits


def skeleton(name: str) -> str:
    """Return a text that is equal for names that look alike: in lower case, without separators, and with the same
    letters for those that look alike, such as o for 0 and rn for m.
    """
    return _prototypes(name).replace("-", "")


def is_reserved(name: str) -> bool:
    """Return whether a name looks like the server, its staff, a bot, a guest or a player's id."""
    if PLAYER_ID.fullmatch(name.lower()) is not None:
        return True
    if any(skeleton(each) in _reserved_skeletons() for each in _without_ends(name)):
        return True
    return _prototypes(name).startswith(tuple(map(_prototypes, RESERVED_PREFIXES)))


def _without_ends(name: str) -> Iterator[str]:
    """Yield the name, and the name without the digits and separators at one end or both."""
    ends = string.digits + SEPARATORS
    yield from (name, name.rstrip(ends), name.lstrip(ends), name.strip(ends))


@cache
def _reserved_skeletons() -> frozenset[str]:
    return frozenset(skeleton(word + ending) for word in RESERVED for ending in ("", "s"))


def _prototypes(name: str) -> str:
    """Return a name in lower case with the same letters for those that look alike, and - for each separator."""
    return name.lower().translate(_table())


@cache
def _table() -> dict[int, str]:
    alike = {letter: _prototype(letter) for letter in LETTERS} | JOINED
    return {ord(char): text for char, text in (alike | dict.fromkeys(SEPARATORS, "-")).items()}


def _prototype(letter: str) -> str:
    """Return the text that stands for a letter or digit and for all that look like it, in either case."""
    group, new = set[str](), {letter}
    while new:
        group |= new
        new = {each for one in new for each in _confusables(one) if len(each) == 1} - group
    longer = {each for one in group for each in _confusables(one) if len(each) > 1}
    return min(longer, default=max(group))


def _confusables(char: str) -> set[str]:
    """Return the texts of ASCII letters and digits that look like a character, and the character in either case."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415 # its tables take long to load

    found = confusables.is_confusable(char, greedy=True) or [{"homoglyphs": []}]
    texts = (each["c"] for each in found[0]["homoglyphs"])
    return {char.lower(), char.upper(), *(text for text in texts if text.isascii() and text.isalnum())}
