"""An observer of a simulation: it reads the log itself after every step, and trusts no answer of a server."""

from collections.abc import Iterator
from typing import Any

from domain.events import Event
from domain.evolve import evolve
from domain.protocols import merkle_log
from domain.state import EMPTY_STATE, State
from domain.store import Games
from domain.store.log import Notice, Positions
from tests.conftest import Database
from tests.logs.reading import ALL


class Violation(AssertionError):
    """Something that may never happen has happened. `rule` names what was violated."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(f"{rule}: {detail}")
        self.rule = rule


class GameLog:
    """The events of a game as the observer has read them, and the leaf of each."""

    def __init__(self) -> None:
        self.events: list[Event[Any]] = []
        self.leaves: list[str] = []
        self.state: State = EMPTY_STATE
        self.commands: dict[str, list[int]] = {}
        """The versions under each command's id, in order."""

    def add(self, notice: Notice) -> None:
        """Add the next event. Raise Violation for another one, or if a command comes again after another one."""
        event = notice.event
        if event.version != len(self.events) + 1:
            raise Violation("one event a version", f"{notice.game} has {event.version} after {len(self.events)}")
        versions = self.commands.setdefault(event.command, [])
        if versions and versions[-1] != event.version - 1:
            raise Violation("each command once", f"{event.command} at {versions} and again at {event.version}")
        versions.append(event.version)
        self.events.append(event)
        self.leaves.append(merkle_log.leaf(notice.raw).hex())
        self.state = evolve(self.state, event)


class Observer:
    """Reads the log of a store from its beginning on."""

    def __init__(self, database: Database) -> None:
        self.games = Games(database.data, database.url, migrate=False)
        self._at: Positions = ()
        self.logs: dict[str, GameLog] = {}

    def read(self) -> Iterator[tuple[str, Event[Any]]]:
        """Yield the events that are new since the last time, with their games, and add them to `logs`."""
        page = self.games.log.read(self._at, ALL)
        for row in page.rows:
            if not isinstance(row, Notice):
                raise Violation("every event can be read", f"{row.game} {row.version}: {row.reason}")
            self.logs.setdefault(row.game, GameLog()).add(row)
            yield row.game, row.event
        self._at = page.end
