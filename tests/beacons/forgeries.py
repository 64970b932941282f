"""Tampering with a beacon, each by a forger who recomputes every hash, and what the audit says about it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from domain.protocols import beacon
from domain.protocols.beacon import cut_of
from replay.history import History
from tests.beacons import games as beacon_games
from tests.beacons.games import history_of, three_hands
from tests.beacons.rounds import SIGNATURES, source_of
from tests.games.tables import Table

Event = dict[str, Any]
FLIPPED = SIGNATURES[1001][:-1] + ("8" if SIGNATURES[1001][-1] == "0" else "0")


@cache
def game() -> History:
    return history_of(three_hands())


@cache
def with_own_signatures() -> History:
    """Return the same game by a server that makes the signatures up, and deals by them: all else is right."""
    own = {number: signature[:-4] + "abcd" for number, signature in SIGNATURES.items()}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(beacon, "is_signed", lambda *_: True)
        patched.setattr(beacon_games, "SIGNATURES", own)
        return history_of(three_hands())


@cache
def plain_game() -> History:
    return history_of(Table(2).plays_out())


def change(fact: str, n: int, /, **fields: Any) -> Callable[[Event], None]:
    """Set fields of the fact of a ceremony."""

    def apply(event: Event) -> None:
        if event["fact"] == fact and event["data"].get("n") == n:
            event["data"].update(fields)

    return apply


def mix(n: int, *cuts: tuple[str, str]) -> Callable[[Event], None]:
    """Put other beacons behind the players' cuts of a deal."""

    def apply(event: Event) -> None:
        if event["fact"] == "HandDealt" and event["data"]["n"] == n:
            players = [each for each in event["data"]["cuts"] if each[0].isdecimal()]
            event["data"]["cuts"] = [*players, *map(list, cuts)]

    return apply


def at(fact: str, n: int, time: str) -> Callable[[Event], None]:
    """Set the time of every event of the commit that holds the fact."""
    (found,) = (each for each in game().events if each.fact == fact and getattr(each.data, "n", None) == n)

    def apply(event: Event) -> None:
        if event["command"] == found.command:
            event["at"] = time

    return apply


def opening(beacon: str | None) -> Callable[[Event], None]:
    def apply(event: Event) -> None:
        if event["fact"] == "GameOpened":
            event["data"]["fairness"]["beacon"] = beacon

    return apply


def every_round_left_out(event: Event) -> None:
    """Leave the rounds out of promises and deals, and keep the grade."""
    if event["fact"] == "CeremonyOpened":
        event["data"]["beacon"] = None
    if event["fact"] == "HandDealt":
        event["data"]["cuts"] = [each for each in event["data"]["cuts"] if each[0].isdecimal()]


def recorded(n: int, number: int, signature: str | None = None, cut: str | None = None) -> Callable[[Event], None]:
    """Record another round for a ceremony, and mix it into the deal."""
    signed = SIGNATURES[number] if signature is None else signature
    mixed = cut_of(signed) if cut is None else cut
    source = source_of(number)
    return several(change("BeaconRecorded", n, source=source, signature=signed, cut=mixed), mix(n, (source, mixed)))


def several(*steps: Callable[[Event], None]) -> Callable[[Event], None]:
    def apply(event: Event) -> None:
        for step in steps:
            step(event)

    return apply


FORGERIES: dict[str, tuple[Callable[[Event], None], str]] = {
    "another round than was named": (recorded(2, 1002), "it brings drand/quicknet/1002, but ceremony 2 named"),
    "a signature with a flipped bit": (recorded(2, 1001, FLIPPED), "its signature isn't that of drand/quicknet/1001"),
    "the signature of another round": (recorded(2, 1001, SIGNATURES[1002]), "its signature isn't that of"),
    "the point at infinity": (recorded(2, 1001, "c0" + "00" * 47), "its signature isn't that of"),
    "a cut that isn't the hash": (recorded(2, 1001, cut="5a" * 32), "its cut isn't the hash of its signature"),
    "another cut in the deal": (mix(2, (source_of(1001), "5a" * 32)), "its cuts aren't those that were made"),
    "a beacon left out of the deal": (mix(2), "its cuts aren't those that were made"),
    "a beacon put into a deal": (
        mix(3, (source_of(1003), cut_of(SIGNATURES[1003]))),
        "its cuts aren't those that were made",
    ),
    "a round known before the promise": (
        several(change("CeremonyOpened", 2, beacon=source_of(1000)), recorded(2, 1000)),
        "it names drand/quicknet/1000, but must name drand/quicknet/1001",
    ),
    "a promise that was made later": (at("CeremonyOpened", 2, "2023-08-23T15:59:26.000000Z"), "must name"),
    "a promise without a round": (change("CeremonyOpened", 3, beacon=None), "it names no round of a beacon"),
    "a round before its time": (at("BeaconRecorded", 2, "2023-08-23T15:59:26.999999Z"), "is published at"),
    "a game without the option": (opening(None), "must name none"),
    "an unknown chain": (opening("drand/default"), "the beacon drand/default of this game isn't known"),
    "F3 without a beacon": (every_round_left_out, "its grade is F3, but its cuts and seals make F2"),
    "F3 for a deal whose round didn't come": (change("HandDealt", 3, grade="F3"), "its grade is F3"),
    "F2 for a deal with a beacon": (change("HandDealt", 2, grade="F2"), "its grade is F2"),
    "a beacon for another ceremony": (change("BeaconRecorded", 2, n=1), "it brings a beacon for ceremony 1"),
    "a beacon by a stranger": (
        lambda event: event.update(by="p9") if event["fact"] == "BeaconRecorded" else None,
        "its author is p9",
    ),
}
