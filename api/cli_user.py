"""Users, from the command line: for servers whose registration is closed."""

from contextlib import closing
from pathlib import Path

import click
from marshmallow import ValidationError

from api.cli_config import CannotTell, configured, data_option, reachable
from api.office import open_office
from api.problems import Problem
from api.schemas import REGISTRATION


@click.group()
def user() -> None:
    """Register players."""


@user.command()
@click.argument("name")
@click.password_option(help="Asked for where it is not given.")
@data_option
def add(name: str, password: str, data: Path | None) -> None:
    """Register NAME, who logs in with the password; prints the player's id."""
    with reachable(), closing(open_office(configured(data))) as office:
        try:
            wanted = REGISTRATION.load({"name": name, "password": password})
            player = office.register(wanted["name"], wanted["password"])
        except (ValidationError, Problem) as error:
            raise CannotTell(str(error)) from None
    click.echo(player.id)


commands: list[click.Command] = [user]
