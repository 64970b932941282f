"""The words of a command line, taken one after the other."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from api.lines.requests import Board, LineLogin
from api.people.stored.passwords import PASSWORD_MIN_LENGTH
from domain.cards import SUIT_NAMES

MAX_LINE, MAX_WORDS = 1000, 64
BOARD = re.compile(r"([1-9][0-9]{0,8})(?:#(0|[1-9][0-9]{0,8}))?")
MOVE_NUMBER = re.compile("0|[1-9][0-9]{0,8}")


class NotACommand(ValueError):
    """The line isn't a command; the message says why, and what you can write."""


def split_line(line: str) -> list[str]:
    """Return the words of a line. Raise NotACommand for one that is too long or has control characters."""
    if len(line) > MAX_LINE:
        raise NotACommand(f"A command has at most {MAX_LINE} characters.")
    line = line.replace("\t", " ")
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in line):
        raise NotACommand("A command is one line of text without control characters.")
    words = line.split()
    if len(words) > MAX_WORDS:
        raise NotACommand(f"A command has at most {MAX_WORDS} words.")
    return words


class Words:
    """The words after a command's name. `caller` is the name of the user whose token came with the line."""

    def __init__(self, words: Sequence[str], usage: str, caller: str | None) -> None:
        self._words, self._usage, self._caller = list(words), usage, caller

    def __len__(self) -> int:
        return len(self._words)

    def refuse(self, why: str) -> NotACommand:
        """Return the error for a line of this command, with its usage."""
        return NotACommand(f"{why} Write: {self._usage}")

    def take(self, what: str) -> str:
        """Return the next word; `what` names it in the error if it's missing."""
        if not self._words:
            raise self.refuse(f"The {what} is missing.")
        return self._words.pop(0)

    def next_is(self, word: str) -> bool:
        """Return whether this word comes next, in either case."""
        return bool(self._words) and self._words[0].lower() == word

    def rest(self) -> list[str]:
        """Return all words that are left."""
        words, self._words = self._words, []
        return words

    def end(self) -> None:
        """Refuse words that are left over."""
        if self._words:
            raise self.refuse(f"There is too much: {_quoted(self._words[0])}.")

    def board(self) -> Board:
        """Return the next word as the number of a board, with #moveno if it's there."""
        word = self.take("number of the board")
        found = parse_board(word)
        if found is None:
            raise self.refuse(f"{_quoted(word)} isn't the number of a board.")
        return found

    def number(self, what: str) -> int:
        """Return the next word as a number from 1."""
        word = self.take(what)
        if not re.fullmatch("[1-9][0-9]{0,8}", word):
            raise self.refuse(f"{_quoted(word)} isn't the {what}.")
        return int(word)

    def login(self, is_rest: Callable[[list[str]], bool]) -> LineLogin | None:
        """Take the name and the password of the seed's lines, if they're there.

        Without a token the next two words are name and password. With one, they may be left out: they are there only
        if the caller's own name is the first, or if the words aren't a valid rest of the command as they stand, and
        those after them are, or the second may be a password. So no refusal repeats a password as part of a move.
        """
        words = self._words
        if len(words) < 2 or ":" in words[0]:
            return None
        if self._caller not in (None, words[0]) and not self._begin_with_login(is_rest):
            return None
        return LineLogin(words.pop(0), words.pop(0))

    def _begin_with_login(self, is_rest: Callable[[list[str]], bool]) -> bool:
        words = self._words
        return not is_rest(words) and (is_rest(words[2:]) or may_be_password(words[1]))

    def login_before(self) -> LineLogin | None:
        """Take name and password if nothing else may follow."""
        return self.login(lambda words: not words)


def may_be_password(word: str) -> bool:
    """Return whether a word of a line has the length of a password; among the words of moves only diamonds has."""
    return len(word) >= PASSWORD_MIN_LENGTH and word.lower() not in SUIT_NAMES.values()


def name_of_login(words: Sequence[str]) -> str | None:
    """Return the first word of a text that may begin with a name and a password, else None.

    The number of a board may stand before them.
    """
    at = 1 if words and BOARD.fullmatch(words[0]) else 0
    return words[at] if len(words) > at + 1 and may_be_password(words[at + 1]) else None


def parse_board(word: str) -> Board | None:
    """Return a board as a word names it: 123, or 123#45 for the board as it was at move 45."""
    match = BOARD.fullmatch(word)
    return None if match is None else Board(int(match[1]), None if match[2] is None else int(match[2]))


def split_move_number(text: str) -> tuple[str, int | None]:
    """Return a move and the number behind # at which it's meant: ("AD", 45) for AD#45."""
    move, hash_sign, number = text.rpartition("#")
    return (move.rstrip(), int(number)) if hash_sign and MOVE_NUMBER.fullmatch(number) else (text, None)


def _quoted(word: str) -> str:
    return ascii(word if len(word) <= 40 else word[:40] + "...")
