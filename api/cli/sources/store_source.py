"""The store on this machine as a source of games for commands, and its operator's disputes.

`GameSource` says what each method returns.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec

from api.accounts.accounts import Accounts
from api.cli.common.config import CannotAnswer, exit_on_store_errors
from api.cli.common.corrupt_log import CorruptLog
from api.cli.common.stores import open_stores, require_games, require_moderator, require_user, resolve_game
from api.cli.sources.interface import DecisionRequest, DisputeReading, DisputeRequest, ExportRun
from api.conduct.services.moderation import OwnCase
from api.config import Config
from api.container import Services, open_services
from api.evidence.services.dispute_commands import read_queue
from api.evidence.services.disputes import DisputeRecord, dispute_records, records_with_texts
from api.evidence.services.exports import NO_PLAYER_ID, BulkExporter, export_filter
from api.evidence.services.keys import NoSigningKey, SigningKeys
from api.evidence.services.receipts import NoCosignature, ReceiptIssuer
from api.people.services.seats import players_with_lines
from api.people.stored import roles
from api.play.services.games import command_id
from domain.commands import AppealRuling, DecideAppeal, DisputeCommand, GiveRuling, OpenDispute, WithdrawDispute
from domain.events import Evidence
from domain.events.disputes import AppealOutcome
from domain.protocols.merkle_log import canonical
from domain.protocols.signed_notes import Key, parse_checkpoint, parse_note
from domain.rejections import Rejected
from domain.state import State
from domain.store import Games, NoSuchGame, RaceLost
from domain.store.aggregate import Corrupt, Entry
from projections.lists.lobby_pages import HOST, LobbyFilter, lobby_page
from projections.lists.standings_pages import Listed, head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import rating_changes, ratings_page
from projections.storage.rows import RowSnapshot
from projections.views.audience import revealed_ceremonies, visible
from replay.history import History, export_bytes, from_entries, players_in
from replay.history.receipts import ReceiptChecks


@dataclass(frozen=True)
class StoredSource:
    """Reads the configured store; a game's history is what everybody may see, lists and texts have all."""

    config: Config

    def history(self, game: str) -> History:
        with open_stores(self.config, game) as (accounts, games):
            return _history(accounts, games, game)

    def games(self, query: Mapping[str, Any], limit: int) -> Mapping[str, Any]:
        with self._lists() as services:
            people = tuple(require_user(services.accounts, name).id for name in query.get("player", ()))
            criteria = LobbyFilter(query.get("variant"), people, query.get("status"))
            with services.rows.snapshot("lobby") as reading:
                page = lobby_page(reading, criteria, limit, reader=HOST)
            return page | {"names": services.accounts.users.names_of(_seated(page))}

    def standings(self, variant: str, period: str, limit: int) -> Mapping[str, Any]:
        return self._read_page(
            "standings", lambda reading, lines: standings_page(reading, variant, period, lines, limit)
        )

    def ratings(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        return self._read_page("ratings", lambda reading, lines: ratings_page(reading, variant, kind, lines, limit))

    def rating_changes(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        return self._read_page("ratings", lambda reading, _: rating_changes(reading, variant, kind, limit))

    def _read_page(
        self, projection: str, read: Callable[[RowSnapshot, Listed], Mapping[str, Any]]
    ) -> Mapping[str, Any]:
        """Return a page of a list, with the names of its players."""
        with self._lists() as services:
            with services.rows.snapshot(projection) as reading:
                page = read(reading, partial(players_with_lines, services.accounts))
            return {**page, "names": services.accounts.users.names_of(item["player"] for item in page["items"])}

    def player_record(self, name: str, against: str | None, limit: int) -> Mapping[str, Any]:
        with self._lists() as services:
            player = require_user(services.accounts, name)
            other = None if against is None else require_user(services.accounts, against)
            with services.rows.snapshot("standings") as reading:
                page = history_page(reading, player.id, None, limit, is_host=True)
                record = {
                    "standings": player_figures(reading, player.id, partial(players_with_lines, services.accounts)),
                    "against": None if other is None else head_to_head(reading, player.id, other.id),
                }
            return record | page | {"names": services.accounts.users.names_of(_seated(page))}

    def export(self, game: str) -> bytes:
        with open_stores(self.config, game) as (accounts, games):
            return export_bytes(self._receipts(accounts, games).with_receipt(_history(accounts, games, game)))

    def check_receipts(
        self, game: str, given: Sequence[tuple[str, str]], keys: Sequence[Key]
    ) -> tuple[History, ReceiptChecks]:
        with open_stores(self.config, game) as (accounts, games):
            history = _history(accounts, games, game)
            return history, self._receipts(accounts, games).check(history, given, keys)

    def receipt(self, game: str, size: int | None) -> tuple[History, str]:
        """Return a history and a receipt, which is signed now if that size has no receipt."""
        with open_stores(self.config, game) as (accounts, games):
            history = _history(accounts, games, game)
            try:
                return history, self._receipts(accounts, games).issue(history.header.game, size).note
            except (NoSigningKey, ValueError) as error:
                raise CannotAnswer(f"{game}: {error}") from None
            except Corrupt as error:
                raise CorruptLog(error, history.header.board, accounts.admin_log.to_json(history.header.game)) from None

    def add_cosignatures(self, game: str, note: str) -> str:
        with open_stores(self.config, game) as (accounts, games):
            read = parse_note(note)
            size = parse_checkpoint(read.body).size
            try:
                receipts = self._receipts(accounts, games)
                return receipts.add_cosignatures(resolve_game(accounts, game), size, read.signatures).note
            except (NoCosignature, LookupError) as error:
                raise CannotAnswer(f"{game}: {error.args[0]}") from None

    @contextmanager
    def exports(self, query: Mapping[str, Any]) -> Iterator[ExportRun]:
        """Open the exports of the selected games. The position counts the events of the whole store."""
        with open_stores(self.config, "export") as (accounts, games):
            selection = export_filter(accounts, dict(query))
            if NO_PLAYER_ID in selection.players:
                unknown = next(name for name in query["player"] if accounts.users.by_name(name) is None)
                raise CannotAnswer(f"There is no player {unknown}.")
            upto = games.log.last_numbers()
            sealed = self._receipts(accounts, games).with_receipt
            made = BulkExporter(games, accounts.boards.number_of, accounts.users.names_of, sealed)
            yield ExportRun(made.exports(selection, upto), str(sum(upto)), sum(upto))

    def _receipts(self, accounts: Accounts, games: Games) -> ReceiptIssuer:
        """Return the issuer of receipts for these games. It generates no key, because only a server knows its name."""
        keys = SigningKeys(accounts.database, accounts.secrets.folder)
        return ReceiptIssuer(accounts.database, keys, games, self.config.witnesses)

    def waiting_disputes(self, limit: int, kind: str | None, clause: str | None) -> Mapping[str, Any]:
        with self._lists() as services, services.rows.snapshot("disputes") as reading:
            return read_queue(services, None, reading, {"limit": limit, "kind": kind, "clause": clause})

    def dispute(self, game: str, number: int) -> DisputeReading:
        with open_stores(self.config, game) as (accounts, games):
            record = _find_dispute(games.entries(resolve_game(accounts, game)), number)
            shown = msgspec.to_builtins(records_with_texts(accounts.dispute_texts, [record])[0])
            history = _history(accounts, games, game)
            names = accounts.users.names_of((*history.header.players, *(event.by for event in record.parts.values())))
        return DisputeReading(history, shown, names)

    def erase_dispute(self, game: str, number: int, by: str | None) -> int | None:
        with self._services(game) as services:
            moderator = require_moderator(services.accounts, by)
            entries = services.games.entries(game_id := resolve_game(services.accounts, game))
            try:
                return services.conduct.moderation.erase_texts(moderator.id, game_id, _find_dispute(entries, number))
            except OwnCase as error:
                raise CannotAnswer(str(error)) from None

    def open_dispute(self, game: str, request: DisputeRequest) -> tuple[int, str]:
        details = canonical(dict(request.details)).decode() if request.details else None

        def command(state: State, seat: int, note: str) -> DisputeCommand:
            at = state.version if request.at is None else request.at
            return OpenDispute(seat, request.hand, at, request.kind, note)

        return self._act_as_player(game, request.by, request.text, details, command)

    def withdraw(self, game: str, number: int, by: str | None) -> tuple[int, str]:
        return self._act_as_player(game, by, None, None, lambda _state, seat, _note: WithdrawDispute(seat, number))

    def appeal(self, game: str, number: int, text: str | None, by: str | None) -> tuple[int, str]:
        return self._act_as_player(game, by, text, None, lambda _state, seat, _note: AppealRuling(seat, number))

    def _act_as_player(
        self,
        game: str,
        name: str | None,
        text: str | None,
        details: str | None,
        command: Callable[[State, int, str], DisputeCommand],
    ) -> tuple[int, str]:
        """Store the text, and run `command(state, seat, note)` for the player of that name."""
        with self._services(game) as services:
            state = services.games.state(game_id := resolve_game(services.accounts, game))
            player = _find_player(services.accounts, name)
            seat = services.games.seat_of(game_id, player)
            if seat is None:
                raise CannotAnswer(f"{name} has no seat in this game.")
            request_id = str(command_id(services.secret, player, None, "", {}))
            note = _save_text(services.accounts, game_id, request_id, text, player, details)
            return _act(services, game_id, command(state, seat, note), player, request_id)

    def decide(self, game: str, number: int, request: DecisionRequest) -> tuple[int, str]:
        with self._services(game) as services:
            state, root = services.games.snapshot(game_id := resolve_game(services.accounts, game))
            arbiter, evidence = _find_arbiter(services.accounts, request.by), Evidence(state.version, root)
            request_id = str(command_id(services.secret, arbiter, None, "", {}))
            note = _save_text(services.accounts, game_id, request_id, request.text, arbiter)
            if request.decision in tuple(AppealOutcome):
                command: DisputeCommand = DecideAppeal(arbiter, number, request.decision)
            else:
                words = (request.basis, request.standard, evidence, note)
                command = GiveRuling(arbiter, number, request.decision, request.changes, *words)
            return _act(services, game_id, command, arbiter, request_id)

    @contextmanager
    def _services(self, game: str) -> Iterator[Services]:
        """Yield the services; raise CannotAnswer if the store doesn't respond or lacks the game."""
        require_games(self.config)
        with exit_on_store_errors(), closing(open_services(self.config)) as services:
            try:
                yield services
            except NoSuchGame as error:
                raise CannotAnswer(f"{game}: {error}") from None

    @contextmanager
    def _lists(self) -> Iterator[Services]:
        """Yield the services with lists that have all events."""
        require_games(self.config)
        with exit_on_store_errors(), closing(open_services(self.config)) as services:
            services.followers.catch_up()
            yield services


def _seated(page: Mapping[str, Any]) -> set[str]:
    return {seat["player"] for item in page["items"] for seat in item["seats"]}


def _history(accounts: Accounts, games: Games, game: str) -> History:
    """Return the history of a game, by board number or id, with everything that is public now."""
    try:
        entries = games.entries(resolve_game(accounts, game))
    except Corrupt as error:
        log = accounts.admin_log.to_json(error.game)
        raise CorruptLog(error, accounts.boards.number_of(error.game), log) from None
    names = accounts.users.names_of(players_in(entry.event for entry in entries))
    revealed = revealed_ceremonies(entry.event for entry in entries)
    history = from_entries(entries, names, [visible(entry.event, None, revealed) for entry in entries])
    return replace(history, admin_log=accounts.admin_log.to_json(history.header.game))


def _find_dispute(entries: Sequence[Entry], number: int) -> DisputeRecord:
    records = dispute_records(entry.event for entry in entries)
    if number > len(records):
        raise CannotAnswer(f"There is no dispute {number} in this game.")
    return records[number - 1]


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


def _act(services: Services, game: str, command: DisputeCommand, by: str, request_id: str) -> tuple[int, str]:
    try:
        commit = services.games.act(game, command, by=by, command_id=request_id)
    except (Rejected, RaceLost) as refusal:
        services.accounts.dispute_texts.discard(request_id)
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
