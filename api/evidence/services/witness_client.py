"""Asks a witness over HTTP to sign the head of a log, with the request add-checkpoint of c2sp.org/tlog-witness."""

from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import httpx

from api.evidence.services.witness import WitnessRefuses
from api.evidence.services.witness_server import CONFLICT, PATH
from domain.protocols.proofs import consistency
from domain.protocols.signed_notes import (
    MAX_SIGNATURES,
    ConsistencyProof,
    NotANote,
    Note,
    Signature,
    parse_checkpoint,
    parse_signatures,
)

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
