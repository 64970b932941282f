"""Registered users: names, passwords and the ids that facts carry.

A name has only ASCII letters, digits and separators, and is compared exactly. Registration refuses a reserved name,
and one that looks like an existing one (`skeleton`, R-P12): characters look alike if the Unicode Technical Standard 39
lists them as confusable, and so do pairs of letters that fonts join into another letter. Passwords are stored as
argon2id hashes.
"""

import re
import secrets
import string
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from api.people.stored.passwords import Passwords, check_password_strength
from domain.engine.timestamps import iso_time
from domain.store.sql.database import Database, Transaction

RESERVED = (
    "admin", "administrator", "moderator", "arbiter", "operator", "support", "staff", "host", "system", "server", "bot",
    "table", "house", "deleted", "open", "invite", "trickbook",
)  # fmt: skip
GUEST_PREFIX = "guest-"
RESERVED_PREFIXES = ("bot-", "server", GUEST_PREFIX)
DELETED_NAME = "deleted"
"""The name to display for the id of a deleted user."""
PLAYER_ID = re.compile(r"p_[0-9a-f]+")
SEPARATORS = "._-"
JOINED = {"w": "vv", "d": "cl"}
"""Letters that fonts make of pairs of letters, beside m of rn, which the standard lists."""
LETTERS = string.ascii_lowercase + string.digits


def skeleton(name: str) -> str:
    """Return a text that is equal for names that look alike: in lower case, without separators, and with the same
    letters for those that look alike, such as o for 0 and rn for m.
    """
    return _prototypes(name).replace("-", "")


def is_reserved(name: str) -> bool:
    """Return whether a name looks like the server, its staff, a bot, a guest or a player's id."""
    if PLAYER_ID.fullmatch(name.lower()) is not None:
        return True
    if any(skeleton(each) in _reserved_skeletons() for each in _without_ends(name)):
        return True
    return _prototypes(name).startswith(tuple(map(_prototypes, RESERVED_PREFIXES)))


def _without_ends(name: str) -> Iterator[str]:
    """Yield the name, and the name without the digits and separators at one end or both."""
    ends = string.digits + SEPARATORS
    yield from (name, name.rstrip(ends), name.lstrip(ends), name.strip(ends))


@cache
def _reserved_skeletons() -> frozenset[str]:
    return frozenset(skeleton(word + ending) for word in RESERVED for ending in ("", "s"))


def _prototypes(name: str) -> str:
    """Return a name in lower case with the same letters for those that look alike, and - for each separator."""
    return name.lower().translate(_table())


@cache
def _table() -> dict[int, str]:
    alike = {letter: _prototype(letter) for letter in LETTERS} | JOINED
    return {ord(char): text for char, text in (alike | dict.fromkeys(SEPARATORS, "-")).items()}


def _prototype(letter: str) -> str:
    """Return the text that stands for a letter or digit and for all that look like it, in either case."""
    group, new = set[str](), {letter}
    while new:
        group |= new
        new = {each for one in new for each in _confusables(one) if len(each) == 1} - group
    longer = {each for one in group for each in _confusables(one) if len(each) > 1}
    return min(longer, default=max(group))


