"""Reads of the ratings: pages by rank, a player's ratings and their history, and what rulings moved.

The cost of each read depends on what it returns, not on the number of games.
"""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from domain.json_fields import Cursor, Time, Uuid, one_of, says
from projections.lists.cursors import bad_cursor, make_cursor, parse_cursor
from projections.lists.standings_pages import MAX_PAGE, MOST_RANKED, Listed, ranks
from projections.ratings.places import TableKind
from projections.ratings.rating_pool import RatingNumber, rating_json
from projections.ratings.stored_pool import pool_name
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Row


class PlayedRating(RatingNumber):
    """A rating, and what it rests on."""

    opponents: Annotated[int, says("How many different opponents the player has met.")]
    last: Annotated[Time, says("When the last of these games ended.")]


class RatingLine(PlayedRating):
    """A player's line in the ratings."""

    rank: Annotated[int, says("From 1.")]
    player: Annotated[str, says("The player's id.")]


class RatingsPage(TypedDict):
    """A page of the ratings."""

    items: list[RatingLine]
    next: Cursor


class PoolName(TypedDict):
    """A variant and a kind of table, whose games are rated together."""

    variant: str
    kind: TableKind


class PoolRating(PlayedRating, PoolName):
    """A player's rating in a variant."""

    rank: Annotated[int | None, says("From 1; null behind the first 1,000, and before five opponents.")]


class RatingHistoryGame(PoolName):
    """The change of a player's rating by a game."""

    id: Uuid
    board: int
    ended: Time
    place: Annotated[int, says("The player's place, from 1.")]
    sides: Annotated[int, says("How many were placed: players, or sides of partners.")]
    weight: Annotated[float, says("1, or 0.5 if the same people had played ten games in a week.")]
    before: RatingNumber
    after: RatingNumber


class RatingHistoryPage(TypedDict):
    """A page of what a player's games did to their ratings, the last game first."""

    items: list[RatingHistoryGame]
    next: Cursor


class RatingChange(TypedDict):
    """A player whom a ruling moved."""

    at: Annotated[Time, says("When the ruling was given.")]
    id: Annotated[Uuid, says("The game that it was about.")]
    board: int
    version: Annotated[int, says("The ruling's number among the events of the game.")]
    dispute: Annotated[int, says("The number of the dispute.")]
    decision: Annotated[str, one_of("none", "adjust", "void", "upheld", "reversed", text="The decision.")]
    player: Annotated[str, says("The player's id.")]
    before: Annotated[RatingNumber, says("Just before the ruling.")]
    after: Annotated[RatingNumber, says("Just after it, with all later games rated again.")]


class RatingChangesPage(TypedDict):
    """A page of the players whom rulings moved, the latest ruling first."""

    items: list[RatingChange]
    next: Cursor


LEAST_OPPONENTS = 5
"""Only players who have met at least that many opponents are in the list."""
ORDER = ("established", "value", "player")
CHANGE_KEY = ("at", "game", "version", "player")
HISTORY_KEY = ("ended", "game", "pool")


def ratings_page(
    reading: RowSnapshot, variant: str, kind: str, listed: Listed, limit: int = 50, cursor: str | None = None
) -> RatingsPage:
    """Return lines by rating, the established ones first, as {"items": [...], "next": cursor or None}.

    Players that aren't `listed` have no line and no rank. Raise BadCursor for a cursor that no page returned.
    """
    rank, after = _rating_place(cursor)
    items, keys, limit = list[RatingLine](), list[tuple[Any, ...]](), max(1, min(limit, MAX_PAGE))
    while len(items) <= limit:
        rows = _players(reading, pool_name(variant, kind), after, limit + 1)
        shown = set(listed([row["player"] for row in rows]))
        for row in rows:
            if row["player"] in shown:
                rank += 1
                items.append({"rank": rank, "player": row["player"], **_line(kind, row)})
                keys.append(_key(row, ORDER))
            after = _key(row, ORDER)
        if len(rows) <= limit:
            break
    following = make_cursor(items[limit - 1]["rank"], *keys[limit - 1]) if len(items) > limit else None
    return {"items": items[:limit], "next": following}


def _players(reading: RowSnapshot, pool: str, after: tuple[Any, ...] | None, limit: int) -> list[Row]:
    where = f"pool = ? AND opponents >= {LEAST_OPPONENTS}"
    where += "" if after is None else " AND (established, value, player) < (?, ?, ?)"
    order = ", ".join(f"{column} DESC" for column in ORDER)
    return reading.find("players", f"WHERE {where} ORDER BY {order} LIMIT {limit}", pool, *(after or ()))


def _line(kind: str, row: Row) -> PlayedRating:
    numbers = rating_json(kind, row["value"], row["spread"], row["played"])
    return {**numbers, "opponents": row["opponents"], "last": row["last"]}


def _key(row: Row, columns: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[column] for column in columns)


