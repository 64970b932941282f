"""Forgeries with recomputed hashes: the JavaScript finds them by their contents, and names the event."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from replay.history import export_bytes
from tests.lists import listed
from tests.replay.forging import events_of, rewritten
from tests.web.engines import Engine
from tests.web.forgeries import BOTS, SETBACK, WILD, ZERO, Event, nth
from tests.web.games import game
from tests.web.reading import reports, told
from tests.web.tampering import TAMPERING, findings


def unnamed(names: list[str], exports: list[bytes], due: Sequence[tuple[int, str]], engine: Engine) -> dict[str, Any]:
    """Return the forgeries without the expected finding, with the findings they got."""
    answers = reports(engine, exports)
    each = zip(names, answers, due, strict=True)
    return {
        name: told(report)
        for name, report, (version, says) in each
        if not any(at == version and says in text for at, text in told(report))
    }


def test_each_kind_of_tampering_is_answered_as_listed(engine: Engine) -> None:
    """If that has changed on purpose, run `python -m tests.web.tampering`."""
    assert findings(engine) == listed(TAMPERING)


ENVELOPES: dict[str, tuple[str, Any, str]] = {
    "an audience": ("seen_by", [0], "it is for some seats, but BidMade isn't"),
    "an author": ("by", "p9", "p9 can't be the author of this BidMade"),
    "another kind of fact": ("fact", "HandScored", "the field bids is missing"),
    "no data": ("data", None, "the field data has another type"),
    "a seat that is not there": ("data", {"seat": 7, "bid": 2, "next": [0]}, "there is no seat 7"),
    "another name": ("fact", "CardPlayed", "the field card is missing"),
}


def test_a_forged_envelope_is_named(engine: Engine) -> None:
    history = game("cuts")
    at = nth(events_of(history), "BidMade", 0)
    exports = []
    for field, value, _ in ENVELOPES.values():
        events = events_of(history)
        events[at][field] = value
        exports.append(export_bytes(rewritten(history, events)))
    due = [(at + 1, says) for *_, says in ENVELOPES.values()]
    assert unnamed(list(ENVELOPES), exports, due, engine) == {}


@pytest.mark.parametrize(
    ("fact", "seats"), [("SeedKept", [0]), ("StockLaid", [0]), ("CardsDealt", []), ("CardsDealt", [1])]
)
def test_a_secret_that_others_could_see_is_named(engine: Engine, fact: str, seats: list[int]) -> None:
    events = events_of(game("cuts"))
    at = nth(events, fact, 0)
    events[at]["seen_by"] = seats
    (report,) = reports(engine, [export_bytes(rewritten(game("cuts"), events))])
    assert any(version == at + 1 and f"but {fact} is for seats" in says for version, says in told(report))


def without(fact: str, n: int = 0) -> Callable[[list[Event]], list[Event]]:
    """Return a change that leaves out the n-th such event and renumbers the later ones."""

    def change(events: list[Event]) -> list[Event]:
        at = nth(events, fact, n)
        return [*events[:at], *events[at + 1 :]]

    return change


def doubled(fact: str) -> Callable[[list[Event]], list[Event]]:
    def change(events: list[Event]) -> list[Event]:
        at = nth(events, fact, 0)
        return [*events[: at + 1], *events[at:]]

    return change


def goes_on(events: list[Event]) -> list[Event]:
    return [*events, events[nth(events, "BidMade", 0)]]


# game, change, the fact that must be named, the finding; =Fact is the event now in the place of that one
COURSES: dict[str, tuple[str, Callable[[list[Event]], list[Event]], str, str]] = {
    "a stock left out": ("cuts", without("StockLaid"), "HandDealt", "cards of its deal are missing"),
    "a reveal left out": (
        "cuts",
        without("CeremonyRevealed"),
        "CeremonyOpened:1",
        "opens before the previous ceremony is revealed",
    ),
    "a trick left out": ("cuts", without("TrickTaken"), "TrickTaken", "it is trick 2 of hand 1, but trick 1"),
    "a change of rules left out": (WILD, without("RulesChanged"), "=RulesChanged", "but no rule changed"),
    "an opening twice": ("cuts", doubled("GameOpened"), "GameOpened:1", "the game is already open"),
    "a deal twice": ("cuts", doubled("HandDealt"), "HandDealt:1", "which isn't open for a deal"),
    "a reveal twice": ("cuts", doubled("CeremonyRevealed"), "CeremonyRevealed:1", "which can't be revealed here"),
    "a score twice": ("cuts", doubled("HandScored"), "HandScored:1", "but the old scores and the changes make"),
    "a bid after the end": ("cuts", goes_on, "BidMade:-1", "it comes after the end of the game"),
    "no opening": ("cuts", without("GameOpened"), "CeremonyOpened", "the game isn't open yet"),
    "seats not drawn": ("Blackout", without("SeatsDrawn"), "CeremonyRevealed", "which can't be revealed here"),
    "a dealer not drawn": (SETBACK, without("DealerDrawn"), "CeremonyRevealed", "which can't be revealed here"),
    "the last reveal left out": ("cuts", without("CeremonyRevealed", 2), "GameEnded", "ceremony 3 is not revealed"),
    "cards drawn and not named": (BOTS, without("CardsTaken"), "=CardsTaken", "CardsTaken of seat"),
}


def test_a_forged_course_is_named(engine: Engine) -> None:
    names, exports, due = [], [], list[tuple[int, str]]()
    for name, (of, change, fact, says) in COURSES.items():
        events = change(events_of(game(of)))
        names.append(name)
        exports.append(export_bytes(rewritten(game(of), events)))
        before = events_of(game(of)) if fact.startswith("=") else events
        due.append((1 + nth(before, fact.removeprefix("="), 0), says))
    assert unnamed(names, exports, due, engine) == {}


def test_a_log_without_an_opening_is_named(engine: Engine) -> None:
    history = game("cuts")
    (report,) = reports(engine, [export_bytes(rewritten(history, events_of(history)[1:]))])
    assert (None, "the log doesn't begin with the opening of a game") in told(report)


def test_a_header_of_another_game_is_found(engine: Engine) -> None:
    history = game("cuts")
    events = [{**event, "game": ZERO} for event in events_of(history)]
    (report,) = reports(engine, [export_bytes(rewritten(history, events))])
    assert (None, "the header names another game, board or variant than the events") in told(report)
