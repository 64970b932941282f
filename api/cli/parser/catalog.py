"""All commands by the words that call them. A command is imported when it's called, so that each starts fast."""

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
    "config": ("api.cli.config", "Print all settings, or the numbers of the limits."),
    "login": ("api.cli.remote.login", "Log in to the server of --server, to read and check its games from here."),
    "logout": ("api.cli.remote.login", "Log out of the server of --server."),
    "play": ("api.cli.terminal.command", "Play at a table of a server in this terminal, live."),
    "pitch": ("api.cli.remote.lines", "Play gamerz Pitch by lines in the way of pbmserv."),
    "setback": ("api.cli.remote.lines", "Play Setback by lines in the way of pbmserv."),
    "blackout": ("api.cli.remote.lines", "Play Blackout by lines in the way of pbmserv."),
    "corellian": ("api.cli.remote.lines", "Play Corellian Pitch by lines in the way of pbmserv."),
    "line": ("api.cli.remote.lines", "Send any other line in the way of pbmserv."),
    "game list": ("api.cli.games.list", "List the games of the store, to find a board number."),
    "results standings": ("api.cli.games.standings", "List who has won most games of a variant."),
    "results ratings": ("api.cli.games.ratings", "List the players of a variant by rating or skill."),
    "results history": ("api.cli.games.standings", "List a player's finished games, and what they add up to."),
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
    "game transcript": ("api.cli.games.transcript", "Print hands as text, in the style of PBN."),
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
    "dispute list": ("api.cli.evidence.arbiters", "List disputes that wait for an arbiter."),
    "dispute show": ("api.cli.evidence.arbiters", "Show a dispute: facts, texts and evidence."),
    "dispute rule": ("api.cli.evidence.arbiters", "Rule on a dispute, or on an appeal, for an arbiter."),
    "results rate": ("api.cli.games.ratings", "Work out all ratings again from exports, without a server."),
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
    "store log": ("api.cli.store.lost_log", "Name what the log lacks of what the accounts know."),
    "store check": ("api.cli.store.check", "Check everything stored: databases, rows, games, accounts."),
    "store backup": ("api.cli.store.backup", "Copy everything as of one moment, while games are played."),
    "store restore": ("api.cli.store.backup", "Restore a backup into an empty place."),
    "store rebuild": ("api.cli.store.tables", "Rebuild every list from the first event."),
    "shards count": ("api.cli.store.reshard", "Copy the log into another number of shards."),
    "store quarantine": ("api.cli.store.quarantine", "List, retry or drop games that lists leave out."),
    "store clock": ("api.cli.store.server_clock", "Show whether the clock is held, or say that it's right."),
    "shards show": ("api.cli.store.shards", "Show the server, rows, last position and size of each shard."),
    "shards check": ("api.cli.store.shards", "Check that each shard is whole, and where it should be."),
    "shards move": ("api.cli.store.shards", "Move a shard to another server, while games are played."),
    "shards drop": ("api.cli.store.shards", "Drop the old copy that a move has left."),
    "keys": ("api.cli.evidence.keys", "Show or replace the keys that sign receipts."),
    "user": ("api.cli.people.user", "Register players, give them roles, keep them out, or delete them."),
    "access": ("api.cli.people.access", "Sign players out, and give them new passwords and codes."),
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
