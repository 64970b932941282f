"""Rounds and decks, computed from docs/fairness.md and docs/verify-a-hand.md alone."""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.api.live_server import data_of

CHAIN = "drand/quicknet"
FIRST_AT, EVERY_S, LEAD_S = 1692803367, 3, 3
FAIRNESS = {"cuts": "sealed", "window_s": 30, "beacon": CHAIN}
MICROSECOND = timedelta(microseconds=1)


def time_of(number: int) -> datetime:
    """Return when a round is published."""
    return datetime.fromtimestamp(FIRST_AT + EVERY_S * (number - 1), UTC)


def round_after(moment: datetime) -> int:
    """Return the first round that is published at least 3 seconds after a moment."""
    since = moment + timedelta(seconds=LEAD_S) - time_of(1)
    return max(1, 1 + -(-since // MICROSECOND) // (EVERY_S * 10**6) + bool(since % timedelta(seconds=EVERY_S)))


def written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def enc(*parts: bytes | str | int) -> bytes:
    raw = [each.to_bytes(4, "big") if isinstance(each, int) else each.encode() if isinstance(each, str) else each
           for each in parts]  # fmt: skip
    return b"".join(len(each).to_bytes(4, "big") + each for each in raw)


def deck_of(facts: list[dict[str, Any]], n: int, cuts: list[tuple[str, bytes]]) -> list[str]:
    """Return the deck of a ceremony as section 4 of docs/verify-a-hand.md says."""
    (opened,) = [each for each in data_of(facts, "CeremonyOpened") if each["n"] == n]
    (shown,) = [each for each in data_of(facts, "CeremonyRevealed") if each["n"] == n]
    game, seed, deck = facts[0]["game"], bytes.fromhex(shown["seed"]), facts[0]["data"]["deck"]
    bound = enc("fairdeal/1 commit", game, n, opened["subject"], seed)
    assert hashlib.sha256(bound).hexdigest() == opened["commit"]
    flat = [part for cut in cuts for part in cut]
    key = hmac.digest(seed, enc("fairdeal/1 key", game, n, opened["subject"], len(cuts), *flat), "sha256")
    stream = (x for i in range(999) for x in hmac.digest(key, enc("fairdeal/1 draw", "deck", i), "sha256"))
    order = list(range(len(deck)))
    for i in range(len(deck) - 1, 0, -1):
        j = next(x for x in stream if x < 256 - 256 % (i + 1)) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return [deck[place] for place in order]


def check_dealt(facts: list[dict[str, Any]], n: int, cuts: list[tuple[str, bytes]]) -> None:
    """Check that the deal used exactly these cuts, and dealt the deck that follows from them."""
    (dealt,) = [each for each in data_of(facts, "HandDealt") if each["n"] == n]
    assert dealt["cuts"] == [[source, cut.hex()] for source, cut in cuts]
    deck, seats = deck_of(facts, n, cuts), len(dealt["counts"])
    hands = {each["seat"]: each["cards"] for each in data_of(facts, "CardsDealt") if each["n"] == n}
    total = sum(dealt["counts"])
    assert hands == {(dealt["eldest"] + turn) % seats: deck[turn:total:seats] for turn in range(seats)}
    assert [each["cards"] for each in data_of(facts, "StockLaid") if each["n"] == n] == [deck[total:]]


def cuts_of(facts: list[dict[str, Any]], n: int) -> list[tuple[str, bytes]]:
    """Return the cuts that seats made, by seat, then that of the beacon: the hash of its signature."""
    made = sorted((each["seat"], each["cut"]) for each in data_of(facts, "CutOpened") if each["n"] == n)
    rounds = [each for each in data_of(facts, "BeaconRecorded") if each["n"] == n]
    for each in rounds:
        assert each["cut"] == hashlib.sha256(bytes.fromhex(each["signature"])).hexdigest()
    drawn = [(each["source"], hashlib.sha256(bytes.fromhex(each["signature"])).digest()) for each in rounds]
    return [(str(seat), bytes.fromhex(cut)) for seat, cut in made] + drawn
