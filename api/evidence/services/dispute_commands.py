"""Acts of players and arbiters in disputes: contest a hand, answer, rule, appeal and decide (docs/disputes.md)."""

import logging
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypedDict

import msgspec
from marshmallow import ValidationError

from api.caller import Caller, require_player, require_token
from api.conduct.services.schemas import require_length
from api.container import Services
from api.evidence.services.disputes import (
    DisputeRecord,
    DisputeStatement,
    ShownDispute,
    answer_dispute,
    check_dispute,
    dispute_records,
    is_hand_live,
    records_with_texts,
    tell_accused,
    withholds_until_hand_over,
)
from api.evidence.services.histories import visible_history
from api.evidence.services.schemas import APPEAL, APPEAL_DECISION, DISPUTE_ANSWER, NEW_DISPUTE, NEW_RULING
from api.monitoring.logs import log_event
from api.people.stored import roles
from api.people.stored.tokens import MODERATE, PLAY, READ
from api.people.stored.users import User
from api.play.services.game_reader import CommandResult, GameAnswer
from api.play.services.game_schemas import NO_FIELDS
from api.play.services.games import CommandId, command_answer, command_id, require_seat, stale_as_seen, visible_game
from api.play.services.gate import GameAccess
from api.play.services.positions import reading_list
from api.problem import Problem
from api.schemas import CommandInput, Read
from domain.commands import (
    AppealRuling,
    DecideAppeal,
    DisputeCommand,
    GiveRuling,
    OpenDispute,
    WithdrawDispute,
)
from domain.events import Evidence
from domain.events.disputes import StandardOfProof
from domain.json_fields import Names, Outcome, Time, one_of, says
from domain.protocols.merkle_log import canonical
from domain.rejections import Rejected
from domain.state import State
from domain.store import CommandReused, Commit, RaceLost, StaleVersion
from domain.store.log import Positions
from projections.lists.arbiter_queue import ListedDispute, like_rulings, waiting_disputes
from projections.storage.rows import RowSnapshot
from projections.views.results import DisputeLine, disputes_json, ruled_scores
from replay.queries.dispute_case import CASE_PASSES, case_lines

LOG = logging.getLogger("trickbook.disputes")
LIST_PASSES, SHOW_PASSES = 1, 1 + CASE_PASSES
"""How often `list_disputes` and `print_dispute` go through all events of a game (`api.web.route.Route.passes`)."""
NO_DISPUTE = "There is no dispute {} in this game."
MakeCommand = Callable[[State, str], DisputeCommand]
"""Takes the state of the game, and the note that stands for the text in the fact."""


class Disputes(TypedDict):
    """The disputes of a game."""

    items: list[ShownDispute]
    names: Names


def list_disputes(services: Services, caller: Caller, reference: str) -> Disputes:
    """Return each dispute with its ruling, appeal and decision, and texts if allowed."""
    return _all_disputes(services, visible_game(services, caller, reference))


def _all_disputes(services: Services, access: GameAccess) -> Disputes:
    items, records = disputes_seen(services, access)
    arbiters = services.accounts.users.names_of(each for record in records for each in record.arbiters)
    return {"items": items, "names": services.reader.names(access.state) | arbiters}


class QueuedDispute(ListedDispute):
    """A dispute that waits for an arbiter, or was ruled on."""

    text: Annotated[str | None, says("The reasons of a ruling that was asked for; null if they were erased.")]


class DisputeQueue(TypedDict):
    """A page of disputes: those that wait, the oldest first, or rulings, the newest first."""

    items: list[QueuedDispute]
    next: str | None
    names: Names


def read_queue(services: Services, arbiter: str | None, reading: RowSnapshot, args: Mapping[str, Any]) -> DisputeQueue:
    """Return a page of the disputes that wait for an arbiter or, with `kind` or `clause`, of rulings like these.

    The host, None, sees those of all games.
    """
    where = args["limit"], args.get("cursor")
    items: list[QueuedDispute] = []
    if args["kind"] is None and args["clause"] is None:
        page = waiting_disputes(reading, arbiter, *where)
        items += [{**item, "text": None} for item in page["items"]]
    else:
        page, commands = like_rulings(reading, arbiter, args["kind"], args["clause"], *where)
        texts = services.accounts.dispute_texts.read(commands)
        reasons = [None if (found := texts.get(each)) is None else found.text for each in commands]
        items += [{**item, "text": text} for item, text in zip(page["items"], reasons, strict=True)]
    names = services.accounts.users.names_of(item["arbiter"] or "" for item in items)
    return {"items": items, "next": page["next"], "names": names}


