"""docs/commands.md: `python -m tests.command_lines.page` writes its lists of commands from the table again."""

import re
import textwrap
from collections.abc import Iterator, Mapping

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, WHO, Command, usage
from api.lines.options import TABLE_OPTIONS, option_lines
from tests.docs.markdown import ROOT

PAGE = ROOT / "docs" / "commands.md"
FIRST = re.compile(r"[.:;] ")
"""The end of a command's first statement; `help COMMAND` has the others."""
START = "<!-- The rest is written by `python -m tests.command_lines.page`. -->\n"


def with_current_commands(text: str) -> str:
    """Return the page with the commands as the table has them now."""
    return text.partition(START)[0] + START + "\n" + "\n".join(_parts())


def _parts() -> Iterator[str]:
    yield "## Commands of the server\n"
    yield from _commands(SERVER_COMMANDS, None)
    yield "\n## Commands of each game\n"
    yield "`game` stands for a [game](rules/README.md), such as `pitch`, or `house`.\n"
    yield from _commands({name: each for name, each in GAME_COMMANDS.items() if name not in SERVER_COMMANDS}, "game")
    yield "\n## Options of a challenge\n"
    yield _filled(
        "Each game has its own, such as `-win=7`: [the games](rules/README.md#options) and `help pitch` list them."
    )
    yield "\nThese are the options of every table:\n"
    for option, text in option_lines("pitch")[-len(TABLE_OPTIONS) :]:
        yield _filled(f"* `{option}`: {text}")
    yield ""


def _filled(text: str) -> str:
    return textwrap.fill(text, 120, subsequent_indent="  " * text.startswith("*"), break_on_hyphens=False)


def _commands(commands: Mapping[str, Command], variant: str | None) -> Iterator[str]:
    """Yield a line for each command, without name and password, which a token replaces."""
    for command in commands.values():
        written = usage(command, variant).replace(f" {WHO}", "")
        says = FIRST.split(command.help, maxsplit=1)[0].rstrip(".")
        yield _filled(f"* `{written}`: {says}.{_aliases(command)}")


def _aliases(command: Command) -> str:
    return f" Also `{'` or `'.join(command.aliases)}`." if command.aliases else ""


if __name__ == "__main__":
    PAGE.write_text(with_current_commands(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
