"""docs/command-line.md: `python -m tests.commandline.page` writes its list of commands from the parser again."""

import inspect
import re
import sys
from collections.abc import Iterator

import click

from api.cli.main import main as program
from api.cli.parser.catalog import COMMANDS, GROUPS, PARTS
from api.cli.parser.examples import EXAMPLES
from api.cli.parser.groups import load_command
from tests.docs.markdown import ROOT

PAGE = ROOT / "docs" / "command-line.md"
START = "<!-- The rest is written by `python -m tests.commandline.page`. -->\n"
STATUS = re.compile(r"(?<=[.:] )Exit code [^.]*\.|^Exit code [^.]*\.")
DEFAULT = "Exit code 0 if it's done, 2 if it can't be done."
ALSO = {
    ("1",): "Otherwise 0, or 2 if the command can't run.",
    ("2",): "Otherwise 0, or 1 if something is wrong.",
    ("1", "2"): "Otherwise 0.",
    ("0", "1"): "2 if the command can't run.",
}
"""Sentences that a help text leaves to the general rule, by the exit codes that it names."""
WIDTH = 118


def with_current_commands(text: str) -> str:
    """Return the page with the commands as the parser has them now."""
    return text.partition(START)[0] + START + "\n" + "\n".join(_parts()) + "\n"


def _parts() -> Iterator[str]:
    for part, names in PARTS.items():
        yield f"## {part}\n"
        for name in names:
            yield from _group(name) if name in GROUPS else _command(name, _loaded(name))


def _loaded(name: str) -> click.Command:
    command = load_command(name)
    assert command is not None, name
    return command


def _group(name: str) -> Iterator[str]:
    yield f"### {name}\n\n{GROUPS[name]}\n"
    for full in COMMANDS:
        if full.startswith(f"{name} "):
            yield from _command(full, _loaded(full))


def _command(name: str, command: click.Command) -> Iterator[str]:
    """Yield the part about a command, and those about its subcommands."""
    if isinstance(command, click.Group):
        yield f"### {name}\n\n{_text(command)[0]}\n"
        for each, sub in command.commands.items():
            yield from _command(f"{name} {each}", sub)
        return
    purpose, statuses = _text(command)
    usage = " ".join(command.collect_usage_pieces(click.Context(command, **program.context_settings)))
    yield f"#### trickbook {name}\n\n{purpose}\n\n{statuses}\n"
    yield f"```text\ntrickbook {name} {usage}\n$ {EXAMPLES[name]}\n```\n"


def _text(command: click.Command) -> tuple[str, str]:
    """Return what a command is for, and its exit codes."""
    blocks = inspect.cleandoc(command.help or "").split("\n\n")
    paragraphs = [" ".join(each.split()) for each in blocks if not each.startswith("\b")]
    statuses = [each for paragraph in paragraphs for each in STATUS.findall(paragraph)]
    purpose = [re.sub(r" {2,}", " ", STATUS.sub("", each)).strip() for each in paragraphs]
    verbatim = [_verbatim(each) for each in blocks if each.startswith("\b")]
    return "\n\n".join(filter(None, [*map(_wrapped, purpose), *verbatim])), _wrapped(_complete(" ".join(statuses)))


def _verbatim(block: str) -> str:
    """Return a block that click doesn't wrap, its title above its lines."""
    title, *lines = block.splitlines()[1:]
    return f"{title}\n\n```text\n{inspect.cleandoc(chr(10).join(lines))}\n```"


def _complete(statuses: str) -> str:
    """Return the exit codes with those that the help leaves out."""
    named = tuple(sorted(set(re.findall(r"\b[012]\b(?! to)", statuses))))
    return f"{statuses} {ALSO.get(named, '')}".strip() if statuses else DEFAULT


def _wrapped(paragraph: str) -> str:
    """Return a paragraph in lines that break between words, but not inside code."""
    lines, line = list[str](), ""
    for word in re.findall(r"(?:`[^`]*`|\S)+", paragraph):
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


if __name__ == "__main__":
    PAGE.write_text(with_current_commands(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} is updated\n")