def list_like_rulings(services: Services, caller: Caller, reference: str, dispute: int) -> DisputeQueue:
    """Return the rulings on disputes of the same kind, or by the same clause, as one dispute; for an arbiter."""
    player = require_player(services, caller, READ)
    require_role(services, player, roles.ARBITER)
    shown = show_dispute(services, caller, reference, dispute)
    clause = None if shown["ruling"] is None else shown["ruling"]["basis"]
    with reading_list(services, None, "disputes") as reading:
        return read_queue(
            services, player.id, reading, {"limit": 50, "kind": shown["opened"]["kind"], "clause": clause}
        )


class OneDispute(ShownDispute):
    """A dispute of a game."""

    names: Names


def show_dispute(services: Services, caller: Caller, reference: str, dispute: int) -> OneDispute:
    """Return one dispute as `list_disputes` shows it. Raise Problem for a number that the game doesn't have."""
    return _one_dispute(services, visible_game(services, caller, reference), dispute)


def _one_dispute(services: Services, access: GameAccess, dispute: int) -> OneDispute:
    found = _all_disputes(services, access)
    if not 1 <= dispute <= len(found["items"]):
        raise Problem("not-found", NO_DISPUTE.format(dispute))
    return {**found["items"][dispute - 1], "names": found["names"]}


def print_dispute(services: Services, caller: Caller, reference: str, dispute: int) -> str:
    """Return one dispute as a text to print, with what the log shows, as far as the caller may see it."""
    access = visible_game(services, caller, reference)
    shown: dict[str, Any] = msgspec.to_builtins(_one_dispute(services, access, dispute))
    history = visible_history(services, access)
    checks = check_dispute(shown, [line.prev.hex() for line in history.lines])
    return "\n".join(case_lines(history, shown, shown["names"], checks)) + "\n"


def disputes_seen(services: Services, access: GameAccess) -> tuple[list[ShownDispute], list[DisputeRecord]]:
    """Return the disputes that a viewer sees as JSON values, with texts for seats and arbiters, and their records.

    A player gets texts that may reveal cards only after the hand is over.
    """
    records = dispute_records(entry.event for entry in services.gate.entries(access))
    return _disputes_for(services, access, records), records


def _disputes_for(services: Services, access: GameAccess, records: list[DisputeRecord]) -> list[ShownDispute]:
    texts, player = services.accounts.dispute_texts, access.player
    if player is not None and isinstance(access.viewer, int):
        only_answers_of = player if is_hand_live(access.state) else None
        withholds = withholds_until_hand_over(access.state, player)
        return records_with_texts(texts, records, withholds, only_answers_of)
    if player is not None and access.viewer is None and services.accounts.roles.has_any(player, roles.ARBITER):
        return records_with_texts(texts, records)
    return [each.to_json() for each in records]


class DisputeOutcome(DisputeLine):
    """A dispute after a command, and the scores."""

    basis: Annotated[str | None, says("The clause that the ruling rests on.")]
    standard: Annotated[str, one_of(*StandardOfProof)] | None
    appeal_until: Annotated[Time | None, says("When appeals against the ruling end, if they do.")]
    text: Annotated[str | None, says("The text of the command, such as the reasons of a ruling.")]
    scores: Annotated[list[int], says("The scores as played.")]
    ruled: Annotated[Outcome | None, says("With the rulings in force, or null if they change no score.")]


class DisputeResult(CommandResult):
    """The response to a command about a dispute."""

    dispute: Annotated[int, says("The number of the dispute in the game.")]
    outcome: DisputeOutcome


DisputeCommandAnswer = GameAnswer[DisputeResult]


