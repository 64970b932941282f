"""Warns players whose turn ends soon, by a note in their inbox."""

from datetime import datetime, timedelta

from api.accounts.inbox.outbox import InboxNote
from api.services.container import Services
from domain.engine.paces import EVENT_TIME
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from projections.lists.deadlines import games_to_warn
from projections.storage.tables import Row

LOOK_BACK = timedelta(days=1)
"""How far a worker looks back that has just started: another one may have stopped before."""
OVERLAP = timedelta(minutes=2)
"""How far it looks back later on: the list of deadlines may be that far behind the log."""
MOST_AT_ONCE = 500


class DeadlineWarner:
    """Goes through the warnings in order of time. Several processes may each have one."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._done = _before(services.clock.now(), LOOK_BACK)

    def turn(self) -> int:
        """Warn the players whose time has come, and return the number of turns."""
        now = self._services.clock.now()
        with self._services.rows.snapshot("agenda") as reading:
            rows = games_to_warn(reading, self._done, now, MOST_AT_ONCE)
        warned = sum(self._warn(row) for row in rows)
        self._done = rows[-1]["warns_at"] if len(rows) == MOST_AT_ONCE else max(self._done, _before(now, OVERLAP))
        return warned

    def _warn(self, row: Row) -> bool:
        """Warn the people in turn if it's still the turn that the list shows."""
        try:
            state = self._services.games.state(row["game"])
        except (Corrupt, NoSuchGame):
            return False
        seats = [seat for seat in row["turn"] if seat in state.turn and seat in row["people"]]
        notes = [
            InboxNote(state.seats[seat].player, "deadline", row["game"], {"seat": seat, "version": state.version})
            for seat in seats
        ]
        return bool(notes) and self._services.accounts.deadline_warnings.leave(row["game"], row["since"], notes)


def _before(moment: str, time: timedelta) -> str:
    return (datetime.fromisoformat(moment) - time).strftime(EVENT_TIME)
