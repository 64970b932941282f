"""The deadlines of every game, for the worker that acts on them (R-P10, C6, R-C42, fairdeal/1)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from domain.decide.commits import TURN_ENDING_FACTS
from domain.engine.deadlines import BOT_AUTOPILOT, CLAIM, earliest_end
from domain.engine.timestamps import add_time
from domain.events import (
    FACTS,
    BeaconRecorded,
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
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    SeatsDrawn,
    TurnReminded,
    TurnTimed,
)
from projections.storage.rows import RowSnapshot
from projections.storage.tables import Index, Projection, Row, Rows, TableColumns

DEADLINE_COLUMNS = ("ends_at", "reminds_at", "forfeits_at", "cuts_at")
"""The deadlines of a game: its end, a reminder, a forfeit, and the end of the window for cuts."""
LONGEST_WARNING, SHORTEST_TURN = timedelta(hours=24), timedelta(hours=1)
"""How long before the end of a turn its player is warned at most, and of turns this short not at all."""
TURN_CONTINUES = (RulesChanged, PartnerCalled, MovesTakenBack)
"""Facts that may come while a seat is thinking; its turn goes on."""


def fold(rows: Rows, event: Event[Any]) -> None:
    """Update the game's row by `event`."""
    fact = event.data
    row = _new_row(event, fact) if isinstance(fact, GameOpened) else rows.get("games", event.game)
    if row is None:
        raise LookupError(f"event {event.version} of game {event.game} came before the game's first")
    change = _CHANGES.get(type(fact), _set_turn if hasattr(fact, "next") else None)
    if change is not None:
        change(row, event)
        row["due"] = min([row[kind] for kind in DEADLINE_COLUMNS if row[kind] is not None], default=None)
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
        "beacon": None,
        "warns_at": None,
        "nag_days": timing.nag_days,
        "forfeit_days": timing.forfeit_days,
        "window_s": opened.fairness.window_s,
        "people": [seat for seat, player in enumerate(opened.players) if player.kind == "human"],
        "turn": [],
        "awaited": [],
        "since": None,
        "reminded": 0,
        "held_ms": 0,
        "autopilot": opened.autopilot,
        "has_pace": int(timing.pace is not None),
        "timed_until": None,
    }


def _open(_row: Row, _event: Event[GameOpened]) -> None:
    """Change nothing: the row is new."""


def _reseat(row: Row, event: Event[SeatsDrawn]) -> None:
    row["people"] = [seat for seat, index in enumerate(event.data.order) if index in row["people"]]


def _leave(row: Row, event: Event[SeatResigned | SeatForfeited]) -> None:
    row["people"] = [seat for seat in row["people"] if seat != event.data.seat]
    _set_turn_deadlines(row)


def _seat_player(row: Row, event: Event[SeatHandedOver | SeatReturned]) -> None:
    """Count the seat among those of people, or no more; its turn goes on, but its time begins again after a bot's."""
    fact = event.data
    person = isinstance(fact, SeatReturned) or fact.kind == "human"
    begins_again = row["has_pace"] or row["autopilot"].startswith(BOT_AUTOPILOT)
    if isinstance(fact, SeatReturned) and fact.seat not in row["people"] and fact.seat in row["turn"] and begins_again:
        row["since"], row["timed_until"] = event.at, None
    row["people"] = sorted({*row["people"], fact.seat} if person else {*row["people"]} - {fact.seat})
    _set_turn_deadlines(row)


def _remind(row: Row, event: Event[TurnReminded]) -> None:
    row["reminded"], row["held_ms"] = 1, event.data.held_ms
    _set_turn_deadlines(row)


def _time_turn(row: Row, event: Event[TurnTimed]) -> None:
    row["timed_until"] = event.data.deadline
    _set_turn_deadlines(row)


def _open_cut_window(row: Row, event: Event[CeremonyOpened]) -> None:
    if row["window_s"] is not None and event.data.subject.startswith("deal "):
        row["cuts_at"] = add_time(event.at, seconds=row["window_s"])
        row["beacon"] = event.data.beacon


def _record_beacon(row: Row, _event: Event[BeaconRecorded]) -> None:
    row["beacon"] = None


def _void_ceremony(row: Row, _event: Event[CeremonyVoided]) -> None:
    row["cuts_at"] = row["beacon"] = None


def _deal(row: Row, event: Event[HandDealt]) -> None:
    _set_turn(row, event)
    row["cuts_at"] = row["beacon"] = None


def _end_hand(row: Row, _event: Event[Any]) -> None:
    row["turn"] = []
    _set_turn_deadlines(row)


def _rule(row: Row, event: Event[RulingGiven]) -> None:
    if event.data.voids is not None:
        _end_hand(row, event)


def _end_game(row: Row, _event: Event[GameEnded]) -> None:
    row["turn"] = []
    row.update(dict.fromkeys((*DEADLINE_COLUMNS, "warns_at", "beacon")))


