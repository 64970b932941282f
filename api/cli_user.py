"""Users, from the command line: for servers whose registration is closed."""

from pathlib import Path

import click

from api.cli_config import CannotTell, configured, data_option


@click.group()
def user() -> None:
    """Register players."""


@user.command()
@click.argument("name")
@click.password_option(help="Asked for where it is not given.")
@data_option
def add(name: str, password: str, data: Path | None) -> None:
    """Register NAME, who logs in with the password; prints the player's id."""
    from marshmallow import ValidationError

    from api.office import open_office
    from api.problems import Problem
    from api.schemas import REGISTRATION

    office = open_office(configured(data))
    try:
        wanted = REGISTRATION.load({"name": name, "password": password})
        player = office.register(wanted["name"], wanted["password"])
    except ValidationError as error:
        raise CannotTell("; ".join(f"{key}: {' '.join(said)}" for key, said in error.normalized_messages().items())) from None
    except Problem as problem:
        raise CannotTell(str(problem)) from None
    finally:
        office.close()
    click.echo(player.id)


commands: list[click.Command] = [user]
