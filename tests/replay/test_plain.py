"""The plain course of play is told by a quick look, and what is amiss in it by a close one."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import asdict

from domain.events import Event
from domain.events.codec import decode
from domain.protocols.merkle_log import canonical
from replay.audit import ledger as books
from replay.audit.fast_path import CARDS, PLAIN
from replay.audit.ledger import Books, keep_books
from replay.fold import Position, positions
from replay.history import History
from tests.replay.forging import events_of, rewritten
from tests.replay.playing import long
from tests.replay.variety import of
from tests.values import replace


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many facts of each name were looked at closely."""
    closely = Counter[str]()
    close = Books._look_closely

    def look(self: Books, event: Event[Any], later: bool) -> None:
        closely[event.fact] += 1
        close(self, event, later)

    monkeypatch.setattr(Books, "_look_closely", look)
    return closely


TABLES = ["gamerz Pitch", "Setback with partners", "Setback with three and low as dealt", "Blackout"]


@pytest.mark.parametrize("name", TABLES)
def test_nearly_all_cards_and_tricks_need_no_close_look(name: str, looks: Counter[str]) -> None:
    history = of(name).play(most=140).history
    cards = sum(event.fact in CARDS for event in history.events)
    keep_books(history)
    assert cards > 80
    assert looks["CardPlayed"] + looks["TrickTaken"] < cards / (2 if name == "Blackout" else 10)


@pytest.mark.parametrize("name", TABLES)
def test_whole_deals_and_tricks_need_a_look_each(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    history = of(name).play(most=140).history
    ones = Counter[str]()
    enter = Books._enter

    def one(self: Books, event: Event[Any], later: bool) -> None:
        ones[event.fact] += 1
        enter(self, event, later)

    monkeypatch.setattr(Books, "_enter", one)
    keep_books(history)
    facts = Counter(event.fact for event in history.events)
    assert ones["TrickTaken"] + ones["CardsDealt"] < (facts["TrickTaken"] + facts["CardsDealt"]) / 4
    assert ones["HandScored"] == facts["HandScored"] > 0


@pytest.mark.parametrize("name", TABLES)
def test_the_books_end_where_following_each_fact_ends(name: str) -> None:
    table = of(name).play(most=50)
    for _ in range(25):
        history = table.play(most=1).history
        *_, last = positions(history.events)
        assert fields_of(keep_books(history).position) == fields_of(last)


def fields_of(position: Position) -> dict[str, Any]:
    """All fields but the positions before: the fast path keeps fewer of them."""
    return asdict(position) | {"past": None}


def told(history: History) -> list[str]:
    kept = keep_books(history)
    return [str(each) for each in (*kept.findings, *(finding for deal in kept.deals for finding in deal.findings))]


def no_look(position: Position, event: Event[Any], before: Event[Any], later: bool) -> None:
    return None


def nothing_whole(position: Position, event: Event[Any], *, step_by_step: bool) -> int:
    return 0


CHANGES: dict[str, dict[str, Any]] = {
    "seat": {"data": {"seat": 3}},
    "a seat that is not there": {"data": {"seat": 9}},
    "bid": {"data": {"bid": 9}},
    "card": {"data": {"card": "2C"}},
    "no card": {"data": {"card": "1Z"}},
    "cards": {"data": {"cards": ["2C", "3C"]}},
    "no cards": {"data": {"cards": []}},
    "ceremony": {"data": {"n": 9}},
    "next": {"data": {"next": [0]}},
    "nobody next": {"data": {"next": []}},
    "trick": {"data": {"trick": 9}},
    "hand": {"data": {"hand": 9}},
    "kept": {"data": {"kept": [{"seat": 0, "card": "2C"}]}},
    "plays": {"data": {"plays": []}},
    "salt": {"salt": "0" * 31 + "X"},
    "audience": {"seen_by": [0]},
    "author": {"by": "p9"},
    "server": {"by": "server"},
    "command": {"command": "0000000000000000-0000000000000000"},
    "an earlier time": {"at": "2020-11-21T00:00:00.000000Z"},
    "a later time": {"at": "2036-11-21T00:00:00.000000Z"},
    "game": {"game": "another"},
}
UNTOLD = [(fact, CHANGES["server"]) for fact in ("TrickTaken", "CardsDealt", "StockLaid")]
UNTOLD.append(("BidMade", CHANGES["command"]))
"""Which it is by anyhow; and nothing else is of the command of a bid."""


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("fact", sorted(PLAIN | {"CardsDealt", "StockLaid"}))
def test_what_is_amiss_is_found_as_by_a_close_look_at_everything(
    fact: str, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = long(4)
    places = [event.version for event in whole.events if event.fact == fact][:40:10]
    found = [told(put(whole, at, change)) for at in places]
    monkeypatch.setattr(books, "plainly", no_look)
    monkeypatch.setattr(books, "size", nothing_whole)
    assert found == [told(put(whole, at, change)) for at in places]
    if change.get("data", {}).keys() <= set(whole.events[places[0] - 1].data.__struct_fields__):
        assert any(found) != ((fact, change) in UNTOLD)


Events = list[dict[str, Any]]


def left_out(events: Events, *facts: str) -> Events:
    """The events of a game without those of these names."""
    return [event for event in events if event["fact"] not in facts]


def no_upcard(events: Events) -> Events:
    """Where no trump is turned up after a deal with a stock, and everybody bids all the same."""
    return left_out(events, "TrumpTurnedUp")


def no_trump(events: Events) -> Events:
    """Where a card is led right after the bids, and nobody has made trump."""
    return left_out(events, "AuctionWon", "TrumpPitched")


def played_before(events: Events) -> Events:
    """Where the card led to the second trick was played to the first, and the taking of it says so, too."""
    first, second = [place for place, event in enumerate(events) if event["fact"] == "TrickTaken"][:2]
    again = events[first]["data"]["plays"][0]["card"]
    events[first + 1]["data"]["card"] = events[second]["data"]["plays"][0]["card"] = again
    return events


COURSES = [
    pytest.param("Blackout", no_upcard, "BidMade stands where TrumpTurnedUp must stand", id="B10 no upcard"),
    pytest.param("gamerz Pitch", no_trump, "CardPlayed stands where AuctionWon must stand", id="S33 no trump"),
    pytest.param("gamerz Pitch", played_before, "has been played already", id="a card played before"),
]


@pytest.mark.parametrize(("name", "change", "says"), COURSES)
def test_a_course_that_is_amiss_is_found_as_by_a_close_look_at_everything(
    name: str, change: Callable[[Events], Events], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = of(name).play(most=140).history
    assert told(history) == []
    other = rewritten(history, change(events_of(history)))
    found = told(other)
    assert any(says in each for each in found), found
    monkeypatch.setattr(books, "plainly", no_look)
    monkeypatch.setattr(books, "size", nothing_whole)
    assert found == told(other)


def put(whole: History, at: int, change: dict[str, Any]) -> History:
    """The history with the change in the event of that version, and its hashes as they were."""
    line = whole.lines[at - 1]
    event = json.loads(line.raw or b"")
    data = event["data"] | {name: value for name, value in change.get("data", {}).items() if name in event["data"]}
    changed = replace(line, event=decode(canonical(event | change | {"data": data})))
    return replace(whole, lines=(*whole.lines[: at - 1], changed, *whole.lines[at:]))
