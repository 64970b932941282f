"""`trickbook`, the program. Commands are imported when they are asked for, so that each starts at once."""

from importlib import import_module

import click

COMMANDS = {
    "serve": "api.cli_serve",
    "work": "api.cli_serve",
    "migrate": "api.cli_serve",
    "rebuild": "api.cli_serve",
    "demo": "api.cli_demo",
    "user": "api.cli_user",
    "show": "api.cli_replay",
    "replay": "api.cli_replay",
    "audit": "api.cli_replay",
    "rejudge": "api.cli_replay",
    "export": "api.cli_replay",
    "verify": "api.cli_replay",
}
"""The module that holds each command, in its list `commands`."""


class Trickbook(click.Group):
    """The commands of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of them, imported."""
        if cmd_name not in COMMANDS:
            return None
        commands: list[click.Command] = import_module(COMMANDS[cmd_name]).commands
        return next(command for command in commands if command.name == cmd_name)


@click.group(cls=Trickbook, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trickbook")
def main() -> None:
    """A server for trick-taking card games played for score; every deal, bid and card is a fact that stays.

    Settings come from the environment, TRICKBOOK_DATA and others; `serve` prints them all. Exit codes: 0 all is well,
    1 something is wrong, 2 it could not be told or done.
    """


if __name__ == "__main__":
    main()
