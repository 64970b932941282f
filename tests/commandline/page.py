"""docs/command-line.md: `python -m tests.commandline.page` writes its list of commands from the parser again."""

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator

import click

from api.cli.main import main as program
from api.cli.parser.catalog import COMMANDS, GROUPS, PARTS
from api.cli.parser.groups import load_command
from tests.docs.markdown import ROOT

PAGE = ROOT / "docs" / "command-line.md"
START = "<!-- The rest is written by `python -m tests.commandline.page`. -->\n"
FIRST = re.compile(r"[.:;] ")
"""The end of a command's first statement; `--help` has the others."""
CHOICES = re.compile(r"\{[^}]{60,}\}")
"""A long list of values, which `--help` names."""


def with_current_commands(text: str) -> str:
    """Return the page with the commands as the parser has them now."""
    return text.partition(START)[0] + START + "\n" + "\n".join(_parts()).rstrip() + "\n"


def _parts() -> Iterator[str]:
    for part, names in PARTS.items():
        yield f"## {part}\n"
        for name in names:
            yield from _group(name) if name in GROUPS else _command(name, _loaded(name))
        yield ""


def _loaded(name: str) -> click.Command:
    command = load_command(name)
    assert command is not None, name
    return command


def _group(name: str) -> Iterator[str]:
    for full in COMMANDS:
        if full.startswith(f"{name} "):
            yield from _command(full, _loaded(full))


def _command(name: str, command: click.Command) -> Iterator[str]:
    """Yield the lines about a command, or about its subcommands."""
    if isinstance(command, click.Group):
        for each, sub in command.commands.items():
            yield from _command(f"{name} {each}", sub)
        return
    pieces = command.collect_usage_pieces(click.Context(command, **program.context_settings))
    usage = CHOICES.sub("VARIANT", " ".join([name, *pieces[1:]]))
    says = FIRST.split(" ".join(inspect.cleandoc(command.help or "").partition("\n\n")[0].split()), maxsplit=1)[0]
    yield textwrap.fill(
        f"* `{usage}`: {says.rstrip('.')}.", 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


if __name__ == "__main__":
    PAGE.write_text(with_current_commands(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} is updated\n")
