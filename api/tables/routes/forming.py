"""Opens games; and tables that form: claim a seat, leave it, start or cancel the table, and those that ask a player."""

from flask import Blueprint, Response

from api.tables.services import opening as services_of_opening
from api.tables.services.opening import open_rematch, start_table, tables_that_ask, take_seat
from api.tables.services.table_views import own_table, table_to_change
from api.tables.stored.seats import require_forming
from api.web.context import current_caller, current_services, require_player
from api.web.preconditions import read_new_command, read_table_command
from api.web.responses import game_response, json_response

opening = Blueprint("opening", __name__)


@opening.post("/games")
def open_game() -> Response:
    """Return 201 `{"id", "board", ...}` and Location: a game that starts at once (R-P1), or a table that forms (R-P2).

    With an Idempotency-Key, a repeated request opens no second game and gets the first response again.
    """
    answer = services_of_opening.open_game(current_services(), current_caller(), read_new_command)
    return game_response(answer, 201)


@opening.post("/games/<game_ref:reference>/rematch")
def rematch(reference: str) -> Response:
    """Return 201 as POST /games does: a table with the same players and options, or a seat at the one that forms."""
    return game_response(open_rematch(current_services(), current_caller(), reference, read_new_command), 201)


forming = Blueprint("forming", __name__)


@forming.post("/games/<game_ref:reference>/seats")
def claim(reference: str) -> Response:
    """Return 201 with the table, or with its game if that was the last seat; 409 if the seat is taken.

    A player who repeats the request keeps the seat and gets the table or the game again.
    """
    return game_response(take_seat(current_services(), current_caller(), reference, read_table_command), 201)


@forming.delete("/games/<game_ref:reference>/seats/current")
def leave(reference: str) -> tuple[str, int]:
    """Return 204: the caller's seat is free, or the question whether they sit down is declined."""
    player = require_player(game=reference)
    current_services().accounts.forming.leave(table_to_change(current_services(), reference, player.id).game, player.id)
    return "", 204


@forming.post("/games/<game_ref:reference>/start")
def start(reference: str) -> Response:
    """Return 201 with the game, with bots in the empty seats; 403 unless the caller opened the table."""
    return game_response(start_table(current_services(), current_caller(), reference, read_table_command), 201)


@forming.delete("/games/<game_ref:reference>")
def cancel(reference: str) -> tuple[str, int]:
    """Return 204: the table is cancelled; 403 unless the caller opened it, 409 if it doesn't form any more."""
    player = require_player()
    services = current_services()
    table = own_table(services, reference, player.id)
    if not services.accounts.forming.cancel(table.game):
        require_forming(services.accounts.forming.read(table.game), None, services.clock.now_us())
    services.accounts.boards.finish([table.game])
    return "", 204


@forming.get("/me/questions")
def questions() -> Response:
    """Return 200 `{"items": [...], "names"}`: the tables that ask the caller to sit down, the newest first."""
    return json_response(tables_that_ask(current_services(), current_caller()))
