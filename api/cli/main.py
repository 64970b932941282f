"""`trickbook`, the program. Commands are imported when they are asked for, so that each starts at once."""

from importlib import import_module

import click

COMMANDS = {
    "serve": ("api.cli.serve", "Serve the HTTP API until interrupted."),
    "demo": ("api.cli.demo", "Play whole games through the HTTP API, then replay and audit a hand."),
    "show": ("api.cli.replay", "A game as it stands, or stood."),
    "replay": ("api.cli.replay", "A hand, step by step, as a seat saw it."),
    "audit": ("api.cli.replay", "Check a game: links, root, books, and each move by today's rules."),
    "rejudge": ("api.cli.replay", "Let today's rules judge every move of a game again."),
    "legal": ("api.cli.queries", "What was legal for a seat at a moment, and why a move is refused."),
    "revokes": ("api.cli.queries", "Cards that did not follow, and who could have."),
    "deal": ("api.cli.queries", "How a hand was dealt: commitment, cuts, seed, deck."),
    "draws": ("api.cli.queries", "Every chance drawn, and whether it came rightly."),
    "score": ("api.cli.queries", "Points recorded and recomputed, as played and as ruled."),
    "clock": ("api.cli.queries", "How long each turn took, and who was late."),
    "sight": ("api.cli.queries", "Which events each seat could see, and since when."),
    "commits": ("api.cli.queries", "What happened between, command by command."),
    "compare": ("api.cli.queries", "Whether two exports tell one history."),
    "branch": ("api.cli.branch", "What if: play a hand on from a step, in a sandbox."),
    "export": ("api.cli.exports", "Logs of one game or many, to keep or to verify elsewhere."),
    "transcript": ("api.cli.transcript", "Hands as text, in the manner of PBN."),
    "verify": ("api.cli.replay", "Check an export, as audit does a game, with no server."),
    "receipt": ("api.cli.receipts", "A signed receipt of a game's log, to keep."),
    "receipts": ("api.cli.receipts", "Receipts held against each other: one history, or two."),
    "proof": ("api.cli.receipts", "A proof that an event is in a log, or that a log grew from another."),
    "keys": ("api.cli.keys", "The keys that sign receipts: show them, replace the one in use."),
    "check": ("api.cli.check", "Check all that is kept: databases, rows, every game, office."),
    "backup": ("api.cli.backup", "Copy everything, of one moment, while games are played."),
    "restore": ("api.cli.backup", "Put a backup back, in an empty place."),
    "seal": ("api.cli.seal", "A cut for a shuffle, and the seal that promises it."),
    "disputes": ("api.cli.disputes", "Disputes that wait for an arbiter."),
    "dispute": ("api.cli.disputes", "A dispute: facts, what was said, and its evidence."),
    "rule": ("api.cli.disputes", "Rule on a dispute, or on an appeal, for an arbiter."),
    "user": ("api.cli.user", "Register players, and give them roles."),
    "work": ("api.cli.serve", "Projections, clock and server-played seats, for servers with --no-worker."),
    "migrate": ("api.cli.serve", "Create what the stores lack."),
    "rebuild": ("api.cli.serve", "Fold every list anew from the first event."),
}
"""Each command's module, which holds it in its list `commands`, and its line in the help, which imports nothing."""


class Trickbook(click.Group):
    """The commands of `COMMANDS`, in the order a newcomer meets them."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Their names."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """One of them, imported."""
        if name not in COMMANDS:
            return None
        commands: list[click.Command] = import_module(COMMANDS[name][0]).commands
        return next(command for command in commands if command.name == name)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Trickbook, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trickbook")
def main() -> None:
    """A server for trick-taking card games played for score; every deal, bid and card is a fact that stays.

    Settings come from the environment, TRICKBOOK_DATA and others; `serve` prints them all. Exit codes: 0 all is well,
    1 something is wrong, 2 it could not be told or done.
    """


if __name__ == "__main__":
    main()
