"""Forms a table, says who may see it, and deals it once it has closed.

Any process may deal it, any number of times: the game opens once.
"""

import hashlib
import hmac
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec.structs import asdict

from api.container import Services
from api.monitoring.logs import log_event
from api.tables.services.seat_plan import is_complete, opening_command, reserve_board, take_seat_requests
from api.tables.stored.seats import CLAIMED, OPEN, FormingSeat, FormingTable, TableStatus
from domain.decide import decide
from domain.events import GameOpened
from domain.rejections import Rejected
from domain.state import EMPTY_STATE
from domain.store import Commit

LOG = logging.getLogger("trickbook.tables")


def command_of_table(secret: bytes, game: str) -> str:
    """Return the id of the command that opens a table's game: the same in every process, and unknown to clients."""
    text = hmac.new(secret, f"table\n{game}".encode(), hashlib.sha256).hexdigest()
    return f"{text[:16]}-{text[16:32]}"


def deal_table(services: Services, table: FormingTable) -> Commit:
    """Open the game of a closed table in the opener's name, and record it. Raise Rejected if the rules refuse it."""
    command = opening_command(services, table.body, table.game, table.seats, table.board)
    command_id = command_of_table(services.secret, table.game)
    try:
        commit = services.games.open(command, by=table.opener, command_id=command_id)
    except Rejected as refusal:  # a newer program may refuse what an older one offered
        log_event(LOG, "table-refused", game=table.game, code=refusal.code)
        services.accounts.forming.finish(table.game, TableStatus.CANCELLED)
        services.accounts.boards.finish([table.game])
        raise
    services.accounts.forming.finish(table.game, TableStatus.DEALT)
    return commit


def lapse_tables(services: Services) -> None:
    """Let the tables lapse whose time is up, unless a jump of the clock may have made it look so."""
    if services.clock.may_end():
        services.accounts.boards.finish(services.accounts.forming.lapse())


def finish_table(services: Services, game: str) -> bool:
    """Deal a closed table that no request has dealt, let its bots play, and return whether there is a game now."""
    table = services.accounts.forming.read(game)
    if table is None:
        return False
    try:
        commit = deal_table(services, table)
    except Rejected:
        return False
    services.autoplayer.play(commit.state, command_of_table(services.secret, game))
    return True


SHORTEST_S, LONGEST_S, USUAL_S = 60, 30 * 24 * 3600, 7 * 24 * 3600
"""How long a table may form, in seconds."""


@dataclass(frozen=True)
class RematchSource:
    """The game that a rematch repeats, and its earlier rematches that are over, by id."""

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
    take_seat_requests(services, opener, seats)
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
