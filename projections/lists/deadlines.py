"""The agenda: what falls due when, for the clock that has to bring it about (R-P10, C6, R-C42, fairdeal/1)."""

from collections.abc import Callable
from typing import Any

from domain.decide.whose_turn import TURN_ENDING_FACTS
from domain.engine.deadlines import earliest_end
from domain.engine.timestamps import add_time
from domain.events import (
    CeremonyOpened,
    CeremonyVoided,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    MovesTakenBack,
    PartnerCalled,
    RulesChanged,
    RulingGiven,
    SeatForfeited,
    SeatResigned,
    SeatsDrawn,
    TurnReminded,
)
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Projection, Row, Rows, Table

DEADLINE_COLUMNS = ("ends_at", "reminds_at", "forfeits_at", "cuts_at")
"""What can fall due: the game's end, a reminder, a forfeit, the end of the window for cuts."""
TURN_CONTINUES = RulesChanged | PartnerCalled | MovesTakenBack
"""What may happen while a seat thinks; its turn goes on."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Bring the game's row up to `event`."""
    fact = event.data
    row = _opened(event, fact) if isinstance(fact, GameOpened) else rows.get("games", event.game)
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    changes = row if isinstance(fact, GameOpened) else _changes(row, event)
    if changes:
        row |= changes
        row["due"] = min((row[kind] for kind in DEADLINE_COLUMNS if row[kind] is not None), default=None)
        rows.put("games", row)


def _opened(event: Event[Any], opened: GameOpened) -> Row:
    timing = opened.timing
    return {
        "game": event.game,
        "due": None,
        "ends_at": earliest_end(timing, event.at),
        "reminds_at": None,
        "forfeits_at": None,
        "cuts_at": None,
        "nag_days": timing.nag_days,
        "forfeit_days": timing.forfeit_days,
        "window_s": opened.fairness.window_s,
        "people": [seat for seat, player in enumerate(opened.players) if player.kind == "human"],
        "turn": [],
        "awaited": [],
        "since": None,
        "reminded": 0,
    }


def _changes(row: Row, event: Event[Any]) -> Row:
    """What `event` changes of a row."""
    fact = event.data
    change = _CHANGES.get(type(fact))
    if change is not None:
        return change(row, event)
    return _moved(row, event) if hasattr(fact, "next") else {}


def _reseated(row: Row, event: Event[SeatsDrawn]) -> Row:
    return {"people": [seat for seat, index in enumerate(event.data.order) if index in row["people"]]}


def _left(row: Row, event: Event[SeatResigned | SeatForfeited]) -> Row:
    return _timed(row | {"people": [seat for seat in row["people"] if seat != event.data.seat]})


def _promised(row: Row, event: Event[CeremonyOpened]) -> Row:
    waits = row["window_s"] is not None and event.data.subject.startswith("deal ")
    return {"cuts_at": add_time(event.at, seconds=row["window_s"])} if waits else {}


def _dealt(row: Row, event: Event[HandDealt]) -> Row:
    return _moved(row, event) | {"cuts_at": None}


def _hand_over(row: Row, event: Event[Any]) -> Row:
    return _timed(row | {"turn": []})


def _ruled(row: Row, event: Event[RulingGiven]) -> Row:
    return {} if event.data.voids is None else _hand_over(row, event)


_CHANGES: dict[type[Any], Callable[[Row, Any], Row]] = {
    **dict.fromkeys(TURN_ENDING_FACTS, _hand_over),
    SeatsDrawn: _reseated,
    SeatResigned: _left,
    SeatForfeited: _left,
    TurnReminded: lambda row, _: _timed(row | {"reminded": 1}),
    CeremonyOpened: _promised,
    CeremonyVoided: lambda *_: {"cuts_at": None},
    HandDealt: _dealt,
    RulingGiven: _ruled,
    GameEnded: lambda *_: {"turn": []} | dict.fromkeys(DEADLINE_COLUMNS),
}


def _moved(row: Row, event: Event[Any]) -> Row:
    """Whose turn it is now; it began with this event, unless it goes on."""
    fact = event.data
    turn = list(fact.next)
    awaited = turn or row["awaited"]
    after = row | {"turn": turn, "awaited": awaited}
    if not (isinstance(fact, TURN_CONTINUES) and awaited == row["awaited"]):
        after |= {"since": event.at, "reminded": 0}
    return _timed(after)


def _timed(row: Row) -> Row:
    """`row` with what falls due for the people whose turn it is."""
    waits = row["since"] is not None and any(seat in row["people"] for seat in row["turn"])
    nag, forfeit = row["nag_days"], row["forfeit_days"]
    return row | {
        "reminds_at": add_time(row["since"], days=nag) if waits and nag is not None and not row["reminded"] else None,
        "forfeits_at": add_time(row["since"], days=forfeit) if waits and forfeit is not None else None,
    }


DEADLINES = Projection(
    name="agenda",
    version=2,
    tables=(
        Table(
            "games",
            {
                "game": "text",
                "due": "text",
                "ends_at": "text",
                "reminds_at": "text",
                "forfeits_at": "text",
                "cuts_at": "text",
                "nag_days": "number",
                "forfeit_days": "number",
                "window_s": "number",
                "people": "json",
                "turn": "json",
                "awaited": "json",
                "since": "text",
                "reminded": "number",
            },
            indexes=(("due", "game"),),
        ),
    ),
    fold=fold,
)


def due_games(reading: RowSnapshot, now: str, limit: int = 64) -> list[str]:
    """The games in which something was due at `now` (UTC, six decimals) and has not come, the longest overdue first.

    A game that plays its last hand out stays due until the hand is scored.
    """
    tail = f"WHERE due <= ? ORDER BY due, game LIMIT {max(0, limit)}"
    return [row["game"] for row in reading.find("games", tail, now)]