def _rating_place(cursor: str | None) -> tuple[int, tuple[Any, ...] | None]:
    if cursor is None:
        return 0, None
    rank, established, value, player = parse_cursor(cursor, 4, "ratings")
    return _number(rank), (_number(established), _number(value), player)


def _number(text: str) -> int:
    """Return a number of a cursor. Raise BadCursor unless a database takes it."""
    try:
        return int(text if text.isascii() and len(text) <= 18 else "")
    except ValueError as error:
        raise bad_cursor("ratings") from error


def player_ratings(reading: RowSnapshot, player: str, listed: Listed) -> list[PoolRating]:
    """Return a player's ratings, by variant and kind of table, with the rank in the list of each.

    The rank is None behind the first `MOST_RANKED` players, and before five opponents.
    """
    rows = reading.find("players", "WHERE player = ? ORDER BY pool", player)
    met = [row for row in rows if row["opponents"] >= LEAST_OPPONENTS]
    found = ranks(player, [_players_above(reading, row) for row in met], listed)
    by_pool = {row["pool"]: rank for row, rank in zip(met, found, strict=True)}
    return [
        {**_pool_json(row["pool"]), "rank": by_pool.get(row["pool"]), **_line(_kind(row["pool"]), row)} for row in rows
    ]


def _players_above(reading: RowSnapshot, row: Row) -> list[str]:
    where = f"pool = ? AND opponents >= {LEAST_OPPONENTS} AND (established, value, player) > (?, ?, ?)"
    tail = f"WHERE {where} LIMIT {MOST_RANKED}"
    return reading.find_column("players", "player", tail, row["pool"], *_key(row, ORDER))


def rating_history(reading: RowSnapshot, player: str, limit: int = 50, cursor: str | None = None) -> RatingHistoryPage:
    """Return what each game did to a player's ratings, the last first, with a cursor for the next page.

    A game has an item for each of its two ratings. Raise BadCursor for a cursor that no page returned.
    """
    after = () if cursor is None else tuple(parse_cursor(cursor, 3, "a history of ratings"))
    limit = max(1, min(limit, MAX_PAGE))
    where = "player = ?" + ("" if cursor is None else " AND (ended, game, pool) < (?, ?, ?)")
    order = ", ".join(f"{column} DESC" for column in HISTORY_KEY)
    rows = reading.find("histories", f"WHERE {where} ORDER BY {order} LIMIT {limit + 1}", player, *after)
    following = make_cursor(*_key(rows[limit - 1], HISTORY_KEY)) if len(rows) > limit else None
    return {"items": [_history_item(row) for row in rows[:limit]], "next": following}


def _history_item(row: Row) -> RatingHistoryGame:
    kind = _kind(row["pool"])
    return {
        "id": row["game"],
        "board": row["board"],
        **_pool_json(row["pool"]),
        "ended": row["ended"],
        "place": row["place"],
        "sides": row["sides"],
        "weight": row["halves"] / 2,
        "before": rating_json(kind, row["value_before"], row["spread_before"], row["played"] - 1),
        "after": rating_json(kind, row["value"], row["spread"], row["played"]),
    }


def rating_changes(
    reading: RowSnapshot, variant: str, kind: str, limit: int = 50, cursor: str | None = None
) -> RatingChangesPage:
    """Return whom rulings moved after the end of a game, the latest ruling first, with a cursor for the next page.

    Raise BadCursor for a cursor that no page returned.
    """
    after: tuple[Any, ...] = ()
    if cursor is not None:
        at, game, version, player = parse_cursor(cursor, 4, "changes")
        after = at, game, _number(version), player
    limit = max(1, min(limit, MAX_PAGE))
    where = "pool = ?" + ("" if cursor is None else " AND (at, game, version, player) < (?, ?, ?, ?)")
    order = ", ".join(f"{column} DESC" for column in CHANGE_KEY)
    tail = f"WHERE {where} ORDER BY {order} LIMIT {limit + 1}"
    rows = reading.find("changes", tail, pool_name(variant, kind), *after)
    following = make_cursor(*_key(rows[limit - 1], CHANGE_KEY)) if len(rows) > limit else None
    return {"items": [_change_item(kind, row) for row in rows[:limit]], "next": following}


def _change_item(kind: str, row: Row) -> RatingChange:
    return {
        "at": row["at"],
        "id": row["game"],
        "board": row["board"],
        "version": row["version"],
        "dispute": row["dispute"],
        "decision": row["what"],
        "player": row["player"],
        "before": rating_json(kind, row["value_before"], row["spread_before"], row["played"]),
        "after": rating_json(kind, row["value"], row["spread"], row["played"]),
    }


def _pool_json(pool: str) -> PoolName:
    variant, kind = pool.split("/")
    return {"variant": variant, "kind": kind}


def _kind(pool: str) -> str:
    return pool.split("/")[1]
