"""Disputes: a player contests a hand, an arbiter rules, another decides the appeal (docs/disputes.md).

Facts are for everybody; what is said beside them is for the seats of the game and for arbiters, and can be erased. An
arbiter sees no more of a hand in play than anybody else.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request

from api.accounts import roles
from api.accounts.users import User
from api.http.context import current_player, current_services, reader, require_player
from api.http.game_reader import seat_of
from api.http.preconditions import CommandId, command_id, idempotency_key, if_match
from api.http.problems import Problem
from api.http.query_args import query, query_args
from api.http.responses import json_response
from api.http.schemas_disputes import APPEAL, APPEAL_DECISION, NEW_DISPUTE, NEW_RULING, QUEUE_QUERY
from api.http.strict_json import read_json
from api.routes.games import command_response
from api.routes.lists import wait_for_lists
from api.services.container import Services
from api.services.dispute_records import DisputeRecord, dispute_records, records_with_texts, withholds_until_hand_over
from domain.commands import AppealRuling, DecideAppeal, DisputeCommand, GiveRuling, OpenDispute
from domain.events import Evidence
from domain.rejections import NotSeated, Rejected
from domain.state import State
from domain.store import CommandReused, RaceLost, StaleVersion
from projections.lists.arbiter_queue import waiting_disputes
from projections.lists.cursors import BadCursor

DISPUTES_PATH = "/games/<game_ref:reference>/disputes"
DISPUTE_PATH = DISPUTES_PATH + "/<strictint:dispute>"
NO_DISPUTE = "there is no dispute {} in this game"

disputes = Blueprint("disputes", __name__)


@disputes.get("/disputes")
@query(QUEUE_QUERY)
def queue() -> Response:
    """200 `{"items", "next", "names"}`: what waits for a word of the arbiter who asks, the longest waiting first.

    403 without the role; his own games, and appeals against his own rulings, are for others.
    """
    player, services, args = require_player(), current_services(), query_args()
    _require_role(services, player, roles.ARBITER)
    wait_for_lists(services, args["wait"])
    try:
        with services.rows.snapshot("disputes") as reading:
            page = waiting_disputes(reading, player.id, args["limit"], args.get("cursor"))
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    names = services.accounts.users.names_of(item["arbiter"] or "" for item in page["items"])
    return json_response(page | {"names": names})


@disputes.get(DISPUTES_PATH)
def list_disputes(reference: str) -> Response:
    """200 `{"items", "names"}`: each dispute with its ruling, appeal and decision; texts for those they are for."""
    services, player = current_services(), current_player()
    game = reader().resolve(reference)
    state = services.games.state(game)
    found = dispute_records(services.games.entries(game, upto=state.version))
    items = _disputes_for(services, state, player, found)
    named = services.accounts.users.names_of(each for contest in found for each in contest.arbiters)
    return json_response({"items": items, "names": reader().names(state) | named})


def _disputes_for(
    services: Services, state: State, player: User | None, found: list[DisputeRecord]
) -> list[dict[str, Any]]:
    """The disputes, and for seats of the game and arbiters what was said; what may tell cards once the hand is over."""
    texts = services.accounts.dispute_texts
    if player is not None and seat_of(state, player) is not None:
        return records_with_texts(texts, found, withholds_until_hand_over(state, player.id))
    if player is not None and services.accounts.roles.has_any(player.id, roles.ARBITER):
        return records_with_texts(texts, found)
    return [each.to_json() for each in found]


@disputes.post(DISPUTES_PATH)
def open_dispute(reference: str) -> Response:
    """201 `{"dispute", "version", ...}` as a move answers; by who sits or has sat in the game."""
    player, body, services = require_player(), read_json(request), current_services()
    wanted, game = NEW_DISPUTE.load(body), reader().resolve(reference)
    seat = _require_seat(services, game, player)

    def command(state: State, note: str) -> OpenDispute:
        at = wanted.get("at_version", state.version)
        return OpenDispute(seat, wanted["hand"], at, wanted["kind"], note)

    return _dispute_response(services, player, game, "", body, command)


def _require_seat(services: Services, game: str, player: User) -> int:
    seat = services.games.seat_of(game, player.id)
    if seat is None:
        raise NotSeated("you have no seat in this game")
    return seat


@disputes.post(DISPUTE_PATH + "/ruling")
def rule(reference: str, dispute: int) -> Response:
    """201: the ruling, and what the table makes of it; role arbiter, and no seat in the game."""
    player, body, services = require_player(), read_json(request), current_services()
    _require_role(services, player, roles.ARBITER)
    wanted, game = NEW_RULING.load(body), reader().resolve(reference)
    head, root = services.games.snapshot(game)
    told = wanted.get("evidence") or {"size": head.version, "root": root}
    evidence = Evidence(told["size"], told["root"])

    def command(_: State, note: str) -> GiveRuling:
        changes, words = tuple(wanted.get("changes", ())), (wanted["basis"], wanted["standard"])
        return GiveRuling(player.id, dispute, wanted["decision"], changes, *words, evidence, note)

    return _dispute_response(services, player, game, f"/{dispute}/ruling", body, command)


@disputes.post(DISPUTE_PATH + "/appeal")
def appeal(reference: str, dispute: int) -> Response:
    """201: the ruling is for another arbiter to look at, and in force meanwhile; by who sits or has sat in the game."""
    player, body, services = require_player(), read_json(request), current_services()
    APPEAL.load(body)
    game = reader().resolve(reference)
    seat = _require_seat(services, game, player)
    return _dispute_response(services, player, game, f"/{dispute}/appeal", body, lambda *_: AppealRuling(seat, dispute))


@disputes.post(DISPUTE_PATH + "/decision")
def decide(reference: str, dispute: int) -> Response:
    """201: the ruling is upheld or reversed; role arbiter, another than who ruled, and no seat in the game."""
    player, body, services = require_player(), read_json(request), current_services()
    _require_role(services, player, roles.ARBITER)
    wanted, game = APPEAL_DECISION.load(body), reader().resolve(reference)
    decided = DecideAppeal(player.id, dispute, wanted["decision"])
    return _dispute_response(services, player, game, f"/{dispute}/decision", body, lambda *_: decided)


@disputes.delete(DISPUTE_PATH + "/texts")
def erase(reference: str, dispute: int) -> tuple[str, int]:
    """204: all that was said in it is erased for good, the facts stay; roles moderator and operator."""
    player, services = require_player(), current_services()
    _require_role(services, player, roles.MODERATOR, roles.OPERATOR)
    game = reader().resolve(reference)
    state = services.games.state(game)
    found = dispute_records(services.games.entries(game, upto=state.version))
    if not 1 <= dispute <= len(found):
        raise Problem("not-found", NO_DISPUTE.format(dispute))
    services.accounts.dispute_texts.erase(found[dispute - 1].commands)
    return "", 204


def _require_role(services: Services, player: User, *wanted: str) -> None:
    if not services.accounts.roles.has_any(player.id, *wanted):
        raise Problem("forbidden", f"this is for the role {' or '.join(wanted)}")


def _dispute_response(
    services: Services,
    player: User,
    game: str,
    path: str,
    body: Mapping[str, Any],
    command: Callable[[State, str], DisputeCommand],
) -> Response:
    """Do `command(state, note)`, what is said kept ahead of it, and answer as a move is answered."""
    expected = if_match(request)
    key = idempotency_key(request)
    request_id = command_id(services.secret, player.id, key, f"/games/{game}/disputes{path}", body)
    state = services.games.state(game)
    note = _write_note(services, game, request_id, body.get("text"))
    try:
        commit = services.games.act(
            game, command(state, note), by=player.id, command_id=str(request_id), if_match=expected
        )
    except (Rejected, StaleVersion, CommandReused, RaceLost):
        services.accounts.dispute_texts.discard(str(request_id))
        raise
    fact: Any = commit.entries[0].event.data
    return command_response(services, game, state.seat_of(player.id), request_id, commit, {"dispute": fact.dispute})


def _write_note(services: Services, game: str, command: CommandId, text: str | None) -> str:
    """What the fact carries of a text; an appeal need say nothing."""
    return "" if text is None else services.accounts.dispute_texts.save(game, str(command), text)