def _confusables(char: str) -> set[str]:
    """Return the texts of ASCII letters and digits that look like a character, and the character in either case."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415 # its tables take long to load

    found = confusables.is_confusable(char, greedy=True) or [{"homoglyphs": []}]
    texts = (each["c"] for each in found[0]["homoglyphs"])
    return {char.lower(), char.upper(), *(text for text in texts if text.isascii() and text.isalnum())}


TABLES = (
    """CREATE TABLE IF NOT EXISTS users (
        player TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL UNIQUE,
        password TEXT NOT NULL, created BIGINT NOT NULL)""",
)


@dataclass(frozen=True)
class User:
    """A registered user: the id that facts carry (`p_` and 24 hex digits) and the name that views show."""

    id: str
    name: str


class NameTaken(Exception):
    """Another user has this name, or one that looks like it (R-P12)."""


class BadLogin(Exception):
    """No user has this name with this password."""

    def __init__(self, message: str = "no user has this name with this password") -> None:
        super().__init__(message)


class UserDisabled(Exception):
    """The host has disabled this user."""

    def __init__(self) -> None:
        super().__init__("the host of this server has disabled this user")


class UserLeaving(Exception):
    """The user asked to be deleted, which happens at `until` (UTC microseconds since 1970)."""

    def __init__(self, until: int) -> None:
        super().__init__(f"This account will be deleted at {iso_time(until)}. Until then, POST /me/restore keeps it.")


NAME_CHANGES = "names"
"""The counter of the names that changed, so that a process knows whether those that it remembers are right."""
NAME_LOCK = "name lock"
LOCK_NAMES = "INSERT INTO counters VALUES (?, 0) ON CONFLICT (name) DO UPDATE SET last = counters.last"
"""Changes nothing, but the next registration waits for it, in the order they came."""
COUNT_CHANGE = """INSERT INTO counters VALUES (?, 1)
    ON CONFLICT (name) DO UPDATE SET last = counters.last + 1"""
ANOTHER = "; choose another one"
USER_ID = re.compile("p_[0-9a-f]{24}")


class Users:
    """The table of users. Safe for concurrent use by several threads."""

    def __init__(self, database: Database, passwords: Passwords) -> None:
        self._database = database
        self._passwords = passwords

    def register(self, name: str, password: str) -> User:
        """Add a user. Raise WeakPassword, or NameTaken if the name or one that looks like it is in use."""
        check_password_strength(password, name)
        user, stored = User("p_" + secrets.token_hex(12), name), self._passwords.hash(password)
        with self._database.transaction(writes=True) as transaction:
            require_free_name(transaction, name)
            transaction.run(
                "INSERT INTO users (player, name, folded, lookalike, password, created) VALUES (?, ?, ?, ?, ?, ?)",
                user.id, name, name.lower(), skeleton(name), stored, transaction.now(),
            )  # fmt: skip
        return user

    def authenticate(self, name: str, password: str) -> tuple[str, str]:
        """Return the user's id and the stored hash of the password.

        Raise the same BadLogin for a wrong name and for a wrong password. Raise UserDisabled or UserLeaving for such a
        user with the right password.
        """
        player, stored, leaving = self.check_password(name, password)
        if leaving is not None:
            raise UserLeaving(leaving)
        return player, stored

    def check_password(self, name: str, password: str) -> tuple[str, str, int | None]:
        """Return the same and when the user will be deleted, if they asked for that."""
        rows = self._database.run("SELECT player, password, disabled, leaving FROM users WHERE name = ?", name)
        player, stored, disabled, leaving = rows[0] if rows else (None, None, None, None)
        if not self._passwords.matches(stored or None, password):  # a guest has no password
            raise BadLogin
        if disabled is not None:
            raise UserDisabled
        return str(player), str(stored), leaving

    def hash_password(self, password: str, name: str) -> str:
        """Return the hash to store for a new password. Raise WeakPassword."""
        check_password_strength(password, name)
        return self._passwords.hash(password)

    def join_time(self, player: str) -> int:
        """Return when a player joined, in UTC microseconds since 1970; now for one who is unknown."""
        rows = self._database.run("SELECT created FROM users WHERE player = ?", player)
        return int(rows[0][0]) if rows else self._database.now()

    def by_name(self, name: str) -> User | None:
        """Return the user with exactly this name."""
        return self._select("SELECT player, name FROM users WHERE name = ?", name)

    def by_names(self, names: Collection[str]) -> dict[str, User]:
        """Return the users with exactly these names, by name."""
        with self._database.transaction(writes=False) as transaction:
            rows = transaction.read_among("SELECT player, name FROM users", "name", names)
        return {name: User(player, name) for player, name in rows}

    def names_of(self, ids: Iterable[str]) -> dict[str, str]:
        """Return `{user id: name}` for the ids of users, `deleted` for deleted users; bots are left out."""
        distinct = sorted(set(ids))
        if not distinct:
            return {}
        marks = ", ".join("?" * len(distinct))
        found: dict[str, str] = dict(
            self._database.run(f"SELECT player, name FROM users WHERE player IN ({marks})", *distinct)
        )
        return {each: DELETED_NAME for each in distinct if USER_ID.fullmatch(each)} | found

    def shown_names(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the name to show for each id, in their order: as `names_of` does, and for a bot its id."""
        distinct = sorted(set(ids))
        return dict(zip(distinct, distinct, strict=True)) | self.names_of(distinct)

    def name_changes(self) -> int:
        """Return how many names of users have changed: of guests who took one, and of deleted users."""
        rows = self._database.run("SELECT last FROM counters WHERE name = ?", NAME_CHANGES)
        return int(rows[0][0]) if rows else 0

    def _select(self, statement: str, value: str) -> User | None:
        rows = self._database.run(statement, value)
        return User(*rows[0]) if rows else None


def count_name_change(transaction: Transaction) -> None:
    """Let processes that remember names read them again."""
    transaction.run(COUNT_CHANGE, NAME_CHANGES)


def require_free_name(transaction: Transaction, name: str) -> None:
    """Raise NameTaken if a user has this name or one that looks like it; until the transaction ends, nobody takes it.

    Users whose names look alike since before this version keep them, so the column isn't unique.
    """
    transaction.run(LOCK_NAMES, NAME_LOCK)
    find = "SELECT name FROM users WHERE folded = ? OR lookalike = ? ORDER BY folded <> ?, created LIMIT 1"
    folded = name.lower()
    for (other,) in transaction.run(find, folded, skeleton(name), folded):
        if other == name:
            raise NameTaken(f"the name {name} is taken{ANOTHER}")
        if other.lower() == folded:
            how = f"{name} differs from it only in upper and lower case"
        else:
            how = f"{name} looks like it"
        raise NameTaken(f"the name {other} is taken, and {how}{ANOTHER}")
