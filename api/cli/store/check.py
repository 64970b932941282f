"""The check of a whole server from the command line, offline and without writing anything."""

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import click

from api.cli.common.config import CannotAnswer, data_option, load_config
from api.cli.common.processes import bars
from api.cli.common.stores import no_games_error
from api.config import Config, ConfigError
from api.container import WRONG_CIPHER_KEY, open_games
from api.ops.check.everything import VERDICT_TEXTS, DecodeRows, StoreCheck, check_store, open_raw_store
from api.ops.check.long_lists import Lines
from api.ops.check.raw_store import ACCOUNTS, RawStore, StoreDamaged, StoreUnreachable
from domain.store import StoreUnavailable
from domain.store.application import unencrypted_mapper
from replay.text.audit_text import MAX_FINDINGS
from replay.text.terminal import text_line

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, with size and root of every game.")


@click.command(name="check")
@data_option
@json_option
def check_command(data: Path | None, as_json: bool) -> None:
    """Check everything that is stored: the databases, every row and every game, without a server.

    Load, audit and rejudge each game, and compare it with the board numbers, the issued receipts and the lists. Check
    the signatures of the witnesses that TRICKBOOK_WITNESSES names. Exit code 1 if anything is wrong, with game and
    event. Nothing is written.
    """
    checked = check_configured_place(load_config(data))
    if as_json:
        for part in json_parts(checked.to_json()):
            click.echo(part, nl=False)
    else:
        click.echo("\n".join(text_line(each).plain for each in _lines(checked)))
    sys.exit(checked.code)


def check_configured_place(config: Config) -> StoreCheck:
    """Check the configured stores; raise CannotAnswer if they don't exist or can't be read now."""
    try:
        with open_raw_store(config) as store, _plain(config) as plain, bars() as add_bar:
            _check_cipher(store, config)
            return check_store(store, plain, add_bar=add_bar, witnesses=[each.key for each in config.witnesses])
    except FileNotFoundError:
        raise no_games_error(config) from None
    except (StoreUnreachable, ConfigError, StoreUnavailable) as error:
        raise CannotAnswer(str(error)) from None


def _check_cipher(store: RawStore, config: Config) -> None:
    """Raise StoreUnreachable if the cipher key isn't the one of the stored games: they would look changed."""
    with suppress(StoreDamaged):
        mark = "none" if config.cipher_key is None else hashlib.sha256(config.cipher_key.encode()).hexdigest()
        if store.select(ACCOUNTS, "secrets", ("hex",), name="cipher") not in (None, [], [(mark,)]):
            raise StoreUnreachable(WRONG_CIPHER_KEY)


@contextmanager
def _plain(config: Config) -> Iterator[DecodeRows]:
    """Yield the function that decodes a game's rows: that of the store's own mapper if they are encrypted."""
    if config.cipher_key is None:
        yield unencrypted_mapper().decrypt_rows
        return
    with open_games(config, migrate=False) as games:
        yield games.log.mapper.decrypt_rows


def json_parts(report: dict[str, Any]) -> Iterator[str]:
    """Yield a report as indented JSON, without ever holding all the values of its `Lines`."""
    before = "{\n"
    for name, value in report.items():
        yield f"{before}  {_json(name)}: "
        yield from _array_parts(value) if isinstance(value, Lines) else [_json(value, "\n  ")]
        before = ",\n"
    yield "\n}\n"


def _array_parts(values: Lines[Any]) -> Iterator[str]:
    before = "[\n"
    for value in values:
        yield f"{before}    {_json(value, chr(10) + '    ')}"
        before = ",\n"
    yield "\n  ]" if len(values) else "[]"


def _json(value: object, newline: str = "\n") -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", newline)


def _lines(checked: StoreCheck) -> Iterator[str]:
    games = len(checked.listing)
    yield f"{checked.kind}: {games} game{'' if games == 1 else 's'}, {checked.events} events"
    yield from map(str, checked.findings[:MAX_FINDINGS])
    if len(checked.findings) > MAX_FINDINGS:
        yield f"and {len(checked.findings) - MAX_FINDINGS} more findings (--json prints all)"
    yield from (f"note: {each}" for each in islice(checked.notes, MAX_FINDINGS))
    yield f"verdict: {VERDICT_TEXTS[checked.code]}"


commands: list[click.Command] = [check_command]
