"""Today's rules over the record: sound games have no difference, and every difference names its event."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.commands import ChangeRules, OpenGame
from domain.events import Player
from domain.store.aggregate import Game
from replay.history import History
from replay.rejudge import rejudge
from tests.replay.forging import forged, in_event, version_of, with_data, with_event
from tests.replay.playing import GAME, Table, played


@pytest.mark.parametrize(
    ("fact", "fields", "says"),
    [
        pytest.param("TrickTaken", {"next": []}, "its next is recorded as []; today", id="whose turn it is"),
        pytest.param("CardPlayed", {"card": "X1"}, "its card is recorded as X1", id="a card not pitched"),
        pytest.param("BidMade", {"bid": 7}, "refuse it: 7 isn't a bid", id="an invalid bid"),
        pytest.param("HandScored", {"made": None}, "its made is recorded as None", id="the result"),
        pytest.param("CeremonyOpened", {"commit": "00" * 32}, "its commit is recorded", id="the commitment"),
        pytest.param("HandDealt", {"grade": "F3"}, "its grade is recorded as F3; today's rules say F0", id="the grade"),
    ],
)
def test_a_difference_from_today_s_rules_is_named(fact: str, fields: dict[str, Any], says: str) -> None:
    history = played(50, 3).history
    version = version_of(history, fact)
    forgery = with_data(history, version, **fields)
    found = [str(each) for each in rejudge(forgery).findings if each.version == version]
    assert any(says in each for each in found), rejudge(forgery).findings


PLAYED = "CardPlayed"
REVEALED = {"fact": "CeremonyRevealed", "data": {"n": 1, "seed": "00" * 32}}
UNFOUNDED = "CeremonyRevealed is recorded, but nothing is due and no command leads to it"


@pytest.mark.parametrize(
    ("fact", "n", "other", "says"),
    [
        (PLAYED, 1, {"card": "X1"}, "today's rules refuse it: You don't hold X1."),
        (PLAYED, 1, {"card": "ZZ"}, "no command leads to it"),
        (
            "TrickTaken",
            0,
            {"fact": "DrawProposed", "data": {"seat": 0}},
            "give TrickTaken, but DrawProposed is recorded",
        ),
        ("BidPassed", 0, REVEALED, UNFOUNDED),
    ],
    ids=["a card not held", "a card of no deck", "a fact of another kind", "a fact without a cause"],
)
def test_another_fact_in_its_place_is_named(fact: str, n: int, other: dict[str, Any], says: str) -> None:
    history = played(50, 3).history
    version = version_of(history, fact, n)
    change = with_event if "fact" in other else with_data
    found, *_ = rejudge(change(history, version, **other)).findings
    assert (found.version, found.says[-len(says) :]) == (version, says)


def test_rules_that_cannot_be_folded_are_named_at_the_failing_event() -> None:
    history = played(50, 3).history
    judged = rejudge(forged(history, in_event(1, lambda event: event["data"]["rules"].update(ranks=["2"]))))
    taken = version_of(history, "TrickTaken")
    assert str(judged.findings[-1]) == f"event {taken - 1}: CardPlayed can't be judged after the events before it"
    assert judged.waits is not None


def test_a_record_that_cannot_be_folded_is_followed_no_further() -> None:
    history = played(50, 3).history
    judged = rejudge(with_data(history, version_of(history, "HandDealt"), n=9))
    assert judged.waits == "the rest of the record can't be folded"
    assert "can't follow the events recorded before it" in str(judged.findings[-1])


def test_of_several_facts_of_one_command_the_one_that_cannot_be_folded_is_named() -> None:
    history = played(50, 3).history
    second = version_of(history, "CardsDealt", 1)
    found = rejudge(with_data(history, second, seat=50)).findings
    assert [each.version for each in found] == [second, second]
    assert str(found[-1]).endswith("CardsDealt can't follow the events recorded before it")


def test_judging_ends_although_the_table_owes_more_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    history = played(50, 3).history
    scored = version_of(history, "HandScored")
    cut = replace(history, lines=history.lines[:scored], trailer=None)
    monkeypatch.setattr("replay.rejudge.MOST_DUTIES", 1 - scored)
    assert (rejudge(cut).upto, rejudge(cut).findings) == (scored, ())


def test_a_running_game_is_judged_as_far_as_it_is_shown(live: History) -> None:
    judged = rejudge(live)
    shown = next(line.version for line in live.lines if line.withheld) - 1
    assert judged.findings == ()
    assert judged.upto == shown - 1, "the ceremony whose seed is withheld cannot be judged"
    assert judged.waits == f"event {shown + 1} isn't shown or can't be read"
    assert judged.to_json()["waits"] == judged.waits


def test_C9_changes_by_a_host_in_another_seat_than_the_first_are_rejudged() -> None:
    made = Table(Random(1), Game(GAME))
    people = tuple(Player(f"p{seat}", "human") for seat in range(4))
    made.do(OpenGame(GAME, 7, "corellian", {"randomizer": None, "host_changes": True}, people), "p2")
    made.do(ChangeRules(2, "reverse:on"), "p2")
    history = made.history
    assert [event.by for event in history.events if event.fact == "RulesChanged"] == ["p2"]
    assert rejudge(history).findings == ()
