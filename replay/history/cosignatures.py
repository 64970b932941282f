"""Cosignatures of witnesses on receipts, as c2sp.org/tlog-cosignature specifies them.

A witness signs a checkpoint, with a time, if it continues the last one of this log that the witness has seen. So one
witness cosigns one history of a game, and a receipt with its signature is of that history.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, TypedDict

from domain.json_fields import says
from domain.protocols.signed_notes import COSIGNATURE, Key, Note, Signature, cosigned_text
from replay.history.signatures import BadSignature, is_valid_signature

TIME_BYTES = 8
LATEST_S = 253_402_300_799
"""The last second of the year 9999."""


class ReportedCosignature(TypedDict):
    """A witness that has signed a receipt, and when, by its own clock."""

    witness: Annotated[str, says("The name and id of its key.")]
    at: Annotated[str, says("A time in UTC.")]


@dataclass(frozen=True)
class Cosignature:
    """A valid signature of a witness, and when it was made, in seconds since 1970, by the clock of the witness."""

    key: Key
    seconds: int

    @property
    def at(self) -> str:
        """The time as text."""
        return datetime.fromtimestamp(self.seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def to_json(self) -> ReportedCosignature:
        """Return the cosignature as JSON values, as in a report."""
        return {"witness": self.key.label, "at": self.at}

    def __str__(self) -> str:
        return f"cosigned by {self.key.label} at {self.at}"


def cosignatures(note: Note, keys: Iterable[Key]) -> list[Cosignature]:
    """Return the cosignatures of those of `keys` that are of witnesses; ignore signatures of other keys.

    Raise BadSignature if a signature names one of these keys and isn't valid: then nothing in the note counts.
    """
    known = {(key.name, key.id): key for key in keys if key.kind == COSIGNATURE}
    found = []
    for each in note.signatures:
        key = known.get((each.name, each.key_id))
        if key is not None:
            found.append(_checked(note.body, each, key))
    return found


def _checked(body: str, line: Signature, key: Key) -> Cosignature:
    seconds = int.from_bytes(line.signed[:TIME_BYTES], "big")
    text, signed = cosigned_text(body, seconds), line.signed[TIME_BYTES:]
    if not 0 < seconds <= LATEST_S or not is_valid_signature(signed, text, key):
        raise BadSignature(f"the cosignature isn't by {key.label}, the witness that it names")
    return Cosignature(key, seconds)
