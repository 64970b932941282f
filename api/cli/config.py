"""`trickbook config`: all settings."""

from pathlib import Path

import click

from api.cli.common.config import data_option, load_config


@click.command()
@data_option
def config(data: Path | None) -> None:
    """Print all settings, as the environment and --data have them. Secrets are hidden.

    A setting is an environment variable. `trickbook serve` prints only those that differ from the usual ones.
    """
    for line in load_config(data).to_lines():
        click.echo(line)


commands: list[click.Command] = [config]
