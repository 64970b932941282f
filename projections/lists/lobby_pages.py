"""Reads of the lobby: pages of games for clients, and the games in which the worker has to play for bots.

The cost of each read depends on what it returns, not on the number of games.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

from domain.json_fields import Cursor, PlayerKind, SeatState, Time, Uuid, says
from projections.lists.cursors import make_cursor, parse_cursor
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Row
from projections.views.results import OPENING_SAYS, GameResult, UnratedReason


class WatchSetting(TypedDict):
    """Whether everybody may watch a game, and how late."""

    public: bool
    delay: Annotated[int, says("By how many facts spectators see it late.")]


class LobbySeat(TypedDict):
    """A seat of a game in the lobby."""

    seat: int
    player: str
    kind: PlayerKind
    state: SeatState


class LobbyGame(TypedDict):
    """A game in the lobby."""

    id: Uuid
    board: int
    variant: str
    rulebook: Annotated[str | None, says("The address of the rulebook that it's played by, if there is one.")]
    status: Literal["active", "finished"]
    watch: WatchSetting
    seats: list[LobbySeat]
    waiting: Annotated[list[str], says("The ids of the players whose turn it is.")]
    version: int
    created: Time
    updated: Annotated[Time, says("The time of the last event.")]
    result: GameResult | None
    unrated: Annotated[UnratedReason | None, OPENING_SAYS]
    corrupt: Annotated[bool, says("Whether an event of the game can't be read.")]


class LobbyPage(TypedDict):
    """A page of games, the newest first."""

    items: list[LobbyGame]
    next: Cursor


MAX_PAGE = 500
"""The most games in one page."""
MOST_COUNTED = 1000
"""How many games of each variant are looked at, to say which are played most."""
PUBLIC = "public = ?"
SEATED = "EXISTS (SELECT 1 FROM {{seats}} s WHERE s.{0} = ? AND s.game = {1})"
"""A player, in the column {0} of seats, has a seat in the game {1}."""
FEW_GAMES = 500
"""If a filter leaves at most this many games, they are read by id; otherwise the games are read in order."""


@dataclass(frozen=True)
class LobbyFilter:
    """A filter on games; None means any. `players`, who all have a seat, and `waiting` are player ids.

    `since` is a time of the last event.
    """

    variant: str | None = None
    players: tuple[str, ...] = ()
    status: str | None = None
    waiting: str | None = None
    since: str | None = None


@dataclass(frozen=True)
class LobbyReader:
    """The reader of the lobby: a player by id, a spectator (None), or the host, who sees every game."""

    player: str | None = None
    is_host: bool = False


SPECTATOR, HOST = LobbyReader(), LobbyReader(is_host=True)


def lobby_page(
    reading: RowSnapshot,
    criteria: LobbyFilter,
    limit: int = 50,
    cursor: str | None = None,
    reader: LobbyReader = SPECTATOR,
) -> LobbyPage:
    """Return a page of games, the newest first, as {"items": [...], "next": cursor or None}.

    Only its players find a private game. Of a delayed game that isn't over, others find what its opening says.
    `corrupt` in an item means that the game is in quarantine, and that its item may be out of date.
    Raise BadCursor for a cursor that no page returned.
    """
    place = None if cursor is None else parse_cursor(cursor, 2, "games")
    limit = max(1, min(limit, MAX_PAGE))
    hides = not reader.is_host and reading.has_column("games", "seen")  # older rows have only games open to everybody
    found = {game["id"]: game for game in _find_games(reading, criteria, place, limit + 1, hides=hides)}
    own = _own_games(reading, criteria, reader.player, place, limit + 1) if hides and reader.player else []
    found |= {game["id"]: game for game in own}
    hidden = {game["id"] for game in found.values() if hides and _is_delayed(game)} - {game["id"] for game in own}
    games = sorted(found.values(), key=_order, reverse=True)
    page = games[:limit]
    ids = [game["id"] for game in page]
    seats, corrupt = _seats(reading, ids), reading.corrupt(ids)
    items = [_item(*_shown(game, seats[game["id"]], hidden), corrupt=game["id"] in corrupt) for game in page]
    return {"items": items, "next": make_cursor(page[-1]["created"], page[-1]["id"]) if len(games) > limit else None}


def _is_delayed(game: Row) -> bool:
    return bool(game["delay"]) and game["status"] == "active"


def _find_games(
    reading: RowSnapshot, criteria: LobbyFilter, place: Sequence[Any] | None, limit: int, *, hides: bool
) -> list[Row]:
    """Return the first games in order that everybody may find, or all games unless it `hides` some."""
    sits = "seen_player" if hides and reading.has_column("seats", "seen_player") else "player"
    where, values = _where(criteria, sits, hides=hides, place=place)
    if criteria.players and reading.is_current:  # older rows don't have the order in their seats
        player, *others = criteria.players
        conditions = _where(criteria, sits, hides=hides, place=None)
        return _games_of(reading, player, conditions, place, limit, sits, others)
    ids = _few_ids(reading, criteria, sits, hides=hides)
    if ids is None:
        tail = f"WHERE {' AND '.join(where or ['1 = 1'])} ORDER BY created DESC, id DESC LIMIT {limit}"
        return reading.find("games", tail, *values)
    if not ids:
        return []
    games = reading.find("games", _of_ids(ids, where), *ids, *values)
    return sorted(games, key=_order, reverse=True)[:limit]


def _own_games(
    reading: RowSnapshot, criteria: LobbyFilter, player: str, place: Sequence[Any] | None, limit: int
) -> list[Row]:
    """Return the first of a player's own private and delayed games in order."""
    conditions = _where(criteria, "player", hides=False, place=None)
    return _games_of(reading, player, conditions, place, limit, "restricted = 1 AND player")


