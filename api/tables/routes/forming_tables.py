"""Forming tables over HTTP: who may see one, its body and its ETag, and the revision in If-Match."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Request, Response

from api.container import Services
from api.people.stored.names import DELETED_NAME
from api.tables.services.forming import shown_to
from api.tables.services.open_game import BOT_PREFIX
from api.tables.stored.seats import FormingTable, TableStatus
from api.web.context import current_reader, current_services
from api.web.game_reader import NO_GAME
from api.web.preconditions import tags_in_if_match
from api.web.problems import Problem
from api.web.responses import json_response, own_address
from api.web.strict_json import parse_integer
from domain.engine.deadlines import FORFEIT
from domain.engine.timestamps import format_time
from domain.rules.choices import Undo

REVISION = re.compile(r"0\.([0-9]{1,16})")
SHOWN_FIELDS = ("variant", "options", "timing", "fairness", "reveal", "undo", "watch", "chat")


def see_table(reference: str, viewer: str | None) -> FormingTable:
    """Return the table at a board or id; 404 unless the viewer may see it."""
    table = find_table(current_reader().resolve(reference), viewer)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table


def find_table(game: str, viewer: str | None) -> FormingTable | None:
    """Return a table that isn't a game yet, if the viewer may see it."""
    table = current_services().accounts.tables.visible(game, viewer)
    return None if table is None or table.status == TableStatus.DEALT else table


def table_to_change(reference: str, player: str) -> FormingTable:
    """Return the table at a board or id, even if its game has started; 404 unless the player may see it."""
    table = current_services().accounts.tables.visible(current_reader().resolve(reference), player)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table


def own_table(reference: str, player: str) -> FormingTable:
    """Return the table as `table_to_change` does; 403 unless the player opened it."""
    table = table_to_change(reference, player)
    if table.opener != player:
        raise Problem("forbidden", "Only the player who opened this table can do that.")
    return table


def table_response(table: FormingTable, viewer: str | None, status: int = 200) -> Response:
    """Return a table as the viewer may see it, with `ETag: "0.<revision>"`."""
    services = current_services()
    shown = table_json(table, viewer)
    response = json_response(shown | {"names": names_in(services, [shown])}, status)
    response.set_etag(f"0.{table.revision}")
    if status == 201:
        response.headers["Location"] = own_address(f"/api/v1/games/{table.game}")
    return response


def table_json(table: FormingTable, viewer: str | None) -> dict[str, Any]:
    """Return the body of a table as the viewer may see it."""
    seats = [
        {"seat": seat.seat, "kind": seat.kind, "player": seat.player, "state": seat.state}
        for seat in shown_to(table, viewer).seats
    ]
    return {
        "id": table.game,
        "board": table.board,
        "version": 0,
        "status": table.status.value,
        **{name: table.body[name] for name in SHOWN_FIELDS},
        "undo": table.body.get("undo", Undo.CONSENT),
        "autopilot": table.body.get("autopilot", FORFEIT),
        "opener": table.opener,
        "rematch_of": table.rematch_of,
        "seats": seats,
        "created": format_time(table.created),
        "expires": format_time(table.expires),
    }


def names_in(services: Services, tables: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the name of each player in bodies of tables; bots have their id, deleted users `deleted`."""
    ids = {seat["player"] for table in tables for seat in table["seats"] if seat["player"] is not None}
    ids |= {table["opener"] for table in tables}
    unnamed = {player: player if player.startswith(BOT_PREFIX) else DELETED_NAME for player in sorted(ids)}
    return unnamed | services.accounts.users.names_of(ids)


def if_match_revision(request: Request) -> int | None:
    """Return n for `If-Match: "0.n"`, the latest of several; None for any."""
    if (tags := tags_in_if_match(request)) is None:
        return None
    found = [match and parse_integer(match[1]) for match in map(REVISION.fullmatch, tags)]
    known = [revision for revision in found if revision is not None]
    if not known or len(known) < len(found):
        raise Problem("malformed", 'If-Match must be the ETag of a forming table in quotes, such as "0.3".')
    return max(known)
