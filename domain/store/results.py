"""The results of commands: commits, notices of events, and the errors of commands that others overtook."""

from dataclasses import dataclass
from typing import Any

from domain.events import Event
from domain.state import State
from domain.store.aggregate import Entry


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

    `position` is the position of the notification log then or later. If the command is repeated, `entries` are those of
    the first time and of everything that followed under the same command id.
    """

    game: str
    entries: tuple[Entry, ...]
    state: State
    root: str
    position: int
    repeated: bool = False


@dataclass(frozen=True)
class Notice:
    """An event of some game and its place in the order of all commits."""

    position: int
    game: str
    event: Event[Any]