def _games_of(
    reading: RowSnapshot,
    player: str,
    conditions: tuple[list[str], list[Any]],
    place: Sequence[Any] | None,
    limit: int,
    sits: str,
    others: Sequence[str] = (),
) -> list[Row]:
    """Return the first of a player's games in order that meet the conditions, by walking through the player's seats.

    `sits` ends with the column of seats in which the player stands. A seat of a game in which one of the `others` has
    none is passed over in the database.
    """
    where, values = conditions
    found, after = list[Row](), "" if place is None else "AND (created, game) < (?, ?)"
    together = " ".join(["AND " + SEATED.format(sits, "{seats}.game")] * len(others))
    while len(found) < limit:
        tail = f"WHERE {sits} = ? {together} {after} ORDER BY created DESC, game DESC LIMIT {FEW_GAMES}"
        walked = reading.find("seats", tail, player, *others, *(place or ()))
        if not walked:
            break
        ids = [seat["game"] for seat in walked]
        games = reading.find("games", _of_ids(ids, where), *ids, *values)
        found += sorted(games, key=_order, reverse=True)
        after, place = "AND (created, game) < (?, ?)", (walked[-1]["created"], walked[-1]["game"])
    return found[:limit]


def _of_ids(ids: Sequence[str], where: Sequence[str]) -> str:
    """Return the clause for those of these games that meet the conditions.

    The + keeps SQLite from reading all public games instead of these: its planner can't know which are fewer.
    """
    conditions = [f"+{condition}" if condition == PUBLIC else condition for condition in where]
    return f"WHERE {' AND '.join([f'id IN ({_marks(ids)})', *conditions])}"


def _order(game: Row) -> tuple[str, str]:
    return game["created"], game["id"]


def _marks(values: Sequence[object]) -> str:
    """Return a ? for each value."""
    return ", ".join("?" * len(values))


def _where(
    criteria: LobbyFilter, sits: str, *, hides: bool, place: Sequence[Any] | None
) -> tuple[list[str], list[Any]]:
    """Return the conditions on games and their values; if it `hides` games, by what everybody may know of them.

    `sits` is the column of seats in which the players stand.
    """
    waiting = "EXISTS (SELECT 1 FROM {seats} s WHERE s.player = ? AND s.game = id AND s.waiting = 1)"
    conditions: tuple[tuple[str, Any], ...] = (
        (PUBLIC, 1 if hides else None),
        ("variant = ?", criteria.variant),
        ("status = ?", criteria.status),
        (f"{'seen' if hides else 'updated'} >= ?", criteria.since),
        *((SEATED.format(sits, "id"), player) for player in criteria.players),
        (waiting + (" AND delay = 0" if hides else ""), criteria.waiting),
    )
    chosen = [(where, value) for where, value in conditions if value is not None]
    after = [] if place is None else ["(created, id) < (?, ?)"]
    return [*(where for where, _ in chosen), *after], [*(value for _, value in chosen), *(place or ())]


