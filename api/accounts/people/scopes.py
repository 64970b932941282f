"""Scopes of tokens: what a token may be used for.

`play` is everything that a player does, and managing the account; `play:<game id>` is one game's moves, chat and views,
and its seats while it forms; `read` changes nothing; `moderate` also moderates, if its user has that role.
"""

import re

PLAY, READ, MODERATE = "play", "read", "moderate"
GAME_PREFIX = PLAY + ":"
SCOPE = re.compile("play|read|moderate|play:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
MEANINGS = {
    PLAY: "this token can't play or change the account",
    READ: "this token can't be used here",
    MODERATE: "this token can't moderate",
}


def game_of_scope(scope: str) -> str | None:
    """Return the game of a scope `play:<game id>`, or None for any other scope."""
    return scope.removeprefix(GAME_PREFIX) if scope.startswith(GAME_PREFIX) else None


def scope_allows(held: str, needed: str, game: str | None = None) -> bool:
    """Return whether a token of scope `held` does what needs `needed`, in `game` if it's about moves and chat of one.

    A scope of one game doesn't reach other games: the caller has checked that already.
    """
    if needed in (READ, held):
        return True
    return needed == PLAY and game is not None and game_of_scope(held) == game
