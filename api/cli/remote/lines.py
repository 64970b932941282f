"""Command lines in the way of pbmserv: `trickbook pitch move 123 AD`, and the programs `pitch`, `setback` and so on."""

import sys
from collections.abc import Callable

import click
from click.shell_completion import CompletionItem

from api.cli.common.server_option import SERVER_VARIABLE, selected_server
from api.cli.main import main
from api.cli.parser.catalog import LINES
from api.cli.remote.server import open_server
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from domain.rules.variants import VARIANTS
from replay.text.layout import fold_text

NO_SERVER = f"Name the server: trickbook --server URL {{}} ..., or set {SERVER_VARIABLE}."
FROM_INPUT = "-"
"""The last word of a line whose text comes from standard input."""
SERVER_OPTION = "--server"


class LineCommand(click.Command):
    """A command whose words go to the server as they are: `-win=7` is an option of the game, not of the program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take all words, except for a help option that comes first."""
        if args[:1] in (["-h"], ["--help"]):
            return super().parse_args(ctx, args)
        ctx.params["words"] = tuple(args)
        return []


def complete_first_word(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the first word from the table of commands."""
    if ctx.params.get("words"):
        return []
    known = SERVER_COMMANDS if ctx.command.name == "line" else GAME_COMMANDS
    found = (each for each in known.values() if each.name.startswith(incomplete.lower()))
    return [CompletionItem(each.name, help=each.help) for each in found]


def send_line(name: str, words: tuple[str, ...]) -> None:
    """Send a line to the server, print the answer, and exit with 1 if the command is refused."""
    url = selected_server(None)
    if url is None:
        raise click.UsageError(NO_SERVER.format(name))
    text: list[str] = []
    if words[-1:] == (FROM_INPUT,):
        words, text = words[:-1], [line.rstrip("\n") for line in sys.stdin]
    line = " ".join(words if name == "line" else (name, *words))
    with open_server(url, name) as server:
        answer = server.connection.post_once("/commands", {"line": line, "text": text})
        click.echo(fold_text(answer["text"]))
        if not answer["ok"]:
            raise click.exceptions.Exit(1)


def _make(name: str, help_text: str) -> click.Command:
    command = LineCommand(name, callback=lambda words: send_line(name, words), help=help_text)
    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED, shell_complete=complete_first_word)
    command.params.append(words)
    return command


def _program(name: str) -> Callable[[], None]:
    """Return the program that is called by the name of a game."""

    def run() -> None:
        words = sys.argv[1:]
        before = words[:2] if words[:1] == [SERVER_OPTION] else []
        main(args=[*before, name, *words[len(before) :]], prog_name="trickbook")

    run.__doc__ = f"Run `trickbook {name}`."
    return run


GAME_HELP = """Play {title} on the server of --server, by a line in the way of pbmserv: `help` lists the commands.

If the last word is -, the text below the line comes from standard input. Exit code 1 if the server refuses the
command."""
LINE_HELP = """Send any other command line to the server of --server: `help` lists the commands.

If the last word is -, the text below the line comes from standard input. Exit code 1 if the server refuses the
command."""
commands: list[click.Command] = [
    *(_make(name, GAME_HELP.format(title=VARIANTS[name].title)) for name in LINES if name in VARIANTS),
    _make("line", LINE_HELP),
]
pitch, setback, blackout, corellian = map(_program, ("pitch", "setback", "blackout", "corellian"))