def _few_ids(reading: RowSnapshot, criteria: LobbyFilter, sits: str, *, hides: bool) -> list[str] | None:
    """Return the ids that one of the filters leaves if they are few, or None.

    To find few games by walking through all of them in order would take long. The + keeps SQLite from reading all
    public games, as in `_of_ids`. It lets PostgreSQL expect few games, whatever the time, and so use its index.
    """
    running = " AND running = 1" if reading.has_column("seats", "running") else ""
    seen = "+public = 1 AND seen >= ?" if hides else "+public IN (0, 1)"
    by_filter: tuple[tuple[str, str, str, str | None], ...] = (
        ("seats", "game", f"WHERE player = ?{running} AND waiting = 1", criteria.waiting),
        *(("seats", "game", f"WHERE {sits} = ?", player) for player in criteria.players),
        ("games", "id", f"WHERE updated >= ? AND {seen}", criteria.since),
    )
    for table, column, where, value in by_filter:
        if value is not None:
            ids = reading.find_column(table, column, f"{where} LIMIT {FEW_GAMES + 1}", *[value] * where.count("?"))
            if len(ids) <= FEW_GAMES:
                return ids
    return None


def _seats(reading: RowSnapshot, ids: list[str]) -> dict[str, list[Row]]:
    seats: dict[str, list[Row]] = {game: [] for game in ids}
    if ids:
        for row in reading.find("seats", f"WHERE game IN ({_marks(ids)}) ORDER BY game, seat", *ids):
            seats[row["game"]].append(row)
    return seats


def _shown(game: Row, seats: list[Row], hidden: Container[str]) -> tuple[Row, list[Row]]:
    return _as_opened(game, seats) if game["id"] in hidden else (game, seats)


def _as_opened(game: Row, seats: list[Row]) -> tuple[Row, list[Row]]:
    """Return a game and its seats as they were opened, in the order in which the opening names the players."""
    ordered = sorted(seats, key=lambda seat: int(seat["place"]))
    opened = [seat | _named(seat) | {"seat": seat["place"], "state": "in", "waiting": 0} for seat in ordered]
    return game | {"version": 1, "updated": game["created"], "result": None}, opened


def _named(seat: Row) -> Row:
    """Return the player whom the opening names; rows of an older version don't know them."""
    return {"player": seat["seen_player"], "kind": seat["seen_kind"]} if seat["seen_player"] is not None else {}


def _item(game: Row, seats: list[Row], *, corrupt: bool) -> LobbyGame:
    return {
        "id": game["id"],
        "board": game["board"],
        "variant": game["variant"],
        "rulebook": game["rulebook"],
        "status": game["status"],
        "watch": {"public": game["public"] != 0, "delay": game["delay"] or 0},
        "seats": [_seat(seat) for seat in seats],
        "waiting": [seat["player"] for seat in seats if seat["waiting"]],
        "version": game["version"],
        "created": game["created"],
        "updated": game["updated"],
        "result": game["result"],
        "unrated": game["unrated"],
        "corrupt": corrupt,
    }


def _seat(seat: Row) -> LobbySeat:
    return {"seat": seat["seat"], "player": seat["player"], "kind": seat["kind"], "state": seat["state"]}


def people_by_variant(reading: RowSnapshot, variants: Iterable[str], since: str) -> dict[str, int]:
    """Return how many people sit in the newest games of each variant that began since a time and that all may watch.

    Each variant has its own newest ones, so nobody crowds out the others by games of one.
    """
    tail = f"WHERE {PUBLIC} AND variant = ? AND created >= ? ORDER BY created DESC, id DESC LIMIT {MOST_COUNTED}"
    people = dict[str, int]()
    for variant in variants:
        games = reading.find_column("games", "id", tail, 1, variant, since)
        seats = f"WHERE kind = ? AND game IN ({_marks(games)}) GROUP BY player"
        people[variant] = len(reading.find_column("seats", "player", seats, "human", *games)) if games else 0
    return people


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
