"""Disputes of the store on this machine: read, erased and decided by its operator."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from api.accounts import roles
from api.accounts.accounts import Accounts
from api.cli.common.config import CannotAnswer, exit_on_store_errors
from api.cli.common.store_files import require_games
from api.cli.common.stored_games import open_stores, resolve_game
from api.cli.sources.interface import DecisionRequest, DisputeReading
from api.config import Config
from api.http.preconditions import command_id
from api.services.container import open_services
from api.services.dispute_records import DisputeRecord, dispute_records, records_with_texts
from domain.commands import DecideAppeal, DisputeCommand, GiveRuling
from domain.events import Evidence
from domain.events.dispute_codes import AppealOutcome
from domain.rejections import Rejected
from domain.store import Games, NoSuchGame, RaceLost
from domain.store.aggregate import Entry
from projections.lists.arbiter_queue import waiting_disputes


def waiting(config: Config, limit: int) -> Mapping[str, Any]:
    """Return the page of disputes that wait for an arbiter, the oldest first."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        services.followers.catch_up()
        with services.rows.snapshot("disputes") as reading:
            page: Mapping[str, Any] = waiting_disputes(reading, None, limit)
            return page


def read(config: Config, game: str, number: int) -> DisputeReading:
    """Return dispute `number` of a game."""
    with open_stores(config, game) as (accounts, games):
        entries = games.entries(game_id := resolve_game(accounts, game))
        record = _find_dispute(entries, number)
        shown = records_with_texts(accounts.dispute_texts, [record])[0]
        players = [seat.player for seat in games.state(game_id).seats]
        names = accounts.users.names_of((*players, *(event.by for event in record.parts.values())))
    seats = {seat: names.get(player, player) for seat, player in enumerate(players)}
    return DisputeReading(record, shown, seats, names, [entry.prev.hex() for entry in entries])


def erase(config: Config, game: str, number: int) -> int:
    """Erase the texts of a dispute, and return how many."""
    with open_stores(config, game) as (accounts, games):
        record = _find_dispute(games.entries(resolve_game(accounts, game)), number)
        return accounts.dispute_texts.erase(record.commands)


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
        text, texts = request.text, services.accounts.dispute_texts
        note = "" if text is None else texts.save(game_id, request_id, text, arbiter)
        if request.decision in tuple(AppealOutcome):
            command: DisputeCommand = DecideAppeal(arbiter, number, request.decision)
        else:
            words = (request.basis, request.standard, evidence, note)
            command = GiveRuling(arbiter, number, request.decision, request.changes, *words)
        return _act(services.games, services.accounts, game_id, command, arbiter, request_id)


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
