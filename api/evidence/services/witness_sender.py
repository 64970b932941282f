"""Takes the newest receipts of games whose hands have ended to the witnesses of the server, and stores what they sign.

An item of the queue is a game and a witness. A later hand of the game waits in the same item: one receipt covers all.
"""

import logging
import threading

from api.container import Services
from api.delivery.stored.queue import WITNESSES, TakenItem
from api.evidence.services.receipts import TEMPORARY_ERRORS, NoCosignature
from api.evidence.services.witness import WitnessRefuses
from api.evidence.services.witness_client import NotAWitness, ask_witness
from domain.protocols.signed_notes import parse_note
from domain.store import NoSuchGame, StoreUnavailable
from domain.store.aggregate import Corrupt
from projections.followers.troubles import TroubleLog
from projections.followers.wakeups import Poll

LOG = logging.getLogger("trickbook.witness")
POLL_S = 1.0
AT_ONCE = 50
TRY_AGAIN = (429, 500, 502, 503, 504)
"""The statuses of a witness that may sign later."""


class WitnessSender:
    """Several processes may each run one: only one of them takes an item."""

    def __init__(self, services: Services) -> None:
        self._services, self._queue = services, services.accounts.deliveries
        self._urls = {each.key.label: each.url for each in services.config.witnesses if each.url is not None}

    def run(self, stop: threading.Event) -> None:
        """Ask the witnesses until `stop` is set, despite errors."""
        trouble, poll = TroubleLog(LOG, "asking witnesses"), Poll(self._services.wakeups, POLL_S)
        while self._urls and not poll.wait(stop):
            with trouble.attempt(StoreUnavailable):
                self.run_once()

    def run_once(self) -> int:
        """Ask for what is due, and return how many receipts were signed."""
        signed = 0
        for key in self._queue.due(WITNESSES, AT_ONCE):
            item = self._queue.take(WITNESSES, key)
            signed += item is not None and self._deliver(item)
        return signed

    def _deliver(self, item: TakenItem) -> bool:
        """Have a receipt signed, and return whether it was."""
        game, _, label = item.key.partition(" ")
        url = self._urls.get(label)
        if url is None:
            self._queue.end(item, "the host has taken the witness out of TRICKBOOK_WITNESSES")
            return False
        try:
            self._cosign(game, url)
        except WitnessRefuses as refusal:
            if self._queue.fail(item, f"{refusal.status}: {refusal}", for_good=refusal.status not in TRY_AGAIN):
                LOG.warning("game %s: %s doesn't sign its receipt: %s", game, url, refusal)
        except (NoCosignature, NoSuchGame, Corrupt, LookupError) as error:
            self._queue.end(item, str(error))
            LOG.warning("game %s: no signature of %s: %s", game, url, error)
        except (NotAWitness, *TEMPORARY_ERRORS) as error:
            self._queue.fail(item, str(error))
        else:
            self._queue.end(item)
            return True
        return False

    def _cosign(self, game: str, url: str) -> None:
        """Take the newest receipt of a game to a witness, unless it has signed that one."""
        receipts, games = self._services.receipts, self._services.games
        kept = receipts.issue(game)
        leaves = [entry.leaf for entry in games.entries(game, 0, kept.size)]
        receipts.add_cosignatures(game, kept.size, ask_witness(url, parse_note(kept.note), leaves))