def open_dispute(services: Services, caller: Caller, reference: str, read: Read) -> DisputeCommandAnswer:
    """Open a dispute: `{"dispute", "version", ...}`, else as for a move; for players who sit or sat in the game."""
    player, sent = require_player(services, caller, game=reference), read(NEW_DISPUTE)
    fields = sent.fields
    game, seat = require_seat(services, reference, player)
    _check_details(services, game, fields)
    most = services.config.game_disputes if services.config.is_limited else None

    def command(state: State, note: str) -> OpenDispute:
        at = fields.get("at_version", state.version)
        return OpenDispute(seat, fields["hand"], at, fields["kind"], note, most)

    made, answer = _act(services, player, game, "", sent, command)
    accused = fields.get("details", {}).get("accused")
    if accused is not None and not made.repeated:
        tell_accused(services.accounts, made.state, made.state.disputes[-1], accused["seat"])
    return answer


def save_answer(services: Services, caller: Caller, reference: str, dispute: int, read: Read) -> None:
    """Save the caller's side of a dispute of another player, in place of what they answered before.

    For players who sit or sat in the game, until the ruling, and again while an appeal waits. Raise AnswerRefused for
    the player who opened it, and for an answer that a moderator erased.
    """
    player = require_player(services, caller, game=reference)
    text = read(DISPUTE_ANSWER).fields["text"]
    require_length(services, "text", text)
    game, seat = require_seat(services, reference, player)
    answer_dispute(services.accounts, services.games.state(game), dispute, DisputeStatement(seat, player.id, text))


def give_ruling(services: Services, caller: Caller, reference: str, dispute: int, read: Read) -> DisputeCommandAnswer:
    """Rule on a dispute; needs the role arbiter and no seat in the game."""
    player, sent = require_player(services, caller), read()
    require_role(services, player, roles.ARBITER)
    fields, game = NEW_RULING.load(sent.body), services.reader.resolve(reference)
    _require_waiting(services, player, game, dispute, f"/{dispute}/ruling", sent)
    head, root = services.games.snapshot(game)
    log = fields.get("evidence") or {"size": head.version, "root": root}
    evidence = Evidence(log["size"], log["root"])

    def command(_: State, note: str) -> GiveRuling:
        changes, words = tuple(fields.get("changes", ())), (fields["basis"], fields["standard"])
        return GiveRuling(player.id, dispute, fields["decision"], changes, *words, evidence, note)

    return _act(services, player, game, f"/{dispute}/ruling", sent, command)[1]


def withdraw_dispute(
    services: Services, caller: Caller, reference: str, dispute: int, read: Read
) -> DisputeCommandAnswer:
    """Take back a dispute before an arbiter rules; for the player who opened it. The hand can be contested again."""
    player, sent = require_player(services, caller, game=reference), read(NO_FIELDS)
    game, seat = require_seat(services, reference, player)
    return _act(services, player, game, f"/{dispute}/withdrawal", sent, lambda *_: WithdrawDispute(seat, dispute))[1]


def appeal_ruling(services: Services, caller: Caller, reference: str, dispute: int, read: Read) -> DisputeCommandAnswer:
    """Ask another arbiter to decide; the ruling stays in force until then. For players who sit or sat there."""
    player, sent = require_player(services, caller, game=reference), read(APPEAL)
    game, seat = require_seat(services, reference, player)
    return _act(services, player, game, f"/{dispute}/appeal", sent, lambda *_: AppealRuling(seat, dispute))[1]


def decide_appeal(services: Services, caller: Caller, reference: str, dispute: int, read: Read) -> DisputeCommandAnswer:
    """Uphold or reverse a ruling; needs the role arbiter, no seat, and not the arbiter who ruled."""
    player, sent = require_player(services, caller), read()
    require_role(services, player, roles.ARBITER)
    fields, game = APPEAL_DECISION.load(sent.body), services.reader.resolve(reference)
    _require_waiting(services, player, game, dispute, f"/{dispute}/decision", sent)
    decision = DecideAppeal(player.id, dispute, fields["decision"])
    return _act(services, player, game, f"/{dispute}/decision", sent, lambda *_: decision)[1]


