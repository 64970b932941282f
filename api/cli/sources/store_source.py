"""The store on this machine as a source of games for commands: games, a page of the lobby, and standings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from api.cli.common.config import CannotAnswer, exit_on_store_errors
from api.cli.common.stores import (
    add_cosignatures,
    check_stored_receipts,
    issue_receipt,
    load_stored_export,
    load_stored_history,
    make_receipts,
    open_stores,
    require_games,
    require_user,
)
from api.cli.sources import store_disputes
from api.cli.sources.interface import DecisionRequest, DisputeReading, DisputeRequest, ExportRun
from api.config import Config
from api.container import Services, open_services
from api.evidence.services.exports import NO_PLAYER_ID, BulkExporter, export_filter
from api.people.services.seats import players_with_lines
from domain.protocols.signed_notes import Key
from projections.lists.lobby_pages import HOST, LobbyFilter, lobby_page
from projections.lists.standings_pages import Listed, head_to_head, history_page, player_figures, standings_page
from projections.ratings.ratings_pages import rating_changes, ratings_page
from projections.storage.rows import RowSnapshot
from replay.history import History, export_bytes
from replay.history.receipts import ReceiptChecks


def read_page(config: Config, query: Mapping[str, Any], limit: int) -> Mapping[str, Any]:
    """Return the newest games that the query selects, private ones too, with the names of their players."""
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        people = tuple(require_user(services.accounts, name).id for name in query.get("player", ()))
        services.followers.catch_up()
        criteria = LobbyFilter(query.get("variant"), people, query.get("status"))
        with services.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, criteria, limit, reader=HOST)
        ids = {seat["player"] for item in page["items"] for seat in item["seats"]}
        return page | {"names": services.accounts.users.names_of(ids)}


@contextmanager
def _services(config: Config) -> Iterator[Services]:
    require_games(config)
    with exit_on_store_errors(), closing(open_services(config)) as services:
        services.followers.catch_up()
        yield services


def read_standings(config: Config, variant: str, period: str, limit: int) -> Mapping[str, Any]:
    """Return the first lines of the standings, with the names of their players."""
    return _read_page(
        config, "standings", lambda reading, listed: standings_page(reading, variant, period, listed, limit)
    )


def read_ratings(config: Config, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
    """Return the first lines of the ratings, with the names of their players."""
    return _read_page(config, "ratings", lambda reading, listed: ratings_page(reading, variant, kind, listed, limit))


def read_rating_changes(config: Config, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
    """Return the players whom the last rulings moved, with their names."""
    return _read_page(config, "ratings", lambda reading, _: rating_changes(reading, variant, kind, limit))


def _read_page(
    config: Config, projection: str, read: Callable[[RowSnapshot, Listed], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return a page of a list, with the names of its players."""
    with _services(config) as services:
        with services.rows.snapshot(projection) as reading:
            page = read(reading, partial(players_with_lines, services.accounts))
        return {**page, "names": services.accounts.users.names_of(item["player"] for item in page["items"])}


def read_record(config: Config, name: str, against: str | None, limit: int) -> Mapping[str, Any]:
    """Return a player's figures, the games against another one, and the last games, private ones too."""
    with _services(config) as services:
        player = require_user(services.accounts, name)
        other = None if against is None else require_user(services.accounts, against)
        with services.rows.snapshot("standings") as reading:
            page = history_page(reading, player.id, None, limit, is_host=True)
            record = {
                "standings": player_figures(reading, player.id, partial(players_with_lines, services.accounts)),
                "against": None if other is None else head_to_head(reading, player.id, other.id),
            }
        ids = {seat["player"] for item in page["items"] for seat in item["seats"]}
        return record | page | {"names": services.accounts.users.names_of(ids)}


