"""Users and their roles, from the command line."""

import logging
from contextlib import closing
from pathlib import Path

import click

from api.accounts.accounts import open_accounts
from api.cli.common.config import CannotAnswer, data_option, exit_on_store_errors, load_config
from api.cli.common.stores import no_such_user, require_store
from api.cli.people.access import ask_password
from api.cli.people.manage import MANAGE, load_registration
from api.monitoring.logs import log_event, setup_logging
from api.people.stored import roles
from api.people.stored.passwords import WeakPassword
from api.people.stored.users import NameTaken

LOG = logging.getLogger("trickbook.roles")


@click.group()
def user() -> None:
    """Register players, give them roles, keep them out, or delete them."""


@user.command()
@click.argument("name")
@click.option("--password", help="By default the command asks for it, or reads a line of standard input.")
@data_option
def add(name: str, password: str | None, data: Path | None) -> None:
    """Register NAME and print the player's id. They log in with the password."""
    config = load_config(data)
    require_store(config)
    fields = load_registration(name, ask_password() if password is None else password)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        try:
            player = accounts.users.register(fields["name"], fields["password"])
        except NameTaken as error:
            raise CannotAnswer(str(error)) from None
        except WeakPassword as error:
            raise CannotAnswer(f"password: {error}") from None
        accounts.admin.add_to_log("user-added", player.id)
    click.echo(player.id)


@user.command()
@click.argument("name")
@click.argument("role_", metavar="ROLE", type=click.Choice(roles.ROLES))
@click.option("--remove", is_flag=True, help="Take the role away.")
@data_option
def role(name: str, role_: str, remove: bool, data: Path | None) -> None:
    """Give NAME a role. Arbiters rule on disputes; moderators and operators erase texts of disputes."""
    config = load_config(data)
    setup_logging(config)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        player = accounts.users.by_name(name)
        if player is None:
            raise CannotAnswer(no_such_user(accounts, name))
        (accounts.roles.withdraw if remove else accounts.roles.grant)(player.id, role_)
        accounts.admin.add_to_log("role-withdrawn" if remove else "role-granted", player.id, role=role_)
    log_event(LOG, "role-withdrawn" if remove else "role-granted", player=player.id, role=role_)
    click.echo(f"{name} is {'no longer' if remove else 'now'} {'an' if role_[0] in 'ao' else 'a'} {role_}")


for _command in MANAGE:
    user.add_command(_command)

commands: list[click.Command] = [user]
