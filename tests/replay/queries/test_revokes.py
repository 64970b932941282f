"""Question 3 of docs/questions.md: the seats that could have followed, by the rules in force."""

import pytest

from replay.history import History
from replay.queries import revokes
from tests.replay.asking import WILD, Event, says
from tests.replay.finding import find_fact
from tests.replay.forging import events_of, forged
from tests.replay.playing import long
from tests.replay.practising import practised


def following(history: History) -> tuple[Event, Event]:
    """Return two cards of one seat in one hand: the first follows suit, the second is of another suit played later."""
    events = events_of(history)
    for place, event in enumerate(events):
        if event["fact"] != "TrickTaken" or event["data"]["trick"] != 1:
            continue
        led, *others = event["data"]["plays"]
        for first in others:
            for after in events[place:]:
                if after["fact"] == "HandScored":
                    break
                other = after["data"]
                own = after["fact"] == "CardPlayed" and other["seat"] == first["seat"]
                follows = first["card"][-1] == led["card"][-1]
                if own and follows and led["card"][-1] not in other["card"] and not _trump(events, other):
                    return first, other
    raise LookupError("nobody follows")


def _trump(events: list[Event], data: Event) -> bool:
    pitched = next(event["data"]["suit"] for event in events if event["fact"] == "TrumpPitched")
    return bool(data["card"][-1] == pitched)


def exchanged(event: Event, first: Event, other: Event) -> None:
    """Swap the two cards in the plays and in the tricks."""
    cards = {first["card"]: other["card"], other["card"]: first["card"]}
    for play in [event["data"], *event["data"].get("plays", ())]:
        if play.get("seat") == first["seat"] and event["fact"] in {"CardPlayed", "TrickTaken"} and "card" in play:
            play["card"] = cards.get(play["card"], play["card"])


def test_section_3_3_a_revoke_is_found_with_the_cards_of_its_player() -> None:
    history = long(11)
    sound = revokes(history)
    assert sound.code == 0
    first, other = following(history)
    kept = dict(first), dict(other)
    answer = revokes(forged(history, lambda event: exchanged(event, *kept)))
    (revoke,) = [card for card in answer.to_json()["cards"] if not card["allowed"]]
    assert (revoke["seat"], revoke["card"], answer.code) == (first["seat"], other["card"], 1)
    assert first["card"] in revoke["following"]
    assert revoke["could_follow"]
    assert f"and could have played {' or '.join(revoke['following'])}" in str(answer.findings[0])
    assert "revoke" in says(answer)


def test_section_3_3_if_only_trumps_are_played_any_other_card_is_a_revoke() -> None:
    history, version = find_fact(WILD, "CardPlayed", lambda data: data["card"] == "AC")
    events = {event["version"]: event for event in events_of(history)}
    trick = next(events[later] for later in range(version, len(events)) if events[later]["fact"] == "TrickTaken")
    follower = trick["data"]["plays"][-1]
    played_at = next(
        number
        for number in range(trick["version"], 0, -1)
        if events[number]["fact"] == "CardPlayed" and events[number]["data"]["card"] == follower["card"]
    )

    def plays_another(event: Event) -> None:
        if event["version"] == played_at:
            event["data"]["card"] = next(card for card in PLAIN if not _is_trump(card, trick))

    answer = revokes(forged(history, plays_another))
    assert "only trumps are played" in str(answer.findings[0])


PLAIN = ["9D", "9S", "9H", "9C"]


def _is_trump(card: str, trick: Event) -> bool:
    return any(card[-1] == play["card"][-1] for play in trick["data"]["plays"])


@pytest.mark.parametrize(("name", "seed"), [("Setback", 2), ("Blackout", 4), ("Pitch", 2)])
def test_R_P7_an_undo_takes_back_the_cards_after_the_version_that_it_goes_to(name: str, seed: int) -> None:
    history = practised(name, seed).history
    undos = [event for event in history.events if event.fact == "MovesTakenBack"]
    told = {card["version"]: card["taken_back"] for card in revokes(history).to_json()["cards"]}
    assert told.keys() & {undo.data.to_version for undo in undos}
    for version, taken_back in told.items():
        assert taken_back == any(undo.data.to_version < version < undo.version for undo in undos)
