"""The deadlines of every game, for the worker that acts on them (R-P10, C6, R-C42, fairdeal/1)."""

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
"""The deadlines of a game: its end, a reminder, a forfeit, and the end of the window for cuts."""
TURN_CONTINUES = RulesChanged | PartnerCalled | MovesTakenBack
"""Facts that may come while a seat is thinking; its turn goes on."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's row by `event`."""
    fact = event.data
    row = _new_row(event, fact) if isinstance(fact, GameOpened) else rows.get("games", event.game)
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    changes = row if isinstance(fact, GameOpened) else _changes(row, event)
    if changes:
        row |= changes
        row["due"] = min((row[kind] for kind in DEADLINE_COLUMNS if row[kind] is not None), default=None)
        rows.put("games", row)


def _new_row(event: Event[Any], opened: GameOpened) -> Row:
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
    """Return the columns that `event` changes."""
    fact = event.data
    change = _CHANGES.get(type(fact))
    if change is not None:
        return change(row, event)
    return _set_turn(row, event) if hasattr(fact, "next") else {}


def _reseat(row: Row, event: Event[SeatsDrawn]) -> Row:
    return {"people": [seat for seat, index in enumerate(event.data.order) if index in row["people"]]}


def _leave(row: Row, event: Event[SeatResigned | SeatForfeited]) -> Row:
    return _with_turn_deadlines(row | {"people": [seat for seat in row["people"] if seat != event.data.seat]})


def _open_cut_window(row: Row, event: Event[CeremonyOpened]) -> Row:
    waits = row["window_s"] is not None and event.data.subject.startswith("deal ")
    return {"cuts_at": add_time(event.at, seconds=row["window_s"])} if waits else {}


def _deal(row: Row, event: Event[HandDealt]) -> Row:
    return _set_turn(row, event) | {"cuts_at": None}


def _end_hand(row: Row, event: Event[Any]) -> Row:
    return _with_turn_deadlines(row | {"turn": []})


def _rule(row: Row, event: Event[RulingGiven]) -> Row:
    return {} if event.data.voids is None else _end_hand(row, event)


_CHANGES: dict[type[Any], Callable[[Row, Any], Row]] = {
    **dict.fromkeys(TURN_ENDING_FACTS, _end_hand),
    SeatsDrawn: _reseat,
    SeatResigned: _leave,
    SeatForfeited: _leave,
    TurnReminded: lambda row, _: _with_turn_deadlines(row | {"reminded": 1}),
    CeremonyOpened: _open_cut_window,
    CeremonyVoided: lambda *_: {"cuts_at": None},
    HandDealt: _deal,
    RulingGiven: _rule,
    GameEnded: lambda *_: {"turn": []} | dict.fromkeys(DEADLINE_COLUMNS),
}


def _set_turn(row: Row, event: Event[Any]) -> Row:
    """Set the seats in turn; the turn begins with this event, unless the same turn continues."""
    fact = event.data
    turn = list(fact.next)
    awaited = turn or row["awaited"]
    after = row | {"turn": turn, "awaited": awaited}
    if not (isinstance(fact, TURN_CONTINUES) and awaited == row["awaited"]):
        after |= {"since": event.at, "reminded": 0}
    return _with_turn_deadlines(after)


def _with_turn_deadlines(row: Row) -> Row:
    """Return `row` with the deadlines of the people whose turn it is."""
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
    """Return the games with a deadline at or before `now` (UTC, six decimals), the longest overdue first.

    A game that has to play its last hand to the end stays due until the hand is scored.
    """
    tail = f"WHERE due <= ? ORDER BY due, game LIMIT {max(0, limit)}"
    return [row["game"] for row in reading.find("games", tail, now)]