def _set_turn(row: Row, event: Event[Any]) -> None:
    """Set the seats in turn; the turn begins with this event, unless the same turn continues."""
    fact, before = event.data, row["awaited"]
    row["turn"] = list(fact.next)
    row["awaited"] = row["turn"] or before
    if not (isinstance(fact, TURN_CONTINUES) and row["awaited"] == before):
        row["since"], row["reminded"], row["held_ms"], row["timed_until"] = event.at, 0, 0, None
    _set_turn_deadlines(row)


def _set_turn_deadlines(row: Row) -> None:
    """Set the deadlines of the people whose turn it is. A time that players claim needs no worker."""
    people, nag, forfeit = row["people"], row["nag_days"], row["forfeit_days"]
    waits = row["since"] is not None and not set(people).isdisjoint(row["turn"])
    row["reminds_at"] = row["forfeits_at"] = None
    if waits and nag is not None and not row["reminded"]:
        row["reminds_at"] = add_time(row["since"], days=nag)
    ends_at = None
    if waits and row["has_pace"]:
        ends_at = row["timed_until"]
    elif waits and forfeit is not None:
        ends_at = add_time(row["since"], days=forfeit, milliseconds=row["held_ms"])
    row["forfeits_at"] = None if row["autopilot"] == CLAIM else ends_at
    row["warns_at"] = _warns_at(row["since"], ends_at)


def _warns_at(since: str, ends_at: str | None) -> str | None:
    """Return when a player gets a warning: after three quarters of their turn, or a day before its end."""
    if ends_at is None:
        return None
    turn = datetime.fromisoformat(ends_at) - datetime.fromisoformat(since)
    warning = min(turn / 4, LONGEST_WARNING)
    return None if turn <= SHORTEST_TURN else add_time(ends_at, milliseconds=-int(warning / timedelta(milliseconds=1)))


_CHANGES: dict[type[Any], Callable[[Row, Any], None]] = {
    **dict.fromkeys(TURN_ENDING_FACTS, _end_hand),
    GameOpened: _open,
    SeatsDrawn: _reseat,
    SeatResigned: _leave,
    SeatForfeited: _leave,
    SeatHandedOver: _seat_player,
    SeatReturned: _seat_player,
    TurnReminded: _remind,
    TurnTimed: _time_turn,
    CeremonyOpened: _open_cut_window,
    BeaconRecorded: _record_beacon,
    CeremonyVoided: _void_ceremony,
    HandDealt: _deal,
    RulingGiven: _rule,
    GameEnded: _end_game,
}


DEADLINES = Projection(
    name="agenda",  # stored in every database
    version=7,
    tables=(
        TableColumns(
            "games",
            {
                "game": "text",
                "due": "text",
                "ends_at": "text",
                "reminds_at": "text",
                "forfeits_at": "text",
                "cuts_at": "text",
                "beacon": "text",
                "warns_at": "text",
                "nag_days": "number",
                "forfeit_days": "number",
                "window_s": "number",
                "people": "json",
                "turn": "json",
                "awaited": "json",
                "since": "text",
                "reminded": "number",
                "held_ms": "number",
                "autopilot": "text",
                "has_pace": "number",
                "timed_until": "text",
            },
            indexes=(Index(("due", "game")), Index(("warns_at", "game")), Index(("beacon", "game"))),
        ),
    ),
    fold=fold,
    facts=frozenset({*_CHANGES, *(fact for fact in FACTS.values() if "next" in fact.__struct_fields__)}),
)


def due_games(reading: RowSnapshot, now: str, limit: int = 64) -> list[str]:
    """Return the games with a deadline at or before `now` (UTC, six decimals), the longest overdue first.

    A game that has to play its last hand to the end stays due until the hand is scored. Games in quarantine are
    left out.
    """
    tail = f"WHERE due <= ? AND game NOT IN {{corrupt}} ORDER BY due, game LIMIT {max(0, limit)}"
    return [row["game"] for row in reading.find("games", tail, now)]


def next_due(reading: RowSnapshot) -> str | None:
    """Return the first deadline of the games that `due_games` returns by and by, or None."""
    tail = "WHERE due IS NOT NULL AND game NOT IN {corrupt} ORDER BY due LIMIT 1"
    return next(iter(reading.find_column("games", "due", tail)), None)


def games_awaiting_beacons(reading: RowSnapshot, limit: int) -> list[tuple[str, str]]:
    """Return games whose deal waits for a round of a beacon, as (source, game), in the order of their deadlines."""
    tail = f"WHERE beacon IS NOT NULL AND game NOT IN {{corrupt}} ORDER BY cuts_at, game LIMIT {max(0, limit)}"
    return [(row["beacon"], row["game"]) for row in reading.find("games", tail)]


def games_to_warn(reading: RowSnapshot, after: str, upto: str, limit: int) -> list[Row]:
    """Return the rows of games whose player in turn is to be warned after a time and up to another, the first first."""
    tail = f"WHERE warns_at > ? AND warns_at <= ? AND game NOT IN {{corrupt}} ORDER BY warns_at, game LIMIT {limit}"
    return reading.find("games", tail, after, upto)