def require_role(services: Services, player: User, *any_of: str) -> None:
    """Raise Problem for a player who has none of these roles."""
    if not services.accounts.roles.has_any(player.id, *any_of):
        raise Problem("forbidden", f"This needs the role {' or '.join(any_of)}.")


def _require_waiting(services: Services, player: User, game: str, dispute: int, path: str, sent: CommandInput) -> None:
    """Refuse an arbiter who may not know of the game, or sees it late; a repeated request gets its answer again."""
    if not services.games.entries_of_command(game, str(_request_id(services, player, game, path, sent))):
        services.gate.require_dispute(game, player.id, dispute)


def _request_id(services: Services, player: User, game: str, path: str, sent: CommandInput) -> CommandId:
    address = f"/games/{game}/disputes{path}"
    return command_id(services.secret, player.id, sent.key, address, sent.body).as_stored(services.games, game)


def _act(
    services: Services, player: User, game: str, path: str, sent: CommandInput, command: MakeCommand
) -> tuple[Commit, DisputeCommandAnswer]:
    """Store the text of a command, run `command(state, note)`, and return the commit and the answer as for a move."""
    request_id = _request_id(services, player, game, path, sent)
    state = services.games.state(game)
    note = _write_note(services, game, request_id, player, sent.body)
    try:
        commit = services.games.act(
            game, command(state, note), by=player.id, command_id=str(request_id), if_match=sent.expected
        )
    except (Rejected, StaleVersion, CommandReused, RaceLost) as error:
        services.accounts.dispute_texts.discard(str(request_id))
        if isinstance(error, StaleVersion):
            raise stale_as_seen(services, game, player.id, error) from None
        raise
    fact: Any = commit.entries[0].event.data
    result = command_answer(services, game, player.id, request_id, commit)
    body: DisputeResult = {
        "dispute": fact.dispute,
        "outcome": _outcome(commit.state, fact.dispute, sent.body.get("text")),
        **result.body,
    }
    return commit, GameAnswer(body, result.etag, result.position)


def _outcome(state: State, number: int, text: str | None) -> DisputeOutcome:
    ruling = state.disputes[number - 1].ruling
    return {
        **disputes_json(state)[number - 1],
        "basis": None if ruling is None else ruling.basis,
        "standard": None if ruling is None else ruling.standard,
        "appeal_until": None if ruling is None else ruling.appeal_until,
        "text": text,
        "scores": list(state.scores),
        "ruled": ruled_scores(state),
    }


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
        require_length(services, "text", text)
    return "" if text is None else services.accounts.dispute_texts.save(game, str(command), text, author.id, details)


def list_queue(services: Services, caller: Caller, args: Mapping[str, Any]) -> tuple[DisputeQueue, Positions]:
    """Return what `read_queue` returns for the caller, an arbiter, and the positions that the list includes.

    It omits the arbiter's own games, appeals against their own rulings, and rulings on games that not everybody may
    watch. Raise Problem without the role.
    """
    player = require_player(services, caller, READ)
    require_role(services, player, roles.ARBITER)
    with reading_list(services, args["wait"], "disputes") as reading:
        return read_queue(services, player.id, reading, args), reading.at


def erase_texts(services: Services, caller: Caller, reference: str, dispute: int) -> None:
    """Erase all texts of a dispute, as a moderator or operator; its facts remain.

    With a moderator's token of the scope `moderate` also in games that the moderator can't see. Raise OwnCase for a
    moderator who has a part in the game, in the dispute or in a report about the game.
    """
    moderates = require_token(caller).scope == MODERATE
    player = require_player(services, caller, MODERATE if moderates else PLAY)
    require_role(services, player, *roles.MODERATORS)
    game = services.reader.resolve(reference)
    if moderates:
        entries = services.games.entries(game)
    else:
        entries = services.gate.entries(visible_game(services, caller, reference))
    records = dispute_records(entry.event for entry in entries)
    if not 1 <= dispute <= len(records):
        visible_game(services, caller, reference)  # a private game has the 404 of one that doesn't exist
        raise Problem("not-found", NO_DISPUTE.format(dispute))
    services.conduct.moderation.erase_texts(player.id, game, records[dispute - 1])
    log_event(LOG, "texts-erased", game=game, dispute=dispute, player=player.id)
