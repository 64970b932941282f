"""Reads of the standings: pages by rank, a player's figures, history and opponents.

The cost of each read depends on what it returns, not on the number of games.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, TypedDict

from domain.json_fields import Cursor, PlayerKind, Time, Uuid, says
from projections.lists.cursors import bad_cursor, make_cursor, parse_cursor
from projections.lists.standings_results import ALL_TIME, Figures, figures_json
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Row
from projections.views.results import GameResult, UnratedReason


class StandingLine(Figures):
    """A player's line in the standings."""

    rank: Annotated[int, says("From 1.")]
    player: Annotated[str, says("The player's id.")]


class StandingsPage(TypedDict):
    """A page of the standings."""

    items: list[StandingLine]
    next: Cursor


class VariantFigures(Figures):
    """A player's figures in a variant."""

    variant: str
    rank: Annotated[int | None, says("From 1; null behind the first 1,000, and for a guest.")]


class Meetings(TypedDict):
    """The results of two players' games against each other, in a variant."""

    variant: str
    games: Annotated[int, says("Games in which they were opponents.")]
    won: Annotated[int, says("Games that the player won.")]
    lost: Annotated[int, says("Games that the opponent won.")]


class HistorySeat(TypedDict):
    """A seat of a finished game."""

    seat: int
    player: str
    kind: PlayerKind


class HistoryGame(TypedDict):
    """A finished game of the player."""

    id: Uuid
    board: int
    variant: str
    ended: Time
    public: Annotated[bool, says("Whether everybody may see the game.")]
    seat: Annotated[int, says("The seat that the player held.")]
    seats: Annotated[list[HistorySeat], says("The players at the end.")]
    won: Annotated[bool, says("Whether the seat won, as ruled.")]
    points: Annotated[int, says("The final score of the seat, as ruled.")]
    result: GameResult
    counts: Annotated[bool, says("Whether the game counts for this player.")]
    reason: Annotated[UnratedReason | None, says("Why it doesn't count.")]


class HistoryPage(TypedDict):
    """A page of a player's finished games, the last first."""

    items: list[HistoryGame]
    next: Cursor


MAX_PAGE = 500
"""The most lines in one page."""
MOST_RANKED = 1000
"""How many players of a list are read for the rank of one of them."""
ORDER = ("won", "points", "player")
Listed = Callable[[Collection[str]], Collection[str]]
"""Takes player ids, and returns those that have a line in the standings."""
SHARED = "EXISTS (SELECT 1 FROM {results} own WHERE own.game = {results}.game AND own.player = ?)"


@dataclass(frozen=True)
class _Place:
    """Where a page begins: after this total of the last line, which has `rank`."""

    rank: int
    after: tuple[Any, ...] | None


def standings_page(
    reading: RowSnapshot, variant: str, period: str, listed: Listed, limit: int = 50, cursor: str | None = None
) -> StandingsPage:
    """Return lines by games won, then points, as {"items": [...], "next": cursor or None}.

    Players that aren't `listed` have no line and no rank. Raise BadCursor for a cursor that no page returned.
    """
    place, items, limit = _place(cursor), list[StandingLine](), max(1, min(limit, MAX_PAGE))
    while len(items) <= limit:
        totals = _totals(reading, variant, period, place.after, limit + 1)
        shown = set(listed([total["player"] for total in totals]))
        for total in totals:
            if total["player"] in shown:
                items.append({"rank": place.rank + 1, "player": total["player"], **figures_json(total)})
            place = _Place(place.rank + int(total["player"] in shown), _key(total))
        if len(totals) <= limit:
            break
    return {"items": items[:limit], "next": _next_cursor(items[limit - 1]) if len(items) > limit else None}


def _totals(reading: RowSnapshot, variant: str, period: str, after: tuple[Any, ...] | None, limit: int) -> list[Row]:
    where = "variant = ? AND period = ?" + ("" if after is None else " AND (won, points, player) < (?, ?, ?)")
    order = ", ".join(f"{column} DESC" for column in ORDER)
    return reading.find("figures", f"WHERE {where} ORDER BY {order} LIMIT {limit}", variant, period, *(after or ()))


