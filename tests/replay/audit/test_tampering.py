"""Any change to a stored fact is found and named, with the old hashes and with recomputed ones."""

import json
from random import Random
from typing import Any

import pytest

from domain.protocols import fairdeal
from domain.protocols.merkle_log import canonical
from domain.state import require
from replay.audit import WRONG, Report, audit
from replay.history import History, read_export
from replay.rejudge import rejudge
from tests.replay.forging import (
    Path,
    event_of,
    forged,
    in_event,
    leaves_of,
    other,
    put,
    texts,
    with_lines,
)
from tests.replay.playing import table
from tests.replay.variety import of


@pytest.fixture(scope="module")
def game() -> History:
    """A small game with every kind of fact that a game of Pitch can have."""
    made = table(3, 3, win=7)
    for _ in range(3):
        made.move()
    while not made.game.state.hand or made.game.state.hand.pitcher is None:
        made.move()
    made.move()
    made.undo()
    made.play(0.1, most=25)
    made.draw(accept=False)
    made.resign(2)
    made.resign(0)
    return made.history


PITCH = {
    *("GameOpened", "CeremonyOpened", "SeedKept", "HandDealt", "CardsDealt", "StockLaid", "CeremonyRevealed"),
    *("BidMade", "BidPassed", "HandThrownIn", "AuctionWon", "TrumpPitched", "CardPlayed", "TrickTaken", "HandScored"),
    *("UndoAsked", "UndoAnswered", "MovesTakenBack", "DrawProposed", "DrawAnswered", "SeatResigned", "GameEnded"),
}
"""The facts that a game of Pitch can have, except for a voided ceremony."""


def named(report: Report, version: int) -> bool:
    return report.code(live_is_fine=True) == WRONG and any(found.version == version for found in report.findings)


def changed(line: bytes, at: Path) -> bytes:
    """Return a canonical line with the value at `at` changed, so that only the content shows the change."""
    return canonical(put(json.loads(line), at, other))


@pytest.mark.lengthy
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["first", "all"])
def test_a_change_to_any_value_of_any_event_is_named(game: History, every: bool) -> None:
    lines, seen = texts(game), set[str]()
    for place, line in enumerate(lines):
        fact = event_of(line)["fact"]
        if fact in seen and not every:
            continue
        seen.add(fact)
        for at in [*leaves_of(json.loads(line))][:: 1 if every else 5]:
            forgery = changed(line, at)
            report = audit(read_export(with_lines(game, [*lines[:place], forgery, *lines[place + 1 :]])))
            version = place + 2 if at == ("version",) else place + 1
            assert named(report, version), (at, report.findings)
    assert seen == PITCH


def test_nothing_is_judged_after_lines_out_of_order(game: History) -> None:
    lines = texts(game)
    report = audit(read_export(with_lines(game, [*lines[:9], *lines[10:]])))
    assert str(report.ledger.unjudged) == "event 11: from here on the events are out of order and weren't checked"
    assert require(report.to_json()["log"]["unjudged"])["version"] == 11


def test_a_seed_that_was_chosen_later_does_not_deal_these_cards(game: History) -> None:
    """Seed, commitment and reveal are all replaced: the cards show it."""
    seed = bytes(32)
    commit = fairdeal.commit(game.header.game, 1, "deal hand 1", seed).hex()

    def change(event: dict[str, Any]) -> None:
        if event["data"].get("n") == 1:
            event["data"].update({"seed": seed.hex()} if "seed" in event["data"] else {})
            event["data"].update({"commit": commit} if "commit" in event["data"] else {})

    report = audit(forged(game, change))
    assert {found.version for found in report.findings} == {*range(5, 8), 8}
    assert report.to_json()["hands"][0]["deck"] == "wrong"


ODD: tuple[Any, ...] = (-1, 10**15, "", [], None, {}, "\N{REPLACEMENT CHARACTER}", 0, 99, "A", [0], [[99]], True)
OTHERS = ("Blackout", "Corellian that changes all the time", "Corellian of secret partners")


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("name", "many"),
    [
        ("gamerz Pitch", 60),
        *((name, 16) for name in OTHERS),
        *(pytest.param(name, 4000, marks=pytest.mark.slow) for name in ("gamerz Pitch", *OTHERS)),
    ],
)
def test_no_value_makes_the_readers_fail(game: History, name: str, many: int) -> None:
    """Put odd values in places of events and recompute every hash: the readers still give a report."""
    history = game if name == "gamerz Pitch" else of(name, 5).hands(2, also=0.2).history
    lines, random = texts(history), Random(many)
    places = [(version, path) for version, line in enumerate(lines, 1) for path in leaves_of(event_of(line))]
    for version, path in random.sample(places, min(many, len(places))):
        odd = random.choice(ODD)

        def change(event: dict[str, Any], version: int = version, path: Path = path, odd: Any = odd) -> None:
            if event["version"] == version:
                event.update(put(event, path, lambda _: odd))

        forgery = forged(history, change)
        assert audit(forgery, rejudge(forgery)).to_json()["audit"] == "trickbook-audit/1"


@pytest.mark.parametrize(
    ("path", "number"),
    [(("hand_sizes", 0), 10**15), (("points", 0, "worth"), -1), (("auction", "least"), -(10**15))],
    ids=["cards in a hand", "the worth of a point", "the least bid"],
)
def test_rules_with_impossible_numbers_are_refused(path: Path, number: int) -> None:
    history = of("Corellian Pitch").play(most=3).history
    change = in_event(1, lambda event: event.update(put(event, ("data", "rules", *path), lambda _: number)))
    forgery = forged(history, change)
    report = audit(forgery, rejudge(forgery))
    assert "its rules hold numbers that are out of range" in str(report.findings[0])
