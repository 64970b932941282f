"""Disputes: a player contests a hand, an arbiter rules, another decides the appeal (docs/disputes.md).

Facts are for everybody; what is said beside them is for the seats of the game and for arbiters, and can be erased. An
arbiter sees no more of a hand in play than anybody else.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request

from api.accounts import roles
from api.accounts.users import User
from api.http.context import current_player, reader, require_player, services
from api.http.game_reader import seat_of
from api.http.preconditions import CommandId, command_id, idempotency_key, if_match
from api.http.problems import Problem
from api.http.query_args import asked, takes
from api.http.responses import json_answer
from api.http.schemas_disputes import APPEAL, NEW_DISPUTE, NEW_RULING, QUEUE, WORD
from api.http.strict_json import read_json
from api.routes.games import came_of
from api.routes.lists import wait_for
from api.services.container import Services
from api.services.dispute_records import Contest, contests, until_the_hand_is_over, with_texts
from domain.commands import AppealRuling, DecideAppeal, DisputeCommand, GiveRuling, OpenDispute
from domain.events import Evidence
from domain.rejections import NotSeated, Rejected
from domain.state import State
from domain.store import CommandReused, RaceLost, StaleVersion
from projections.lists.arbiter_queue import waiting
from projections.lists.cursors import BadCursor

DISPUTES = "/games/<game_ref:reference>/disputes"
DISPUTE = DISPUTES + "/<strictint:dispute>"
NO_DISPUTE = "there is no dispute {} in this game"

disputes = Blueprint("disputes", __name__)


@disputes.get("/disputes")
@takes(QUEUE)
def queue() -> Response:
    """200 `{"items", "next", "names"}`: what waits for a word of the arbiter who asks, the longest waiting first.

    403 without the role; his own games, and appeals against his own rulings, are for others.
    """
    player, here, query = require_player(), services(), asked()
    _must_be(here, player, roles.ARBITER)
    wait_for(here, query["wait"])
    try:
        with here.rows.snapshot("disputes") as reading:
            page = waiting(reading, player.id, query["limit"], query.get("cursor"))
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    return json_answer(page | {"names": here.accounts.users.names_of(item["arbiter"] or "" for item in page["items"])})


@disputes.get(DISPUTES)
def of_game(reference: str) -> Response:
    """200 `{"items", "names"}`: each dispute with its ruling, appeal and decision; texts for those they are for."""
    here, player = services(), current_player()
    game = reader().find(reference)
    state = here.games.state(game)
    found = contests(here.games.entries(game, upto=state.version))
    items = _read_by(here, state, player, found)
    named = here.accounts.users.names_of(each for contest in found for each in contest.arbiters)
    return json_answer({"items": items, "names": reader().names(state) | named})


def _read_by(here: Services, state: State, player: User | None, found: list[Contest]) -> list[dict[str, Any]]:
    """The disputes, and for seats of the game and arbiters what was said; what may tell cards once the hand is over."""
    texts = here.accounts.dispute_texts
    if player is not None and seat_of(state, player) is not None:
        return with_texts(texts, found, until_the_hand_is_over(state, player.id))
    if player is not None and here.accounts.roles.has_any(player.id, roles.ARBITER):
        return with_texts(texts, found)
    return [each.json() for each in found]


@disputes.post(DISPUTES)
def open_one(reference: str) -> Response:
    """201 `{"dispute", "version", ...}` as a move answers; by who sits or has sat in the game."""
    player, body, here = require_player(), read_json(request), services()
    wanted, game = NEW_DISPUTE.load(body), reader().find(reference)
    seat = _seat(here, game, player)

    def command(state: State, note: str) -> OpenDispute:
        at = wanted.get("at_version", state.version)
        return OpenDispute(seat, wanted["hand"], at, wanted["kind"], note)

    return _came_of(here, player, game, "", body, command)


def _seat(here: Services, game: str, player: User) -> int:
    seat = here.games.seat_of(game, player.id)
    if seat is None:
        raise NotSeated("you have no seat in this game")
    return seat


@disputes.post(DISPUTE + "/ruling")
def rule(reference: str, dispute: int) -> Response:
    """201: the ruling, and what the table makes of it; role arbiter, and no seat in the game."""
    player, body, here = require_player(), read_json(request), services()
    _must_be(here, player, roles.ARBITER)
    wanted, game = NEW_RULING.load(body), reader().find(reference)
    head, root = here.games.snapshot(game)
    told = wanted.get("evidence") or {"size": head.version, "root": root}
    evidence = Evidence(told["size"], told["root"])

    def command(_: State, note: str) -> GiveRuling:
        changes, words = tuple(wanted.get("changes", ())), (wanted["basis"], wanted["standard"])
        return GiveRuling(player.id, dispute, wanted["decision"], changes, *words, evidence, note)

    return _came_of(here, player, game, f"/{dispute}/ruling", body, command)


@disputes.post(DISPUTE + "/appeal")
def appeal(reference: str, dispute: int) -> Response:
    """201: the ruling is for another arbiter to look at, and in force meanwhile; by who sits or has sat in the game."""
    player, body, here = require_player(), read_json(request), services()
    APPEAL.load(body)
    game = reader().find(reference)
    seat = _seat(here, game, player)
    return _came_of(here, player, game, f"/{dispute}/appeal", body, lambda *_: AppealRuling(seat, dispute))


@disputes.post(DISPUTE + "/decision")
def decide(reference: str, dispute: int) -> Response:
    """201: the ruling is upheld or reversed; role arbiter, another than who ruled, and no seat in the game."""
    player, body, here = require_player(), read_json(request), services()
    _must_be(here, player, roles.ARBITER)
    wanted, game = WORD.load(body), reader().find(reference)
    decided = DecideAppeal(player.id, dispute, wanted["decision"])
    return _came_of(here, player, game, f"/{dispute}/decision", body, lambda *_: decided)


@disputes.delete(DISPUTE + "/texts")
def erase(reference: str, dispute: int) -> tuple[str, int]:
    """204: all that was said in it is erased for good, the facts stay; roles moderator and operator."""
    player, here = require_player(), services()
    _must_be(here, player, roles.MODERATOR, roles.OPERATOR)
    game = reader().find(reference)
    state = here.games.state(game)
    found = contests(here.games.entries(game, upto=state.version))
    if not 1 <= dispute <= len(found):
        raise Problem("not-found", NO_DISPUTE.format(dispute))
    here.accounts.dispute_texts.erase(found[dispute - 1].commands)
    return "", 204


def _must_be(here: Services, player: User, *wanted: str) -> None:
    if not here.accounts.roles.has_any(player.id, *wanted):
        raise Problem("forbidden", f"this is for the role {' or '.join(wanted)}")


def _came_of(
    here: Services,
    player: User,
    game: str,
    path: str,
    body: Mapping[str, Any],
    command: Callable[[State, str], DisputeCommand],
) -> Response:
    """Do `command(state, note)`, what is said kept ahead of it, and answer as a move is answered."""
    expected = if_match(request)
    command_asked = command_id(here.secret, player.id, idempotency_key(request), f"/games/{game}/disputes{path}", body)
    state = here.games.state(game)
    note = _note(here, game, command_asked, body.get("text"))
    try:
        commit = here.games.act(
            game, command(state, note), by=player.id, command_id=str(command_asked), if_match=expected
        )
    except (Rejected, StaleVersion, CommandReused, RaceLost):
        here.accounts.dispute_texts.discard(str(command_asked))
        raise
    fact: Any = commit.entries[0].event.data
    return came_of(here, game, state.seat_of(player.id), command_asked, commit, {"dispute": fact.dispute})


def _note(here: Services, game: str, command: CommandId, text: str | None) -> str:
    """What the fact carries of a text; an appeal need say nothing."""
    return "" if text is None else here.accounts.dispute_texts.save(game, str(command), text)
