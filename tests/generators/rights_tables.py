"""The part "Rights" of docs/security.md, from the answers of every route to every kind of caller."""

from collections.abc import Iterator

from api.app import API
from tests.generators.events_page import table, wrap
from tests.rights.matrix import YES, Matrix
from tests.rights.world import CALLERS

TITLE = "Rights"
INTRO = """\
A test sends a well-formed request to every route as each caller, and compares the answers with these tables. 404 hides
things that the caller mustn't know of. 409 is about the state: they have no seat to leave, or no password. In [their
own case](moderation.md#the-work-of-moderators), moderators and arbiters may do less. The callers:
"""
LEGEND = {
    "none": "somebody without a token",
    "guest": "a guest without a seat",
    "player": "a player without a seat",
    "opener": "the opener of the table, who sits there",
    "holder": "the player who got a seat from another; an offer that an address names is theirs",
    "game": "the holder, with a token of the scope `play:` for this game",
    "another": "the same, for another game",
    "read": "the holder, with a token of the scope `read`",
    "opponent": "another seat",
    "former": "who handed their seat to the holder, or left the forming table",
    "asked": "who is asked to sit down, by the holder or the opener",
    "suspended": "another seat, whose player is suspended",
    "arbiter": "an arbiter for whom the game's dispute waits",
    "moderator": "a moderator without a seat, with a token of the scope `play`",
    "moderate": "the same moderator, with a token of the scope `moderate`",
    "operator": "an operator, with a token of the scope `moderate`",
}
OUTSIDE = "pages, files, sessions, health: all outside `/api/v1`"
PUBLIC = "public"
PARTS = {
    PUBLIC: "",
    "private": "The answers that differ at a private table:",
    "delayed": "The answers that differ at a delayed table of which nothing can be seen yet:",
}


def rights_tables(matrix: Matrix) -> Iterator[str]:
    """Yield the part about rights, line by line."""
    yield from (f"## {TITLE}", "", *INTRO.splitlines(), "")
    for caller in CALLERS:
        yield from wrap(f"* `{caller}`: {LEGEND[caller]}")
    yield ""
    for watch, says in PARTS.items():
        yield from (says, "") if says else ()
        yield from table(("routes", "answers"), _rows(matrix, watch))


def _grouped(matrix: Matrix, watch: str) -> dict[tuple[str, ...], list[str]]:
    """Return the routes that answer alike, by their answers; of other tables, by those that differ from public ones."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for (route, at), row in matrix.items():
        if at == watch:
            shown = row if watch == PUBLIC else _differing(row, matrix[route, PUBLIC])
            outside = API not in route and set(row) == {YES}
            name = OUTSIDE if outside else f"`{route.replace(API, '')}`"
            if any(shown) and name not in groups.setdefault(shown, []):
                groups[shown].append(name)
    return groups


def _differing(row: tuple[str, ...], public: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("" if answer == usual else answer for answer, usual in zip(row, public, strict=True))


def _rows(matrix: Matrix, watch: str) -> Iterator[tuple[str, str]]:
    """Yield a row for all routes that answer alike."""
    longest = [] if watch == PUBLIC else max(_grouped(matrix, PUBLIC).values(), key=len)
    for row, routes in _grouped(matrix, watch).items():
        yield _short(routes, longest), _answers(row)


def _short(routes: list[str], longest: list[str]) -> str:
    """Return routes one by one, or as most of those of the longest public row."""
    if len(set(routes) & set(longest)) > len(longest) / 2:
        others, more = (
            [each for each in some if each not in of] for some, of in ((longest, routes), (routes, longest))
        )
        left_out = f", except {', '.join(others)}" if others else ""
        return "<br>".join([f"the row of {longest[0]} above{left_out}", *more])
    return "<br>".join(routes)


def _answers(row: tuple[str, ...]) -> str:
    """Return the answers of a row: each with its callers, and last the most frequent one for all others."""
    callers: dict[str, list[str]] = {}
    for caller, answer in zip(CALLERS, row, strict=True):
        callers.setdefault(answer, []).append(caller)
    if "" in callers:
        del callers[""]
        return "; ".join(f"{answer} {', '.join(who)}" for answer, who in callers.items())
    *rarer, (most, _) = sorted(callers.items(), key=lambda each: len(each[1]))
    return "; ".join(
        [*(f"{answer} {', '.join(who)}" for answer, who in rarer), f"{most} {'others' if rarer else 'all'}"]
    )
