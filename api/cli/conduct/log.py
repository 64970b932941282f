"""`trickbook moderation log` and `verify`: print the moderation log, and check it, also without the server's store."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from api.accounts.accounts import open_accounts
from api.accounts.conduct.moderation_log import ModerationEntry, moderation_origin
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.evidence_options import key_option
from api.cli.common.histories import json_option, print_json
from api.cli.common.input_files import read_file
from api.cli.common.store_files import require_store
from api.receipts.keys import SigningKeys
from api.services.conduct.log_check import copy_findings, log_findings
from domain.protocols.merkle_log import canonical
from domain.protocols.signed_notes import Key

WRONG = 1
BLANKS = re.compile(r"[ \t\r\n]+")
MAX_LOG_SIZE = 256 * 1024 * 1024
NO_KEY = "Give the server's keys with --key: it publishes them at /.well-known/trickbook/keys."


@click.command()
@json_option
@data_option
def log(as_json: bool, data: Path | None) -> None:
    """Print the moderation log: a line of JSON for each entry with its signed note, the oldest first.

    With --json, print one object as GET /moderation/log answers. Keep the output: `trickbook moderation verify --copy
    FILE` shows later whether anything in it was changed.
    """
    entries, keys = _read_store(data)
    items = [{"number": each.number, "entry": json.loads(each.entry), "note": each.note} for each in entries]
    if as_json:
        origin = moderation_origin(keys[-1].name) if keys else None  # a store that was never served has no key
        print_json({"origin": origin, "items": items, "more": False})
        return
    for item in items:
        click.echo(json.dumps(item, ensure_ascii=False))


@click.command()
@click.option("--log", "log_file", metavar="FILE",
              help="Check this download of the log instead of the server's: the pages of GET /moderation/log, or an "
              "output of `trickbook moderation log`; - for standard input. Needs --key, and no store.")  # fmt: skip
@click.option("--copy", metavar="FILE", help="An earlier download or output of the log, which it must begin with.")
@key_option
@data_option
def verify(log_file: str | None, copy: str | None, keys: list[Key], data: Path | None) -> None:
    """Check numbers, roots and signatures of the moderation log, and that it begins with an earlier copy.

    Exit code 1 if something is wrong. Anybody can check a log that they downloaded: with --log and --key.

    \b
    Example:
      curl -s $URL/.well-known/trickbook/keys > keys.json
      curl -s "$URL/api/v1/moderation/log?limit=500" > log.json
      trickbook moderation verify --log log.json --key keys.json
    """
    entries, trusted = _read_file(log_file, keys) if log_file is not None else _read_store(data)
    findings = list(log_findings(entries, keys or trusted))
    earlier = None if copy is None else _read_copy(copy)
    findings += copy_findings(entries, earlier or ())
    for finding in findings:
        click.echo(finding)
    if findings:
        click.get_current_context().exit(WRONG)
    signer = "with a key that you gave" if keys else "by this server"
    click.echo(f"The moderation log is right: {len(entries)} entries, each signed {signer}.")
    if earlier is not None:
        click.echo(f"It begins with the {len(earlier)} entries of the copy.")


def _read_store(data: Path | None) -> tuple[list[ModerationEntry], list[Key]]:
    config = load_config(data)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        keys = SigningKeys(accounts.database, accounts.secrets.folder)
        return list(accounts.moderation_log.entries()), keys.public_keys()


def _read_file(name: str, keys: list[Key]) -> tuple[list[ModerationEntry], list[Key]]:
    if not keys:
        raise CannotAnswer(NO_KEY)
    return _parse_log(name), keys


def _read_copy(name: str) -> list[ModerationEntry]:
    entries = _parse_log(name)
    if not entries:
        raise CannotAnswer(f"{name}: There is no entry in this copy of a moderation log, so it proves nothing.")
    return entries


def _parse_log(name: str) -> list[ModerationEntry]:
    """Return the entries in a file: pages as the server answers them, or an entry a line, or both."""
    try:
        values = list(_json_values(read_file(name, MAX_LOG_SIZE).decode("utf-8-sig")))
        items = [item for value in values for item in value.get("items", [value])]
        entries = [ModerationEntry(int(item["number"]), _canonical(item), str(item["note"])) for item in items]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise CannotAnswer(f"{name}: This isn't a moderation log, or a copy of one.") from None
    if not values:
        raise CannotAnswer(f"{name}: This file is empty, and no moderation log.")
    return entries


def _json_values(text: str) -> Iterator[Any]:
    """Yield the JSON values that follow each other in a text."""
    decoder, at = json.JSONDecoder(), 0
    while (at := _skip_blanks(text, at)) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def _skip_blanks(text: str, at: int) -> int:
    found = BLANKS.match(text, at)
    return at if found is None else found.end()


def _canonical(item: Any) -> str:
    return canonical(item["entry"]).decode()
