"""The arbiters' queue: the disputes of all games, and which of them wait for a ruling or a decision."""

from typing import Annotated, Any, TypedDict

from domain.events import DisputeOpened, Event, GameOpened, RulingAppealed, RulingDecided, RulingGiven, SeatHandedOver
from domain.events.dispute_codes import DisputeKind, Ruling
from domain.json_fields import DisputeStatus, Names, Time, Uuid, one_of, says
from projections.lists.cursors import bad_cursor, make_cursor, parse_cursor
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Index, Projection, Row, Rows, TableColumns

MAX_PAGE = 500
"""The most disputes in one page."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's disputes by `event`."""
    fact = event.data
    if isinstance(fact, GameOpened):
        rows.put("games", {"id": event.game, "board": fact.board, "variant": fact.variant})
        for index, sitting in enumerate(fact.players):
            rows.put("parties", {"game": event.game, "number": index, "player": sitting.player})
    elif isinstance(fact, SeatHandedOver):
        rows.put("parties", {"game": event.game, "number": event.version, "player": fact.to})
    elif isinstance(fact, DisputeOpened):
        rows.put("disputes", _new_dispute(event, fact))
    elif isinstance(fact, RulingGiven):
        ruled = {"status": "ruled", "decision": fact.decision, "arbiter": event.by, "waits": 0}
        _update(rows, event, ruled)
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
    }


def _update(rows: Rows, event: Event[Any], change: Row) -> None:
    row = rows.get("disputes", event.game, event.data.dispute)
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} is about a dispute that was never opened")
    rows.put("disputes", row | change)


ARBITER_QUEUE = Projection(
    name="disputes",
    version=2,
    tables=(
        TableColumns("games", {"id": "text", "board": "number", "variant": "text"}),
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
            },
            key=2,
            indexes=(Index(("waits", "since", "game", "dispute")),),
        ),
    ),
    fold=fold,
    facts=frozenset({GameOpened, DisputeOpened, RulingGiven, RulingAppealed, RulingDecided, SeatHandedOver}),
)


class WaitingDispute(TypedDict):
    """A dispute that waits for an arbiter."""

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
    corrupt: bool


class WaitingDisputes(TypedDict):
    """A page of disputes that wait, the oldest first."""

    items: list[WaitingDispute]
    next: str | None


class DisputeQueue(WaitingDisputes):
    """A page of disputes that wait, the oldest first."""

    names: Names


def waiting_disputes(
    reading: RowSnapshot, arbiter: str | None, limit: int = 50, cursor: str | None = None
) -> WaitingDisputes:
    """Return a page of waiting disputes, the longest waiting first.

    For an arbiter, leave out the disputes they can't judge: games they play in, and appeals against their own rulings.
    Raise BadCursor for a cursor that no page returned.
    """
    where, values = ["waits = 1"], list[Any]()
    if arbiter is not None:
        unseated = "NOT EXISTS (SELECT 1 FROM {parties} p WHERE p.player = ? AND p.game = {disputes}.game)"
        where += ["(arbiter IS NULL OR arbiter <> ?)", unseated]
        values += [arbiter, arbiter]
    if cursor is not None:
        where.append("(since, game, dispute) > (?, ?, ?)")
        values += _parse(cursor)
    limit = max(1, min(limit, MAX_PAGE))
    tail = f"WHERE {' AND '.join(where)} ORDER BY since, game, dispute LIMIT {limit + 1}"
    disputes = reading.find("disputes", tail, *values)
    page = disputes[:limit]
    ids = sorted({row["game"] for row in page})
    games, corrupt = _games(reading, ids), reading.corrupt(ids)
    items: list[WaitingDispute] = [
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
            "corrupt": row["game"] in corrupt,
        }
        for row in page
    ]
    last = [page[-1][name] for name in ("since", "game", "dispute")] if len(disputes) > limit else None
    return {"items": items, "next": None if last is None else make_cursor(*last)}


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
