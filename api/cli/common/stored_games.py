"""Read access to stored games for commands; nothing is created."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace

import psycopg

from api.accounts.accounts import Accounts, open_accounts
from api.cli.common.config import CannotAnswer
from api.cli.common.corrupt_log import CorruptLog
from api.cli.common.store_files import require_games
from api.config import Config, ConfigError
from api.receipts.issue import NoCosignature, ReceiptIssuer
from api.receipts.keys import NoSigningKey, SigningKeys
from api.services.container import check_cipher, open_games
from domain.protocols.signed_notes import Key, parse_checkpoint, parse_note
from domain.store import Games, NoSuchGame, StoreUnavailable
from domain.store.aggregate import Corrupt
from projections.views.audience import revealed_ceremonies, visible
from replay.history import History, from_entries, players_in
from replay.history.receipts import ReceiptChecks


def load_stored_history(config: Config, game: str) -> History:
    """Return the history of a stored game, by board number or id, with everything that is public now.

    Raises CannotAnswer if there is no such game or the store doesn't respond, and CorruptLog for a corrupt log.
    """
    with open_stores(config, game) as (accounts, games):
        return _history(accounts, games, game)


def load_stored_export(config: Config, game: str) -> History:
    """Return the history of a stored game with the server's keys and a receipt."""
    with open_stores(config, game) as (accounts, games):
        return make_receipts(accounts, games, config).with_receipt(_history(accounts, games, game))


def check_stored_receipts(
    config: Config, game: str, given: Sequence[tuple[str, str]], keys: Sequence[Key]
) -> tuple[History, ReceiptChecks]:
    """Return the history of a stored game, checked against stored receipts and `given` ones (name, note)."""
    with open_stores(config, game) as (accounts, games):
        history = _history(accounts, games, game)
        return history, make_receipts(accounts, games, config).check(history, given, keys)


def issue_receipt(config: Config, game: str, size: int | None) -> tuple[History, str]:
    """Return the history and a receipt for its first `size` events, or all; raise CannotAnswer without a key."""
    with open_stores(config, game) as (accounts, games):
        history = _history(accounts, games, game)
        try:
            return history, make_receipts(accounts, games, config).issue(history.header.game, size).note
        except (NoSigningKey, ValueError) as error:
            raise CannotAnswer(f"{game}: {error}") from None
        except Corrupt as error:
            raise CorruptLog(error, history.header.board, accounts.admin_log.to_json(history.header.game)) from None


def add_cosignatures(config: Config, game: str, note: str) -> str:
    """Store the cosignatures that a copy of a receipt brings, and return the receipt with all that it has."""
    with open_stores(config, game) as (accounts, games):
        read = parse_note(note)
        size = parse_checkpoint(read.body).size
        try:
            receipts = make_receipts(accounts, games, config)
            return receipts.add_cosignatures(resolve_game(accounts, game), size, read.signatures).note
        except (NoCosignature, LookupError) as error:
            raise CannotAnswer(f"{game}: {error.args[0]}") from None


def make_receipts(accounts: Accounts, games: Games, config: Config) -> ReceiptIssuer:
    """Return the issuer of receipts for these games. It generates no key, because only a server knows its name."""
    keys = SigningKeys(accounts.database, accounts.secrets.folder)
    return ReceiptIssuer(accounts.database, keys, games, config.witnesses)


def _history(accounts: Accounts, games: Games, game: str) -> History:
    try:
        entries = games.entries(resolve_game(accounts, game))
    except Corrupt as error:
        log = accounts.admin_log.to_json(error.game)
        raise CorruptLog(error, accounts.boards.number_of(error.game), log) from None
    names = accounts.users.names_of(players_in(entry.event for entry in entries))
    revealed = revealed_ceremonies(entry.event for entry in entries)
    history = from_entries(entries, names, lambda entry: visible(entry.event, None, revealed))
    return replace(history, admin_log=accounts.admin_log.to_json(history.header.game))


@contextmanager
def open_stores(config: Config, command: str) -> Iterator[tuple[Accounts, Games]]:
    """Yield the accounts and games; raise CannotAnswer if they don't exist or don't respond to `command`."""
    require_games(config)
    try:
        with ExitStack() as stores:
            accounts = stores.enter_context(closing(open_accounts(config)))
            check_cipher(accounts, config)
            yield accounts, stores.enter_context(closing(open_games(config, migrate=False)))
    except (NoSuchGame, StoreUnavailable) as error:
        raise CannotAnswer(f"{command}: {error}") from None
    except ConfigError as error:
        raise CannotAnswer(str(error)) from None
    except (sqlite3.Error, psycopg.Error) as error:
        raise CannotAnswer(f"The database failed: {type(error).__name__}.") from None


def resolve_game(accounts: Accounts, game: str) -> str:
    """Return the id of the game with this id or board number."""
    game_id = accounts.boards.game_of(int(game[:18])) if game.isdigit() else game
    if game_id is None:
        raise CannotAnswer(f"There is no board {game}.")
    return game_id
