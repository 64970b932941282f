"""Where a player can play: their boards, and a table that begins at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from api.cli.terminal.model import player_name
from api.client import ClientError, Refusal, Server, Table
from replay.text.layout import columns, in_words

BOT = "bot:simple"
USUAL_SEATS = 4
SEALED = {"cuts": "sealed", "window_s": 5}
"""A new table's deals wait for the cuts of its players; this program makes them (docs/fairness.md)."""
MOST_BOARDS = 50


@dataclass(frozen=True)
class OwnBoard:
    """One of the player's boards, and what it waits for."""

    board: int
    variant: str
    waits_for: str
    is_own_turn: bool


def own_boards(server: Server) -> list[OwnBoard]:
    """Return the player's boards that are going on, those that wait for them first, then tables that form."""
    me = server.me()
    active = _page(server, f"/games?player={me['name']}&status=active&limit={MOST_BOARDS}")
    forming = _page(server, f"/games?player={me['name']}&status=forming&limit={MOST_BOARDS}")
    boards = [_active(game, names, me["id"]) for game, names in active]
    boards.sort(key=lambda each: (not each.is_own_turn, each.board))
    return [*boards, *(OwnBoard(game["board"], game["variant"], "players", is_own_turn=False) for game, _ in forming)]


def _page(server: Server, path: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, str]]]:
    page = server.get(server.after_write(path))
    return ((game, page.get("names", {})) for game in page["items"])


def _active(game: Mapping[str, Any], names: Mapping[str, str], player: str) -> OwnBoard:
    waiting = [player_name(each, names) for each in game["waiting"]]
    is_own = player in game["waiting"]
    return OwnBoard(game["board"], game["variant"], "you" if is_own else in_words(waiting) or "the server", is_own)


def boards_text(boards: list[OwnBoard]) -> str:
    """Return a list of boards as text."""
    if not boards:
        return "You have no boards."
    return "\n".join(columns((each.board, each.variant, f"waits for {each.waits_for}") for each in boards))


def play_now(server: Server, variant: str) -> int:
    """Take the last free seat at a table that waits, or open one with bots; return the board. As the page does."""
    me = server.me()
    for table in _waiting_tables(server, variant):
        if table["opener"] != me["id"] and (board := _claim(server, table["id"])) is not None:
            return board
    seats = next(each["seats"] for each in server.variants() if each["name"] == variant)
    count = USUAL_SEATS if USUAL_SEATS in seats else max(seats)
    players = [me["name"], *[BOT] * (count - 1)]
    return _board_of(Table.open(server, variant, players, undo="practice", fairness=SEALED))


def _waiting_tables(server: Server, variant: str) -> list[Mapping[str, Any]]:
    """Return the tables that begin as soon as one more person sits down, the oldest first."""
    try:
        page = server.get(f"/games?status=forming&variant={variant}&limit={MOST_BOARDS}")
    except ClientError:
        return []  # bots never say no
    return [table for table in reversed(page["items"]) if _needs_one(table)]


def _needs_one(table: Mapping[str, Any]) -> bool:
    states = [seat["state"] for seat in table["seats"]]
    return states.count("open") == 1 and set(states) <= {"open", "claimed"}


def _claim(server: Server, game: str) -> int | None:
    """Take the free seat, and return the board; None if somebody was quicker."""
    try:
        return _board_of(Table.join(server, game))
    except Refusal:
        return None


def _board_of(table: Table) -> int:
    board: int = table.view()["board"]
    return board
