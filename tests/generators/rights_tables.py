"""The part "Rights" of docs/security.md, from the answers of every route to every kind of caller."""

from collections.abc import Iterator

from api.app import API
from tests.generators.events_page import table
from tests.rights.matrix import YES, Matrix
from tests.rights.world import CALLERS

TITLE = "Rights"
INTRO = """\
A test sends a well-formed request to every route as each kind of caller, and compares the answers with these tables. So
a change of a right is a change of this page. Addresses are those below `/api/v1`, unless a row says otherwise.

* `yes`: the caller may do it, and it's done.
* 401, 403 and 404 refuse the caller. A 404 hides things that the caller mustn't know of.
* 409 is about the state, not about the caller's rights: they have no seat that they could leave, or no password.

In [their own case](moderation.md#the-work-of-moderators), moderators and arbiters may do less than is said here.
[Metrics](operations.md#metrics) depend on the caller's address or on a token of the host, and not on a player's token.
"""
LEGEND = {
    "none": "somebody without a token",
    "guest": "a guest without a seat",
    "player": "a player without a seat",
    "opener": "the player who opened the table, and sits there",
    "holder": "the player who got a seat from another one. What an address names, such as an offer, is theirs",
    "this game": "the holder, with a token of the scope `play:` for this game",
    "other game": "the holder, with a token of the scope `play:` for another game",
    "read": "the holder, with a token of the scope `read`",
    "opponent": "another seat of the table",
    "former": "the player who handed their seat over to the holder, or left the table that forms",
    "asked": "a player who is asked: by the holder to take the seat, or by the opener of a table that forms",
    "suspended": "another seat, whose player is suspended",
    "arbiter": "an arbiter without a seat, for whom the game's dispute waits",
    "moderator": "a moderator without a seat, with a token of the scope `play`",
    "moderate": "the same moderator, with a token of the scope `moderate`",
    "operator": "a player with the role `operator`, with a token of the scope `moderate`",
}
OUTSIDE = "pages, files, sessions, health: all outside `/api/v1`"
PARTS = {
    "public": "",
    "private": "The same at a private table, if it differs:",
    "delayed": "The same at a delayed table of which nothing can be seen yet, if it differs:",
}


def rights_tables(matrix: Matrix) -> Iterator[str]:
    """Yield the part about rights, line by line."""
    yield from (f"## {TITLE}", "", *INTRO.splitlines(), "")
    yield from table(("caller", "is"), ((f"`{caller}`", LEGEND[caller]) for caller in CALLERS))
    for watch, says in PARTS.items():
        yield from (says, "") if says else ()
        yield from table(("routes", *CALLERS), _groups(matrix, watch))


def _groups(matrix: Matrix, watch: str) -> Iterator[tuple[object, ...]]:
    """Yield a row for all routes that answer alike, without those that answer as at a public table."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for (route, at), row in matrix.items():
        if at == watch and (watch == "public" or row != matrix[route, "public"]):
            shown = groups.setdefault(row, [])
            outside = API not in route and set(row) == {YES}
            name = OUTSIDE if outside else f"`{route.replace(API, '')}`"
            shown.extend([name] if name not in shown else [])
    yield from (("<br>".join(routes), *row) for row, routes in groups.items())
