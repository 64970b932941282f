"""A player's words as a whole command line, the words that only the terminal knows, and what `help` says."""

import re
from collections.abc import Mapping, Sequence

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, parse_line
from api.lines.requests import Broadcast, ChangePassword, ChatLine, CommandRequest, Delete, Message
from api.lines.words import NotACommand, may_be_password, name_of_login
from domain.rules.variants import KNOWN, VARIANTS

BOARD = re.compile("[1-9][0-9]{0,8}(#[0-9]+)?")
OF_GAME = {
    name: command.arguments.startswith("board")
    for command in GAME_COMMANDS.values()
    for name in (command.name, *command.aliases)
    if name != "board"
} | {"showas": True}
"""The commands of a game, with whether a board follows."""
SHOWING = frozenset(("show", "showas"))
ABOUT_HANDS = frozenset(("hand", "transcript", "dispute"))
"""Commands with which a number after them is that of a hand."""


def whole_line(text: str, variant: str, board: int) -> str:
    """Return the line to send: `queue AD` at board 12 of Pitch is `pitch queue 12 AD`, and `ad` is a move."""
    first, *rest = text.split()
    word = first.lower()
    if word in KNOWN or (word in SERVER_COMMANDS and word != "help"):
        return text
    if word == "help":
        return text if rest else f"{variant} help"
    if word not in OF_GAME:
        return f"{variant} move {board} {text}"
    if not OF_GAME[word] or _names_board(word, rest):
        return " ".join((variant, first, *rest))
    return " ".join((variant, first, str(board), *rest))


def typed_words(text: str) -> list[str]:
    """Return the words of what was typed, without the slash that may stand before a command."""
    return text.strip().removeprefix("/").split()


def is_secret(text: str, caller: str | None) -> bool:
    """Return whether a line may hold a password, so that no history keeps it.

    `caller` is the name of the player whose token the terminal sends. A line that isn't a command is secret if a word
    after the first one may be a password. A message is if its second word may be, with which somebody else signs it.
    """
    words = typed_words(text)
    if len(words) < 2:
        return False
    try:
        _, request = parse_line(whole_line(" ".join(words), next(iter(VARIANTS)), 1), caller)
    except NotACommand:
        return any(may_be_password(word) for word in words[1:])
    if request.login is not None or isinstance(request, ChangePassword | Delete):
        return True
    return name_of_login(_words_of_message(request)) is not None


def _words_of_message(request: CommandRequest) -> Sequence[str]:
    match request:
        case ChatLine(text=text) | Broadcast(text=text):
            return (text or "").split()
        case Message(names=names):
            return names
        case _:
            return ()


def _names_board(word: str, rest: Sequence[str]) -> bool:
    """Return whether the words after a command begin with a board, and not with a bid or the number of a hand."""
    if word in SHOWING:
        return bool(rest)
    if word in ABOUT_HANDS or word == "chat":
        return False
    return len(rest) > 1 and BOARD.fullmatch(rest[0]) is not None


LOCAL_WORDS: Mapping[str, str] = {
    "help chat": "explain a command; help alone is this",
    "boards": "list your boards",
    "go 12": "go to board 12",
    "next": "go to the next board that waits for you",
    "new [game]": "take a free seat, or open a table with bots",
    "start": "fill the free seats of your table with bots",
    "quit": "leave the terminal; the game goes on",
}
USUAL_LINES: Mapping[str, str] = {
    "AD, 10c, A♦": "play a card: C D H S are the suits, [ ] marks legal cards",
    "3, pass, smudge, moon": "bid",
    "undo": "take back your last move",
    "chat good luck": "write to the table",
    "queue AD": "keep a move until your turn comes",
    "hand": "how the last hand was scored",
    "show 123": "show another board",
    "resign": "leave the game for good",
}
KEYS: Mapping[str, str] = {
    "Tab": "complete a move or a word",
    "Up, Down": "earlier lines",
    "PageUp, PageDown": "earlier news",
    "Ctrl-C": "cancel the line; twice: quit",
    "Ctrl-D": "quit",
}


def help_text(variant: str) -> str:
    """Return how to play in the terminal."""
    width = max(map(len, (*LOCAL_WORDS, *USUAL_LINES, *KEYS)))
    parts = [("Write a line, then Enter. A slash before it does no harm.", USUAL_LINES)]
    parts += [("Words of this terminal:", LOCAL_WORDS), ("Keys:", KEYS)]
    lines = [line for title, rows in parts for line in (title, *_rows(rows, width))]
    return "\n".join([*lines, f"Write help {variant or 'pitch'} for the commands of this game."])


def _rows(rows: Mapping[str, str], width: int) -> list[str]:
    return [f"  {name.ljust(width)}  {text}" for name, text in rows.items()]
