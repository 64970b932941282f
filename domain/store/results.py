"""The results of commands: commits, notices of events, and the errors of commands that others overtook."""

from dataclasses import dataclass
from typing import Any

from domain.events import Event
from domain.protocols import merkle_log
from domain.state import State
from domain.store.aggregate import Entry
from domain.store.positions import LogPosition, Positions, short_leaf
from domain.struct import Value, redacted_repr


class StaleVersion(Exception):
    """The game has moved since the version that the caller knew. `version` is the current one."""

    def __init__(self, if_match: int, state: State) -> None:
        now = f"the game last moved at version {state.moved} and is at version {state.version}"
        super().__init__(f"version {if_match} is out of date: {now}")
        self.if_match, self.moved, self.version = if_match, state.moved, state.version


class RaceLost(Exception):
    """Other commits were quicker every time. The command can be sent again at once."""


class CommandReused(Exception):
    """The key of an earlier command was used for another request."""


@dataclass(frozen=True)
class Commit:
    """The result of a command: its entries, and the state and root after the last of them.

    `position` is the position of the game's shard then or later. If the command is repeated, `entries` are those of
    the first time and of everything that followed under the same command id.
    """

    game: str
    entries: tuple[Entry, ...]
    state: State
    root: str
    position: LogPosition
    repeated: bool = False


class Notice(Value, frozen=True):
    """An event of some game and its place in the order of the commits of a shard. `raw` is its canonical bytes."""

    position: int
    game: str
    event: Event[Any]
    raw: bytes
    shard: int = 0

    __repr__ = redacted_repr("raw")

    @property
    def leaf(self) -> str:
        """The start of the event's leaf, as in a LogPosition."""
        return short_leaf(merkle_log.leaf(self.raw))


@dataclass(frozen=True)
class UnreadableRow:
    """A row of the log that this program can't read, its place in the order of commits of a shard, and the reason.

    `game` is what its row names, which may be no game's id. `too_new` means that a newer program may read it.
    """

    position: int
    game: str
    version: int
    reason: str
    too_new: bool = False
    leaf: str = ""
    """The start of the row's leaf, as in a LogPosition."""
    shard: int = 0


LogRow = Notice | UnreadableRow


@dataclass(frozen=True)
class LogPage:
    """Rows of the log, those of a shard together and in order, and the positions after them, of every shard."""

    rows: list[LogRow]
    end: Positions
