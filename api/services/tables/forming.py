"""Forms a table, and says who may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec.structs import asdict

from api.accounts.tables.seats import CLAIMED, OPEN, FormingSeat, FormingTable, TableStatus
from api.services.board_reservation import reserve_board
from api.services.container import Services
from api.services.tables.seat_plan import is_complete, opening_command, take_questions
from domain.decide import decide
from domain.events import GameOpened
from domain.state import EMPTY_STATE

SHORTEST_S, LONGEST_S, USUAL_S = 60, 30 * 24 * 3600, 7 * 24 * 3600
"""How long a table may form, in seconds."""


@dataclass(frozen=True)
class RematchSource:
    """What a rematch is of, and the rematches of the same game that are over, by id."""

    game: str
    over: frozenset[str]


def form_table(
    services: Services,
    game: str,
    opener: str,
    command: str,
    fields: Mapping[str, Any],
    seats: Sequence[FormingSeat],
    rematch: RematchSource | None = None,
) -> FormingTable:
    """Form a table under the id that its game gets; return the existing one if a request or a rematch is repeated.

    A table whose seats all have their players is closed from the beginning. Raise Rejected for a table that the rules
    refuse, TooMany and LimitReached.
    """
    body = _checked_body(services, game, fields, seats)
    is_full = is_complete(seats)
    most = services.config.forming_tables if services.config.is_limited and not is_full else None
    services.accounts.forming.require_room(opener, most)
    take_questions(services, opener, seats)
    began = services.clock.now_us()
    table = FormingTable(
        game=game,
        board=reserve_board(services, game, opener),
        opener=opener,
        command=command,
        body=body,
        listed=_is_listed(body, seats),
        rematch_of=None if rematch is None else rematch.game,
        status=TableStatus.CLOSING if is_full else TableStatus.FORMING,
        revision=1,
        created=began,
        expires=began + fields["expires_s"] * 1_000_000,
        seats=tuple(seats),
    )
    services.accounts.chat.choose(game, fields["chat"])
    formed = services.accounts.forming.create(table, most, () if rematch is None else rematch.over)
    if formed.game != game:
        services.accounts.boards.finish([game])
    return formed


def _checked_body(
    services: Services, game: str, fields: Mapping[str, Any], seats: Sequence[FormingSeat]
) -> dict[str, Any]:
    """Return the fields of the game, with every option as the rules fill it in. Raise Rejected as they would."""
    facts = decide(EMPTY_STATE, opening_command(services, fields, game, seats))
    (opened,) = (fact for fact in facts if isinstance(fact, GameOpened))
    named = {"variant": opened.variant, "reveal": opened.reveal, "undo": opened.undo, "chat": fields["chat"]}
    return named | game_fields(opened)


def game_fields(opened: GameOpened) -> dict[str, Any]:
    """Return the options, timing, fairness, watch and autopilot of a game in the form of a request."""
    pace = opened.timing.pace
    timing = asdict(opened.timing) | {"pace": None if pace is None else asdict(pace)}
    watch, fairness = asdict(opened.watch), asdict(opened.fairness)
    fields = {"options": opened.options, "timing": timing, "fairness": fairness, "watch": watch}
    return fields | {"autopilot": opened.autopilot}


def _is_listed(body: Mapping[str, Any], seats: Sequence[FormingSeat]) -> bool:
    """Return whether everybody may see the table: it can be watched, and anybody may take a seat."""
    return body["watch"]["public"] and any(seat.kind == OPEN for seat in seats)


def shown_to(table: FormingTable, viewer: str | None) -> FormingTable:
    """Return the table without the names of those who are asked, unless the viewer is one of its players."""
    if table.concerns(viewer):
        return table
    seats = (seat if seat.state == CLAIMED else replace(seat, player=None) for seat in table.seats)
    return replace(table, seats=tuple(seats))
