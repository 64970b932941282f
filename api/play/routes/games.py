"""Games: view them, make moves."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request

from api.container import Services
from api.monitoring.metrics import MOVES
from api.people.stored.grants import READ
from api.people.stored.users import User
from api.play.services.autoplay import waits_for_autoplayer
from api.tables.routes.forming_tables import find_table, see_table, table_response
from api.web.context import current_player, current_reader, current_request, current_services, require_player
from api.web.game_access import game_access, require_own_seat, visible_game
from api.web.game_reader import NO_GAME
from api.web.game_schemas import TEXT_MOVE, load_move
from api.web.preconditions import CommandId, command_id, idempotency_key, if_match
from api.web.problems import Problem, add_legal_moves_to_refusals
from api.web.query_args import POSITION, write_position
from api.web.responses import json_response, not_modified, with_etag
from api.web.strict_json import read_json
from domain.commands import Command, SeatCommand
from domain.store import CommandReused, Commit, NoSuchGame, StaleVersion
from projections.moves.json_moves import MalformedMove, move_to_json, parse_move
from projections.moves.text_moves import parse_text_move
from projections.views.audience import FormerHolder, viewer_of
from projections.views.seat import View

games = Blueprint("games", __name__)

MOVE_EXAMPLES = """: for example {"type": "bid", "bid": 3} or {"text": "3"}."""


@games.get("/games/<game_ref:reference>")
def public_view(reference: str) -> Response:
    """Return 200 and the spectators' view, with the version as ETag, or the table while it forms."""
    reader, gate = current_reader(), current_services().gate
    game = reader.resolve(reference)
    try:
        if gate.is_open(game):
            return _view_response(reader.view(game, None))
        return _view_response(gate.view(visible_game(reference), None))
    except NoSuchGame:
        player = current_player()
        viewer = None if player is None else player.id
        return not_modified(table_response(see_table(reference, viewer), viewer), request)


@games.get("/games/<game_ref:reference>/seats/<strictint:seat>")
def seat_view(reference: str, seat: int) -> Response:
    """Return 200 and the view of the caller's own seat; 404 for any other seat, whether it exists or not."""
    require_player(READ)
    access = game_access(reference)
    if access.viewer != seat:
        raise Problem("not-found", NO_GAME)
    return _view_response(current_reader().view(access.game, seat, access.version))


def _view_response(view: View) -> Response:
    names = current_reader().names_in(view)
    return not_modified(with_etag(json_response(view | {"names": names}), view["version"]), request)


@games.post("/games/<game_ref:reference>/moves")
def move(reference: str) -> Response:
    """Return 201 `{"version", "root", "events", "view", "names", "receipt"}`; ETag is the version.

    The events include the server's own moves. `receipt` is null unless a hand or the game ended.
    """
    player, request, services = require_player(game=reference), current_request(), current_services()
    body, key, expected = read_json(request), idempotency_key(request), if_match(request)
    game, seat = _seat_to_move(reference, player)
    add_legal_moves_to_refusals(lambda: _own_part(services, game, player.id), lambda: _variant(services, game))
    request_id = command_id(services.secret, player.id, key, f"/games/{game}/moves", body)
    command = _command(services, game, body, seat)
    request_id, commit = act_once(services, game, command, player.id, request_id, expected)
    if not commit.repeated:
        MOVES.labels(move_to_json(command)["type"]).inc()
    return command_response(services, game, player.id, request_id, commit, {})


def _own_part(services: Services, game: str, player: str) -> Mapping[str, Any]:
    """Return the part of the view that only the seat sees; empty if the player holds no seat by now."""
    state = services.games.state(game)
    seat = state.seat_of(player)
    return {} if seat is None else current_reader().view(game, seat, state.version)["you"]


def _variant(services: Services, game: str) -> str:
    opened = services.games.state(game).opened
    return "" if opened is None else opened.variant


def _seat_to_move(reference: str, player: User) -> tuple[str, int]:
    """Return the game's id and the player's seat; 409 while the table forms."""
    try:
        return require_own_seat(reference, player)
    except NoSuchGame:
        if find_table(current_reader().resolve(reference), player.id) is None:
            raise
        raise Problem("forming", "Nothing is dealt yet: this table is still forming. Wait until it's full.") from None


def _command(services: Services, game: str, body: Mapping[str, object], seat: int) -> SeatCommand:
    """Return the command for `{"type": ...}` or `{"text": ...}`; 400 for a body that isn't a move of any game."""
    if ("text" in body) is ("type" in body):
        raise Problem("malformed", "Send type or text" + (", not both." if "text" in body else MOVE_EXAMPLES))
    if "type" in body:
        return load_move(body, seat)
    try:
        return parse_move(_parse_text(services, game, body), seat)
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None


def _parse_text(services: Services, game: str, body: Mapping[str, object]) -> Mapping[str, object]:
    """Return the move that a text means in this game."""
    text: str = TEXT_MOVE.load(body)["text"]
    return parse_text_move(text, services.games.state(game).rules)


def act_once(
    services: Services,
    game: str,
    command: Command,
    player: str,
    request_id: CommandId,
    expected: int | None = None,
) -> tuple[CommandId, Commit]:
    """Give a player's command, and return its id and its commit; a repeat has those of the first time.

    Raise as `Games.act` does; StaleVersion as the player may see it.
    """
    try:
        commit = services.games.act(game, command, by=player, command_id=str(request_id), if_match=expected)
    except StaleVersion as error:
        raise stale_as_seen(services, game, player, error) from None
    except CommandReused:
        stored = request_id.as_stored(services.games, game)
        if stored.request != request_id.earlier:
            raise
        return stored, services.games.act(game, command, by=player, command_id=str(stored))
    return request_id, commit


def stale_as_seen(services: Services, game: str, player: str, error: StaleVersion) -> StaleVersion:
    """Return the error with the version that the player may see: of a delayed game they may have left the seat."""
    return StaleVersion(error.if_match, services.gate.access(game, player).state)


def command_response(
    services: Services,
    game: str,
    player: str,
    request_id: CommandId,
    commit: Commit | None,
    more: Mapping[str, object],
) -> Response:
    """Return the response to a command by `player`, after the bots whose turn it is have played.

    `commit` is None if an earlier request stored the command. If that request stopped before the bots were done, a
    repeat completes their moves.
    """
    if commit is not None and not commit.repeated and not waits_for_autoplayer(commit.state):
        entries, state, position, root = commit.entries, commit.state, commit.position, commit.root
    else:
        state, root = services.games.state(game), None
        latest = services.games.entries(game, state.version - 1)[0]
        left = isinstance(viewer_of(state, player), FormerHolder)  # they may see the bots' moves late: the worker plays
        if latest.event.command == str(request_id) and not left:  # nothing else has happened
            state = services.autoplayer.play(state, str(request_id))
        entries, position = services.games.entries_of_command(game, str(request_id)), services.games.log.head(game)
    result = current_reader().command_result(state, viewer_of(state, player), entries, root)
    receipt = services.receipts.issue_at_end(game, entries)
    response = with_etag(json_response({**more, **result, "receipt": receipt}, 201), result["version"])
    response.headers[POSITION] = write_position(services.secret, [position])
    return response
