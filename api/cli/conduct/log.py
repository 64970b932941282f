"""`trickbook moderation log` and `verify`: print the moderation log, and check it."""

import json
from contextlib import closing
from pathlib import Path

import click

from api.accounts.accounts import open_accounts
from api.accounts.conduct.moderation_log import ModerationEntry
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.store_files import require_store
from api.receipts.keys import SigningKeys
from api.services.conduct.log_check import copy_findings, log_findings
from domain.protocols.merkle_log import canonical
from domain.protocols.signed_notes import Key

WRONG = 1


@click.command()
@data_option
def log(data: Path | None) -> None:
    """Print the moderation log: a line of JSON for each entry with its signed note, the oldest first.

    Keep the output: `trickbook moderation verify --copy FILE` shows later whether anything in it was changed.
    """
    for each in _read(data)[0]:
        value = {"number": each.number, "entry": json.loads(each.entry), "note": each.note}
        click.echo(json.dumps(value, ensure_ascii=False))


@click.command()
@click.option("--copy", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="An earlier output of `trickbook moderation log`, or of GET /moderation/log.")  # fmt: skip
@data_option
def verify(copy: Path | None, data: Path | None) -> None:
    """Check numbers, roots and signatures of the moderation log, and that it begins with an earlier copy.

    Exit code 1 if something is wrong.
    """
    entries, keys = _read(data)
    findings = list(log_findings(entries, keys))
    if copy is not None:
        findings += copy_findings(entries, _read_copy(copy))
    for finding in findings:
        click.echo(finding)
    if findings:
        click.get_current_context().exit(WRONG)
    click.echo(f"The moderation log is right: {len(entries)} entries, each signed by this server.")


def _read(data: Path | None) -> tuple[list[ModerationEntry], list[Key]]:
    config = load_config(data)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        keys = SigningKeys(accounts.database, accounts.secrets.folder)
        return list(accounts.moderation_log.entries()), keys.public_keys()


def _read_copy(path: Path) -> list[ModerationEntry]:
    """Return the entries in a file: an object with `items`, or one object a line."""
    text = path.read_text(encoding="utf-8")
    try:
        values = [json.loads(line) for line in text.splitlines() if line]
        items = values[0]["items"] if len(values) == 1 and "items" in values[0] else values
        return [ModerationEntry(each["number"], canonical(each["entry"]).decode(), each["note"]) for each in items]
    except (ValueError, TypeError, KeyError):
        raise CannotAnswer(f"{path} isn't a copy of a moderation log.") from None
