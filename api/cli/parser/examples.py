"""An example of each command, which its help and docs/command-line.md show and a test runs.

The test has a store with a game on board 1, a table on board 2, and the files that the examples name.
"""

import click

EXAMPLES = {
    "": "trickbook game show 1",
    "serve": "trickbook serve --host 127.0.0.1 --port 8000 --data data",
    "work": "trickbook work --data data",
    "demo": "trickbook demo",
    "doctor": "trickbook doctor --data data",
    "login": "trickbook --server https://cards.example.org login ann",
    "logout": "trickbook --server https://cards.example.org logout",
    "game list": "trickbook game list --player ann --status finished",
    "game show": "trickbook game show 1 --at 14 --seat 0",
    "game audit": "trickbook game audit 1 --receipt receipt.txt",
    "game verify": "trickbook game verify game.ndjson --key keys.json",
    "game rejudge": "trickbook game rejudge 1",
    "game legal": "trickbook game legal 1 --at 14 --seat 0 --move ad",
    "game score": "trickbook game score 1 --hand 1",
    "game draws": "trickbook game draws 1",
    "game clock": "trickbook game clock 1 --hand 1",
    "game sight": "trickbook game sight 1 --hand 1",
    "game commits": "trickbook game commits 1 --from 10 --to 20",
    "game compare": "trickbook game compare 1 earlier.ndjson",
    "game export": "trickbook game export --player ann --since 2026-01-01 -o games/",
    "game transcript": "trickbook game transcript 1 --hand 1",
    "hand replay": "trickbook hand replay 1 --seat 0",
    "hand deal": "trickbook hand deal 1 --hand 1",
    "hand revokes": "trickbook hand revokes 1",
    "hand branch": "trickbook hand branch 1 --at 14 --bots simple",
    "hand seal": "trickbook hand seal 0f8fad5b-d9cb-469f-a165-70867728950e 0",
    "dispute list": "trickbook dispute list",
    "dispute show": "trickbook dispute show 1 1",
    "dispute rule": 'trickbook dispute rule 1 1 none --by rhea --text "The log shows no fault." --basis S34',
    "receipt print": "trickbook receipt print 1",
    "receipt proof": "trickbook receipt proof 1 --version 14",
    "receipt compare": "trickbook receipt compare earlier.txt receipt.txt --log 1 --key keys.json",
    "store init": "trickbook store init --data new",
    "store migrate": "trickbook store migrate",
    "store check": "trickbook store check --data data",
    "store backup": "trickbook store backup backup/2026-11-22 --keep 14",
    "store restore": "trickbook store restore backup/2026-11-21 --data restored",
    "store archive": "trickbook store archive --older-than 90",
    "store rebuild": "trickbook store rebuild",
    "store reshard": "trickbook store reshard 2",
    "store quarantine": "trickbook store quarantine list",
    "store quarantine list": "trickbook store quarantine list --json",
    "store quarantine retry": "trickbook store quarantine retry --all",
    "store quarantine drop": "trickbook store quarantine drop 0f8fad5b-d9cb-469f-a165-70867728950e",
    "store clock": "trickbook store clock status",
    "store clock status": "trickbook store clock status --data data",
    "store clock release": "trickbook store clock release",
    "keys": "trickbook keys show",
    "keys show": "trickbook keys show --json",
    "keys rotate": "trickbook keys rotate",
    "user": "trickbook user list",
    "user add": "trickbook user add eve",
    "user role": "trickbook user role ann arbiter",
    "user list": "trickbook user list --role moderator",
    "user disable": "trickbook user disable ann",
    "user enable": "trickbook user enable ann",
    "user reset-password": "trickbook user reset-password ann",
    "user sign-out": "trickbook user sign-out ann",
    "user tokens": "trickbook user tokens ann",
    "user revoke": "trickbook user revoke 287d9257e2e3",
    "user recovery-codes": "trickbook user recovery-codes ann",
    "user delete": "trickbook user delete ann --force",
    "user erasures": "trickbook user erasures",
    "user log": "trickbook user log",
    "table": "trickbook table list",
    "table list": "trickbook table list --all --limit 20",
    "table show": "trickbook table show 2",
    "table cancel": "trickbook table cancel 2",
    "moderation": "trickbook moderation reports --by mo",
    "moderation reports": "trickbook moderation reports --by mo --json",
    "moderation claim": "trickbook moderation claim r_0123456789abcdef01234567 --by mo",
    "moderation rule": "trickbook moderation rule r_0123456789abcdef01234567 warn --reason Insults --by mo",
    "moderation appeals": "trickbook moderation appeals --by mo",
    "moderation decide": "trickbook moderation decide s_0123456789abcdef01234567 upheld --reason Agreed --by mo",
    "moderation log": "trickbook moderation log",
    "moderation verify": "trickbook moderation verify --copy log.ndjson",
    "game": "trickbook game audit 1",
    "hand": "trickbook hand replay 1",
    "dispute": "trickbook dispute list",
    "receipt": "trickbook receipt print 1",
    "store": "trickbook store check",
}
"""The example of each command and group, by the words after `trickbook`; the program's own by ""."""


def example_text(name: str) -> str:
    """Return the end of the help of a command, or of the program for ""."""
    return f"\b\nExample:\n  {EXAMPLES[name]}"


def add_example(name: str, command: click.Command) -> None:
    """Put the examples of a command and its subcommands at the end of their help."""
    if name in EXAMPLES:
        command.epilog = example_text(name)
    if isinstance(command, click.Group):
        for each, sub in command.commands.items():
            add_example(f"{name} {each}", sub)
