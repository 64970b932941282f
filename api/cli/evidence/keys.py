"""`trickbook keys`: show and replace the keys that sign receipts."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from api.accounts.accounts import open_accounts
from api.cli.common.config import CannotAnswer, ask, data_option, exit_on_store_errors, load_config, yes_option
from api.cli.common.stores import require_games
from api.evidence.services.keys import NoSigningKey, SigningKeys, keys_json

AFTER_ROTATION = (
    "Receipts are signed with the new key from now on; no server needs a restart. Publish the note beside the "
    "new key wherever you publish the old one: people who trust the old key use it to check that the new one is yours. "
    "`trickbook keys show --json` prints both, as /.well-known/trickbook/keys does."
)
AFTER_LOSS = (
    "Receipts are signed with this key from now on. Only you can vouch for it: publish it wherever the old one "
    "was, and explain why."
)
"""Advice about the printed key, on standard error."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@click.group()
def keys() -> None:
    """Show and replace the keys that sign receipts."""


@keys.command()
@data_option
@click.option("--json", "in_json", is_flag=True, help="Print JSON, as /.well-known/trickbook/keys returns it.")
def show(data: Path | None, in_json: bool) -> None:
    """Print every public key, the current one last. Each is on a line, as --key takes it."""
    with _open_keys(data) as signing_keys:
        published = signing_keys.published_keys()
    if in_json:
        click.echo(json.dumps(keys_json(published), indent=2))
        return
    for each in published:
        since = (EPOCH + timedelta(microseconds=each.since)).strftime("%Y-%m-%d %H:%M:%S")
        vouched = "" if each.number == 1 or each.note is not None else ", not signed by the previous key"
        click.echo(f"since {since} UTC{vouched}:", err=True)
        click.echo(each.key.text)


@keys.command()
@data_option
@click.option("--lost", is_flag=True, help="The current key is lost and can't sign the new one.")
@yes_option
def rotate(data: Path | None, lost: bool, yes: bool) -> None:
    """Replace the current key by a new one, after asking. Print a note that both keys sign, or the new key.

    The server publishes both at /.well-known/trickbook/keys from now on, without a restart. People who trust the old
    key learn the new one from there, or from the note.
    """
    with _open_keys(data) as signing_keys:
        ask(f"Replace {signing_keys.current().text}?", yes=yes)
        added = signing_keys.rotate(lost=lost)
    click.echo(added.note or added.key.text + "\n", nl=False)
    click.echo(AFTER_LOSS if added.note is None else AFTER_ROTATION, err=True)


@contextmanager
def _open_keys(data: Path | None) -> Iterator[SigningKeys]:
    config = load_config(data)
    require_games(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        signing_keys = SigningKeys(accounts.database, accounts.secrets.folder)
        try:
            signing_keys.current()
            yield signing_keys
        except NoSigningKey as error:
            raise CannotAnswer(str(error)) from None


commands: list[click.Command] = [keys]
