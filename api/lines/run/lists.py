"""Lists of boards."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from api.lines.answer import CommandAnswer
from api.lines.edge import Edge, ask, refusal
from api.lines.requests import ListBoards, ListGames, PrintHistory, PrintRatings, PrintStandings, Which
from api.lines.run.moves_for_later import NEEDS_NAME
from api.lines.text.lists import (
    forming_text,
    games_text,
    history_text,
    player_ratings_text,
    rating_changes_text,
    ratings_text,
    standings_text,
)

MOST = 50
"""The most games of a list."""
MOST_NAMES = 10
"""The most users whose games one command lists or shows."""
STATUS: Mapping[Which, str] = {"all": "", "active": "&status=active", "inactive": "&status=finished", "next": ""}
NOTHING = "There are no such games."
Items = list[Mapping[str, Any]]


def find_games(edge: Edge, variant: str | None, names: Sequence[str], which: Which) -> tuple[Items, Mapping[str, str]]:
    """Return the games of a variant that these users play, or all games, with the names in them."""
    if len(names) > MOST_NAMES:
        raise refusal("malformed", 400, "Malformed request", f"Name at most {MOST_NAMES} users.")
    items: dict[int, Mapping[str, Any]] = {}
    known: dict[str, str] = {}
    for name in tuple(dict.fromkeys(names)) or (None,):
        path = f"/games?limit={MOST}{STATUS[which]}" + ("" if variant is None else f"&variant={variant}")
        if name is not None:
            path += f"&{'waiting' if which == 'next' else 'player'}={quote(name, safe='')}"
        body = ask(edge, "GET", path).body
        items |= {each["board"]: each for each in body["items"]}
        known |= body["names"]
    return list(items.values()), known


def find_tables(edge: Edge, variant: str | None, names: Sequence[str], which: Which) -> tuple[Items, Mapping[str, str]]:
    """Return the tables that form with these users, and those that ask the caller, if named; `next` are the latter."""
    items: dict[int, Mapping[str, Any]] = {}
    known: dict[str, str] = {}
    paths = [f"/games?limit={MOST}&status=forming&player={quote(name, safe='')}" for name in dict.fromkeys(names)]
    if which == "inactive":
        return [], known
    for path in [*(paths if which != "next" else ()), *(["/me/questions"] if _may_see_questions(edge, names) else ())]:
        body = ask(edge, "GET", path).body
        items |= {each["board"]: each for each in body["items"] if variant in (None, each["variant"])}
        known |= body["names"]
    return list(items.values()), known


def _may_see_questions(edge: Edge, names: Sequence[str]) -> bool:
    return edge.player is not None and edge.player.name in names and edge.may_play


def _own_name(edge: Edge, example: str) -> str:
    """Return the caller's name. Raise CommandRefusal for a stranger: these commands take no password."""
    if edge.player is None:
        raise refusal("unauthorized", 401, "Token needed", NEEDS_NAME.format(example=example))
    return edge.player.name


def games(edge: Edge, request: ListBoards, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """List boards; `all show` and `next` without a name mean the caller's."""
    names = request.names
    if not names and (request.variant is None or request.which == "next"):
        names = (_own_name(edge, "all show foo" if request.variant is None else f"{request.variant} games foo next"),)
    items, known = find_games(edge, request.variant, names, request.which)
    command = "all show" if request.variant is None else "games"
    tables, more = find_tables(edge, request.variant, names, request.which)
    parts = [games_text(items, known, NOTHING), forming_text(tables, more)]
    data = {"items": items, "tables": tables, "names": {**known, **more}}
    return CommandAnswer(command, "\n\n".join(filter(None, parts)), data)


def list_games(edge: Edge, request: ListGames, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """List games going on, and tables that wait for players."""
    variants: Sequence[str | None] = tuple(dict.fromkeys(request.variants)) or (None,)
    items: Items = []
    tables: Items = []
    known: dict[str, str] = {}
    for variant in variants:
        found, names = find_games(edge, variant, (), "active")
        query = "" if variant is None else f"&variant={variant}"
        forming = ask(edge, "GET", f"/games?limit={MOST}&status=forming{query}").body
        items, tables = [*items, *found], [*tables, *forming["items"]]
        known |= {**names, **forming["names"]}
    parts = [games_text(items, known, NOTHING), forming_text(tables, known)]
    return CommandAnswer("list", "\n\n".join(filter(None, parts)), {"items": items, "tables": tables, "names": known})


def standings(edge: Edge, request: PrintStandings, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Show the standings of a variant."""
    query = f"variant={request.variant}&period={quote(request.period, safe='')}&limit={MOST}"
    body = ask(edge, "GET", f"/standings?{query}").body
    return CommandAnswer("standings", standings_text(body["items"], body["names"]), body)


def ratings(edge: Edge, request: PrintRatings, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Show the ratings of a variant, those of a user in it, or whom rulings moved."""
    if request.name is not None:
        body = ask(edge, "GET", f"/players/{quote(request.name, safe='')}/ratings?limit=1").body
        items = [each for each in body["ratings"] if each["variant"] == request.variant]
        return CommandAnswer("ratings", player_ratings_text(items), {**body, "ratings": items})
    path, text_of = ("/ratings/changes", rating_changes_text) if request.changes else ("/ratings", ratings_text)
    body = ask(edge, "GET", f"{path}?variant={request.variant}&kind={request.kind}&limit={MOST}").body
    return CommandAnswer("ratings", text_of(body["items"], body["names"]), body)


def history(edge: Edge, request: PrintHistory, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Show the finished games of a user in a variant, among the user's newest."""
    name = request.name or _own_name(edge, f"{request.variant} history foo")
    body = ask(edge, "GET", f"/players/{quote(name, safe='')}/history?limit={MOST}").body
    items = [each for each in body["items"] if each["variant"] == request.variant]
    return CommandAnswer("history", history_text(items), {**body, "items": items})
