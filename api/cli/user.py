"""Users and their roles, from the command line."""

import json
import sys
from contextlib import closing
from pathlib import Path

import click
from marshmallow import ValidationError

from api.accounts import roles
from api.accounts.accounts import open_accounts
from api.accounts.users import NameTaken
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.store_files import check_store_files
from api.http.problems import Problem
from api.http.schemas import REGISTRATION
from api.http.strict_json import parse_object


@click.group()
def user() -> None:
    """Register players and give them roles."""


@user.command()
@click.argument("name")
@click.option("--password", help="By default the command asks for it, or reads a line of standard input.")
@data_option
def add(name: str, password: str | None, data: Path | None) -> None:
    """Register NAME, who logs in with the password; print the player's id."""
    config = load_config(data)
    check_store_files(config)
    fields = _load_registration(name, _ask_password() if password is None else password)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        try:
            player = accounts.users.register(fields["name"], fields["password"])
        except NameTaken as error:
            raise CannotAnswer(str(error)) from None
    click.echo(player.id)


@user.command()
@click.argument("name")
@click.argument("role_", metavar="ROLE", type=click.Choice(roles.ROLES))
@click.option("--remove", is_flag=True, help="Take the role away.")
@data_option
def role(name: str, role_: str, remove: bool, data: Path | None) -> None:
    """Give NAME a role: arbiters rule on disputes; moderators and operators erase texts of disputes."""
    config = load_config(data)
    check_store_files(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        player = accounts.users.by_name(name)
        if player is None:
            raise CannotAnswer(f"There is no user {name}.")
        (accounts.roles.withdraw if remove else accounts.roles.grant)(player.id, role_)
    click.echo(f"{name} is {'no longer' if remove else 'now'} {'an' if role_[0] in 'ao' else 'a'} {role_}")


@user.command("list")
@data_option
def list_(data: Path | None) -> None:
    """List users with a role."""
    config = load_config(data)
    check_store_files(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        held = accounts.roles.holders()
    for name, role_ in held:
        click.echo(f"{name}\t{role_}")


def _ask_password() -> str:
    """Return the password: typed twice at a terminal, otherwise one line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.buffer.readline().decode(errors="surrogateescape").rstrip("\r\n")


def _load_registration(name: str, password: str) -> dict[str, str]:
    """Return name and password if `POST /users` would accept them; raise CannotAnswer if not."""
    try:
        body = parse_object(json.dumps({"name": name, "password": password}).encode())
        loaded: dict[str, str] = REGISTRATION.load(body)
    except ValidationError as error:
        errors = error.messages_dict.items()
        raise CannotAnswer("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors)) from None
    except Problem as error:
        raise CannotAnswer(str(error)) from None
    return loaded


commands: list[click.Command] = [user]
