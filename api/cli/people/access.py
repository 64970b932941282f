"""Signing users out, and giving them passwords and recovery codes, from the command line."""

import json
import sys
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option
from api.cli.common.histories import json_option
from api.cli.common.invalid_input import load_fields
from api.cli.common.stores import open_stored_accounts, require_user
from api.people.stored.passwords import WeakPassword
from api.schemas import Registration

name_argument = click.argument("name")


def ask_password() -> str:
    """Return the password: typed twice at a terminal, otherwise one line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.buffer.readline().decode(errors="surrogateescape").rstrip("\r\n")


def load_password(password: str) -> str:
    """Return the password if `POST /users` would accept it; raise CannotAnswer if not."""
    accepted: str = load_fields(Registration(only=("password",)), {"password": password})["password"]
    return accepted


@click.group()
def access() -> None:
    """Sign players out, and give them new passwords and codes. `trickbook user disable` keeps somebody out."""


@access.command()
@name_argument
@json_option
@data_option
def tokens(name: str, as_json: bool, data: Path | None) -> None:
    """List the tokens of NAME by id, the newest first: scope, creation, expiry, and the last day of use."""
    with open_stored_accounts(data) as accounts:
        found = accounts.admin.tokens(require_user(accounts, name))
    shown = [token.to_json() for token in found]
    if as_json:
        click.echo(json.dumps(shown, indent=2))
        return
    for token in shown:
        cells = [token["id"], token["scope"], token["created"], f"expires {token['expires'] or 'never'}"]
        cells += [f"{word} {token[word]}" for word in ("used", "revoked") if token[word]]
        click.echo("\t".join(map(str, cells)))


@access.command()
@click.argument("token", metavar="TOKEN_ID", required=False)
@click.option("--all", "name", metavar="NAME", help="All tokens of NAME, who is signed out and can log in again.")
@data_option
def end(token: str | None, name: str | None, data: Path | None) -> None:
    """End one token by its id, or all of a user. `trickbook access tokens NAME` lists the ids."""
    if (token is None) == (name is None):
        raise click.UsageError("Name a TOKEN_ID, or --all NAME.")
    with open_stored_accounts(data) as accounts:
        if name is not None:
            ended = accounts.admin.sign_out(require_user(accounts, name))
            click.echo(f"ended {ended} {'token' if ended == 1 else 'tokens'} of {name}")
        elif token is not None and not accounts.admin.revoke_token(token):
            raise CannotAnswer(f"There is no valid token {token}. `trickbook access tokens NAME` lists the ids.")
        else:
            click.echo(f"ended {token}")


@access.command()
@name_argument
@data_option
def password(name: str, data: Path | None) -> None:
    """Give NAME another password and sign them out. The command asks for it, or reads a line of standard input."""
    with open_stored_accounts(data) as accounts:
        user = require_user(accounts, name)
        try:
            accounts.admin.reset_password(user, load_password(ask_password()))
        except WeakPassword as error:
            raise CannotAnswer(f"password: {error}") from None
    click.echo(f"{name} has another password and is signed out")


@access.command()
@name_argument
@data_option
def codes(name: str, data: Path | None) -> None:
    """Print eight new recovery codes for NAME, each of which sets a new password once. Earlier codes become invalid."""
    with open_stored_accounts(data) as accounts:
        renewed = accounts.admin.renew_recovery_codes(require_user(accounts, name))
    click.echo("\n".join(renewed))


commands: list[click.Command] = [access]
