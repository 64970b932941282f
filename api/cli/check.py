"""Checking a whole place from the command line, with no server, and without writing anything."""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option, load_config, no_games_error
from api.cli.common.progress import bars
from api.config import Config, ConfigError
from api.ops.check.everything import VERDICT_TEXTS, DecodeRows, StoreCheck, check_store, open_raw_store
from api.ops.check.raw_store import OFFICE, RawRow, RawStore, StoreDamaged, StoreUnreachable
from api.services.container import WRONG_CIPHER_KEY, open_games
from domain.store import StoreUnavailable
from replay.text.terminal import MOST_FINDINGS, text_line

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, with size and root of every game.")


@click.command(name="check")
@data_option
@json_option
def check_command(data: Path | None, as_json: bool) -> None:
    """Check everything that is kept: the databases, every row, and every game, with no server.

    Each game is loaded, audited and judged by today's rules, and held against the office's boards, the receipts that
    were given, and the lists. Exit code 1 where anything is wrong; it names game and event. Nothing is written.
    """
    checked = check_configured_place(load_config(data))
    if as_json:
        click.echo(json.dumps(checked.to_json(), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(text_line(each).plain for each in _lines(checked)))
    sys.exit(checked.code)


def check_configured_place(config: Config) -> StoreCheck:
    """The check of the place that is configured. CannotAnswer where there is none, or it cannot be read now."""
    try:
        with open_raw_store(config) as store, _plain(config) as plain, bars() as add:
            _check_cipher(store, config)
            return check_store(store, plain, add_bar=lambda games: add("games", games))
    except FileNotFoundError:
        raise no_games_error(config.data) from None
    except (StoreUnreachable, ConfigError, StoreUnavailable) as error:
        raise CannotAnswer(str(error)) from None


def _check_cipher(store: RawStore, config: Config) -> None:
    """Raise StoreUnreachable if the games were written with another cipher key: their logs would look altered."""
    with suppress(StoreDamaged):
        mark = "none" if config.cipher_key is None else hashlib.sha256(config.cipher_key.encode()).hexdigest()
        if store.select(OFFICE, "secrets", ("hex",), name="cipher") not in (None, [], [(mark,)]):
            raise StoreUnreachable(WRONG_CIPHER_KEY)


@contextmanager
def _plain(config: Config) -> Iterator[DecodeRows]:
    """How a game's rows are brought to clear: by the store's own mapper, where they are encrypted."""
    if config.cipher_key is None:
        yield _as_they_are
        return
    with open_games(config, migrate=False) as games:
        yield games.application.mapper.decrypt_rows


def _as_they_are(_game: str, rows: Iterable[RawRow]) -> Iterable[RawRow]:
    return rows


def _lines(checked: StoreCheck) -> Iterator[str]:
    yield f"{checked.kind}: {len(checked.listing)} games, {checked.events} events"
    yield from map(str, checked.findings[:MOST_FINDINGS])
    if len(checked.findings) > MOST_FINDINGS:
        yield f"and {len(checked.findings) - MOST_FINDINGS} findings more (--json gives all)"
    yield from (f"note: {each}" for each in checked.notes[:MOST_FINDINGS])
    yield f"verdict: {VERDICT_TEXTS[checked.code]}"


commands: list[click.Command] = [check_command]
