"""The program `trickbook`. Commands are imported when they are called, so that each starts fast."""

from importlib import import_module

import click

COMMANDS = {
    "serve": ("api.cli.serve", "Serve the HTTP API until interrupted."),
    "demo": ("api.cli.demo", "Play whole games through the HTTP API, then replay and audit a hand."),
    "show": ("api.cli.replay", "Show a game, now or at any earlier moment."),
    "replay": ("api.cli.replay", "Replay a hand step by step, as a seat saw it."),
    "audit": ("api.cli.audit", "Check a game: links, root, points, and each move by today's rules."),
    "rejudge": ("api.cli.audit", "Judge every move of a game again by today's rules."),
    "legal": ("api.cli.queries", "List a seat's legal moves at any moment, or why a move is refused."),
    "revokes": ("api.cli.queries", "List cards that didn't follow, and seats that could have."),
    "deal": ("api.cli.queries", "Show how a hand was dealt: commitment, cuts, seed, deck."),
    "draws": ("api.cli.queries", "List every chance drawn, and check it."),
    "score": ("api.cli.queries", "Compare points recorded and recomputed, as played and as ruled."),
    "clock": ("api.cli.queries", "Show how long each turn took, and late turns."),
    "sight": ("api.cli.queries", "Show which events each seat could see, and since when."),
    "commits": ("api.cli.queries", "List what happened, command by command."),
    "compare": ("api.cli.queries", "Check whether two exports are of one history."),
    "branch": ("api.cli.branch", "Play a hand on with other moves, in a sandbox."),
    "export": ("api.cli.exports", "Export logs of one game or many, to keep or verify elsewhere."),
    "transcript": ("api.cli.transcript", "Print hands as text, in the style of PBN."),
    "verify": ("api.cli.audit", "Check an export as audit does a game, without a server."),
    "receipt": ("api.cli.receipts", "Print a signed receipt of a game's log, to keep."),
    "receipts": ("api.cli.receipts", "Compare receipts: one history, or two?"),
    "proof": ("api.cli.receipts", "Print a proof that an event is in a log, or that a log grew from another."),
    "keys": ("api.cli.keys", "Show or replace the keys that sign receipts."),
    "doctor": ("api.cli.store.doctor", "Say what is wrong with a set-up, and what to do."),
    "check": ("api.cli.check", "Check everything stored: databases, rows, games, accounts."),
    "backup": ("api.cli.backup", "Copy everything as of one moment, while games are played."),
    "archive": ("api.cli.store.archive", "Move finished games out of the log's table; everything still reads them."),
    "restore": ("api.cli.backup", "Restore a backup into an empty place."),
    "seal": ("api.cli.seal", "Make a cut for a shuffle, and the seal that commits to it."),
    "disputes": ("api.cli.disputes", "List disputes that wait for an arbiter."),
    "dispute": ("api.cli.disputes", "Show a dispute: facts, texts and evidence."),
    "rule": ("api.cli.disputes", "Rule on a dispute, or on an appeal, for an arbiter."),
    "moderation": ("api.cli.conduct.moderation", "Judge reports of conduct and appeals, for a moderator."),
    "user": ("api.cli.user", "Register players and give them roles."),
    "table": ("api.cli.tables.manage", "List, show or cancel tables that wait for players."),
    "work": ("api.cli.serve", "Update lists, run the clock and play for bots, for servers with --no-worker."),
    "init": ("api.cli.store.tables", "Create an empty store in a new place."),
    "migrate": ("api.cli.store.tables", "Create or update the tables of the stores."),
    "rebuild": ("api.cli.store.tables", "Rebuild every list from the first event."),
    "reshard": ("api.cli.store.reshard", "Copy the log into another number of shards."),
    "quarantine": ("api.cli.store.quarantine", "List, retry or drop games that lists leave out."),
    "server-clock": ("api.cli.store.server_clock", "Show whether the clock is held, or say that it's right."),
}
"""The module of each command, which lists it in `commands`, and its help line, printed without importing the module."""


class Trickbook(click.Group):
    """A group that imports each command on demand, in the order of `COMMANDS`."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Import and return a command."""
        if name not in COMMANDS:
            return None
        commands: list[click.Command] = import_module(COMMANDS[name][0]).commands
        return next(command for command in commands if command.name == name)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Trickbook, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trickbook")
@click.option("--max-game-mib", type=click.IntRange(1), default=256, show_default=True, help="Largest game in a file.")
def main(max_game_mib: int) -> None:  # common.input_files reads it
    """A server for trick-taking card games played for score; it records every deal, bid and card as a fact.

    Settings come from environment variables such as TRICKBOOK_DATA; `serve` prints all of them. Exit codes: 0 all is
    well, 1 something is wrong, 2 the command couldn't run or can't decide yet.
    """


if __name__ == "__main__":
    main()