@dataclass(frozen=True)
class StoredSource:
    """Reads the configured store; a game's history is what everybody may see."""

    config: Config

    def history(self, game: str) -> History:
        """Return a game's history with everything that is public now."""
        return load_stored_history(self.config, game)

    def games(self, query: Mapping[str, str | Sequence[str]], limit: int) -> Mapping[str, Any]:
        """Return a page of all games of the store."""
        return read_page(self.config, query, limit)

    def standings(self, variant: str, period: str, limit: int) -> Mapping[str, Any]:
        """Return the first lines of the standings."""
        return read_standings(self.config, variant, period, limit)

    def ratings(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        """Return the first lines of the ratings."""
        return read_ratings(self.config, variant, kind, limit)

    def rating_changes(self, variant: str, kind: str, limit: int) -> Mapping[str, Any]:
        """Return the players whom the last rulings moved."""
        return read_rating_changes(self.config, variant, kind, limit)

    def player_record(self, name: str, against: str | None, limit: int) -> Mapping[str, Any]:
        """Return a player's figures and finished games, private ones too."""
        return read_record(self.config, name, against, limit)

    def export(self, game: str) -> bytes:
        """Return a game's export with everything that is public now."""
        return export_bytes(load_stored_export(self.config, game))

    def check_receipts(
        self, game: str, given: Sequence[tuple[str, str]], keys: Sequence[Key]
    ) -> tuple[History, ReceiptChecks]:
        """Return a history, checked against stored receipts and `given` ones (name, note)."""
        return check_stored_receipts(self.config, game, given, keys)

    def receipt(self, game: str, size: int | None) -> tuple[History, str]:
        """Return a history and a receipt, which is signed now if that size has no receipt."""
        return issue_receipt(self.config, game, size)

    def add_cosignatures(self, game: str, note: str) -> str:
        """Store the cosignatures of witnesses that a copy of a receipt brings; return it with all that it has."""
        return add_cosignatures(self.config, game, note)

    @contextmanager
    def exports(self, query: Mapping[str, Any]) -> Iterator[ExportRun]:
        """Open the exports of the selected games. The position counts the events of the whole store."""
        with open_stores(self.config, "export") as (accounts, games):
            selection = export_filter(accounts, dict(query))
            if NO_PLAYER_ID in selection.players:
                unknown = next(name for name in query["player"] if accounts.users.by_name(name) is None)
                raise CannotAnswer(f"There is no player {unknown}.")
            upto = games.log.last_numbers()
            sealed = make_receipts(accounts, games, self.config).with_receipt
            made = BulkExporter(games, accounts.boards.number_of, accounts.users.names_of, sealed)
            yield ExportRun(made.exports(selection, upto), str(sum(upto)), sum(upto))

    def waiting_disputes(self, limit: int, kind: str | None, clause: str | None) -> Mapping[str, Any]:
        """Return the disputes of all games that wait for any arbiter."""
        return store_disputes.waiting(self.config, {"limit": limit, "kind": kind, "clause": clause})

    def dispute(self, game: str, number: int) -> DisputeReading:
        """Return a dispute with all its texts."""
        return store_disputes.read(self.config, game, number)

    def erase_dispute(self, game: str, number: int, by: str | None) -> int | None:
        """Erase a dispute's texts for the moderator `by` and return how many."""
        return store_disputes.erase(self.config, game, number, by)

    def open_dispute(self, game: str, request: DisputeRequest) -> tuple[int, str]:
        """Open a dispute for the player `request.by`; return the version and the name of the fact."""
        return store_disputes.open_dispute(self.config, game, request)

    def withdraw(self, game: str, number: int, by: str | None) -> tuple[int, str]:
        """Withdraw a dispute of the player `by`; return the version and the name of the fact."""
        return store_disputes.withdraw(self.config, game, number, by)

    def appeal(self, game: str, number: int, text: str | None, by: str | None) -> tuple[int, str]:
        """Appeal for the player `by`; return the version and the name of the fact."""
        return store_disputes.appeal(self.config, game, number, text, by)

    def decide(self, game: str, number: int, request: DecisionRequest) -> tuple[int, str]:
        """Rule as the arbiter `request.by`; return the version and the name of the fact."""
        return store_disputes.decide(self.config, game, number, request)
