"""The audit finds facts left out, added or put in another order, and changed envelopes."""

from itertools import pairwise
from typing import Any

import pytest

from replay.audit import WRONG, audit
from replay.history import History
from tests.replay.finding import TIED, Data, Which, any_of_them, find_fact, game
from tests.replay.forging import events_of, rewritten, with_event

WILD = "Corellian that changes all the time"
HELD = "Corellian held back until a verdict"
HOST = "Corellian with a host who changes rules"
Events = list[dict[str, Any]]


def told(history: History) -> str:
    """Return the audit's findings on a forgery with valid hashes."""
    report = audit(history)
    assert not report.log
    assert report.code(live_is_fine=True) == WRONG
    return "; ".join(str(each) for each in report.findings)


def without(name: str, fact: str, which: Which = any_of_them, also: tuple[str, ...] = ()) -> tuple[Events, int]:
    """Return a game without one event and the `also` facts that follow it, and the place of that event."""
    history, version = find_fact(name, fact, which)
    events, end = events_of(history), version
    while events[end]["fact"] in also:
        end += 1
    return [*events[: version - 1], *events[end:]], version - 1


def test_a_coin_left_out_is_missed() -> None:
    events, _ = without(TIED, "CoinFlipped")
    assert "but must be CoinFlipped" in told(rewritten(find_fact(TIED, "CoinFlipped")[0], events))


def drawn(data: Data) -> bool:
    """Return whether a change was drawn and is the last of its commit."""
    return data["cause"] == "randomizer" and bool(data["next"])


def test_RC45_a_draw_that_was_due_and_is_not_recorded_is_missed() -> None:
    """The change and its consequences are cut out, and the fact before names the turn: only the seed reveals it."""
    history, version = find_fact(WILD, "RulesChanged", drawn)
    events = events_of(history)
    turn = events[version - 1]["data"]["next"]
    kept, place = without(WILD, "RulesChanged", drawn, ("BidScaled", "PartnersChanged"))
    before = max(at for at in range(place) if "next" in kept[at]["data"])
    kept[before]["data"]["next"] = turn
    assert f"event {version}: " in (says := told(rewritten(history, kept)))
    assert "but must be RulesChanged" in says


def test_RC45_a_change_that_was_not_drawn_is_found() -> None:
    history, version = find_fact(WILD, "RulesChanged", lambda data: data["cause"] == "randomizer")
    events = events_of(history)
    quiet = next(
        at
        for at in range(version, len(events))
        if events[at]["fact"] in {"BidPassed", "CardPlayed"}
        and events[at]["data"]["next"]
        and events[at + 1]["fact"] in {"BidMade", "BidPassed", "CardPlayed"}
    )
    copy = {**events[version - 1], "command": events[quiet]["command"], "at": events[quiet]["at"]}
    copy["data"] = {**copy["data"], "next": events[quiet]["data"]["next"]}
    events[quiet]["data"]["next"] = []
    says = told(rewritten(history, [*events[: quiet + 1], copy, *events[quiet + 1 :]]))
    assert f"event {quiet + 2}: it's RulesChanged, but must be" in says
    assert f"event {quiet + 2}: the randomizer changes no rule at turn" in says


def pair(name: str, first: str, second: str) -> tuple[History, int]:
    """Return a game with two such facts in a row that differ, and the place of the first."""
    for seed in range(400):
        history = game(name, seed).history
        for place, (one, two) in enumerate(pairwise(history.events)):
            late = getattr(two.data, "cause", "") == "deferred"
            if (one.fact, two.fact, late) == (first, second, True) and one.data != two.data:
                return history, place
    raise LookupError(f"no {name} has {first} and then {second}")


def test_RC64_deferred_changes_take_effect_in_their_order() -> None:
    history, place = pair(WILD, "RulesChanged", "RulesChanged")
    events = events_of(history)
    events[place]["data"], events[place + 1]["data"] = events[place + 1]["data"], events[place]["data"]
    assert "is waiting" in told(rewritten(history, events))


def test_RC41_an_acquittal_applies_the_changes_that_waited_for_it() -> None:
    history, place = pair(HELD, "DelayJudged", "RulesChanged")
    events = events_of(history)
    assert "but must be RulesChanged" in told(rewritten(history, [*events[: place + 1], *events[place + 2 :]]))


def test_B19_a_seat_that_plays_its_own_hidden_card_is_found() -> None:
    history, version = find_fact("Blackout", "CardPlayed")
    events = events_of(history)
    events[version - 1]["by"] = "p0"
    assert f"event {version}: its author is p0, but should be server" in told(rewritten(history, events))
    events = events_of(history)
    first, second = events[version - 1]["data"], events[version]["data"]
    first["seat"], second["seat"] = second["seat"], first["seat"]
    assert "is played, but that of seat" in told(rewritten(history, events))


def last_trick(data: Data) -> bool:
    """Return whether the trick empties the hands of gamerz Pitch, so that no seat leads to another."""
    return bool(data["trick"] == 6)


@pytest.mark.parametrize(
    ("fact", "which", "seat"),
    [
        pytest.param("TrickTaken", last_trick, None, id="after the last trick"),
        pytest.param("TrickTaken", lambda data: data["trick"] == 2, 1, id="after another trick"),
        pytest.param("CardPlayed", lambda data: bool(data["next"]), 1, id="after a card"),
        pytest.param("BidPassed", lambda data: bool(data["next"]), 1, id="after a pass"),
    ],
)
def test_a_forged_turn_at_the_end_of_a_log_that_was_cut_off_is_found(fact: str, which: Which, seat: int | None) -> None:
    history, version = find_fact("gamerz Pitch", fact, which)
    events = events_of(history)[:version]
    data = events[-1]["data"]
    right = data["next"]
    data["next"] = [data["seat"]] if seat is None else [(right[0] + seat) % 5]
    sentence = f"event {version}: the turn goes to {data['next']}, but should go to {right}"
    assert sentence in told(rewritten(history, events))


def test_a_card_begins_a_commit_whatever_time_and_command_it_names() -> None:
    history, version = find_fact("gamerz Pitch", "CardPlayed", lambda data: not data["next"])
    events = events_of(history)
    before, card = events[version - 2 : version]
    card.update(at=before["at"], command=before["command"])
    assert told(rewritten(history, events)) == f"event {version + 1}: its time or command isn't that of its commit"


ENVELOPES: list[tuple[str, str, str, Data, str]] = [
    ("cards buried for all to see", WILD, "CardsBuried", {"seen_by": None}, "to everybody"),
    ("cards taken for another", WILD, "CardsTaken", {"seen_by": [0, 1, 2, 3]}, "visible only to seat"),
    ("an own card in hand 1", "Blackout", "CardsDealt", {"seen_by": [0]}, "should be visible only to seat"),
    ("a change of the host", HOST, "RulesChanged", {"by": "p2"}, "its author is p2, but should be p0"),
]


@pytest.mark.parametrize(
    ("name", "fact", "changed", "says"), [each[1:] for each in ENVELOPES], ids=[each[0] for each in ENVELOPES]
)
def test_a_changed_envelope_is_found(name: str, fact: str, changed: Data, says: str) -> None:
    cause = "host" if name == HOST else "randomizer"
    history, version = find_fact(name, fact, lambda data: data.get("cause", cause) == cause)
    assert f"event {version}: " in (found := told(with_event(history, version, **changed)))
    assert says in found
