"""Reads of the lobby: pages of games for clients, and the games in which the worker has to play for bots.

The cost of each read depends on what it returns, not on the number of games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from projections.lists.cursors import make_cursor, parse_cursor
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Row

MAX_PAGE = 500
"""The most games in one page."""
FEW_GAMES = 500
"""If a filter leaves at most this many games, they are read by id; otherwise the games are read in order."""


@dataclass(frozen=True)
class LobbyFilter:
    """A filter on games; None means any. `player` and `waiting` are player ids, `since` is a time of the last event."""

    variant: str | None = None
    player: str | None = None
    status: str | None = None
    waiting: str | None = None
    since: str | None = None


def lobby_page(reading: RowSnapshot, criteria: LobbyFilter, limit: int = 50, cursor: str | None = None) -> Row:
    """Return a page of games, the newest first, as {"items": [...], "next": cursor or None}.

    `corrupt` in an item means that the game is in quarantine, and that its item may be out of date.
    Raise BadCursor for a cursor that no page returned.
    """
    where, values = _where(criteria)
    if cursor is not None:
        where.append("(created, id) < (?, ?)")
        values += parse_cursor(cursor, 2, "games")
    limit = max(1, min(limit, MAX_PAGE))
    games = _find_games(reading, where, values, _few_ids(reading, criteria), limit + 1)
    page = games[:limit]
    ids = [game["id"] for game in page]
    seats, corrupt = _seats(reading, ids), reading.corrupt(ids)
    following = make_cursor(page[-1]["created"], page[-1]["id"]) if len(games) > limit else None
    return {"items": [_item(game, seats[game["id"]], game["id"] in corrupt) for game in page], "next": following}


def _find_games(
    reading: RowSnapshot, where: list[str], values: list[Any], ids: list[str] | None, limit: int
) -> list[Row]:
    """Return the first games in order that satisfy the conditions; `ids` are the only ones that can, or None."""
    if ids is None:
        tail = f"WHERE {' AND '.join(where or ['1 = 1'])} ORDER BY created DESC, id DESC LIMIT {limit}"
        return reading.find("games", tail, *values)
    if not ids:
        return []
    tail = f"WHERE {' AND '.join([f'id IN ({_marks(ids)})', *where])}"
    games = reading.find("games", tail, *ids, *values)
    return sorted(games, key=lambda game: (game["created"], game["id"]), reverse=True)[:limit]


def _marks(values: Sequence[object]) -> str:
    """Return a ? for each value."""
    return ", ".join("?" * len(values))


def _where(criteria: LobbyFilter) -> tuple[list[str], list[Any]]:
    conditions: dict[str, Any] = {
        "variant = ?": criteria.variant,
        "status = ?": criteria.status,
        "updated >= ?": criteria.since,
        "EXISTS (SELECT 1 FROM {seats} s WHERE s.player = ? AND s.game = id)": criteria.player,
        "EXISTS (SELECT 1 FROM {seats} s WHERE s.player = ? AND s.game = id AND s.waiting = 1)": criteria.waiting,
    }
    chosen = {where: value for where, value in conditions.items() if value is not None}
    return list(chosen), list(chosen.values())


def _few_ids(reading: RowSnapshot, criteria: LobbyFilter) -> list[str] | None:
    """Return the ids that one of the filters leaves if they are few, or None.

    To find few games by walking through all of them in order would take long.
    """
    by_filter: tuple[tuple[str, str, str, str | None], ...] = (
        ("seats", "game", "WHERE player = ? AND waiting = 1", criteria.waiting),
        ("seats", "game", "WHERE player = ?", criteria.player),
        ("games", "id", "WHERE updated >= ?", criteria.since),
    )
    for table, column, where, value in by_filter:
        if value is not None:
            ids = reading.find_column(table, column, f"{where} LIMIT {FEW_GAMES + 1}", value)
            if len(ids) <= FEW_GAMES:
                return ids
    return None


def _seats(reading: RowSnapshot, ids: list[str]) -> dict[str, list[Row]]:
    seats: dict[str, list[Row]] = {game: [] for game in ids}
    if ids:
        for row in reading.find("seats", f"WHERE game IN ({_marks(ids)}) ORDER BY game, seat", *ids):
            seats[row["game"]].append(row)
    return seats


def _item(game: Row, seats: list[Row], corrupt: bool) -> Row:
    shown = ("seat", "player", "kind", "state")
    return {
        **{name: game[name] for name in ("id", "board", "variant", "status")},
        "seats": [{name: seat[name] for name in shown} for seat in seats],
        "waiting": [seat["player"] for seat in seats if seat["waiting"]],
        **{name: game[name] for name in ("version", "created", "updated", "result")},
        "corrupt": corrupt,
    }


def idle_games(reading: RowSnapshot, before: str, limit: int) -> list[str]:
    """Return running games that have waited for no person since before that time, the longest waiting first."""
    if not reading.is_current:
        return []
    tail = f"WHERE idle_since < ? AND id NOT IN {{corrupt}} ORDER BY idle_since, id LIMIT {limit}"
    return reading.find_column("games", "id", tail, before)


def games_with_choices(reading: RowSnapshot, after: str, before: str, limit: int) -> list[tuple[str, str]]:
    """Return (id, time of the last event) of games in which a bot may act outside its turn, by that time."""
    if not reading.is_current:
        return []
    tail = f"WHERE bots_act_at > ? AND bots_act_at < ? AND id NOT IN {{corrupt}} ORDER BY bots_act_at, id LIMIT {limit}"
    return [(row["id"], row["bots_act_at"]) for row in reading.find("games", tail, after, before)]
