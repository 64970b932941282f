"""What is said in disputes, beside the log: a fact carries its hash alone, so a text can be erased (trust.md, 5).

A text belongs to the command whose fact it grounds. `note` = SHA-256(salt, text): with the salt, anybody who has the
text can show that it is the one; without it nobody can guess what was erased.
"""

import hashlib
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from api.accounts.sql import Sql

TABLES = (
    """CREATE TABLE IF NOT EXISTS texts (
        command TEXT PRIMARY KEY, game TEXT NOT NULL, salt TEXT, text TEXT, written BIGINT NOT NULL, erased BIGINT)""",
)
SALT_BYTES = 16


@dataclass(frozen=True)
class Text:
    """What was said under a command, and its salt in hex; both None once it is erased."""

    salt: str | None = field(repr=False)
    text: str | None = field(repr=False)

    @property
    def note(self) -> str | None:
        """Its hash, as the fact has it."""
        return None if self.salt is None or self.text is None else note_of(self.salt, self.text)


def note_of(salt: str, text: str) -> str:
    """The hex SHA-256 of the salt's bytes and the text in UTF-8."""
    return hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest()


def write(sql: Sql, game: str, command: str, text: str) -> str:
    """Keep a text ahead of its fact, and answer its note; the same for a command that comes again."""
    sql.run(
        "INSERT INTO texts VALUES (?, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING",
        command, game, secrets.token_hex(SALT_BYTES), text, _now(),
    )  # fmt: skip
    kept = read(sql, [command])[command]
    return kept.note or note_of(secrets.token_hex(SALT_BYTES), text)


def take_back(sql: Sql, command: str) -> None:
    """Forget the text of a command that was refused."""
    sql.run("DELETE FROM texts WHERE command = ?", command)


def read(sql: Sql, commands: Iterable[str]) -> dict[str, Text]:
    """The texts of commands; none for one that said nothing."""
    wanted = sorted(set(commands))
    if not wanted:
        return {}
    marks = ", ".join("?" * len(wanted))
    rows = sql.run(f"SELECT command, salt, text FROM texts WHERE command IN ({marks})", *wanted)
    return {command: Text(salt, text) for command, salt, text in rows}


def erase(sql: Sql, commands: Iterable[str]) -> int:
    """Erase texts and their salts; the number of those that were there. The facts and their notes stay."""
    gone = 0
    for command in commands:
        gone += len(
            sql.run(
                "UPDATE texts SET salt = NULL, text = NULL, erased = ? WHERE command = ? AND erased IS NULL"
                " RETURNING command",
                _now(), command,
            )
        )  # fmt: skip
    return gone


def _now() -> int:
    """UTC microseconds since 1970."""
    return time.time_ns() // 1000
