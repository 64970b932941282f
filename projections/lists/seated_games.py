"""The row of a game with the people who hold its seats: what standings and ratings keep of each game."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from domain.events import (
    Event,
    GameOpened,
    HandoverAnswered,
    HandoverAsked,
    SeatForfeited,
    SeatHandedOver,
    SeatResigned,
    SeatReturned,
    SeatsDrawn,
)
from domain.rules.variants.house import HOUSE, RULEBOOK
from domain.store.sql.transactions import ColumnType
from projections.lists.standings_results import new_tally
from projections.storage.tables import Row

Change = Callable[[Row, Event[Any]], Row]
COLUMNS: dict[str, ColumnType] = {
    "game": "text",
    "board": "number",
    "variant": "text",
    "seats": "json",
    "command": "text",
    "sides": "json",
    "hands": "number",
    "tallies": "json",
    "result": "json",
    "ended": "text",
}
"""The columns of such a row. `command` is that of the last event, and `tallies` are by person."""


ADDRESS_DIGITS = 16
"""How many digits of a rulebook's address name the games by it."""
RATED_HOUSE = re.compile(f"{HOUSE}:[0-9a-f]{{{ADDRESS_DIGITS}}}")
"""The name of games by one rulebook, which are rated together."""


def rated_as(opened: GameOpened) -> str:
    """Return the variant of a game, with the first digits of its rulebook if it has one: these are rated apart."""
    address = opened.options.get(RULEBOOK)
    return opened.variant if address is None else f"{opened.variant}:{address[:ADDRESS_DIGITS]}"


def new_row(event: Event[Any], opened: GameOpened) -> Row:
    """Return the row of a game that has just been opened."""
    seats = [{"player": each.player, "kind": each.kind, "changed": False, "late": None} for each in opened.players]
    return {
        "game": event.game,
        "board": opened.board,
        "variant": rated_as(opened),
        "seats": seats,
        "command": event.command,
        "sides": [list(side) for side in opened.sides],
        "hands": 0,
        "tallies": _tallies(seats),
        "result": None,
        "ended": None,
    }


def is_person(sitting: Row) -> bool:
    """Return whether a person holds the seat."""
    return bool(sitting["kind"] == "human")


def _tallies(seats: list[Row]) -> Row:
    return {each["player"]: new_tally(seat) for seat, each in enumerate(seats) if is_person(each)}


def _reseat(game: Row, event: Event[SeatsDrawn]) -> Row:
    """Seat the players as drawn."""
    seats = [game["seats"][index] for index in event.data.order]
    return {"seats": seats, "tallies": _tallies(seats)}


def _seat_player(game: Row, event: Event[SeatHandedOver | SeatReturned]) -> Row:
    """Seat the new player. A hand-over that begins its commit is the clock's: it took the seat from a late player.

    `late` of a seat is that player.
    """
    fact = event.data
    kind = "human" if isinstance(fact, SeatReturned) else fact.kind
    late = fact.giver if isinstance(fact, SeatHandedOver) and game["command"] != event.command else None
    seats, tallies = list(game["seats"]), dict(game["tallies"])
    seats[fact.seat] = {"player": fact.to, "kind": kind, "changed": True, "late": late}
    if kind == "human":
        tallies.setdefault(fact.to, new_tally(fact.seat))
    return {"seats": seats, "tallies": tallies}


def _note_commit(_game: Row, _event: Event[Any]) -> Row:
    """Change nothing: the fold keeps the command, by which a hand-over in the same commit isn't the clock's."""
    return {}


SEAT_CHANGES: Mapping[type[Any], Change] = {
    SeatsDrawn: _reseat,
    HandoverAsked: _note_commit,
    HandoverAnswered: _note_commit,
    SeatResigned: _note_commit,
    SeatForfeited: _note_commit,
    SeatHandedOver: _seat_player,
    SeatReturned: _seat_player,
}
"""The change of the row by each fact about the seats."""
