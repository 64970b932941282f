"""Lists of boards, and boards: `show` as everybody sees them, `showas` with the caller's own cards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.lines.line_sender import CommandAnswer, LineSender, json_values, refusal
from api.lines.list_texts import (
    forming_text,
    games_text,
    history_text,
    player_ratings_text,
    rating_changes_text,
    ratings_text,
    standings_text,
)
from api.lines.requests import Board, ListBoards, ListGames, PrintHistory, PrintRatings, PrintStandings, Show, Which
from api.lines.run.play import NEEDS_NAME, held_lines, require_caller
from api.lines.run.seeing import board_answer, look
from api.people.services.figures import list_history, list_rating_changes, list_ratings, list_ratings_of, list_standings
from api.people.services.schemas import HISTORY_QUERY, PLAYER_RATINGS_QUERY, RATINGS_QUERY, STANDINGS_QUERY
from api.play.services.game_schemas import GAMES_QUERY
from api.tables.services import listing
from api.tables.services.listing import TablePage
from api.tables.services.opening import tables_that_ask
from api.tables.services.table_views import ListedTable, ListedTables
from projections.lists.lobby_pages import LobbyGame

MOST = 50
"""The most games of a list."""
MOST_NAMES = 10
"""The most users whose games one command lists or shows."""
STATUS: Mapping[Which, str] = {"active": "active", "inactive": "finished"}
NOTHING = "There are no such games."


def find_games(
    sender: LineSender, variant: str | None, names: Sequence[str], which: Which
) -> tuple[list[LobbyGame], Mapping[str, str]]:
    """Return the games of a variant that these users play, or all games, with the names in them."""
    if len(names) > MOST_NAMES:
        raise refusal("malformed", 400, "Malformed request", f"Name at most {MOST_NAMES} users.")
    items: dict[int, LobbyGame] = {}
    known: dict[str, str] = {}
    for name in tuple(dict.fromkeys(names)) or (None,):
        whose = {} if name is None else {"waiting": name} if which == "next" else {"player": [name]}
        caller, args = sender.reading(), _page(variant, STATUS.get(which), whose)
        body = json_values(listing.list_games(sender.services, caller, args)[0])
        items |= {each["board"]: each for each in body["items"]}
        known |= body["names"]
    return list(items.values()), known


def find_tables(
    sender: LineSender, variant: str | None, names: Sequence[str], which: Which
) -> tuple[list[ListedTable], Mapping[str, str]]:
    """Return the tables that form with these users, and those that ask the caller, if named; `next` are the latter."""
    items: dict[int, ListedTable] = {}
    known: dict[str, str] = {}
    if which == "inactive":
        return [], known
    of_names = () if which == "next" else dict.fromkeys(names)
    bodies: list[ListedTables] = [_tables(sender, None, {"player": [name]}) for name in of_names]
    if _may_see_questions(sender, names):
        bodies.append(json_values(tables_that_ask(sender.services, sender.reading(own=True))))
    for body in bodies:
        items |= {each["board"]: each for each in body["items"] if variant in (None, each["variant"])}
        known |= body["names"]
    return list(items.values()), known


def _tables(sender: LineSender, variant: str | None, whose: Mapping[str, object]) -> TablePage:
    caller, args = sender.reading(), _page(variant, listing.FORMING, whose)
    return json_values(listing.list_tables(sender.services, caller, args))


def _page(variant: str | None, status: str | None, whose: Mapping[str, object]) -> Mapping[str, Any]:
    """Return the query of a request for such a page."""
    wanted = {"limit": str(MOST), "variant": variant, "status": status, **whose}
    found: Mapping[str, Any] = GAMES_QUERY.load({name: value for name, value in wanted.items() if value is not None})
    return found


def _may_see_questions(sender: LineSender, names: Sequence[str]) -> bool:
    return sender.player is not None and sender.player.name in names and sender.may_play


def _own_name(sender: LineSender, example: str) -> str:
    """Return the caller's name. Raise CommandRefusal for a stranger: these commands take no password."""
    if sender.player is None:
        raise refusal("unauthorized", 401, "Token needed", NEEDS_NAME.format(example=example))
    return sender.player.name


