"""Groups of commands that import each command when it's called, and that name the nearest if there isn't one.

For a name of version 0.2 they name the new one.
"""

import shlex
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from api.cli.parser.advice import no_such_command, with_advice
from api.cli.parser.catalog import COMMANDS, GROUPS, PARTS, commands_of, first_words
from api.cli.parser.examples import add_example

RENAMED = {
    **{f"game {name}": f"ask {name}" for name in ("legal", "score", "draws", "clock", "sight", "commits", "rejudge")},
    "hand revokes": "ask revokes",
    **{f"game {name}": f"results {name}" for name in ("standings", "ratings", "history")},
    "rate": "results rate",
    "store migrate": "store init",
    "store reshard": "shards count",
    "user tokens": "access tokens",
    "user revoke": "access end",
    "user sign-out": "access end --all",
    "user reset-password": "access password",
    "user recovery-codes": "access codes",
    "user erasures": "user list --erased",
}
"""The new name of each command of version 0.2 that has another one."""
REMOVED = {"store archive": "the first start of this version puts archived games back into the log"}
"""The reason for each command of version 0.2 that nothing replaces."""


def tell_new_name(arguments: Sequence[str]) -> str | None:
    """Return the sentence for a command of version 0.2 that `arguments` call and that has another name or is gone."""
    for count in (1, 2):
        if (now := RENAMED.get(" ".join(arguments[:count]))) is not None:
            typed = shlex.join(["trickbook", *now.split(), *arguments[count:]])
            return f"`trickbook {' '.join(arguments[:count])}` is `trickbook {now}` now. Type: {typed}"
    removed = " ".join(arguments[:2])
    return f"`trickbook {removed}` is gone: {REMOVED[removed]}." if removed in REMOVED else None


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
    """The program: groups and commands, and what they were called in version 0.2."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.lines = first_words()

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Return a group, or import and return a command."""
        return CatalogGroup(name) if name in GROUPS else load_command(name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; raise a usage error with the new name for an old one."""
        if not ctx.resilient_parsing and (advice := tell_new_name(args)):
            raise click.UsageError(advice, ctx)
        return super().resolve_command(ctx, args)

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
