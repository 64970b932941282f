"""The fast path of the audit accepts whole tricks and deals, and nothing that the checks of each fact refuse."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event as note
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from domain.cards import DECK_52
from domain.events import Event
from replay.audit import ledger
from replay.audit.ledger import Ledger, check_events
from replay.fold import Position, positions
from replay.history import History
from tests.replay.forging import events_of, leaves_of, other, put, rewritten
from tests.replay.playing import long
from tests.replay.variety import of

TABLES = ["gamerz Pitch", "Setback with partners", "Setback with three and low as dealt", "Blackout"]
BATCHED = {"CardPlayed", "TrickTaken", "CardsDealt", "StockLaid"}
AROUND = {"BidMade", "AuctionWon", "TrumpPitched", "TrumpTurnedUp", "HandDealt", "CeremonyOpened", "HandScored"}
"""Facts that decide what the fast path may accept next."""

Json = dict[str, Any]
Events = list[Json]


@cache
def game(name: str) -> History:
    """Return a game that is long enough for several hands of whole tricks."""
    return long(4) if name == "long" else of(name).play(most=140).history


def findings(history: History) -> list[str]:
    """Return the findings of the audit, with those of each deal."""
    books = check_events(history)
    return [str(each) for each in (*books.findings, *(finding for deal in books.deals for finding in deal.findings))]


def findings_one_by_one(history: History) -> list[str]:
    """Return the findings of the audit without the fast path."""
    with patch.object(ledger, "batch_size", return_value=0):
        return findings(history)


def fields_of(position: Position) -> Json:
    """Return all fields except the earlier positions: the fast path keeps fewer of them."""
    return asdict(position) | {"past": None}


def checked_singly(history: History) -> list[Event[Any]]:
    """Return the events that the audit checks one by one, and not on the fast path."""
    checked, check = list[Event[Any]](), Ledger._check_event

    def note_event(self: Ledger, event: Event[Any], later: bool) -> None:
        checked.append(event)
        check(self, event, later)

    with patch.object(Ledger, "_check_event", note_event):
        check_events(history)
    return checked


@pytest.mark.parametrize("name", TABLES)
def test_most_cards_and_deals_take_the_fast_path(name: str) -> None:
    history = game(name)
    checked, facts = (Counter(event.fact for event in each) for each in (checked_singly(history), history.events))
    assert sum(checked[fact] for fact in BATCHED) < sum(facts[fact] for fact in BATCHED) / 4
    assert checked["HandScored"] == facts["HandScored"] > 0


def test_S33_the_trick_of_the_card_that_pitches_trump_takes_the_fast_path() -> None:
    checked = {event.version for event in checked_singly(game("long"))}
    cards = [after.version for before, after in pairwise(game("long").events) if before.fact == "TrumpPitched"]
    assert cards
    assert not checked.intersection(cards)


@pytest.mark.parametrize("name", TABLES)
def test_the_audit_and_the_fold_end_in_the_same_position(name: str) -> None:
    table = of(name).play(most=50)
    for _ in range(8):
        history = table.play(most=1).history
        *_, last = positions(history.events)
        assert fields_of(check_events(history).position) == fields_of(last)


@st.composite
def mutated(draw: st.DrawFn) -> History:
    """A real history with up to two changes: to values of an event, or to the order of events. It ends soon after."""
    history = game(draw(st.sampled_from([*TABLES, "long"])))
    events, last = events_of(history), 0
    for _ in range(draw(st.integers(0, 2))):
        facts = draw(st.sampled_from([BATCHED, BATCHED, BATCHED, AROUND, {event["fact"] for event in events}]))
        places = [place for place, event in enumerate(events[:120]) if event["fact"] in facts]
        place = draw(st.sampled_from(places))
        events = draw(st.sampled_from(CHANGES))(draw, events, place)
        last = max(last, place)
    return rewritten(history, events[: last + draw(st.integers(8, 30))])


ENVELOPES: list[Json] = [
    {"salt": "0" * 31 + "X"},
    {"seen_by": [0]},
    {"seen_by": None},
    {"by": "p9"},
    {"by": "server"},
    {"command": "0000000000000000-0000000000000000"},
    {"at": "2020-11-21T00:00:00.000000Z"},
    {"at": "2020-11-22T00:00:00.000000Z"},
    {"at": "2036-11-21T00:00:00.000000Z"},
    {"game": "another"},
]


def _changed_envelope(draw: st.DrawFn, events: Events, place: int) -> Events:
    return [*events[:place], events[place] | draw(st.sampled_from(ENVELOPES)), *events[place + 1 :]]


def _other_card(draw: st.DrawFn, events: Events, place: int) -> Events:
    """Change a card to another one in this event and in the TrickTaken after it."""
    shown = str(events[place]["data"].get("card"))
    card = draw(st.sampled_from(DECK_52))
    end = place + 8
    return [*events[:place], *(_with_card(event, shown, card) for event in events[place:end]), *events[end:]]


def _with_card(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {name: _with_card(each, old, new) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_card(each, old, new) for each in value]
    return new if value == old else value


def _changed_value(draw: st.DrawFn, events: Events, place: int) -> Events:
    """Change a value to another of the same kind, or to the value in another event of this fact."""
    event = events[place]
    path = draw(st.sampled_from([path for path in leaves_of(event) if path[0] == "data"]))
    alike = [each for each in events if each["fact"] == event["fact"] and path in set(leaves_of(each))]
    donor = draw(st.sampled_from([event, *alike]))
    value = _value_at(donor, path)
    change: Callable[[Any], Any] = other if donor is event else lambda _: value
    return [*events[:place], put(event, path, change), *events[place + 1 :]]


def _value_at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _left_out(_: st.DrawFn, events: Events, place: int) -> Events:
    return [*events[:place], *events[place + 1 :]]


def _repeated(_: st.DrawFn, events: Events, place: int) -> Events:
    return [*events[: place + 1], *events[place:]]


def _swapped(draw: st.DrawFn, events: Events, place: int) -> Events:
    """Swap two events, or their data."""
    with_place = min(len(events) - 1, place + draw(st.integers(1, 6)))
    one, two = events[place], events[with_place]
    if draw(st.booleans()) and one["fact"] == two["fact"]:
        one, two = two | {"data": one["data"]}, one | {"data": two["data"]}
    swapped = events.copy()
    swapped[place], swapped[with_place] = two, one
    return swapped


CHANGES = [_changed_value, _changed_value, _changed_envelope, _other_card, _left_out, _repeated, _swapped]


@settings(max_examples=60)
@given(mutated())
def test_the_fast_path_accepts_only_what_the_checks_of_each_fact_accept(history: History) -> None:
    found = findings_one_by_one(history)
    note("wrong" if found else "right")
    assert findings(history) == found


def no_upcard(events: Events) -> Events:
    """Remove the upcard after a deal with a stock; the bids stay."""
    return [event for event in events if event["fact"] != "TrumpTurnedUp"]


def no_trump(events: Events) -> Events:
    """Lead a card right after the bids, before anyone made trump."""
    return [event for event in events if event["fact"] not in {"AuctionWon", "TrumpPitched"}]


def played_before(events: Events) -> Events:
    """Lead a card to the second trick that was played to the first; change the second TrickTaken, too."""
    first, second = [place for place, event in enumerate(events) if event["fact"] == "TrickTaken"][:2]
    again = events[first]["data"]["plays"][0]["card"]
    events[first + 1]["data"]["card"] = events[second]["data"]["plays"][0]["card"] = again
    return events


def wrong_number(events: Events) -> Events:
    """Count the first trick as the second."""
    next(event for event in events if event["fact"] == "TrickTaken")["data"]["trick"] = 2
    return events


def wrong_leader(events: Events) -> Events:
    """Give the lead to the seat after the one that took the first trick, which leads nevertheless."""
    taken = next(event for event in events if event["fact"] == "TrickTaken")["data"]
    taken["next"] = [(taken["seat"] + 1) % len(taken["plays"])]
    return events


def accused(events: Events) -> Events:
    """Call delay of game in the first trick, although nobody can, and play on."""
    place = next(place for place, event in enumerate(events) if event["fact"] == "TrickTaken") - 1
    call = {"seat": events[place]["data"]["seat"], "accused": events[place - 1]["data"]["seat"], "waited_ms": 20_000}
    return [*events[:place], events[place] | {"fact": "DelayCalled", "data": call}, *events[place:]]


def first_card(**fields: Any) -> Callable[[Events], Events]:
    """Return a change of some fields of the first card played."""
    return lambda events: _with(events, "CardPlayed", lambda event: event.update(fields))


def _with(events: Events, fact: str, change: Callable[[Json], Any]) -> Events:
    change(next(event for event in events if event["fact"] == fact))
    return events


def wrong_turn(events: Events) -> Events:
    """Let the first card of a hand pass the turn to nobody, though others still have to play."""
    return _with(events, "CardPlayed", lambda event: event["data"].update(next=[]))


def with_clocks(events: Events) -> Events:
    """Give the seats clocks in the opening, of which the log then has none."""
    pace = {"kind": "daily", "move_s": 86_400, "base_s": None, "increment_s": None, "auction_s": None, "cap_s": None}
    return _with(events, "GameOpened", lambda event: event["data"]["timing"].update(pace=pace))


COURSES = [
    pytest.param("Blackout", no_upcard, "it's BidMade, but must be TrumpTurnedUp", id="B10 no upcard"),
    pytest.param("gamerz Pitch", no_trump, "it's CardPlayed, but must be AuctionWon", id="S33 no trump"),
    pytest.param("gamerz Pitch", played_before, "has been played already", id="a card played before"),
    pytest.param("gamerz Pitch", wrong_number, "trick 2 of hand 1 is taken, but trick 1", id="a wrong number"),
    pytest.param("gamerz Pitch", wrong_leader, "the turn goes to", id="a lead out of turn"),
    pytest.param("gamerz Pitch", accused, "it's DelayCalled, but must be", id="a delay call that stays open"),
    pytest.param("gamerz Pitch", wrong_turn, "the turn goes to", id="a turn that goes to nobody"),
    pytest.param("gamerz Pitch", first_card(seen_by=[0]), "visible only to seat 0", id="a card that one seat sees"),
    pytest.param("gamerz Pitch", first_card(command="0" * 16 + "-" + "0" * 16), "commit", id="S33 a later card"),
    pytest.param("gamerz Pitch", with_clocks, "must be TurnTimed", id="R-P15 no clocks"),
]


@pytest.mark.parametrize(("name", "change", "says"), COURSES)
def test_a_wrong_course_of_play_is_found(name: str, change: Callable[[Events], Events], says: str) -> None:
    wrong = rewritten(game(name), change(events_of(game(name))))
    found = findings(wrong)
    assert any(says in each for each in found), found
    assert found == findings_one_by_one(wrong)
