"""The one listener of a process on the inboxes, which tells the streams of inboxes about new entries.

The worker writes the entries, on whichever node: so the listener asks how far the inboxes are, at once if another
process rings. If that has changed, it asks for the last numbers of those that are followed.
"""

from collections.abc import Callable, Collection

from api.play.services.event_stream import Cursor
from api.server.commit_listener import PollingListener
from projections.followers.wakeups import Wakeups
from projections.lists.inbox_pages import inbox_heads, inbox_state
from projections.storage.rows import RowSnapshot, RowStore

POLL_S = 0.05


class InboxListener(PollingListener):
    """Calls `on_entries({player: head})` when inboxes may have new entries. `players()` are those who are followed."""

    def __init__(
        self,
        rows: RowStore,
        on_entries: Callable[[dict[str, Cursor]], None],
        on_gap: Callable[[], None],
        players: Callable[[], Collection[str]],
        wakeups: Wakeups,
    ) -> None:
        super().__init__("inbox-listener", on_gap, lambda: bool(players()), wakeups, POLL_S)
        self._rows, self._on_entries, self._players = rows, on_entries, players

    def _listen(self) -> None:
        seen: object = None
        self._on_gap()
        while self._is_needed() and not self._poll.wait(self._stop):
            with self._rows.snapshot("inbox") as reading:
                state = inbox_state(reading)
                if state != seen:
                    if seen is not None:
                        self._wakeups.wake()
                    seen = state
                    self._on_entries(_heads(reading, list(self._players())))


def _heads(reading: RowSnapshot, players: list[str]) -> dict[str, Cursor]:
    return {player: (reading.generation, last) for player, last in inbox_heads(reading, players).items()}
