"""A second implementation of FairDeal v1, from docs/fairness.md alone, and checks of an export's ceremonies with it."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from hmac import digest
from typing import Any

Cuts = Sequence[tuple[str, bytes]]
Facts = Sequence[dict[str, Any]]


def encode(*parts: object) -> bytes:
    """Join the parts, each with its length in front as 4 bytes big-endian."""
    raw = b""
    for part in parts:
        match part:
            case int():
                one = part.to_bytes(4, "big")
            case str():
                one = part.encode("ascii")
            case _:
                assert isinstance(part, bytes)
                one = part
        raw += len(one).to_bytes(4, "big") + one
    return raw


def commitment(game: str, n: int, subject: str, seed: bytes) -> str:
    """Return the commitment, which the game shows before the cuts, in hex."""
    return sha256(encode("fairdeal/1 commit", game, n, subject, seed)).hexdigest()


def seal(game: str, seat: int, cut: bytes) -> str:
    """Return the seal of a cut, which a seat shows before the commitment, in hex."""
    return sha256(encode("fairdeal/1 seal", game, str(seat), cut)).hexdigest()


def ceremony_key(game: str, n: int, subject: str, seed: bytes, cuts: Cuts) -> bytes:
    """Return the key of all draws of a ceremony."""
    flat = [part for cut in cuts for part in cut]
    return digest(seed, encode("fairdeal/1 key", game, n, subject, len(cuts), *flat), "sha256")


def stream(key: bytes, label: str) -> Iterator[int]:
    """Yield the bytes of an endless random stream."""
    for i in range(1 << 32):
        yield from digest(key, encode("fairdeal/1 draw", label, i), "sha256")


def number_below(read: Iterator[int], m: int) -> int:
    """Return a number below m, by rejection sampling."""
    k = 0
    while 256**k < m:
        k += 1
    limit = 256**k - 256**k % m
    while True:
        x = int.from_bytes(bytes(next(read) for _ in range(k)), "big")
        if x < limit:
            return x % m


def shuffle(key: bytes, label: str, size: int) -> list[int]:
    """Return a Fisher-Yates shuffle of the places, from the last place down."""
    places, read = list(range(size)), stream(key, label)
    for i in range(size - 1, 0, -1):
        j = number_below(read, i + 1)
        places[i], places[j] = places[j], places[i]
    return places


def pick(key: bytes, label: str, m: int) -> int:
    """Return pick(label, m) of docs/fairness.md."""
    return number_below(stream(key, label), m)


def ceremony_data(facts: Facts, n: int, name: str) -> list[dict[str, Any]]:
    """Return the data of the facts with this name in a ceremony."""
    return [each["data"] for each in facts if each["fact"] == name and each["data"].get("n") == n]


def revealed_secret(facts: Facts, n: int) -> tuple[str, str, bytes]:
    """Return the subject, the commitment and the revealed seed of a ceremony."""
    (opened,) = ceremony_data(facts, n, "CeremonyOpened")
    (kept,) = ceremony_data(facts, n, "SeedKept")
    shown = ceremony_data(facts, n, "CeremonyRevealed") + ceremony_data(facts, n, "CeremonyVoided")
    assert [each["seed"] for each in shown] == [kept["seed"]], f"ceremony {n} is shown once, with its seed"
    return opened["subject"], opened["commit"], bytes.fromhex(kept["seed"])


def check_commitment(facts: Facts, n: int) -> None:
    """Check that the revealed seed fits the commitment."""
    subject, promised, seed = revealed_secret(facts, n)
    assert commitment(facts[0]["game"], n, subject, seed) == promised


def key_of(facts: Facts, n: int, cuts: Cuts = ()) -> bytes:
    """Return the key of a revealed ceremony."""
    subject, _, seed = revealed_secret(facts, n)
    return ceremony_key(facts[0]["game"], n, subject, seed, cuts)


def cuts_of(dealt: dict[str, Any]) -> list[tuple[str, bytes]]:
    """Return the cuts that a deal used, as (source, bytes)."""
    return [(source, bytes.fromhex(cut)) for source, cut in dealt["cuts"]]


def check_deal(facts: Facts, n: int) -> dict[str, Any]:
    """Recompute the deck from seed and cuts, check that it was dealt from eldest hand on, and return the HandDealt."""
    check_commitment(facts, n)
    (dealt,) = ceremony_data(facts, n, "HandDealt")
    canonical = facts[0]["data"]["deck"]
    deck = [canonical[i] for i in shuffle(key_of(facts, n, cuts_of(dealt)), "deck", len(canonical))]
    counts, seats = dealt["counts"], len(dealt["counts"])
    given: dict[int, list[str]] = {seat: [] for seat in range(seats)}
    for i in range(sum(counts)):
        given[(dealt["eldest"] + i) % seats].append(deck[i])
    told = ceremony_data(facts, n, "CardsDealt")
    assert {each["seat"]: each["cards"] for each in told} == given
    assert [len(given[seat]) for seat in range(seats)] == counts
    stock = [card for each in ceremony_data(facts, n, "StockLaid") for card in each["cards"]]
    assert stock == deck[sum(counts) :]
    return dealt
