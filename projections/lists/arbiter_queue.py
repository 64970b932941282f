"""The arbiters' queue: the disputes of all games, which of them wait for a ruling or a decision, and the rulings."""

from typing import Annotated, Any, TypedDict

from domain.events import (
    DisputeOpened,
    DisputeWithdrawn,
    Event,
    GameOpened,
    RulingAppealed,
    RulingDecided,
    RulingGiven,
    SeatHandedOver,
    Watch,
)
from domain.events.disputes import DisputeKind, Ruling
from domain.json_fields import DisputeStatus, Time, Uuid, one_of, says
from projections.lists.cursors import bad_cursor, make_cursor, parse_cursor
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Index, Projection, Row, Rows, TableColumns

MAX_PAGE = 500
"""The most disputes in one page."""
UNSEATED = "NOT EXISTS (SELECT 1 FROM {parties} p WHERE p.player = ? AND p.game = {disputes}.game)"
"""The condition that a player never held a seat in the game."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's disputes by `event`."""
    fact = event.data
    if isinstance(fact, GameOpened):
        open_to_all = int(fact.watch == Watch())
        rows.put("games", {"id": event.game, "board": fact.board, "variant": fact.variant, "public": open_to_all})
        for index, sitting in enumerate(fact.players):
            rows.put("parties", {"game": event.game, "number": index, "player": sitting.player})
    elif isinstance(fact, SeatHandedOver):
        rows.put("parties", {"game": event.game, "number": event.version, "player": fact.to})
    elif isinstance(fact, DisputeOpened):
        rows.put("disputes", _new_dispute(event, fact))
    elif isinstance(fact, DisputeWithdrawn):
        _update(rows, event, {"status": "withdrawn", "waits": 0})
    elif isinstance(fact, RulingGiven):
        ruled = {"status": "ruled", "decision": fact.decision, "arbiter": event.by, "waits": 0}
        _update(rows, event, ruled | {"basis": fact.basis, "ruled": event.at, "command": event.command})
    elif isinstance(fact, RulingAppealed):
        _update(rows, event, {"status": "appealed", "waits": 1, "since": event.at})
    elif isinstance(fact, RulingDecided):
        _update(rows, event, {"status": fact.decision, "waits": 0})


def _new_dispute(event: Event[DisputeOpened], fact: DisputeOpened) -> Row:
    return {
        "game": event.game,
        "dispute": fact.dispute,
        "seat": fact.seat,
        "hand": fact.hand,
        "at_version": fact.at_version,
        "kind": fact.kind,
        "status": "open",
        "decision": None,
        "arbiter": None,
        "waits": 1,
        "since": event.at,
        "opened": event.at,
        "basis": None,
        "ruled": None,
        "command": None,
    }


def _update(rows: Rows, event: Event[Any], change: Row) -> None:
    row = rows.get("disputes", event.game, event.data.dispute)
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} is about a dispute that was never opened")
    rows.put("disputes", row | change)


ARBITER_QUEUE = Projection(
    name="disputes",
    version=3,
    tables=(
        TableColumns("games", {"id": "text", "board": "number", "variant": "text", "public": "number"}),
        TableColumns(
            "parties",
            {"game": "text", "number": "number", "player": "text"},
            key=2,
            indexes=(Index(("player", "game")),),
        ),
        TableColumns(
            "disputes",
            {
                "game": "text",
                "dispute": "number",
                "seat": "number",
                "hand": "number",
                "at_version": "number",
                "kind": "text",
                "status": "text",
                "decision": "text",
                "arbiter": "text",
                "waits": "number",
                "since": "text",
                "opened": "text",
                "basis": "text",
                "ruled": "text",
                "command": "text",
            },
            key=2,
            indexes=(
                Index(("waits", "since", "game", "dispute")),
                Index(("kind", "ruled", "game", "dispute")),
                Index(("basis", "ruled", "game", "dispute")),
            ),
        ),
    ),
    fold=fold,
    facts=frozenset(
        {GameOpened, SeatHandedOver, DisputeOpened, DisputeWithdrawn, RulingGiven, RulingAppealed, RulingDecided}
    ),
)


class ListedDispute(TypedDict):
    """A dispute that waits for an arbiter, or was ruled on."""

    board: int
    variant: str
    game: Uuid
    dispute: int
    seat: int
    hand: int
    at_version: int
    kind: Annotated[str, one_of(*DisputeKind)]
    status: DisputeStatus
    decision: Annotated[str, one_of(*Ruling)] | None
    arbiter: Annotated[str | None, says("The id of the arbiter who ruled.")]
    since: Time
    opened: Time
    basis: Annotated[str | None, says("The clause that the ruling rests on.")]
    ruled: Annotated[Time | None, says("When the arbiter ruled.")]
    corrupt: bool


