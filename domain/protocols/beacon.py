"""A public beacon as one more cut: drand publishes a signed round every few seconds (docs/fairness.md#a-public-beacon).

A round has a number, and a time at which it's published. Its signature is a BLS signature on G1 over the number, by a
key that no single node holds, so nobody knows it before. There is exactly one valid signature of a round, and its cut
is the SHA-256 hash of that signature. Everything here works offline.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256

# 3 ms for a signature; py-ecc, in pure Python, takes 2.4 s, and pyblst has wheels for fewer systems
from py_arkworks_bls12381 import GT, G1Point, G2Point

SIGNATURE_DIGITS = 96
"""The length of a signature in hex: a compressed point of G1."""
LEAD_S = 3
"""How many seconds after the commitment the named round is published at the earliest."""
MAX_ROUND = 2**63 - 1
_DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""The domain separation tag of the scheme bls-unchained-g1-rfc9380."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SIGNATURE = re.compile(f"[0-9a-f]{{{SIGNATURE_DIGITS}}}")
_ROUND = re.compile(r"[1-9][0-9]{0,18}")


@dataclass(frozen=True)
class Chain:
    """A chain of rounds of the scheme bls-unchained-g1-rfc9380.

    `hash` names the chain in drand's HTTP API. Round 1 is published at `genesis`, in seconds since 1970, and one more
    every `period_s` seconds. `public_key` is a compressed point of G2 in hex.
    """

    hash: str
    genesis: int
    period_s: int
    public_key: str


QUICKNET = "drand/quicknet"
CHAINS: Mapping[str, Chain] = {
    QUICKNET: Chain(
        hash="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        genesis=1692803367,
        period_s=3,
        public_key=(
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
            "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
        ),
    )
}
"""The known chains by name. The source of a cut is the chain's name, a slash, and the number of the round."""


def parse_source(source: str) -> tuple[Chain, int] | None:
    """Return the chain and the round that a source such as "drand/quicknet/1000" names, or None."""
    name, _, number = source.rpartition("/")
    chain = CHAINS.get(name)
    if chain is None or _ROUND.fullmatch(number) is None or int(number) > MAX_ROUND:
        return None
    return chain, int(number)


def round_to_name(chain: str, committed_at: str) -> str | None:
    """Return the source that a commitment must name: the first round at least `LEAD_S` seconds later.

    None if the chain isn't known, or `committed_at` isn't a time in the format of events.
    """
    known = CHAINS.get(chain)
    try:
        earliest = _parse_time(committed_at) + timedelta(seconds=LEAD_S)
    except (OverflowError, ValueError):
        return None
    if known is None:
        return None
    periods = -((_EPOCH + timedelta(seconds=known.genesis) - earliest) // timedelta(seconds=known.period_s))
    return f"{chain}/{max(0, periods) + 1}"


def publication_time(source: str) -> str | None:
    """Return when a round is published, in the format of events; None for an unknown source or after the year 9999."""
    named = parse_source(source)
    if named is None:
        return None
    chain, number = named
    try:
        published = _EPOCH + timedelta(seconds=chain.genesis + (number - 1) * chain.period_s)
    except OverflowError:
        return None
    return published.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _parse_time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


def is_signature(text: str) -> bool:
    """Return whether `text` has the form of a signature: 48 bytes in lower-case hex."""
    return _SIGNATURE.fullmatch(text) is not None


def cut_of(signature: str) -> str:
    """Return the 32 bytes that a signature adds to a shuffle, in hex: drand calls them the round's randomness.

    Raise ValueError if `signature` isn't hex.
    """
    return sha256(bytes.fromhex(signature)).hexdigest()


@lru_cache(maxsize=256)
def is_signed(source: str, signature: str) -> bool:
    """Return whether `signature`, in hex, is the one of the round that `source` names. Takes about 3 ms."""
    named = parse_source(source)
    if named is None or not is_signature(signature):
        return False
    chain, number = named
    raw = bytes.fromhex(signature)
    try:
        point = G1Point.from_compressed_bytes(raw)  # on the curve and in the subgroup
    except ValueError:
        return False
    if point == G1Point.identity() or bytes(point.to_compressed_bytes()) != raw:
        return False
    message = G1Point.hash_to_curve(sha256(number.to_bytes(8, "big")).digest(), _DOMAIN)
    key = G2Point.from_compressed_bytes(bytes.fromhex(chain.public_key))
    return bool(GT.pairing_check([point, -message], [G2Point(), key]))
