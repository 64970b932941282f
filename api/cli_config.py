"""The configuration as the commands take it: from the environment, `--data` in front of it."""

import os
from dataclasses import replace
from pathlib import Path

import click

from api.config import Config, ConfigError

data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder that holds everything [TRICKBOOK_DATA]."
)


class CannotTell(click.ClickException):
    """What a command needs is not there; exit code 2."""

    exit_code = 2


def configured(data: Path | None) -> Config:
    """The settings of the environment, but for the folder where it was named; a wrong one ends the command."""
    try:
        config = Config.from_environment(os.environ)
    except ConfigError as error:
        raise CannotTell(str(error)) from None
    return config if data is None else replace(config, data=data)

