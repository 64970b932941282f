"""The lobby: one row a game, with who plays, whose turn it is and how it stands or ended."""

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
"""Games in one page, at most."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Bring the game's rows up to `event`; what only some may see of it is not looked at."""
    fact = event.data
    if isinstance(fact, GameOpened):
        _open(rows, event, fact)
        return
    game = _known(rows.get("games", event.game), event)
    game["version"], game["updated"] = event.version, event.at
    if isinstance(fact, SeatsDrawn):
        _reseat(rows, event, fact)
    if isinstance(fact, SeatResigned | SeatForfeited):
        seat = _known(rows.get("seats", event.game, fact.seat), event)
        left = "resigned" if isinstance(fact, SeatResigned) else "forfeited"
        rows.put("seats", seat | {"state": left, "waiting": 0})
    if isinstance(fact, GameEnded):
        game["status"] = "finished"
        game["result"] = {"reason": fact.reason, "winners": list(fact.winners), "scores": list(fact.scores)}
    if isinstance(fact, GameEnded | RulingGiven | RulingDecided) and game["result"] is not None:
        game["result"] |= {"ruled": ruled_json(fact.ruled)}
    if game["cuts"] != Cuts.NONE:
        _cutting(rows, event)
    turn = _turn(fact)
    if turn is not None and turn != game["turn"]:
        _turn_to(rows, event, game["turn"], turn)
        game["turn"] = turn
    rows.put("games", game)


def _open(rows: Rows, event: Event[Any], opened: GameOpened) -> None:
    game = {"id": event.game, "board": opened.board, "variant": opened.variant, "status": "active"}
    game["cuts"] = opened.fairness.cuts
    stands = {"turn": [], "version": event.version, "created": event.at, "updated": event.at, "result": None}
    rows.put("games", game | stands)
    for seat, sitting in enumerate(opened.players):
        who = {"player": sitting.player, "kind": sitting.kind, "bot": sitting.bot, "state": "in"}
        rows.put("seats", {"game": event.game, "seat": seat, "waiting": 0, "barred": 0} | who)


def _cutting(rows: Rows, event: Event[Any]) -> None:
    """A deal waits for the cuts of people whose cuts count, until they are made or the deal goes on without them."""
    fact = event.data
    if isinstance(fact, CutOpened):
        seat = _known(rows.get("seats", event.game, fact.seat), event)
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
    """Players take the seats drawn for them (R-B1)."""
    invited = [_known(rows.get("seats", event.game, index), event) for index in range(len(drawn.order))]
    for seat, index in enumerate(drawn.order):
        rows.put("seats", invited[index] | {"seat": seat})


def _known(row: Row | None, event: Event[Any]) -> Row:
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    return row


def _turn(fact: object) -> list[int] | None:
    """Whose turn it is after `fact`, None where it does not say."""
    if isinstance(fact, TURN_ENDING_FACTS) or (isinstance(fact, RulingGiven) and fact.voids is not None):
        return []
    following = getattr(fact, "next", None)
    return None if following is None else list(following)


def _turn_to(rows: Rows, event: Event[Any], before: list[int], after: list[int]) -> None:
    """Nobody waits for a seat that left: the table plays for it."""
    for seat in sorted({*before, *after}):
        row = _known(rows.get("seats", event.game, seat), event)
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
    """Which games; None asks for all. `player` and `waiting` are player ids, `since` a time of the last event."""

    variant: str | None = None
    player: str | None = None
    status: str | None = None
    waiting: str | None = None
    since: str | None = None


def lobby_page(reading: RowSnapshot, wanted: LobbyFilter, limit: int = 50, cursor: str | None = None) -> Row:
    """A page of games, the youngest first, as {"items": [...], "next": cursor or None}; BadCursor."""
    where, values = _where(wanted)
    if cursor is not None:
        where.append("(created, id) < (?, ?)")
        values += parse_cursor(cursor, 2, "games")
    limit = max(1, min(limit, MAX_PAGE))
    tail = f"WHERE {' AND '.join(where or ['1 = 1'])} ORDER BY created DESC, id DESC LIMIT {limit + 1}"
    found = reading.find("games", tail, *values)
    page = found[:limit]
    seats = _seats(reading, [game["id"] for game in page])
    following = make_cursor(page[-1]["created"], page[-1]["id"]) if len(found) > limit else None
    return {"items": [_item(game, seats[game["id"]]) for game in page], "next": following}


def _where(wanted: LobbyFilter) -> tuple[list[str], list[Any]]:
    asked: dict[str, Any] = {
        "variant = ?": wanted.variant,
        "status = ?": wanted.status,
        "updated >= ?": wanted.since,
        "id IN (SELECT game FROM {seats} WHERE player = ?)": wanted.player,
        "id IN (SELECT game FROM {seats} WHERE player = ? AND waiting = 1)": wanted.waiting,
    }
    given = {where: value for where, value in asked.items() if value is not None}
    return list(given), list(given.values())


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
