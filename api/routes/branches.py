"""What if: a hand of a game branched from a step and played on, in a sandbox of which nothing is ever written."""

from flask import Blueprint, Response, request

from api.http.auth import client_address
from api.http.context import current_player, reader, services
from api.http.game_reader import NO_SEAT
from api.http.problems import Problem, allowed_would_be
from api.http.responses import json_answer
from api.http.schemas_queries import BRANCH
from api.http.strict_json import read_json
from api.routes.audits import asked_history
from api.routes.queries import GAME
from replay.queries import Malformed, MoveRefused, Unbranchable, Wanted, branch

branches = Blueprint("branches", __name__)


@branches.post(GAME + "/branches")
def branched(reference: str) -> Response:
    """200 `{"facts", "score", "as_played", "stopped", "views", ...}`: what `moves`, and then `bots`, would have made.

    409 for a hand that is not revealed, and for a move the rules refuse, as the table would have; nothing is written.
    """
    here, player = services(), current_player()
    here.branches.take(client_address(request) if player is None else player.id)
    wanted = Wanted(**BRANCH.load(read_json(request)))
    state = here.games.state(reader().find(reference))
    if wanted.at > state.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {state.version}")
    if wanted.seat is not None and wanted.seat >= len(state.seats):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    try:
        return json_answer(branch(asked_history(reference), wanted).json())
    except Unbranchable as error:
        raise Problem("conflict", str(error)) from None
    except Malformed as error:
        raise Problem("malformed", str(error)[:200]) from None
    except MoveRefused as error:
        you = error.you
        allowed_would_be(lambda: you)
        raise type(error.refused)(str(error)) from None
