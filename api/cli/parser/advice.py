"""Usage errors that say what is wrong and what to do: the nearest value or command, where an option belongs."""

from collections.abc import Iterable
from difflib import get_close_matches

import click

from api.cli.parser.catalog import COMMANDS, GROUPS
from api.cli.parser.examples import EXAMPLES
from api.lines.catalog import SERVER_COMMANDS

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
