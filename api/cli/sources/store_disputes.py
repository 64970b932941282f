"""Disputes of the store on this machine: read, erased and decided by its operator."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

import msgspec

from api.accounts.accounts import Accounts
from api.cli.common.config import CannotAnswer, exit_on_store_errors
from api.cli.common.stores import history_of, open_stores, require_games, require_moderator, resolve_game
from api.cli.sources.interface import DecisionRequest, DisputeReading, DisputeRequest
from api.conduct.services.moderation import OwnCase
from api.config import Config
from api.container import open_services
from api.evidence.services.dispute_commands import read_queue
from api.evidence.services.disputes import DisputeRecord, dispute_records, records_with_texts
from api.people.stored import roles
from api.play.services.command_ids import command_id
from domain.commands import AppealRuling, DecideAppeal, DisputeCommand, GiveRuling, OpenDispute, WithdrawDispute
from domain.events import Evidence
from domain.events.dispute_codes import AppealOutcome
from domain.protocols.merkle_log import canonical
from domain.rejections import Rejected
from domain.state import State
from domain.store import Games, NoSuchGame, RaceLost
from domain.store.aggregate import Entry


def waiting(config: Config, query: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a page of disputes that wait for an arbiter, or of rulings of a kind or by a clause."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        services.followers.catch_up()
        with services.rows.snapshot("disputes") as reading:
            return read_queue(services, None, reading, query)


def read(config: Config, game: str, number: int) -> DisputeReading:
    """Return dispute `number` of a game."""
    with open_stores(config, game) as (accounts, games):
        record = _find_dispute(games.entries(resolve_game(accounts, game)), number)
        shown = msgspec.to_builtins(records_with_texts(accounts.dispute_texts, [record])[0])
        history = history_of(accounts, games, game)
        names = accounts.users.names_of((*history.header.players, *(event.by for event in record.parts.values())))
    return DisputeReading(history, shown, names)


def erase(config: Config, game: str, number: int, by: str | None) -> int:
    """Erase the texts of a dispute as the moderator `by`, and return how many."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        moderator = require_moderator(services.accounts, by)
        try:
            entries = services.games.entries(game_id := resolve_game(services.accounts, game))
            return services.conduct.moderation.erase_texts(moderator.id, game_id, _find_dispute(entries, number))
        except NoSuchGame as error:
            raise CannotAnswer(f"{game}: {error}") from None
        except OwnCase as error:
            raise CannotAnswer(str(error)) from None


def _find_dispute(entries: Sequence[Entry], number: int) -> DisputeRecord:
    return find_dispute(dispute_records(entry.event for entry in entries), number)


def find_dispute(records: Sequence[DisputeRecord], number: int) -> DisputeRecord:
    """Return a game's dispute by its number."""
    if number > len(records):
        raise CannotAnswer(f"There is no dispute {number} in this game.")
    return records[number - 1]


def decide(config: Config, game: str, number: int, request: DecisionRequest) -> tuple[int, str]:
    """Rule on a dispute or an appeal as the arbiter `request.by`."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        try:
            state, root = services.games.snapshot(game_id := resolve_game(services.accounts, game))
        except NoSuchGame as error:
            raise CannotAnswer(f"{game}: {error}") from None
        arbiter, evidence = _find_arbiter(services.accounts, request.by), Evidence(state.version, root)
        request_id = str(command_id(services.secret, arbiter, None, "", {}))
        note = _save_text(services.accounts, game_id, request_id, request.text, arbiter)
        if request.decision in tuple(AppealOutcome):
            command: DisputeCommand = DecideAppeal(arbiter, number, request.decision)
        else:
            words = (request.basis, request.standard, evidence, note)
            command = GiveRuling(arbiter, number, request.decision, request.changes, *words)
        return _act(services.games, services.accounts, game_id, command, arbiter, request_id)


def open_dispute(config: Config, game: str, request: DisputeRequest) -> tuple[int, str]:
    """Open a dispute as the player `request.by`."""
    details = canonical(dict(request.details)).decode() if request.details else None

    def command(state: State, seat: int, note: str) -> DisputeCommand:
        at = state.version if request.at is None else request.at
        return OpenDispute(seat, request.hand, at, request.kind, note)

    return _act_as_player(config, game, request.by, request.text, details, command)


def withdraw(config: Config, game: str, number: int, by: str | None) -> tuple[int, str]:
    """Withdraw a dispute as the player `by`."""
    return _act_as_player(config, game, by, None, None, lambda _state, seat, _note: WithdrawDispute(seat, number))


def appeal(config: Config, game: str, number: int, text: str | None, by: str | None) -> tuple[int, str]:
    """Appeal against a ruling as the player `by`."""
    return _act_as_player(config, game, by, text, None, lambda _state, seat, _note: AppealRuling(seat, number))


def _act_as_player(
    config: Config,
    game: str,
    name: str | None,
    text: str | None,
    details: str | None,
    command: Callable[[State, int, str], DisputeCommand],
) -> tuple[int, str]:
    """Store the text, and run `command(state, seat, note)` for the player of that name."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        try:
            state = services.games.state(game_id := resolve_game(services.accounts, game))
        except NoSuchGame as error:
            raise CannotAnswer(f"{game}: {error}") from None
        player = _find_player(services.accounts, name)
        seat = services.games.seat_of(game_id, player)
        if seat is None:
            raise CannotAnswer(f"{name} has no seat in this game.")
        request_id = str(command_id(services.secret, player, None, "", {}))
        note = _save_text(services.accounts, game_id, request_id, text, player, details)
        return _act(services.games, services.accounts, game_id, command(state, seat, note), player, request_id)


def _save_text(
    accounts: Accounts, game: str, request_id: str, text: str | None, author: str, details: str | None = None
) -> str:
    return "" if text is None else accounts.dispute_texts.save(game, request_id, text, author, details)


def _find_player(accounts: Accounts, name: str | None) -> str:
    if name is None:
        raise CannotAnswer("Name the player with --by NAME.")
    player = accounts.users.by_name(name)
    if player is None:
        raise CannotAnswer(f"There is no player {name}.")
    return player.id


def _act(
    games: Games, accounts: Accounts, game: str, command: DisputeCommand, by: str, request_id: str
) -> tuple[int, str]:
    try:
        commit = games.act(game, command, by=by, command_id=request_id)
    except (Rejected, RaceLost) as refusal:
        accounts.dispute_texts.discard(request_id)
        raise CannotAnswer(str(refusal)) from None
    event = commit.entries[0].event
    return event.version, event.fact


def _find_arbiter(accounts: Accounts, name: str | None) -> str:
    if name is None:
        raise CannotAnswer("Name the arbiter who decides with --by NAME.")
    player = accounts.users.by_name(name)
    if player is None or not accounts.roles.has_any(player.id, roles.ARBITER):
        raise CannotAnswer(f"{name} isn't an arbiter. `trickbook user role {name} arbiter` gives a user this role.")
    return player.id
