"""Disputes: a player contests a hand, an arbiter rules, another arbiter decides the appeal (docs/disputes.md).

The facts are public. The texts beside them are for the seats of the game and for arbiters, and can be erased. An
arbiter sees no more of a live hand than a spectator.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError

from api.container import Services
from api.evidence.routes.schemas import APPEAL, APPEAL_DECISION, DISPUTE_ANSWER, NEW_DISPUTE, NEW_RULING, QUEUE_QUERY
from api.evidence.services.disputes import (
    DisputeRecord,
    DisputeStatement,
    answer_dispute,
    dispute_records,
    is_hand_live,
    records_with_texts,
    tell_accused,
    withholds_until_hand_over,
)
from api.monitoring.logs import log_event
from api.people.stored import roles
from api.people.stored.grants import MODERATE, PLAY, READ
from api.people.stored.users import User
from api.play.routes.games import command_response, stale_as_seen
from api.tables.routes.lists import list_response, wait_for_lists
from api.web.context import current_reader, current_services, require_player, require_token
from api.web.game_access import GameAccess, require_seat, visible_game
from api.web.preconditions import CommandId, command_id, idempotency_key, if_match
from api.web.problems import Problem
from api.web.query_args import query, query_args
from api.web.responses import json_response
from api.web.strict_json import read_json
from domain.commands import AppealRuling, DecideAppeal, DisputeCommand, GiveRuling, OpenDispute
from domain.events import Evidence
from domain.protocols.merkle_log import canonical
from domain.rejections import Rejected
from domain.state import State
from domain.store import CommandReused, Commit, RaceLost, StaleVersion
from projections.lists.arbiter_queue import waiting_disputes
from projections.lists.cursors import BadCursor

DISPUTES_PATH = "/games/<game_ref:reference>/disputes"
DISPUTE_PATH = DISPUTES_PATH + "/<strictint:dispute>"
NO_DISPUTE = "There is no dispute {} in this game."

LOG = logging.getLogger("trickbook.disputes")

disputes = Blueprint("disputes", __name__)


@disputes.get("/disputes")
@query(QUEUE_QUERY)
def queue() -> Response:
    """Return 200 `{"items", "next", "names"}`: the disputes that the calling arbiter can decide, oldest first.

    Answers 403 without the role. Omits the arbiter's own games and appeals against their own rulings.
    """
    player, services, args = require_player(READ), current_services(), query_args()
    _require_role(services, player, roles.ARBITER)
    wait_for_lists(services, args["wait"], "disputes")
    try:
        with services.rows.snapshot("disputes") as reading:
            page, at = waiting_disputes(reading, player.id, args["limit"], args.get("cursor")), reading.at
    except BadCursor as error:
        raise Problem("malformed", str(error)) from None
    names = services.accounts.users.names_of(item["arbiter"] or "" for item in page["items"])
    return list_response(services, page | {"names": names}, at)


@disputes.get(DISPUTES_PATH)
def list_disputes(reference: str) -> Response:
    """Return 200 `{"items", "names"}`: each dispute with its ruling, appeal and decision, and texts if allowed."""
    services, access = current_services(), visible_game(reference)
    records = dispute_records(entry.event for entry in services.gate.entries(access))
    items = _disputes_for(services, access, records)
    arbiters = services.accounts.users.names_of(each for record in records for each in record.arbiters)
    return json_response({"items": items, "names": current_reader().names(access.state) | arbiters})


def _disputes_for(services: Services, access: GameAccess, records: list[DisputeRecord]) -> list[dict[str, Any]]:
    """Return the disputes as JSON values, with texts for seats of the game and for arbiters.

    A player gets texts that may reveal cards only after the hand is over.
    """
    texts, player = services.accounts.dispute_texts, access.player
    if player is not None and isinstance(access.viewer, int):
        only_answers_of = player if is_hand_live(access.state) else None
        withholds = withholds_until_hand_over(access.state, player)
        return records_with_texts(texts, records, withholds, only_answers_of)
    if player is not None and access.viewer is None and services.accounts.roles.has_any(player, roles.ARBITER):
        return records_with_texts(texts, records)
    return [each.to_json() for each in records]


@disputes.post(DISPUTES_PATH)
def open_dispute(reference: str) -> Response:
    """Return 201 `{"dispute", "version", ...}`, otherwise as for a move; for players who sit or sat in the game."""
    player, body, services = require_player(), read_json(request), current_services()
    fields = NEW_DISPUTE.load(body)
    game, seat = require_seat(reference, player)
    _check_details(services, game, fields)
    most = services.config.game_disputes if services.config.is_limited else None

    def command(state: State, note: str) -> OpenDispute:
        at = fields.get("at_version", state.version)
        return OpenDispute(seat, fields["hand"], at, fields["kind"], note, most)

    made, response = _act(services, player, game, "", body, command)
    accused = fields.get("details", {}).get("accused")
    if accused is not None and not made.repeated:
        tell_accused(services.accounts, made.state, made.state.disputes[-1], accused["seat"])
    return response


@disputes.put(DISPUTE_PATH + "/answer")
def answer(reference: str, dispute: int) -> tuple[str, int]:
    """Return 204: the caller's side of a dispute of another player, in place of what they answered before.

    For players who sit or sat in the game, until the ruling, and again while an appeal waits. 403 for the player who
    opened it, and for an answer that a moderator erased.
    """
    player, services = require_player(), current_services()
    text = DISPUTE_ANSWER.load(read_json(request))["text"]
    _require_length(services, text)
    game, seat = require_seat(reference, player)
    answer_dispute(services.accounts, services.games.state(game), dispute, DisputeStatement(seat, player.id, text))
    return "", 204


@disputes.post(DISPUTE_PATH + "/ruling")
def rule(reference: str, dispute: int) -> Response:
    """Return 201: the ruling and its consequences; needs the role arbiter and no seat in the game."""
    player, body, services = require_player(), read_json(request), current_services()
    _require_role(services, player, roles.ARBITER)
    fields, game = NEW_RULING.load(body), current_reader().resolve(reference)
    _require_waiting(services, player, game, dispute, f"/{dispute}/ruling", body)
    head, root = services.games.snapshot(game)
    log = fields.get("evidence") or {"size": head.version, "root": root}
    evidence = Evidence(log["size"], log["root"])

    def command(_: State, note: str) -> GiveRuling:
        changes, words = tuple(fields.get("changes", ())), (fields["basis"], fields["standard"])
        return GiveRuling(player.id, dispute, fields["decision"], changes, *words, evidence, note)

    return _dispute_response(services, player, game, f"/{dispute}/ruling", body, command)


@disputes.post(DISPUTE_PATH + "/appeal")
def appeal(reference: str, dispute: int) -> Response:
    """Return 201: another arbiter decides; the ruling stays in force until then. For players who sit or sat there."""
    player, body, services = require_player(), read_json(request), current_services()
    APPEAL.load(body)
    game, seat = require_seat(reference, player)
    return _dispute_response(services, player, game, f"/{dispute}/appeal", body, lambda *_: AppealRuling(seat, dispute))


@disputes.post(DISPUTE_PATH + "/decision")
def decide(reference: str, dispute: int) -> Response:
    """Return 201: the ruling is upheld or reversed; needs the role arbiter, no seat, and not the arbiter who ruled."""
    player, body, services = require_player(), read_json(request), current_services()
    _require_role(services, player, roles.ARBITER)
    fields, game = APPEAL_DECISION.load(body), current_reader().resolve(reference)
    _require_waiting(services, player, game, dispute, f"/{dispute}/decision", body)
    decision = DecideAppeal(player.id, dispute, fields["decision"])
    return _dispute_response(services, player, game, f"/{dispute}/decision", body, lambda *_: decision)


@disputes.delete(DISPUTE_PATH + "/texts")
def erase(reference: str, dispute: int) -> tuple[str, int]:
    """Return 204: all texts of the dispute are erased, its facts remain; roles moderator and operator.

    With a moderator's token of the scope `moderate` also in games that the moderator can't see. 403 for a moderator who
    has a part in the game, in the dispute or in a report about the game.
    """
    moderates = require_token().scope == MODERATE
    player, services = require_player(MODERATE if moderates else PLAY), current_services()
    _require_role(services, player, *roles.MODERATORS)
    game = current_reader().resolve(reference)
    entries = services.games.entries(game) if moderates else services.gate.entries(visible_game(reference))
    records = dispute_records(entry.event for entry in entries)
    if not 1 <= dispute <= len(records):
        visible_game(reference)  # the same 404 for a private game as for one that doesn't exist
        raise Problem("not-found", NO_DISPUTE.format(dispute))
    services.conduct.moderation.erase_texts(player.id, game, records[dispute - 1])
    log_event(LOG, "texts-erased", game=game, dispute=dispute, player=player.id)
    return "", 204


def _require_role(services: Services, player: User, *any_of: str) -> None:
    if not services.accounts.roles.has_any(player.id, *any_of):
        raise Problem("forbidden", f"This needs the role {' or '.join(any_of)}.")


def _require_waiting(
    services: Services, player: User, game: str, dispute: int, path: str, body: Mapping[str, Any]
) -> None:
    """Refuse an arbiter who may not know of the game, or sees it late; a repeated request gets its answer again."""
    if not services.games.entries_of_command(game, str(_request_id(services, player, game, path, body))):
        services.gate.require_dispute(game, player.id, dispute)


def _request_id(services: Services, player: User, game: str, path: str, body: Mapping[str, Any]) -> CommandId:
    key, address = idempotency_key(request), f"/games/{game}/disputes{path}"
    return command_id(services.secret, player.id, key, address, body).as_stored(services.games, game)


def _dispute_response(
    services: Services,
    player: User,
    game: str,
    path: str,
    body: Mapping[str, Any],
    command: Callable[[State, str], DisputeCommand],
) -> Response:
    """Store the text of a command, run `command(state, note)` and answer as for a move."""
    return _act(services, player, game, path, body, command)[1]


def _act(
    services: Services,
    player: User,
    game: str,
    path: str,
    body: Mapping[str, Any],
    command: Callable[[State, str], DisputeCommand],
) -> tuple[Commit, Response]:
    expected = if_match(request)
    request_id = _request_id(services, player, game, path, body)
    state = services.games.state(game)
    note = _write_note(services, game, request_id, player, body)
    try:
        commit = services.games.act(
            game, command(state, note), by=player.id, command_id=str(request_id), if_match=expected
        )
    except (Rejected, StaleVersion, CommandReused, RaceLost) as error:
        services.accounts.dispute_texts.discard(str(request_id))
        if isinstance(error, StaleVersion):
            raise stale_as_seen(services, game, player.id, error) from None
        raise
    fact: Any = commit.entries[0].event.data
    return commit, command_response(services, game, player.id, request_id, commit, {"dispute": fact.dispute})


def _check_details(services: Services, game: str, fields: Mapping[str, Any]) -> None:
    """Raise ValidationError if a dispute accuses a seat that the game doesn't have."""
    accused, seats = fields.get("details", {}).get("accused"), len(services.games.state(game).seats)
    if accused is not None and accused["seat"] >= seats:
        raise ValidationError({"details": {"accused": {"seat": [f"The seats of this game are 0 to {seats - 1}."]}}})


def _write_note(services: Services, game: str, command: CommandId, author: User, body: Mapping[str, Any]) -> str:
    """Store the text, with its details if it has any, and return the note for the fact.

    The note is "" without a text, as an appeal needs none. Raise ValidationError if the text is longer than the
    setting allows.
    """
    text = body.get("text")
    details = canonical(body["details"]).decode() if "details" in body else None
    if text is not None:
        _require_length(services, text)
    return "" if text is None else services.accounts.dispute_texts.save(game, str(command), text, author.id, details)


def _require_length(services: Services, text: str) -> None:
    longest = services.config.text_length
    if len(text) > longest:
        raise ValidationError({"text": [f"A text may have {longest} characters, and this one has {len(text)}."]})
