"""All commands by the words that call them, and an example of each. A command is imported when it's called."""

import click

GROUPS = {
    "game": "List games, show one, check it, or take its log with you.",
    "hand": "Replay a hand, see how it was dealt, or play it on with other moves.",
    "ask": "Ask a game about one thing: moves, points, chance, time, or what a seat saw.",
    "results": "List who won, ratings, and what a player played.",
    "dispute": "Open a dispute, appeal against its ruling, list, show, rule and decide.",
    "receipt": "Print receipts and proofs of a game's log, and compare receipts.",
    "witness": "Sign heads of logs as a witness, so that a server can't show two histories.",
    "mail": "Take mails of players from a mail server.",
    "store": "Create, check, back up and repair everything that a server keeps.",
    "shards": "Spread the log over several PostgreSQL servers.",
}
"""The groups of the program and their help lines. `COMMANDS` has their commands."""

COMMANDS = {
    "serve": ("api.cli.serve", "Serve the HTTP API until interrupted."),
    "work": ("api.cli.serve", "Update lists, run the clock and play for bots, for servers with --no-worker."),
    "mail listen": ("api.cli.mail", "Take mails by LMTP or SMTP until interrupted."),
    "mail read": ("api.cli.mail", "Read the new mails of a maildir."),
    "mail pipe": ("api.cli.mail", "Read one mail from standard input."),
    "demo": ("api.cli.demo", "Play whole games through the HTTP API, then replay and audit a hand."),
    "doctor": ("api.cli.store.doctor", "Say what is wrong with a set-up, and what to do."),
    "config": ("api.cli.store.doctor", "Print all settings, or the numbers of the limits."),
    "login": ("api.cli.remote.server", "Log in to the server of --server, to read and check its games from here."),
    "logout": ("api.cli.remote.server", "Log out of the server of --server."),
    "play": ("api.cli.terminal.command", "Play at a table of a server in this terminal, live."),
    "pitch": ("api.cli.remote.lines", "Play gamerz Pitch by lines in the way of pbmserv."),
    "setback": ("api.cli.remote.lines", "Play Setback by lines in the way of pbmserv."),
    "blackout": ("api.cli.remote.lines", "Play Blackout by lines in the way of pbmserv."),
    "corellian": ("api.cli.remote.lines", "Play Corellian Pitch by lines in the way of pbmserv."),
    "line": ("api.cli.remote.lines", "Send any other line in the way of pbmserv."),
    "game list": ("api.cli.games.replay", "List the games of the store, to find a board number."),
    "results standings": ("api.cli.games.results", "List who has won most games of a variant."),
    "results ratings": ("api.cli.games.results", "List the players of a variant by rating or skill."),
    "results history": ("api.cli.games.results", "List a player's finished games, and what they add up to."),
    "game show": ("api.cli.games.replay", "Show a game, now or at any earlier moment."),
    "game audit": ("api.cli.games.audit", "Check a game: links, root, points, and each move by today's rules."),
    "game verify": ("api.cli.games.audit", "Check an export as audit does a game, without a server."),
    "ask rejudge": ("api.cli.games.audit", "Judge every move of a game again by today's rules."),
    "ask legal": ("api.cli.games.queries", "List a seat's legal moves at any moment, or why a move is refused."),
    "ask score": ("api.cli.games.queries", "Compare points recorded and recomputed, as played and as ruled."),
    "ask draws": ("api.cli.games.queries", "List every chance drawn, and check it."),
    "ask clock": ("api.cli.games.queries", "Show how long each turn took, and late turns."),
    "ask sight": ("api.cli.games.queries", "Show which events each seat could see, and since when."),
    "ask commits": ("api.cli.games.queries", "List what happened, command by command."),
    "game compare": ("api.cli.games.queries", "Check whether two exports are of one history."),
    "game export": ("api.cli.games.exports", "Export logs of one game or many, to keep or verify elsewhere."),
    "game transcript": ("api.cli.games.replay", "Print hands as text, in the style of PBN."),
    "hand replay": ("api.cli.games.replay", "Replay hands trick by trick, with the cards."),
    "hand deal": ("api.cli.games.queries", "Show how a hand was dealt: commitment, cuts, seed, deck."),
    "ask revokes": ("api.cli.games.queries", "List cards that didn't follow, and seats that could have."),
    "hand explain": ("api.cli.games.queries", "Explain the choices of strong bots, worked out again from the log."),
    "hand branch": ("api.cli.games.queries", "Play a hand on with other moves, in a sandbox."),
    "hand seal": ("api.cli.games.seal", "Make a cut for a shuffle, and the seal that commits to it."),
    "rulebook": ("api.cli.games.rulebooks", "Write house rules down, and check them by playing."),
    "dispute open": ("api.cli.evidence.disputes", "Dispute a hand, as a player who sits or sat there."),
    "dispute withdraw": ("api.cli.evidence.disputes", "Withdraw a dispute that you opened, as a player."),
    "dispute appeal": ("api.cli.evidence.disputes", "Ask another arbiter to look at a ruling, as a player."),
    "dispute list": ("api.cli.evidence.disputes", "List disputes that wait for an arbiter."),
    "dispute show": ("api.cli.evidence.disputes", "Show a dispute: facts, texts and evidence."),
    "dispute rule": ("api.cli.evidence.disputes", "Rule on a dispute, or on an appeal, for an arbiter."),
    "results rate": ("api.cli.games.results", "Work out all ratings again from exports, without a server."),
    "receipt print": ("api.cli.evidence.receipts", "Print a signed receipt of a game's log, to keep."),
    "receipt proof": (
        "api.cli.evidence.receipts",
        "Print a proof that an event is in a log, or that a log grew from another.",
    ),
    "receipt compare": ("api.cli.evidence.receipts", "Compare receipts: one history, or two?"),
    "receipt submit": ("api.cli.evidence.receipts", "Give a server the cosignatures of witnesses on its receipt."),
    "receipt cosign": ("api.cli.evidence.receipts", "Have a witness sign a game's receipt, for the server to keep."),
    "witness init": ("api.cli.evidence.witness", "Make the key of a witness, and print what others need to check it."),
    "witness cosign": ("api.cli.evidence.witness", "Sign a game's receipt, if its log continues the last one signed."),
    "witness serve": ("api.cli.evidence.witness", "Sign heads over HTTP, as other witnesses of C2SP do."),
    "store init": ("api.cli.store.tables", "Create a store in a new place, or update an older one."),
    "store log": ("api.cli.store.doubts", "Name what the log lacks of what the accounts know."),
    "store check": ("api.cli.store.check", "Check everything stored: databases, rows, games, accounts."),
    "store backup": ("api.cli.store.backup", "Copy everything as of one moment, while games are played."),
    "store restore": ("api.cli.store.backup", "Restore a backup into an empty place."),
    "store rebuild": ("api.cli.store.tables", "Rebuild every list from the first event."),
    "shards count": ("api.cli.store.shards", "Copy the log into another number of shards."),
    "store quarantine": ("api.cli.store.tables", "List, retry or drop games that lists leave out."),
    "store clock": ("api.cli.store.doubts", "Show whether the clock is held, or say that it's right."),
    "shards show": ("api.cli.store.shards", "Show the server, rows, last position and size of each shard."),
    "shards check": ("api.cli.store.shards", "Check that each shard is whole, and where it should be."),
    "shards move": ("api.cli.store.shards", "Move a shard to another server, while games are played."),
    "shards drop": ("api.cli.store.shards", "Drop the old copy that a move has left."),
    "keys": ("api.cli.evidence.keys", "Show or replace the keys that sign receipts."),
    "user": ("api.cli.people.user", "Register players, give them roles, keep them out, or delete them."),
    "access": ("api.cli.people.user", "Sign players out, and give them new passwords and codes."),
    "table": ("api.cli.games.tables", "List, show or cancel tables that wait for players."),
    "moderation": ("api.cli.people.moderation", "Judge reports of conduct and appeals, for a moderator."),
}
"""The module of each command, which lists it in `commands`, and its help line, printed without importing the module."""