def _key(total: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(total[column] for column in ORDER)


def _next_cursor(last: StandingLine) -> str:
    return make_cursor(last["rank"], *_key(last))


def _place(cursor: str | None) -> _Place:
    if cursor is None:
        return _Place(0, None)
    *numbers, player = parse_cursor(cursor, 4, "standings")
    try:
        rank, won, points = (_number(text) for text in numbers)
    except ValueError as error:
        raise bad_cursor("standings") from error
    return _Place(rank, (won, points, player))


def _number(text: str) -> int:
    """Return a number of a cursor. Raise ValueError unless a database takes it."""
    number = int(text) if text.isascii() and len(text) <= 18 else None
    if number is None:
        raise ValueError(text)
    return number


def player_figures(reading: RowSnapshot, player: str, listed: Listed, period: str = ALL_TIME) -> list[VariantFigures]:
    """Return a player's figures of a period, by variant, with the rank among the first `MOST_RANKED` players."""
    rows = reading.find("figures", "WHERE player = ? AND period = ? ORDER BY variant", player, period)
    above = [_players_above(reading, row) for row in rows]
    return [
        {"variant": row["variant"], "rank": rank, **figures_json(row)}
        for row, rank in zip(rows, ranks(player, above, listed), strict=True)
    ]


def _players_above(reading: RowSnapshot, total: Row) -> list[str]:
    where = "variant = ? AND period = ? AND (won, points, player) > (?, ?, ?)"
    tail = f"WHERE {where} LIMIT {MOST_RANKED}"
    return reading.find_column("figures", "player", tail, total["variant"], total["period"], *_key(total))


def ranks(player: str, above: Sequence[Collection[str]], listed: Listed) -> list[int | None]:
    """Return a player's rank in each list, given the players above, of whom up to `MOST_RANKED` are read.

    None if there are more, or if the player has no line.
    """
    shown = set(listed({player, *chain.from_iterable(above)})) if above else set[str]()
    return [
        1 + len(shown.intersection(players)) if player in shown and len(players) < MOST_RANKED else None
        for players in above
    ]


def head_to_head(reading: RowSnapshot, player: str, opponent: str) -> list[Meetings]:
    """Return the games in which two players were opponents, and how many each of them won, by variant."""
    tail = "WHERE player = ? AND opponent = ? ORDER BY variant"
    own, theirs = (reading.find("meetings", tail, *pair) for pair in ((player, opponent), (opponent, player)))
    lost = {row["variant"]: row["won"] for row in theirs}
    return [
        {"variant": row["variant"], "games": row["games"], "won": row["won"], "lost": lost.get(row["variant"], 0)}
        for row in own
    ]


def history_page(
    reading: RowSnapshot,
    player: str,
    reader: str | None,
    limit: int = 50,
    cursor: str | None = None,
    *,
    is_host: bool = False,
) -> HistoryPage:
    """Return a player's finished games as `reader` may know them, the last first, with a cursor for the next page.

    Private games are shown to those alone who played in them, and to the host. Raise BadCursor for a cursor that no
    page returned.
    """
    after = None if cursor is None else tuple(parse_cursor(cursor, 2, "a history"))
    limit = max(1, min(limit, MAX_PAGE))
    found = _results(reading, player, 1, after, limit + 1)
    if is_host or reader == player:
        found += _results(reading, player, 0, after, limit + 1)
    elif reader is not None:
        found += _results(reading, player, 0, after, limit + 1, reader)
    found.sort(key=lambda row: (row["ended"], row["game"]), reverse=True)
    page = found[:limit]
    games = _games(reading, [row["game"] for row in page])
    following = make_cursor(page[-1]["ended"], page[-1]["game"]) if len(found) > limit else None
    return {"items": [_item(row, games[row["game"]]) for row in page], "next": following}


def _results(
    reading: RowSnapshot,
    player: str,
    public: int,
    after: tuple[str, ...] | None,
    limit: int,
    shared_with: str | None = None,
) -> list[Row]:
    """Return a player's results in order; with `shared_with`, only of games in which this player has played, too."""
    conditions, values = ["player = ?", "public = ?"], [player, public]
    if after is not None:
        conditions, values = [*conditions, "(ended, game) < (?, ?)"], [*values, *after]
    if shared_with is not None:
        conditions, values = [*conditions, SHARED], [*values, shared_with]
    tail = f"WHERE {' AND '.join(conditions)} ORDER BY ended DESC, game DESC LIMIT {limit}"
    return reading.find("results", tail, *values)


def _games(reading: RowSnapshot, ids: Sequence[str]) -> dict[str, Row]:
    rows = reading.find("games", f"WHERE game IN ({', '.join('?' * len(ids))})", *ids) if ids else []
    return {row["game"]: row for row in rows}


def _item(result: Row, game: Row) -> HistoryGame:
    return {
        "id": game["game"],
        "board": game["board"],
        "variant": game["variant"],
        "ended": game["ended"],
        "public": bool(game["public"]),
        "seat": result["seat"],
        "seats": [
            {"seat": seat, "player": each["player"], "kind": each["kind"]} for seat, each in enumerate(game["seats"])
        ],
        "won": bool(result["won"]),
        "points": result["points"],
        "result": game["result"],
        "counts": result["reason"] is None,
        "reason": result["reason"],
    }
