"""Games: opening one, looking at it, moving in it."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from flask import Blueprint, Response, request

from api.http.context import reader, require_player, services
from api.http.game_reader import NOT_THERE
from api.http.preconditions import CommandId, command_id, idempotency_key, if_match
from api.http.problems import Problem, allowed_would_be
from api.http.responses import POSITION, fresh, json_answer, tagged
from api.http.schemas_games import OPENING, TEXT
from api.http.strict_json import read_json
from api.services.autoplay import awaits_house
from api.services.container import Services
from api.services.open_game import opening
from domain.commands import SeatCommand
from domain.decide import decide
from domain.rejections import NotSeated
from domain.state import NEW
from domain.store import CommandReused, Commit, NoSuchGame
from projections.moves.json_moves import Malformed, command_of
from projections.moves.text_moves import text_move
from projections.views.audience import Viewer

games = Blueprint("games", __name__)

NO_MOVE = """: a move is like {"type": "bid", "bid": 3} or like {"text": "3"}"""


@games.post("/games")
def open_game() -> Response:
    """201 `{"id", "board", ...}` with all that a move answers, and Location; the game starts at once (R-P1).

    With an Idempotency-Key the same request opens no second game; the first answer comes again.
    """
    player, body, key = require_player(), read_json(request), idempotency_key(request)
    wanted, here = OPENING.load(body), services()
    asked = command_id(here.secret, player.id, key, "/games", body)
    game = str(UUID(bytes=secrets.token_bytes(16), version=4)) if key is None else asked.game
    if _is_open(here, game, asked):
        commit = None
    else:
        command = opening(wanted, game, here.accounts)
        decide(NEW, command)  # what the rules refuse takes no board number
        command = replace(command, board=here.accounts.boards.bind(here.accounts.boards.next_number(), game))
        commit = here.games.open(command, by=player.id, command_id=str(asked))
    state = here.games.state(game)
    opened = {"id": game, "board": state.opened.board if state.opened else None}
    response = came_of(here, game, state.seat_of(player.id), asked, commit, opened)
    response.headers["Location"] = f"/api/v1/games/{game}"
    return response


def _is_open(here: Services, game: str, asked: CommandId) -> bool:
    """Whether an earlier request opened it; 422 when that was another one."""
    try:
        here.games.state(game)
    except NoSuchGame:
        return False
    if not here.games.answered(game, str(asked)):
        raise CommandReused("this key was used for another request")
    return True


@games.get("/games/<game_ref:reference>")
def public_view(reference: str) -> Response:
    """200: what everybody may see; ETag is the version."""
    return _view(reference, None)


@games.get("/games/<game_ref:reference>/seats/<strictint:seat>")
def seat_view(reference: str, seat: int) -> Response:
    """200: the asker's own seat's view; 404 for every other seat, whether it is there or not."""
    player, here = require_player(), services()
    if here.games.seat_of(reader().find(reference), player.id) != seat:
        raise Problem("not-found", NOT_THERE)
    return _view(reference, seat)


def _view(reference: str, viewer: Viewer) -> Response:
    here = services()
    game = reader().find(reference)
    view = reader().view(game, viewer)
    names = reader().names(here.games.state(game))
    return fresh(tagged(json_answer(view | {"names": names}), view["version"]), request)


@games.post("/games/<game_ref:reference>/moves")
def move(reference: str) -> Response:
    """201 `{"version", "root", "events", "view", "names", "receipt"}`, ETag the version; with what the house played.

    `receipt` is null but where a hand or the game ended.
    """
    player, body, key = require_player(), read_json(request), idempotency_key(request)
    expected, here = if_match(request), services()
    game = reader().find(reference)
    seat = here.games.seat_of(game, player.id)
    if seat is None:
        raise NotSeated("you have no seat in this game")
    allowed_would_be(lambda: reader().view(game, seat)["you"])
    asked = command_id(here.secret, player.id, key, f"/games/{game}/moves", body)
    command = _command(here, game, body, seat)
    commit = here.games.act(game, command, by=player.id, command_id=str(asked), if_match=expected)
    return came_of(here, game, seat, asked, commit, {})


def _command(here: Services, game: str, body: Mapping[str, object], seat: int) -> SeatCommand:
    """The command that `{"type": ...}` or `{"text": ...}` means; 400 for what is no move of any game."""
    if ("text" in body) is ("type" in body):
        raise Problem("malformed", "send type or text" + (", not both" if "text" in body else NO_MOVE))
    try:
        return command_of(_sent(here, game, body) if "text" in body else body, seat)
    except Malformed as error:
        raise Problem("malformed", str(error)[:200]) from None


def _sent(here: Services, game: str, body: Mapping[str, object]) -> Mapping[str, object]:
    """The move that a text means at this table."""
    text: str = TEXT.load(body)["text"]
    return text_move(text, here.games.state(game).rules)


def came_of(
    here: Services, game: str, viewer: Viewer, asked: CommandId, commit: Commit | None, more: Mapping[str, object]
) -> Response:
    """The answer to a command just stored, or (repeated, None) stored before; the house plays on where it is due.

    Where the first request was cut off before the house was done, a repeat brings what is left to an end.
    """
    if commit is not None and not commit.repeated and not awaits_house(commit.state):
        entries, state, position = commit.entries, commit.state, commit.position
    else:
        state = here.games.state(game)
        if here.games.entries(game, state.version - 1)[0].event.command == str(asked):  # nothing else has happened
            state = here.house.play(state, str(asked))
        entries, position = here.games.answered(game, str(asked)), here.games.last_position()
    answer = reader().answer(state, viewer, entries)
    receipt = here.receipts.at_end(game, entries)
    response = tagged(json_answer({**more, **answer, "receipt": receipt}, 201), answer["version"])
    response.headers[POSITION] = str(position)
    return response