LINES = ("pitch", "setback", "blackout", "corellian", "line")
"""Commands of players that go to a server as they are."""
PROGRAM = ("serve", "work", "mail", "demo", "doctor", "config")
PLAYERS = ("play", "login", "logout", *LINES)
GAMES = ("game", "hand", "ask", "results", "rulebook", "dispute", "receipt", "witness")
HOSTS = ("store", "shards", "keys", "user", "access", "table", "moderation")
MOST = 8
"""How many commands a group, or a part of the help, may have, so that people can hold them in mind."""
PARTS = {"Play": PLAYERS, "Games": GAMES, "Server": PROGRAM, "Hosts": HOSTS}
"""The first words by the part of the help that lists them."""


def first_words() -> dict[str, str]:
    """Return the words that may follow `trickbook`, with their help lines, in the order of the help."""
    lines = GROUPS | {name: line for name, (_, line) in COMMANDS.items()}
    return {name: lines[name] for part in PARTS.values() for name in part}


def commands_of(group: str) -> dict[str, str]:
    """Return the commands of a group, with their help lines."""
    return {name.split()[1]: line for name, (_, line) in COMMANDS.items() if name.startswith(f"{group} ")}


EXAMPLES = {
    "": "trickbook game show 1",
    "serve": "trickbook serve --host 127.0.0.1 --port 8000 --data data",
    "work": "trickbook work --data data",
    "mail listen": "trickbook mail listen --port 8024 --domain cards.example.org --data data",
    "mail read": "trickbook mail read Maildir --domain cards.example.org",
    "mail pipe": "trickbook mail pipe --sender ann@example.org --recipient play@cards.example.org"
    " --domain cards.example.org",
    "demo": "trickbook demo",
    "doctor": "trickbook doctor --data data",
    "config": "trickbook config",
    "login": "trickbook --server https://cards.example.org login ann",
    "logout": "trickbook --server https://cards.example.org logout",
    "play": "trickbook play --variant pitch --server https://cards.example.org",
    "pitch": "trickbook --server https://cards.example.org pitch move 123 AD",
    "setback": "trickbook --server https://cards.example.org setback challenge ann bob cat",
    "blackout": "trickbook --server https://cards.example.org blackout challenge -inorder -nohook a b c d",
    "corellian": "trickbook --server https://cards.example.org corellian showas 123",
    "line": "trickbook --server https://cards.example.org line all show next",
    "game list": "trickbook game list --player ann --status finished",
    "results standings": "trickbook results standings pitch --period 2026",
    "results ratings": "trickbook results ratings pitch --kind two",
    "results history": "trickbook results history ann --against bob",
    "game show": "trickbook game show 1 --at 14 --seat 0",
    "game audit": "trickbook game audit 1 --receipt receipt.txt",
    "game verify": "trickbook game verify game.ndjson --key keys.json",
    "ask rejudge": "trickbook ask rejudge 1",
    "ask legal": "trickbook ask legal 1 --at 14 --seat 0 --move ad",
    "ask score": "trickbook ask score 1 --hand 1",
    "ask draws": "trickbook ask draws 1",
    "ask clock": "trickbook ask clock 1 --hand 1",
    "ask sight": "trickbook ask sight 1 --hand 1",
    "ask commits": "trickbook ask commits 1 --from 10 --to 20",
    "game compare": "trickbook game compare 1 earlier.ndjson",
    "game export": "trickbook game export --player ann --since 2026-01-01 -o games/",
    "game transcript": "trickbook game transcript 1 --hand 1",
    "hand replay": "trickbook hand replay 1 --hand 1",
    "hand deal": "trickbook hand deal 1 --hand 1",
    "ask revokes": "trickbook ask revokes 1",
    "hand explain": "trickbook hand explain 1 --hand 1",
    "hand branch": "trickbook hand branch 1 --at 14 --bots simple",
    "hand seal": "trickbook hand seal 0f8fad5b-d9cb-469f-a165-70867728950e 0",
    "rulebook new": "trickbook rulebook new --from setback",
    "rulebook check": "trickbook rulebook check rulebook.json --games 4",
    "rulebook show": "trickbook rulebook show rulebook.json",
    "rulebook list": "trickbook rulebook list --data data",
    "rulebook allow": "trickbook rulebook allow 5d41402a --data data",
    "rulebook forbid": "trickbook rulebook forbid 5d41402a --data data",
    "rulebook": "trickbook rulebook check rulebook.json --games 4",
    "dispute open": 'trickbook dispute open 1 1 revoke --by bob --seat 0 --trick 2 --text "ann had a spade."',
    "dispute withdraw": "trickbook dispute withdraw 1 1 --by ann",
    "dispute appeal": 'trickbook dispute appeal 1 2 --by bob --text "I had no spade."',
    "dispute list": "trickbook dispute list",
    "dispute show": "trickbook dispute show 1 1",
    "dispute rule": 'trickbook dispute rule 1 1 none --by rhea --text "The log shows no fault." --basis S34',
    "results rate": "trickbook results rate game.ndjson",
    "receipt print": "trickbook receipt print 1",
    "receipt proof": "trickbook receipt proof 1 --version 14",
    "receipt compare": "trickbook receipt compare earlier.txt receipt.txt --log 1 --key keys.json",
    "receipt submit": "trickbook receipt submit 1 cosigned.txt",
    "receipt cosign": "trickbook receipt cosign 1 https://bob.example/witness",
    "witness init": "trickbook witness init ann.example/witness --folder witness",
    "witness cosign": "trickbook witness cosign game.ndjson --folder witness --key keys.json",
    "witness serve": "trickbook witness serve --folder witness --key keys.json --port 8090",
    "store init": "trickbook store init --data new",
    "store log": "trickbook store log --data data",
    "store check": "trickbook store check --data data",
    "store backup": "trickbook store backup backup/2026-11-22 --keep 14",
    "store restore": "trickbook store restore backup/2026-11-21 --data restored",
    "store rebuild": "trickbook store rebuild",
    "shards count": "trickbook shards count 2",
    "shards show": "trickbook shards show",
    "shards check": "trickbook shards check",
    "shards move": "trickbook shards move 3 --to east",
    "shards drop": "trickbook shards drop 3 --from home --yes",
    "store quarantine": "trickbook store quarantine list",
    "store quarantine list": "trickbook store quarantine list --json",
    "store quarantine retry": "trickbook store quarantine retry --all",
    "store quarantine drop": "trickbook store quarantine drop 0f8fad5b-d9cb-469f-a165-70867728950e --yes",
    "store clock": "trickbook store clock status",
    "store clock status": "trickbook store clock status --data data",
    "store clock release": "trickbook store clock release",
    "keys": "trickbook keys show",
    "keys show": "trickbook keys show --json",
    "keys rotate": "trickbook keys rotate --yes",
    "user": "trickbook user list",
    "user add": "trickbook user add eve",
    "user role": "trickbook user role ann arbiter",
    "user list": "trickbook user list --role moderator",
    "user disable": "trickbook user disable ann",
    "user enable": "trickbook user enable ann",
    "access password": "trickbook access password ann",
    "access tokens": "trickbook access tokens ann",
    "access end": "trickbook access end 287d9257e2e3",
    "access codes": "trickbook access codes ann",
    "user delete": "trickbook user delete ann --yes",
    "user restore": "trickbook user restore gus",
    "user log": "trickbook user log",
    "table": "trickbook table list",
    "table list": "trickbook table list --all --limit 20",
    "table show": "trickbook table show 2",
    "table cancel": "trickbook table cancel 2 --yes",
    "moderation": "trickbook moderation reports --by mo",
    "moderation reports": "trickbook moderation reports --by mo --json",
    "moderation claim": "trickbook moderation claim r_0123456789abcdef01234567 --by mo",
    "moderation rule": "trickbook moderation rule r_0123456789abcdef01234567 warn --reason Insults --by mo",
    "moderation appeals": "trickbook moderation appeals --by mo",
    "moderation decide": "trickbook moderation decide s_0123456789abcdef01234567 upheld --reason Agreed --by mo",
    "moderation log": "trickbook moderation log",
    "moderation verify": "trickbook moderation verify --copy log.ndjson",
    "mail": "trickbook mail read Maildir --domain cards.example.org",
    "ask": "trickbook ask legal 1 --at 14 --seat 0",
    "results": "trickbook results standings pitch",
    "access": "trickbook access tokens ann",
    "game": "trickbook game audit 1",
    "hand": "trickbook hand replay 1",
    "dispute": "trickbook dispute list",
    "receipt": "trickbook receipt print 1",
    "witness": "trickbook witness cosign game.ndjson --folder witness --key keys.json",
    "store": "trickbook store check",
    "shards": "trickbook shards show",
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
