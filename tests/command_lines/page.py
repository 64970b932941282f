"""docs/commands.md: `python -m tests.command_lines.page` writes its lists of commands from the table again."""

import textwrap
from collections.abc import Iterator, Mapping

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, Command, usage
from api.lines.options import TABLE_OPTIONS, option_lines
from domain.rules.variants import VARIANTS
from tests.docs.markdown import ROOT

PAGE = ROOT / "docs" / "commands.md"
WIDTH = 120
START = "<!-- The rest is written by `python -m tests.command_lines.page`. -->\n"


def with_current_commands(text: str) -> str:
    """Return the page with the commands as the table has them now."""
    return text.partition(START)[0] + START + "\n" + "\n".join(_parts())


def _parts() -> Iterator[str]:
    yield "## Commands of the server\n"
    yield from _commands(SERVER_COMMANDS, None)
    yield "## Commands of each game\n"
    names = f"`game` stands for {', '.join(f'`{name}`' for name in VARIANTS)}."
    yield textwrap.fill(names, WIDTH, break_on_hyphens=False) + "\n"
    yield from _commands(GAME_COMMANDS, "game")
    yield "## Options of a challenge\n"
    table = len(TABLE_OPTIONS)
    for name, variant in VARIANTS.items():
        yield f"### {variant.title}\n"
        yield from _options(option_lines(name)[:-table])
    yield "### Every table\n"
    yield from _options(option_lines("pitch")[-table:])


def _options(lines: list[tuple[str, str]]) -> Iterator[str]:
    yield "| option | means |\n|---|---|"
    yield from (f"| `{_cell(option)}` | {_cell(text)} |" for option, text in lines)
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _commands(commands: Mapping[str, Command], variant: str | None) -> Iterator[str]:
    for command in commands.values():
        yield f"### {command.name}{'' if variant is None else ' (game)'}\n"
        yield f"```text\n{usage(command, variant)}\n```\n"
        yield textwrap.fill(command.help + _aliases(command), WIDTH, break_on_hyphens=False)
        yield f"Example: `{command.example.format(game='pitch')}`\n"


def _aliases(command: Command) -> str:
    return (
        f" `{'` or `'.join(command.aliases)}` {'mean' if len(command.aliases) > 1 else 'means'} the same."
        if command.aliases
        else ""
    )


if __name__ == "__main__":
    PAGE.write_text(with_current_commands(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