def games(sender: LineSender, request: ListBoards, text: Sequence[str], key: str | None) -> CommandAnswer:
    """List boards; `all show` and `next` without a name mean the caller's."""
    names = request.names
    if not names and (request.variant is None or request.which == "next"):
        names = (_own_name(sender, "all show foo" if request.variant is None else f"{request.variant} games foo next"),)
    items, known = find_games(sender, request.variant, names, request.which)
    command = "all show" if request.variant is None else "games"
    tables, more = find_tables(sender, request.variant, names, request.which)
    parts = [games_text(items, known, NOTHING), forming_text(tables, more)]
    data = {"items": items, "tables": tables, "names": {**known, **more}}
    return CommandAnswer(command, "\n\n".join(filter(None, parts)), data)


def list_games(sender: LineSender, request: ListGames, text: Sequence[str], key: str | None) -> CommandAnswer:
    """List games going on, and tables that wait for players."""
    variants: Sequence[str | None] = tuple(dict.fromkeys(request.variants)) or (None,)
    items: list[LobbyGame] = []
    tables: list[ListedTable] = []
    known: dict[str, str] = {}
    for variant in variants:
        found, names = find_games(sender, variant, (), "active")
        forming = _tables(sender, variant, {})
        items, tables = [*items, *found], [*tables, *forming["items"]]
        known |= {**names, **forming["names"]}
    parts = [games_text(items, known, NOTHING), forming_text(tables, known)]
    return CommandAnswer("list", "\n\n".join(filter(None, parts)), {"items": items, "tables": tables, "names": known})


def standings(sender: LineSender, request: PrintStandings, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show the standings of a variant."""
    sender.reading()
    args = STANDINGS_QUERY.load({"variant": request.variant, "period": request.period, "limit": str(MOST)})
    body = json_values(list_standings(sender.services, args)[0])
    return CommandAnswer("standings", standings_text(body["items"], body["names"]), body)


def ratings(sender: LineSender, request: PrintRatings, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show the ratings of a variant, those of a user in it, or whom rulings moved."""
    sender.reading()
    if request.name is not None:
        args = PLAYER_RATINGS_QUERY.load({"limit": "1"})
        body = json_values(list_ratings_of(sender.services, request.name, args)[0])
        items = [each for each in body["ratings"] if each["variant"] == request.variant]
        return CommandAnswer("ratings", player_ratings_text(items), {**body, "ratings": items})
    args = RATINGS_QUERY.load({"variant": request.variant, "kind": request.kind, "limit": str(MOST)})
    if request.changes:
        moved = json_values(list_rating_changes(sender.services, args)[0])
        return CommandAnswer("ratings", rating_changes_text(moved["items"], moved["names"]), moved)
    rated = json_values(list_ratings(sender.services, args)[0])
    return CommandAnswer("ratings", ratings_text(rated["items"], rated["names"]), rated)


def history(sender: LineSender, request: PrintHistory, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show the finished games of a user in a variant, among the user's newest."""
    name = request.name or _own_name(sender, f"{request.variant} history foo")
    caller, args = sender.reading(), HISTORY_QUERY.load({"limit": str(MOST)})
    body = json_values(list_history(sender.services, caller, name, args)[0])
    items = [each for each in body["items"] if each["variant"] == request.variant]
    return CommandAnswer("history", history_text(items), {**body, "items": items})


MOST_BOARDS = 10
"""The most boards that one command shows."""
MORE = f"There are more boards than these {MOST_BOARDS}: write the numbers of those that you want to see."
SEPARATOR = "\n\n" + "-" * 40 + "\n"


def show(sender: LineSender, request: Show, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show boards by number, or the boards of users."""
    command = "showas" if request.own else "show"
    names = (require_caller(sender).name,) if request.own else request.names
    boards, tables = request.boards, ""
    if not boards:
        items, _ = find_games(sender, request.variant, names, request.which)
        boards = tuple(Board(each["board"]) for each in items)
        tables = forming_text(*find_tables(sender, request.variant, names, request.which))
    answers = [_shown(sender, request, command, board) for board in boards[:MOST_BOARDS]]
    if len(answers) == 1 and not tables:
        return answers[0]
    parts = [answer.text for answer in answers] or ["There are no such boards."]
    parts += [MORE] if len(boards) > MOST_BOARDS else []
    parts += [tables] if tables else []
    return CommandAnswer(command, SEPARATOR.join(parts), {"items": [answer.data for answer in answers]})


def _shown(sender: LineSender, request: Show, command: str, board: Board) -> CommandAnswer:
    """Return a board; `showas` adds the moves that the caller holds for later."""
    seen = look(sender, request.variant, board, own=request.own)
    answer = board_answer(sender, command, seen)
    held = held_lines(sender, seen) if request.own and board.at is None and not seen.is_forming else []
    return replace(answer, text="\n".join([answer.text, *held]))
