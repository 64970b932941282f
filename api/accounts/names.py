"""Names that are reserved, and names that look alike."""

import re

RESERVED = (
    "admin", "moderator", "arbiter", "operator", "support", "system", "server", "bot", "table", "house", "deleted",
    "open", "invite",
)  # fmt: skip
GUEST_PREFIX = "guest-"
RESERVED_PREFIXES = ("bot.", "bot-", "server", GUEST_PREFIX)
DELETED_NAME = "deleted"
"""The name to display for the id of a deleted user."""
PLAYER_ID = re.compile(r"p_[0-9a-f]+")


def fold_lookalikes(name: str) -> str:
    """Return a text that is equal for names that look alike: in lower case, with 0 as o, 1 and i as l, rn as m."""
    return name.lower().replace("0", "o").replace("1", "l").replace("i", "l").replace("rn", "m")


def is_reserved(name: str) -> bool:
    """Return whether a name looks like the server, its staff, a bot, a guest or a player's id."""
    folded = fold_lookalikes(name)
    if folded in _FOLDED_RESERVED or PLAYER_ID.fullmatch(name.lower()) is not None:
        return True
    return any(text.startswith(RESERVED_PREFIXES) for text in (folded, name.lower()))


_FOLDED_RESERVED = frozenset(map(fold_lookalikes, RESERVED))
