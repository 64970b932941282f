"""Groups of commands that import each command when it's called, and that name the nearest if there isn't one.

The names from before version 0.2 still work, with a note on standard error.
"""

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from api.cli.parser.advice import no_such_command, with_advice
from api.cli.parser.catalog import COMMANDS, GROUPS, PARTS, commands_of, first_words
from api.cli.parser.examples import add_example

OLD_NAMES = {
    "show": "game show",
    "replay": "hand replay",
    "audit": "game audit",
    "rejudge": "game rejudge",
    "legal": "game legal",
    "revokes": "hand revokes",
    "deal": "hand deal",
    "draws": "game draws",
    "score": "game score",
    "clock": "game clock",
    "sight": "game sight",
    "commits": "game commits",
    "compare": "game compare",
    "branch": "hand branch",
    "export": "game export",
    "transcript": "game transcript",
    "verify": "game verify",
    "receipts": "receipt compare",
    "proof": "receipt proof",
    "check": "store check",
    "backup": "store backup",
    "restore": "store restore",
    "seal": "hand seal",
    "disputes": "dispute list",
    "rule": "dispute rule",
    "init": "store init",
    "migrate": "store migrate",
    "rebuild": "store rebuild",
    "reshard": "store reshard",
    "quarantine": "store quarantine",
    "server-clock": "store clock",
}
"""The new name of each command that had another one."""
NOW_GROUPS = {"receipt": "receipt print", "dispute": "dispute show"}
"""Commands whose old name is now the name of a group."""
NOTE = "note: `trickbook {old}` is `trickbook {new}` now. The old name goes in the next version."
GAME = re.compile(r"\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A board or an id."""
HELP = ("-h", "--help")


def current_name(arguments: Sequence[str]) -> str | None:
    """Return the new name of the command that `arguments` call by its old one; None if they don't."""
    if not arguments:
        return None
    name, first = arguments[0], arguments[1] if len(arguments) > 1 else None
    if name not in NOW_GROUPS:
        return OLD_NAMES.get(name)
    if first is None or first in commands_of(name):
        return None
    return NOW_GROUPS[name] if _belongs_to_old_name(first) else None


def _belongs_to_old_name(first: str) -> bool:
    """Tell whether an argument is a board, an id, a path, standard input, or an option of the command."""
    is_option = first.startswith("-") and first not in HELP
    return is_option or "." in first or "/" in first or bool(GAME.fullmatch(first)) or Path(first).exists()


class CommandGroup(click.Group):
    """A group whose commands `lines` names, with their help lines; a subclass finds them."""

    lines: Mapping[str, str]
    group_name = ""
    """The name of a group of the catalog; empty for the program."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the catalog."""
        return list(self.lines)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; raise a usage error with the nearest names if it is missing."""
        name = args[0]
        if name in self.lines or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        raise click.UsageError(no_such_command(self.group_name, name, self.lines), ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing any, or an option."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name, help=line) for name, line in self.lines.items() if name.startswith(incomplete)]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lines.items()))


class CatalogGroup(CommandGroup):
    """A group of the catalog."""

    def __init__(self, name: str) -> None:
        super().__init__(name, help=GROUPS[name])
        self.lines, self.group_name = commands_of(name), name
        add_example(name, self)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Import and return a command of this group."""
        return load_command(f"{self.group_name} {name}")


class Trickbook(CommandGroup):
    """The program: groups and commands, and what they were called before version 0.2."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.lines = first_words()

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return a group, or import and return a command."""
        return CatalogGroup(name) if name in GROUPS else load_command(name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; for an old name the new one, with a note on standard error."""
        now = current_name(args)
        if now is None:
            return super().resolve_command(ctx, args)
        if not ctx.resilient_parsing:
            click.echo(NOTE.format(old=args[0], new=now), err=True)
        return super().resolve_command(ctx, [*now.split(), *args[1:]])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a usage error also names what the user may have meant."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise with_advice(error, self) from None

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of groups and commands in the help, by their parts."""
        for part, names in PARTS.items():
            with formatter.section(part):
                formatter.write_dl([(name, self.lines[name]) for name in names])


def load_command(name: str) -> click.Command | None:
    """Import and return the command of this full name; None if it is missing."""
    if name not in COMMANDS:
        return None
    commands: list[click.Command] = import_module(COMMANDS[name][0]).commands
    found = next(command for command in commands if command.name == name.rsplit(maxsplit=1)[-1])
    add_example(name, found)
    return found
