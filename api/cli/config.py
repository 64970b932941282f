"""`trickbook config`: all settings, and what each means."""

from pathlib import Path

import click

from api.cli.common.config import data_option, load_config
from api.config import SETTINGS


@click.command()
@click.option(
    "--limits", is_flag=True, help="Print the numbers of the limits, as a file that TRICKBOOK_LIMITS can name."
)
@data_option
def config(limits: bool, data: Path | None) -> None:
    """Print each setting with its meaning, as the environment and --data have it. Secrets are hidden.

    A setting is an environment variable. `trickbook serve` prints only those that aren't the usual ones.
    """
    settings = load_config(data)
    if limits:
        click.echo("\n".join(settings.to_numbers()))
        return
    for line, setting in zip(settings.to_lines(), SETTINGS.values(), strict=True):
        click.echo(f"# {setting.meaning}\n{line}")


commands: list[click.Command] = [config]
