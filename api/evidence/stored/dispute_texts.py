"""The texts of disputes. A fact holds only a text's hash, so that a text can be erased (docs/disputes.md).

A text belongs to the command whose fact it explains. The fact's `note` is SHA-256(salt, text): with the salt, anyone
who has the text can prove that it is the original; without the salt, nobody can guess an erased text. The opening of a
dispute can also have details: the accused card, and events that show what happened. They are kept and erased like the
text, and the note covers both.

An answer to a dispute is a text without a fact: another player's side of it, which they can replace until the ruling.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

from domain.json_fields import CardText
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS texts (
        command TEXT PRIMARY KEY, game TEXT NOT NULL, salt TEXT, text TEXT, written BIGINT NOT NULL, erased BIGINT)""",
    "CREATE INDEX IF NOT EXISTS texts_by_game ON texts (game)",
)
SALT_BYTES = 16
INSERT_TEXT = """INSERT INTO texts (command, game, salt, text, details, written, erased, author)
    VALUES (?, ?, ?, ?, ?, ?, NULL, ?) ON CONFLICT DO NOTHING"""
SET_ANSWER = """INSERT INTO texts (command, game, salt, text, details, written, erased, author)
    VALUES (?, ?, ?, ?, NULL, ?, NULL, ?) ON CONFLICT (command) DO UPDATE SET salt = excluded.salt,
    text = excluded.text, written = excluded.written, author = excluded.author WHERE texts.erased IS NULL"""
ANSWER = re.compile("answer-([0-9]+)-([0-9]+)-.*")
"""The key of an answer in place of a command id: the dispute's number, the seat and the game."""
WITHOUT_AUTHOR = "SELECT DISTINCT game FROM texts WHERE author IS NULL AND text IS NOT NULL ORDER BY game"
SET_AUTHOR = "UPDATE texts SET author = ? WHERE command = ? AND author IS NULL AND text IS NOT NULL"


class AccusedPlay(TypedDict):
    """Whose play is disputed, and which."""

    seat: int
    trick: NotRequired[int]
    card: NotRequired[CardText]


class DisputeDetails(TypedDict, total=False):
    """The things that the player named: the accused, and events of the questions about revokes and draws."""

    accused: AccusedPlay
    revokes: list[int]
    draws: list[int]


@dataclass(frozen=True)
class DisputeText:
    """The text of a command and its salt in hex; both are None once the text is erased.

    `details` is canonical JSON, or None.
    """

    salt: str | None = field(repr=False)
    text: str | None = field(repr=False)
    details: str | None = field(default=None, repr=False)

    @property
    def note(self) -> str | None:
        """The hash that the fact holds."""
        return None if self.salt is None or self.text is None else note_of(self.salt, self.text, self.details)


@dataclass(frozen=True)
class DisputeAnswer:
    """Another player's answer in a dispute; `by` and the text are None once it's erased with its player's account.

    `written` is in UTC microseconds since 1970.
    """

    dispute: int
    seat: int
    by: str | None
    text: str | None = field(repr=False)
    written: int


def note_of(salt: str, text: str, details: str | None = None) -> str:
    """Return the hex SHA-256 of the salt's bytes and the text in UTF-8; of a line feed and the details too, if any."""
    whole = text if details is None else f"{text}\n{details}"
    return hashlib.sha256(bytes.fromhex(salt) + whole.encode()).hexdigest()


class DisputeTexts:
    """The table of dispute texts, keyed by command id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, game: str, command: str, text: str, author: str, details: str | None = None) -> str:
        """Save a text before its fact is recorded and return its note. A repeated command keeps the first text."""
        at = self._database.now()
        self._database.run(INSERT_TEXT, command, game, secrets.token_hex(SALT_BYTES), text, details, at, author)
        saved = self.read([command])[command]
        return saved.note or note_of(secrets.token_hex(SALT_BYTES), text, details)

    def discard(self, command: str) -> None:
        """Delete the text of a command that was refused."""
        self._database.run("DELETE FROM texts WHERE command = ?", command)

    def read(self, commands: Iterable[str]) -> dict[str, DisputeText]:
        """Return `{command: text}`; commands without a text are left out."""
        distinct = sorted(set(commands))
        if not distinct:
            return {}
        marks = ", ".join("?" * len(distinct))
        query = f"SELECT command, salt, text, details FROM texts WHERE command IN ({marks})"
        return {command: DisputeText(*columns) for command, *columns in self._database.run(query, *distinct)}

    def answers(self, game: str) -> list[DisputeAnswer]:
        """Return the answers to the disputes of a game, the oldest first."""
        rows = self._database.run("SELECT command, author, text, written FROM texts WHERE game = ?", game)
        found = [(ANSWER.fullmatch(command), *rest) for command, *rest in rows]
        answers = [DisputeAnswer(int(key[1]), int(key[2]), *rest) for key, *rest in found if key is not None]
        return sorted(answers, key=lambda answer: (answer.written, answer.seat))

    def answer_keys(self, game: str, dispute: int) -> list[str]:
        """Return what stands for the commands of the answers to a dispute."""
        return [f"answer-{dispute}-{each.seat}-{game}" for each in self.answers(game) if each.dispute == dispute]

    def games_without_authors(self) -> list[str]:
        """Return the games with texts whose authors aren't stored: version 0.1 didn't store them."""
        return [game for (game,) in self._database.run(WITHOUT_AUTHOR)]

    def set_authors(self, authors: Mapping[str, str]) -> None:
        """Store the authors of texts by command."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run_many(SET_AUTHOR, [(author, command) for command, author in authors.items()])


def set_answer(transaction: Transaction, game: str, dispute: int, seat: int, author: str, text: str) -> bool:
    """Save a seat's answer in place of its earlier one. Return False, and save nothing, if a moderator erased that."""
    values = game, secrets.token_hex(SALT_BYTES), text, transaction.now(), author
    return bool(transaction.count_changes(SET_ANSWER, f"answer-{dispute}-{seat}-{game}", *values))


def has_answered(transaction: Transaction, game: str, dispute: int, seat: int) -> bool:
    """Return whether a seat has answered a dispute before."""
    return bool(transaction.run("SELECT 1 FROM texts WHERE command = ?", f"answer-{dispute}-{seat}-{game}"))


def erase_texts(transaction: Transaction, commands: Iterable[str]) -> list[str]:
    """Erase texts and their salts, and return the notes of those that were there. The facts and their notes stay."""
    notes = list[str]()
    for command in commands:
        find = "SELECT salt, text, details FROM texts WHERE command = ? AND erased IS NULL"
        notes += (note for row in transaction.run(find, command) if (note := DisputeText(*row).note) is not None)
        transaction.run(
            "UPDATE texts SET salt = NULL, text = NULL, details = NULL, erased = ?"
            " WHERE command = ? AND erased IS NULL",
            transaction.now(), command,
        )  # fmt: skip
    return notes
