"""Groups of commands that import each command when it's called, and usage errors that say what to do.

They name the nearest value or command, where an option belongs, and, for a name of version 0.2, the new one.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from api.cli.parser.catalog import COMMANDS, EXAMPLES, GROUPS, PARTS, add_example, commands_of, first_words
from api.lines.catalog import SERVER_COMMANDS
from replay.text.layout import sanitize

CLOSENESS = 0.6
MOST = 3


def no_such_command(group: str, name: str, own: Iterable[str]) -> str:
    """Return the sentence about a command that a group ("" for the program) lacks, with the nearest ones there are."""
    words = " ".join(filter(None, ("trickbook", group, name)))
    where = f"`trickbook {group} --help`" if group else "`trickbook --help`"
    nearest = _nearest(group, name, list(own))
    meant = f"Did you mean {' or '.join(f'`trickbook {each}`' for each in nearest)}?" if nearest else ""
    return f"There is no command `{words}`. {meant or f'{where} lists the commands.'}"


def _nearest(group: str, name: str, own: list[str]) -> list[str]:
    """Return the full names of the commands of this name elsewhere, otherwise of those with similar names."""
    elsewhere = [full for full in COMMANDS if full.split()[-1] == name]
    if elsewhere:
        return elsewhere[:MOST]
    if not group and name in SERVER_COMMANDS:
        return [f"line {name}"]
    here = [f"{group} {each}".strip() for each in get_close_matches(name, own, MOST, CLOSENESS)]
    if here and group:
        return here
    full_names: dict[str, list[str]] = {}
    for full in (*GROUPS, *COMMANDS):
        full_names.setdefault(full.split()[-1], []).append(full)
    close = get_close_matches(name, list(full_names), 2, CLOSENESS)
    return list(dict.fromkeys([*here, *(full for each in close for full in full_names[each])]))[:MOST]


EXTRA = "Got unexpected extra argument"
NO_NUMBER = "is not a valid integer"


def with_advice(error: click.UsageError, program: click.Group) -> click.UsageError:
    """Return a usage error that also says what the user may have meant, or what to type instead."""
    match error:
        case click.NoSuchOption():
            return _place_of_option(error, program) or error
        case click.NoSuchCommand():
            return error if error.possibilities else _say(error, f"{error.message} {_list(error)}")
        case click.MissingParameter():
            return _say(error, f"{_label(error.param)} is missing.{_choices(error.param)}{_example(error)}")
        case click.BadParameter():
            return _say(error, f"{_label(error.param)}: {_wrong_value(error)}{_example(error)}")
    return _say(error, f"{error.message.rstrip('.')}.{_example(error)}") if EXTRA in error.message else error


def did_you_mean(value: str, choices: Iterable[str]) -> str:
    """Return the question whether the user meant the nearest choice, after a blank; empty if none is near."""
    close = get_close_matches(value, list(choices), 1, CLOSENESS)
    return f" Did you mean {close[0]}?" if close else ""


def _say(error: click.UsageError, says: str) -> click.UsageError:
    return click.UsageError(says, error.ctx)


def _words(error: click.UsageError) -> str:
    """Return the words after `trickbook` that call the command."""
    return "" if error.ctx is None else error.ctx.command_path.partition(" ")[2]


def _example(error: click.UsageError) -> str:
    """Return the example of the command as a sentence, after a blank."""
    example = EXAMPLES.get(_words(error))
    return "" if example is None else f" For example: `{example}`."


def _list(error: click.UsageError) -> str:
    return f"`trickbook {_words(error)} --help` lists the commands."


def _label(param: click.Parameter | None) -> str:
    """Return what the user calls a parameter: --hand, or GAME."""
    if isinstance(param, click.Option):
        return param.opts[-1]
    return "The value" if param is None else (param.name or "").strip("_").upper()


def _choices(param: click.Parameter | None) -> str:
    if param is None or not isinstance(param.type, click.Choice):
        return ""
    return f" It's one of: {', '.join(map(str, param.type.choices))}."


def _wrong_value(error: click.BadParameter) -> str:
    """Return what is wrong with a value, and the nearest one."""
    value = error.message[1:].partition("' is not")[0]
    if NO_NUMBER in error.message:
        return f"{value!r} isn't a whole number."
    if error.param is not None and isinstance(error.param.type, click.Choice):
        choices = [str(each) for each in error.param.type.choices]
        return f"{value!r} isn't one of: {', '.join(choices)}.{did_you_mean(value, choices)}"
    return error.message


def _place_of_option(error: click.NoSuchOption, program: click.Group) -> click.UsageError | None:
    """Return an error that says where an option of the program belongs; None for any other option."""
    if not any(error.option_name in each.opts for each in program.params):
        return None
    words = f"trickbook {error.option_name} ... {_words(error)} ..."
    return _say(error, f"The option {error.option_name} comes before the command: `{words}`.")


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
        """Run the command; a usage error also names what the user may have meant.

        An error may quote a file or a server, and so holds no control characters.
        """
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise with_advice(error, self) from None
        except click.ClickException as error:
            vars(error)["message"] = "\n".join(map(sanitize, error.message.split("\n")))  # which mypy calls final
            raise

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
