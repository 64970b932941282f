"""Takes the newest receipts of games whose hands have ended to the witnesses of the server, and stores what they sign.

An item of the queue is a game and a witness. A later hand of the game waits in the same item: one receipt covers all.
"""

import logging
import threading
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import httpx

from api.container import Services
from api.delivery.stored import queue
from api.delivery.stored.queue import WITNESSES, TakenItem
from api.evidence.services.receipts import TEMPORARY_ERRORS, NoCosignature
from api.evidence.services.witness import CONFLICT, PATH, WitnessRefuses
from api.evidence.stored.receipts import MAX_SIZE, has_newer
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import (
    MAX_SIGNATURES,
    ConsistencyProof,
    NotANote,
    Note,
    Signature,
    parse_checkpoint,
    parse_note,
    parse_signatures,
)
from domain.store import NoSuchGame, StoreUnavailable
from domain.store.aggregate import Corrupt
from domain.store.wakeups import Poll
from projections.followers.troubles import TroubleLog

TIMEOUT_S = 10.0
"""How long an answer may take in all, give or take one read of it."""
READ_TIMEOUT_S = 5.0
MAX_ANSWER = 64 * 1024
"""The longest answer that is read, in bytes."""
LONGEST_REASON = 200
"""How much of a refusal is shown, in characters."""


class NotAWitness(Exception):
    """Nothing at the address answers as a witness does."""


class _Answer(NamedTuple):
    status: int
    text: str


def ask_witness(url: str, note: Note, leaves: Sequence[bytes], timeout_s: float = TIMEOUT_S) -> list[Signature]:
    """Return the signature lines of the witness at `url` on the head in `note`. `leaves` are those of its log.

    Raise WitnessRefuses with the status of its answer, and NotAWitness if there's no answer that can be read.
    """
    size = parse_checkpoint(note.body).size
    leaves = leaves[:size]
    with httpx.Client(timeout=READ_TIMEOUT_S, trust_env=False, follow_redirects=False) as client:
        answer = _send(client, url, ConsistencyProof(0, (), note), timeout_s)
        if answer.status == CONFLICT:
            old = _signed_size(answer, size)
            answer = _send(client, url, ConsistencyProof(old, tuple(consistency(leaves, old, size)), note), timeout_s)
    if answer.status != httpx.codes.OK:
        reason = answer.text[:LONGEST_REASON].strip()
        raise WitnessRefuses(answer.status, reason or f"it answers {answer.status}")
    try:
        lines = list(parse_signatures(answer.text))
    except NotANote as error:
        raise NotAWitness(f"The answer isn't a signature: {error}.") from None
    most = MAX_SIGNATURES - len(note.signatures)
    if len(lines) > most:
        raise NotAWitness(f"It answers {len(lines)} signatures, and this receipt has room for {most}.")
    return lines


def _send(client: httpx.Client, url: str, proof: ConsistencyProof, timeout_s: float) -> _Answer:
    try:
        status, body = _post(client, url.rstrip("/") + PATH, proof.text.encode(), monotonic() + timeout_s)
        return _Answer(status, body.decode("utf-8"))
    except UnicodeDecodeError:
        raise NotAWitness("Its answer isn't UTF-8.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NotAWitness(f"It doesn't answer: {error}.") from None


def _post(client: httpx.Client, url: str, content: bytes, until: float) -> tuple[int, bytes]:
    """Return the status and the body of an answer. The body isn't unpacked, so a small one stays small."""
    body = b""
    with client.stream("POST", url, content=content, headers={"Accept-Encoding": "identity"}) as answer:
        for part in answer.iter_raw():
            body += part
            if len(body) > MAX_ANSWER:
                raise NotAWitness("Its answer is too long.")
            if monotonic() > until:
                raise NotAWitness("Its answer took too long.")
    return answer.status_code, body


def _signed_size(answer: _Answer, size: int) -> int:
    """Return the size of the last head that the witness has signed, from its answer to another size."""
    text = answer.text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise NotAWitness("It answers 409 without the size of the last head that it has signed.")
    if int(text) > size:
        raise WitnessRefuses(CONFLICT, f"it has signed {text} events of this game, and this receipt is of {size}")
    return int(text)


LOG = logging.getLogger("trickbook.witness")
POLL_S, IDLE_POLL_S = 1.0, 10.0
"""How often the queue is looked at after a change, and how often at last without one."""
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
        shortest_s = POLL_S if self._urls else IDLE_POLL_S  # without a witness, what waits for earlier ones ends
        trouble, poll = TroubleLog(LOG, "asking witnesses"), Poll(self._services.wakeups, shortest_s, IDLE_POLL_S)
        while not poll.wait(stop):
            with trouble.attempt(StoreUnavailable):
                self.run_once()

    def run_once(self) -> int:
        """Ask for what is due, and return how many receipts were signed.

        A witness that fails once isn't asked about the other games: it may hang, and would delay other witnesses.
        """
        signed, failed = 0, dict[str, str]()
        for item in self._queue.take_due(WITNESSES, AT_ONCE):
            signed += self._deliver(item, failed)
        return signed

    def _deliver(self, item: TakenItem, failed: dict[str, str]) -> bool:
        """Have a receipt signed, and return whether it was. `failed` says by label why witnesses can't sign now."""
        game, _, label = item.key.partition(" ")
        url = self._urls.get(label)
        if url is None:
            self._queue.end(item, "the host has taken the witness out of TRICKBOOK_WITNESSES")
            return False
        if label in failed:
            self._queue.fail(item, failed[label])
            return False
        try:
            size = self._cosign(game, label, url)
        except WitnessRefuses as refusal:
            why, for_good = f"{refusal.status}: {refusal}", refusal.status not in TRY_AGAIN
            if not for_good:
                failed[label] = why
            if self._queue.fail(item, why, for_good=for_good):
                LOG.warning("game %s: %s doesn't sign its receipt: %s", game, url, refusal)
        except (NoCosignature, NoSuchGame, Corrupt, LookupError) as error:
            self._queue.end(item, str(error))
            LOG.warning("game %s: no signature of %s: %s", game, url, error)
        except NotAWitness as error:
            failed[label] = str(error)
            self._queue.fail(item, str(error))
        except TEMPORARY_ERRORS as error:
            self._queue.fail(item, str(error))
        else:
            self._end(item, game, size)
            return True
        return False

    def _cosign(self, game: str, label: str, url: str) -> int:
        """Take the newest receipt of a game to a witness, unless it has signed that one; return the receipt's size.

        The game goes on meanwhile, and nobody has asked for a receipt of what has happened since.
        """
        receipts, games = self._services.receipts, self._services.games
        kept = receipts.find(game, MAX_SIZE) or receipts.issue(game)
        note = parse_note(kept.note)
        if not _has_signed(label, note):
            leaves = [entry.leaf for entry in games.entries(game, 0, kept.size)]
            signed = receipts.add_cosignatures(game, kept.size, ask_witness(url, note, leaves))
            if not _has_signed(label, parse_note(signed.note)):
                raise NoCosignature("The signature that it answers is that of another witness.")
        return kept.size

    def _end(self, item: TakenItem, game: str, signed: int) -> None:
        """End an item whose receipt is signed, unless the game has a newer receipt by now: that one is its news."""
        with self._services.accounts.database.transaction(writes=True) as transaction:
            if queue.has_lease(transaction, item):  # a hand that ends now waits for the end of this transaction
                newer = has_newer(transaction, game, signed)
                queue.end(transaction, item, next_due=transaction.now() if newer else None)


def _has_signed(label: str, note: Note) -> bool:
    return any(each.label == label for each in note.signatures)
