"""The lobby: one row for each game, with its players, turn, status and result."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from domain.decide.whose_turn import TURN_ENDING_FACTS
from domain.events import (
    CeremonyOpened,
    CeremonyVoided,
    CutOpened,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    RulingDecided,
    RulingGiven,
    SeatForfeited,
    SeatResigned,
    SeatsDrawn,
)
from domain.rules.choices import Cuts
from projections.lists.cursors import make_cursor, parse_cursor
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Projection, Row, Rows, Table
from projections.views.ruled_scores import ruled_json

MAX_PAGE = 500
"""The most games in one page."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's rows by `event`, reading nothing that only some viewers may see."""
    fact = event.data
    if isinstance(fact, GameOpened):
        _add_game(rows, event, fact)
        return
    game = _require(rows.get("games", event.game), event)
    game["version"], game["updated"] = event.version, event.at
    if isinstance(fact, SeatsDrawn):
        _reseat(rows, event, fact)
    if isinstance(fact, SeatResigned | SeatForfeited):
        seat = _require(rows.get("seats", event.game, fact.seat), event)
        left = "resigned" if isinstance(fact, SeatResigned) else "forfeited"
        rows.put("seats", seat | {"state": left, "waiting": 0})
    if isinstance(fact, GameEnded):
        game["status"] = "finished"
        game["result"] = {"reason": fact.reason, "winners": list(fact.winners), "scores": list(fact.scores)}
    if isinstance(fact, GameEnded | RulingGiven | RulingDecided) and game["result"] is not None:
        game["result"] |= {"ruled": ruled_json(fact.ruled)}
    if game["cuts"] != Cuts.NONE:
        _update_cuts(rows, event)
    turn = _turn(fact)
    if turn is not None and turn != game["turn"]:
        _change_turn(rows, event, game["turn"], turn)
        game["turn"] = turn
    rows.put("games", game)


def _add_game(rows: Rows, event: Event[Any], opened: GameOpened) -> None:
    game = {"id": event.game, "board": opened.board, "variant": opened.variant, "status": "active"}
    game["cuts"] = opened.fairness.cuts
    status = {"turn": [], "version": event.version, "created": event.at, "updated": event.at, "result": None}
    rows.put("games", game | status)
    for seat, sitting in enumerate(opened.players):
        player = {"player": sitting.player, "kind": sitting.kind, "bot": sitting.bot, "state": "in"}
        rows.put("seats", {"game": event.game, "seat": seat, "waiting": 0, "barred": 0} | player)


def _update_cuts(rows: Rows, event: Event[Any]) -> None:
    """Mark the people whose cuts a deal waits for, until they cut or the deal goes on without them."""
    fact = event.data
    if isinstance(fact, CutOpened):
        seat = _require(rows.get("seats", event.game, fact.seat), event)
        rows.put("seats", seat | {"waiting": 0})
    elif isinstance(fact, CeremonyOpened) and fact.subject.startswith("deal "):
        for seat in _all_seats(rows, event.game):
            cuts = seat["kind"] == "human" and seat["state"] == "in" and not seat["barred"]
            rows.put("seats", seat | {"waiting": int(cuts)})
    elif isinstance(fact, HandDealt | CeremonyVoided):
        missing = fact.missing if isinstance(fact, HandDealt) else ()
        for seat in _all_seats(rows, event.game):
            rows.put("seats", seat | {"waiting": 0, "barred": int(seat["barred"] or seat["seat"] in missing)})


def _all_seats(rows: Rows, game: str) -> Iterator[Row]:
    seat = rows.get("seats", game, 0)
    while seat is not None:
        yield seat
        seat = rows.get("seats", game, seat["seat"] + 1)


def _reseat(rows: Rows, event: Event[Any], drawn: SeatsDrawn) -> None:
    """Move the players to the seats drawn for them (R-B1)."""
    invited = [_require(rows.get("seats", event.game, index), event) for index in range(len(drawn.order))]
    for seat, index in enumerate(drawn.order):
        rows.put("seats", invited[index] | {"seat": seat})


def _require(row: Row | None, event: Event[Any]) -> Row:
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    return row


def _turn(fact: object) -> list[int] | None:
    """Return the seats in turn after `fact`, or None if the fact doesn't change the turn."""
    if isinstance(fact, TURN_ENDING_FACTS) or (isinstance(fact, RulingGiven) and fact.voids is not None):
        return []
    following = getattr(fact, "next", None)
    return None if following is None else list(following)


def _change_turn(rows: Rows, event: Event[Any], before: list[int], after: list[int]) -> None:
    """Mark the seats that the game waits for; it doesn't wait for a seat that left, since the table plays for it."""
    for seat in sorted({*before, *after}):
        row = _require(rows.get("seats", event.game, seat), event)
        rows.put("seats", row | {"waiting": int(seat in after and row["state"] == "in")})


LOBBY = Projection(
    name="lobby",
    version=3,
    tables=(
        Table(
            "games",
            {
                "id": "text",
                "board": "number",
                "variant": "text",
                "cuts": "text",
                "status": "text",
                "turn": "json",
                "version": "number",
                "created": "text",
                "updated": "text",
                "result": "json",
            },
            indexes=(("created", "id"), ("board",)),
        ),
        Table(
            "seats",
            {
                "game": "text",
                "seat": "number",
                "player": "text",
                "kind": "text",
                "bot": "text",
                "state": "text",
                "waiting": "number",
                "barred": "number",
            },
            key=2,
            indexes=(("player", "waiting", "game"),),
        ),
    ),
    fold=fold,
)


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

    Raise BadCursor for a cursor that no page returned.
    """
    where, values = _where(criteria)
    if cursor is not None:
        where.append("(created, id) < (?, ?)")
        values += parse_cursor(cursor, 2, "games")
    limit = max(1, min(limit, MAX_PAGE))
    tail = f"WHERE {' AND '.join(where or ['1 = 1'])} ORDER BY created DESC, id DESC LIMIT {limit + 1}"
    games = reading.find("games", tail, *values)
    page = games[:limit]
    seats = _seats(reading, [game["id"] for game in page])
    following = make_cursor(page[-1]["created"], page[-1]["id"]) if len(games) > limit else None
    return {"items": [_item(game, seats[game["id"]]) for game in page], "next": following}


def _where(criteria: LobbyFilter) -> tuple[list[str], list[Any]]:
    conditions: dict[str, Any] = {
        "variant = ?": criteria.variant,
        "status = ?": criteria.status,
        "updated >= ?": criteria.since,
        "id IN (SELECT game FROM {seats} WHERE player = ?)": criteria.player,
        "id IN (SELECT game FROM {seats} WHERE player = ? AND waiting = 1)": criteria.waiting,
    }
    chosen = {where: value for where, value in conditions.items() if value is not None}
    return list(chosen), list(chosen.values())


def _seats(reading: RowSnapshot, ids: list[str]) -> dict[str, list[Row]]:
    seats: dict[str, list[Row]] = {game: [] for game in ids}
    if ids:
        marks = ", ".join("?" * len(ids))
        for row in reading.find("seats", f"WHERE game IN ({marks}) ORDER BY game, seat", *ids):
            seats[row["game"]].append(row)
    return seats


def _item(game: Row, seats: list[Row]) -> Row:
    shown = ("seat", "player", "kind", "state")
    return {
        **{name: game[name] for name in ("id", "board", "variant", "status")},
        "seats": [{name: seat[name] for name in shown} for seat in seats],
        "waiting": [seat["player"] for seat in seats if seat["waiting"]],
        **{name: game[name] for name in ("version", "created", "updated", "result")},
    }
