"""Branches: a hand played on from an event with other moves, in a sandbox; nothing is stored."""

from flask import Blueprint, Response, request

from api.http.auth import client_address
from api.http.context import current_player, current_services
from api.http.game_access import visible_game
from api.http.game_reader import NO_SEAT
from api.http.problems import Problem, add_legal_moves_to_refusals
from api.http.responses import json_response
from api.http.schemas_queries import NEW_BRANCH
from api.http.strict_json import read_json
from api.routes.audits import visible_history
from api.routes.queries import GAME_PATH
from replay.queries import BranchRequest, MalformedMove, MoveRefused, Unbranchable, branch

branches = Blueprint("branches", __name__)


@branches.post(GAME_PATH + "/branches")
def play_branch(reference: str) -> Response:
    """Return 200 `{"facts", "score", "as_played", "stopped", "views", ...}`: the result of `moves`, then `bots`.

    Answers 409 for a hand that isn't revealed, and for a move that the rules refuse, as the game would.
    """
    services, player = current_services(), current_player()
    services.branches.take(client_address(request) if player is None else player.id)
    branch_request = BranchRequest(**NEW_BRANCH.load(read_json(request)))
    access = visible_game(reference)
    state = access.state
    if branch_request.at > state.version:
        raise Problem("malformed", f"at must be a version of this game, 1 to {state.version}.")
    if branch_request.seat is not None and branch_request.seat >= len(state.seats):
        raise Problem("not-found", NO_SEAT.format(len(state.seats) - 1))
    try:
        return json_response(branch(visible_history(access), branch_request).to_json())
    except Unbranchable as error:
        raise Problem("conflict", str(error)) from None
    except MalformedMove as error:
        raise Problem("malformed", str(error)[:200]) from None
    except MoveRefused as error:
        you, opened = error.you, state.opened
        add_legal_moves_to_refusals(lambda: you, lambda: "" if opened is None else opened.variant)
        raise type(error.refused)(str(error)) from None
