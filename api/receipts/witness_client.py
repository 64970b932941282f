"""Asks a witness over HTTP to sign the head of a log, with the request add-checkpoint of c2sp.org/tlog-witness."""

from collections.abc import Sequence

import httpx

from api.receipts.witness import WitnessRefuses
from api.receipts.witness_server import CONFLICT, PATH
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import (
    ConsistencyProof,
    NotANote,
    Note,
    Signature,
    parse_checkpoint,
    parse_signatures,
)

TIMEOUT_S = 10.0


class NotAWitness(Exception):
    """Nothing at the address answers as a witness does."""


def ask_witness(url: str, note: Note, leaves: Sequence[bytes]) -> list[Signature]:
    """Return the signature lines of the witness at `url` on the head in `note`. `leaves` are those of its log.

    Raise WitnessRefuses with the status of its answer, and NotAWitness if there's no answer that can be read.
    """
    size = parse_checkpoint(note.body).size
    leaves = leaves[:size]
    with httpx.Client(timeout=TIMEOUT_S) as client:
        answer = _send(client, url, ConsistencyProof(0, (), note))
        if answer.status_code == CONFLICT:
            old = _signed_size(answer, size)
            answer = _send(client, url, ConsistencyProof(old, tuple(consistency(leaves, old, size)), note))
    if answer.status_code != httpx.codes.OK:
        raise WitnessRefuses(answer.status_code, answer.text[:200].strip() or f"it answers {answer.status_code}")
    try:
        return list(parse_signatures(answer.text))
    except NotANote as error:
        raise NotAWitness(f"The answer isn't a signature: {error}.") from None


def _send(client: httpx.Client, url: str, proof: ConsistencyProof) -> httpx.Response:
    try:
        return client.post(url.rstrip("/") + PATH, content=proof.text.encode())
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NotAWitness(f"It doesn't answer: {error}.") from None


def _signed_size(answer: httpx.Response, size: int) -> int:
    """Return the size of the last head that the witness has signed, from its answer to another size."""
    text = answer.text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise NotAWitness("It answers 409 without the size of the last head that it has signed.")
    if int(text) > size:
        raise WitnessRefuses(CONFLICT, f"it has signed {text} events of this game, and this receipt is of {size}")
    return int(text)
