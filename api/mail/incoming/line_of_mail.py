"""Finds the line that a mail asks for: first in the subject, then in the first line of the text.

In a reply to a board it may be a bare move, such as `AD`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from api.lines.words import MAX_LINE, split_move_number
from api.mail.incoming.message import IncomingMail
from api.mail.services.addresses import ReplyRight
from domain.rules.variants import VARIANTS
from projections.moves.text_moves import MalformedMove, parse_text_move

REPLY_WORDS = re.compile(r"(?:re|aw|sv|antw|fwd?|wg|tr|rif|vs|odp|ynt)(?:\[[0-9]{1,3}\])?\s*:\s*", re.IGNORECASE)
OUR_SUBJECT = re.compile(r"board [1-9][0-9]{0,8}, |your boards today", re.IGNORECASE)
JOIN = ("join", "yes")
MOST_TEXT_LINES = 100


@dataclass(frozen=True)
class MailLine:
    """A command, the lines of text below it that only the server reads, and those for everybody at the table."""

    line: str
    text: Sequence[str]
    comment: Sequence[str]


def find_line(mail: IncomingMail, right: ReplyRight | None) -> MailLine | None:
    """Return what a mail asks for, or None if neither subject nor text is a command or a move."""
    subject, body = _own_subject(mail.subject), mail.body
    line = None if subject is None else _as_line(subject, right)
    if line is not None:
        first = () if body.first is None else (body.first, *body.below)
        return _mail_line(line, first, body.whole_comment)
    line = None if body.first is None else _as_line(body.first, right) or _bare_command(body.first, right)
    return None if line is None else _mail_line(line, body.below, body.comment)


def _mail_line(line: str, text: Sequence[str], comment: Sequence[str]) -> MailLine:
    return MailLine(line, *([each[:MAX_LINE] for each in lines[:MOST_TEXT_LINES]] for lines in (text, comment)))


def _own_subject(subject: str) -> str | None:
    """Return a subject without "Re:", or None if it's one of our own."""
    for _ in range(5):
        subject = REPLY_WORDS.sub("", subject.strip(), count=1) if REPLY_WORDS.match(subject.strip()) else subject
    subject = subject.strip()
    return None if not subject or OUR_SUBJECT.match(subject) else subject


def _as_line(text: str, right: ReplyRight | None) -> str | None:
    """Return a text as a command line: a command as it is, and in a reply a bare move with its board and version."""
    if len(text) > MAX_LINE:
        return None
    words = text.split()
    first = words[0].lower() if words else ""
    if first in VARIANTS and len(words) > 1:
        return text
    if right is not None and (line := _reply_line(text, right)) is not None:
        return line
    return text if first in SERVER_COMMANDS else None


def _bare_command(text: str, right: ReplyRight | None) -> str | None:
    """Return a command of the game in a reply, with the board of the mail if it needs one and names none.

    A subject holds none: too many begin with such a word.
    """
    words = text.split()
    name = words[0].lower() if words else ""
    command = next((each for each in GAME_COMMANDS.values() if name in (each.name, *each.aliases)), None)
    if right is None or command is None or len(text) > MAX_LINE:
        return None
    usage = command.arguments
    needs = usage.startswith("board") and not _names_board(usage, words[1:], right.board)
    needs = needs or ("[board" in usage and len(words) == 1)  # alone, the command is about all boards
    board = [str(right.board)] if needs else []
    return " ".join([right.variant, name, *board, *words[1:]])


def _names_board(usage: str, words: Sequence[str], board: int) -> bool:
    """Return whether the words after a command begin with the board, and not with a hand or bid of the same number."""
    if not words or words[0].partition("#")[0] != str(board):
        return False
    after = usage.removeprefix("board").replace("[userid password]", "").strip(" []")
    first, *others = [way.split() for way in after.split(" | ")]
    if not first or first[0].partition("[")[0] not in ("hand", "move"):
        return True
    if len(first) == 1:
        return len(words) > 1
    return len(words) == 1 or words[1].isdecimal() or words[1].lower() in {way[0] for way in others}


def _reply_line(text: str, right: ReplyRight) -> str | None:
    if right.version == 0:
        return f"{right.variant} join {right.board}" if text.strip(" .!").lower() in JOIN else None
    move, at = split_move_number(text)
    try:
        parse_text_move(move)
    except MalformedMove:
        return None
    return f"{right.variant} move {right.board} {move}#{right.version if at is None else at}"