class ListedDisputes(TypedDict):
    """A page of disputes: those that wait, the oldest first, or rulings, the newest first."""

    items: list[ListedDispute]
    next: str | None


def waiting_disputes(
    reading: RowSnapshot, arbiter: str | None, limit: int = 50, cursor: str | None = None
) -> ListedDisputes:
    """Return a page of waiting disputes, the longest waiting first.

    For an arbiter, leave out the disputes they can't judge: games they play in, and appeals against their own rulings.
    Raise BadCursor for a cursor that no page returned.
    """
    where, values = ["waits = 1"], list[Any]()
    if arbiter is not None:
        where += ["(arbiter IS NULL OR arbiter <> ?)", UNSEATED]
        values += [arbiter, arbiter]
    if cursor is not None:
        where.append("(since, game, dispute) > (?, ?, ?)")
        values += _parse(cursor)
    limit = max(1, min(limit, MAX_PAGE))
    tail = f"WHERE {' AND '.join(where)} ORDER BY since, game, dispute LIMIT {limit + 1}"
    return _page(reading, reading.find("disputes", tail, *values), limit, "since")[0]


def like_rulings(
    reading: RowSnapshot,
    arbiter: str | None,
    kind: str | None,
    clause: str | None,
    limit: int = 50,
    cursor: str | None = None,
) -> tuple[ListedDisputes, list[str]]:
    """Return a page of the rulings on disputes of a kind, or that rest on a clause, the newest first.

    Beside the page are the ids of the commands under which the reasons are stored. For an arbiter, leave out the games
    that they play in, or that not everybody may watch at once. Raise BadCursor for a cursor that no page returned.
    """
    like = {"kind": kind, "basis": clause}
    named = {column: value for column, value in like.items() if value is not None}
    where = ["ruled IS NOT NULL", f"({' OR '.join(f'{column} = ?' for column in named)})"]
    values: list[Any] = [*named.values()]
    if arbiter is not None:
        where += [UNSEATED, "EXISTS (SELECT 1 FROM {games} g WHERE g.id = {disputes}.game AND g.public = 1)"]
        values.append(arbiter)
    if cursor is not None:
        where.append("(ruled, game, dispute) < (?, ?, ?)")
        values += _parse(cursor)
    limit = max(1, min(limit, MAX_PAGE))
    tail = f"WHERE {' AND '.join(where)} ORDER BY ruled DESC, game DESC, dispute DESC LIMIT {limit + 1}"
    return _page(reading, reading.find("disputes", tail, *values), limit, "ruled")


def _page(reading: RowSnapshot, disputes: list[Row], limit: int, order: str) -> tuple[ListedDisputes, list[str]]:
    page = disputes[:limit]
    ids = sorted({row["game"] for row in page})
    games, corrupt = _games(reading, ids), reading.corrupt(ids)
    items: list[ListedDispute] = [
        {
            "board": games[row["game"]]["board"],
            "variant": games[row["game"]]["variant"],
            "game": row["game"],
            "dispute": row["dispute"],
            "seat": row["seat"],
            "hand": row["hand"],
            "at_version": row["at_version"],
            "kind": row["kind"],
            "status": row["status"],
            "decision": row["decision"],
            "arbiter": row["arbiter"],
            "since": row["since"],
            "opened": row["opened"],
            "basis": row["basis"],
            "ruled": row["ruled"],
            "corrupt": row["game"] in corrupt,
        }
        for row in page
    ]
    last = [page[-1][name] for name in (order, "game", "dispute")] if len(disputes) > limit else None
    shown: ListedDisputes = {"items": items, "next": None if last is None else make_cursor(*last)}
    return shown, [row["command"] for row in page]


def _games(reading: RowSnapshot, ids: list[str]) -> dict[str, Row]:
    if not ids:
        return {}
    return {row["id"]: row for row in reading.find("games", f"WHERE id IN ({', '.join('?' * len(ids))})", *ids)}


def _parse(cursor: str) -> list[Any]:
    since, game, dispute = parse_cursor(cursor, 3, "disputes")
    try:
        number = int(dispute)
    except ValueError as error:
        raise bad_cursor("disputes") from error
    if not 0 < number < 2**53:
        raise bad_cursor("disputes")
    return [since, game, number]
