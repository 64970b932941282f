"""Commands that the server gives without a request, and the games for which that fails.

The worker leaves such a game alone for a while, longer after every failure.
"""

import logging
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from time import monotonic

from api.evidence.services.keys import NoSigningKey
from domain.store import RaceLost, StoreUnavailable
from domain.store.aggregate import Corrupt
from projections.storage.quarantine import Fault
from projections.storage.rows import RowStore, RowsUnavailable


def new_command_id() -> str:
    """Return an id for a command without a request."""
    return f"{secrets.token_hex(8)}-{secrets.token_hex(8)}"


LOG = logging.getLogger("trickbook.worker")
FIRST_PAUSE_S, LONGEST_PAUSE_S = 2.0, 600.0
UNAVAILABLE = (StoreUnavailable, RowsUnavailable, NoSigningKey)
MAX_GAMES = 10_000
"""The number of failing games remembered; beyond it, all are tried again."""


class FailingGames:
    """The failing games of one worker. A game whose log can't be read goes into quarantine."""

    def __init__(self, rows: RowStore) -> None:
        self._rows = rows
        self._pauses: dict[str, tuple[float, float, str | None]] = {}

    def __bool__(self) -> bool:
        return bool(self._pauses)

    def waits(self, game: str) -> bool:
        """Return whether the time of the game's next attempt hasn't come."""
        return game in self._pauses and monotonic() < self._pauses[game][0]

    def unavailable(self, game: str) -> None:
        """Leave a game alone for a moment, since a store didn't answer."""
        self._pauses[game] = monotonic() + FIRST_PAUSE_S, 0.0, None

    def failed(self, game: str, reason: str) -> bool:
        """Note a failure, log it if its reason is new, and return whether it is."""
        _, last_pause_s, last_reason = self._pauses.get(game, (0.0, 0.0, None))
        if len(self._pauses) >= MAX_GAMES:
            self._pauses.clear()
        pause_s = min(LONGEST_PAUSE_S, max(FIRST_PAUSE_S, 2 * last_pause_s))
        self._pauses[game] = monotonic() + pause_s, pause_s, reason
        if reason != last_reason:
            LOG.warning("game %s failed and will be tried again: %s", game, reason)
        return reason != last_reason

    def succeeded(self, game: str) -> None:
        """Forget the game's failures."""
        self._pauses.pop(game, None)

    def each(self, games: Collection[str], handle: Callable[[str], None]) -> int:
        """Handle each game but those that failed a short time ago; return the number handled.

        If a store didn't answer, raise its error at the end.
        """
        handled, unavailable = [game for game in games if not self.waits(game)], None
        for game in handled:
            try:
                handle(game)
            except Corrupt as error:
                self.quarantine(game, error)
            except RaceLost:
                LOG.debug("game %s: other commits were faster", game)
            except UNAVAILABLE as error:
                self.unavailable(game)
                unavailable = error
            except Exception as error:  # one game that fails must not block the others
                if self.failed(game, type(error).__name__):
                    LOG.exception("game %s", game)
            else:
                self.succeeded(game)
        if unavailable is not None:
            raise unavailable
        return len(handled)

    def quarantine(self, game: str, error: Corrupt) -> None:
        """Put a game in quarantine whose log can't be loaded."""
        if self.failed(game, str(error)):
            LOG.error("game %s is in quarantine: %s", game, error)
        with suppress(RowsUnavailable):  # the next attempt puts it there
            self._rows.quarantine_log(Fault(game, 0, error.version, error.what, error.too_new))
