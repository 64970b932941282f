"""The table of all commands: how each is read, its arguments, its help and an example; and what is made from it.

Help, docs/commands.md and the completion of shells are made from this table, and by it a line is read: the first word
is a game or a command, and the command reads the rest into a request.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from api.lines import readers, requests
from api.lines.requests import CommandRequest
from api.lines.words import NotACommand, Words, split_line
from domain.rules.variants import KNOWN, VARIANTS


@dataclass(frozen=True)
class Command:
    """A command: its name, its arguments, what it does, an example, and the function that reads its words.

    `two_words` are the words of which one must follow the name. In an example, `{game}` is the name of a game.
    """

    name: str
    arguments: str
    help: str
    example: str
    read: Callable[[Words, str | None], CommandRequest]
    aliases: tuple[str, ...] = ()
    takes_options: bool = False
    two_words: tuple[str, ...] = ()


def _table(*commands: Command) -> Mapping[str, Command]:
    return {command.name: command for command in commands}


WHO = "[userid password]"
SETTINGS = (
    "passwords on|off | broadcasts on|off | presence on|off | mail every|turn|digest|none [board] | zone ZONE"
    " | night FROM-TO | weekends on|off | vacation DAY..DAY"
)
SET_HELP = (
    "Show your settings, or change one: whether a line with your password counts without a token, whether you get"
    " broadcasts, whether others at your tables see that you're there, which mails you get, and when your clocks stand"
    " still: your time zone, like Europe/Berlin, nights,"
    " like 22:00-07:00, weekends, and a vacation, like 2026-12-24..2026-12-26; night and vacation may be off."
)
UNDO_HELP = "Ask to take back your last move, unless it ended an auction or a trick. Every other player must accept."
SERVER_COMMANDS = _table(
    Command("help", "[subject]", "List all commands, or explain one, or a game.", "help challenge", readers.help_),
    Command(
        "signup", "userid password [email]", "Register. Lines with this password then need no token.",
        "signup foo long-enough-1 foo@example.org", readers.signup,
    ),
    Command("add", f"{WHO} [email]", "Add an e-mail address.", "add foo bar foo@example.org", readers.address),
    Command(
        "change", f"password {WHO} current new | address {WHO} [email]",
        "Choose another password, or another e-mail address; without an address it's removed.",
        "change address foo bar foo@example.org", readers.change, two_words=("password", "address"),
    ),
    Command("code", f"{WHO} code", "Confirm your e-mail address with the code from the mail.",
            "code foo bar 12345678", readers.confirm_address),
    Command("signoff", WHO, "Delete your account, a day from now.", "signoff foo bar", readers.delete),
    Command("delete", WHO, "Delete your account, a day from now.", "delete foo bar", readers.delete),
    Command("list", "[game ...]", "List games going on, and tables that wait for players.", "list pitch",
            readers.list_),
    Command(
        "all", "show [userid] [all|active|inactive|next]", "List your boards, or those of a user, over all games.",
        "all show foo next", readers.all_show, two_words=("show",),
    ),
    Command(
        "set", f"{WHO} [{SETTINGS}]", SET_HELP, "set passwords on", readers.set_,
    ),
    Command(
        "message", f"{WHO} [userid1 userid2 ...[: text]]",
        "Write to players: the text after a colon, or that below the line. Without players, show your messages.",
        "message foo bar cat dan: a game tonight?", readers.message,
    ),
    Command(
        "broadcast", f"{WHO} [text]",
        "Write to everybody, as a moderator: the text in the line, or that below it. Players may set broadcasts off.",
        "broadcast foo bar the server moves on Sunday", readers.broadcast,
    ),
    Command(
        "multiple", "", "Carry out up to ten lines: those of the text below the command.", "multiple", readers.multiple
    ),
)  # fmt: skip

GAME_COMMANDS = _table(
    Command("help", "", "Explain the commands of a game.", "{game} help", readers.help_),
    Command(
        "challenge", "[options] userid1 userid2 ...",
        "Open a table with these players; open, invite, bot:simple and bot:strong are seats, too.",
        "{game} challenge a b c d", readers.challenge, aliases=("chall",), takes_options=True,
    ),
    Command(
        "join", f"board {WHO}", "Take a seat at a table that waits for players, or agree to sit where you're asked.",
        "{game} join 123 foo bar", readers.of_board(requests.Join),
    ),
    Command(
        "leave", f"board {WHO}", "Give back your seat at a table that waits for players, or decline to sit there.",
        "{game} leave 123 foo bar", readers.of_board(requests.LeaveTable), aliases=("decline",),
    ),
    Command(
        "cancel", f"board {WHO}", "Cancel a table that waits for players, if you opened it.",
        "{game} cancel 123 foo bar", readers.of_board(requests.CancelTable),
    ),
    Command(
        "move", f"board {WHO} move[#moveno]",
        "Bid or play a card, if it's your turn. With #moveno it counts only if nothing has happened since that move.",
        "{game} move 123 foo bar AD", readers.move, aliases=("mvoe", "board"),
    ),
    Command(
        "preview", f"board {WHO} move", "Show the board as if you had made the move. Nothing is played.",
        "{game} preview 123 AD", readers.preview,
    ),
    Command(
        "queue", f"board {WHO} [move | if SUIT led CARD ... | off]",
        "Keep a move until your turn comes, or up to four cards by the suit led. Nobody else hears of it. A new deal,"
        " an undo and a seat that changes hands empty the queue, and so does off.",
        "{game} queue 123 foo bar if hearts led KH if spades led 2S", readers.queue,
    ),
    Command(
        "submit", f"board {WHO} move[#moveno]",
        "Hold a move until you confirm it, or until anything happens at the board.",
        "{game} submit 123 foo bar AD", readers.submit,
    ),
    Command("confirm", f"board {WHO}", "Make the move that you submitted.", "{game} confirm 123 foo bar",
            readers.of_board(requests.Confirm)),
    *(
        Command(word, f"board {WHO}", text, f"{{game}} {word} 123 foo bar",
                readers.of_board(partial(requests.Move, move=word)))
        for word, text in (
            ("undo", UNDO_HELP),
            ("propose", "Propose a draw. Every other player must accept."),
            ("accept", "Accept an undo or a draw."),
            ("reject", "Reject an undo or a draw."),
            ("claim", "Claim that a player is out of time, at a table with --autopilot=claim."),
            ("resign", "Leave the game. The server plays your seat from then on."),
        )
    ),
    Command(
        "chat", f"board {WHO} [text]",
        "Write to everybody at the table: the text in the line, or that below it. Without a text, show what was"
        " written.",
        "{game} chat 123 good luck", readers.chat,
    ),
    Command(
        "show", "board[#moveno] ... | userid ... [all|active|inactive|next]",
        "Show boards as everybody sees them, now or as they were at a move.", "{game} show 123#45", readers.show,
    ),
    Command(
        "showas", f"{WHO} [board[#moveno] ... | all|active|inactive|next]",
        "Show boards with your own cards, and what you may do.", "{game} showas foo bar 123", readers.show_as,
    ),
    Command(
        "games", "[userid ...] [all|active|inactive|next]", "List boards; next are those that wait for the user.",
        "{game} games foo next", readers.games,
    ),
    Command(
        "standings",
        "[all|YEAR|YEAR-MONTH]",
        "List the players of a game by games won, for all time, a year or a month.",
        "{game} standings 2026-11",
        readers.standings,
    ),
    Command(
        "ratings",
        "[changes] [all|two|more|partners] | [userid]",
        "List the players of a game by rating; for a kind of table, by skill. With a userid, all ratings of that user;"
        " with changes, the players whom rulings on finished games moved.",
        "{game} ratings two",
        readers.ratings,
        aliases=("rankings",),
    ),
    Command("set", f"{WHO} [{SETTINGS}]", f"{SET_HELP} Settings are the same for all games.",
            "{game} set weekends on", readers.set_),
    Command("history", "[userid]", "List finished games of a user.", "{game} history foo", readers.history),
    Command("hand", "board [hand]", "Show how hands were scored.", "{game} hand 123 1", readers.hand),
    Command("transcript", "board [hand]", "Print a hand as text: its deal, its bids and every trick.",
            "{game} transcript 123 1", readers.transcript),
    Command("audit", "board", "Check a game from its first event on.", "{game} audit 123", readers.audit),
    Command(
        "dispute", f"board {WHO} [hand kind text | answer dispute text | withdraw dispute | like dispute |"
        " rule dispute decision [points] [clause] text]",
        "List the disputes of a game, or contest a hand: revoke, deal, score, turn, delay, rules, consent, conduct or"
        " other. With answer, say your side of a dispute of another player, until an arbiter has decided. With"
        " withdraw, take back your own before the ruling. Arbiters"
        " list rulings like one with like, and rule: none, adjust points=-2,0,2, void, upheld or reversed.",
        "{game} dispute 123 1 revoke bob had a heart", readers.dispute,
    ),
)  # fmt: skip


def usage(command: Command, variant: str | None) -> str:
    """Return how a command is written."""
    return " ".join(part for part in (variant, command.name, command.arguments) if part)


def parse_line(line: str, caller: str | None = None) -> tuple[Command, CommandRequest]:
    """Return the command that a line names, and its request. Raise NotACommand, which says what you can write.

    `caller` is the name of the user whose token comes with the line; with it the line needs no name and password.
    """
    words = split_line(line)
    if not words:
        raise NotACommand("The line is empty. Write help for a list of commands.")
    variant = words[0].lower() if words[0].lower() in KNOWN else None
    if variant is None:
        return _parse(words, "", None, SERVER_COMMANDS, caller)
    if len(words) == 1:
        raise NotACommand(f"Write a command after {variant}: {', '.join(GAME_COMMANDS)}.")
    return _parse(words[1:], variant + " ", variant, GAME_COMMANDS, caller)


def _parse(
    words: Sequence[str], prefix: str, variant: str | None, commands: Mapping[str, Command], caller: str | None
) -> tuple[Command, CommandRequest]:
    command = find_command(words[0], commands)
    rest = list(words[1:])
    if command.two_words:
        rest = _second_word(command, prefix, rest)
    if not command.takes_options and (option := next((word for word in rest if _is_option(word)), None)):
        raise NotACommand(f"{prefix}{command.name} takes no option {option[:40]!r}. Write: {usage(command, variant)}")
    taken = Words(rest, usage(command, variant), caller)
    request = command.read(taken, variant)
    taken.end()
    return command, request


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and not word[1:].isdigit()


def _second_word(command: Command, prefix: str, rest: Sequence[str]) -> list[str]:
    """Return the words after `show` of `all show`; the second word of `change` stays."""
    if not rest or rest[0].lower() not in command.two_words:
        raise NotACommand(f"Write {' or '.join(f'{prefix}{command.name} {word}' for word in command.two_words)}.")
    return list(rest) if len(command.two_words) > 1 else list(rest[1:])


def find_command(word: str, commands: Mapping[str, Command]) -> Command:
    """Return the command with this name or alias. Raise NotACommand with the list of commands."""
    name = word.lower() if word.isascii() else word
    for command in commands.values():
        if name == command.name or name in command.aliases:
            return command
    if commands is SERVER_COMMANDS and any(name in (each.name, *each.aliases) for each in GAME_COMMANDS.values()):
        raise NotACommand(f"Write the game first: {', '.join(f'{variant} {name}' for variant in VARIANTS)}.")
    if commands is GAME_COMMANDS and name in SERVER_COMMANDS:
        whole = usage(SERVER_COMMANDS[name], None)
        raise NotACommand(f"{name} takes no game. Write: {whole}; in a terminal, trickbook line {name} ...")
    known = [*commands, *(() if commands is GAME_COMMANDS else VARIANTS)]
    raise NotACommand(f"There is no command {word[:40]!a}. Write one of: {', '.join(known)}.")
