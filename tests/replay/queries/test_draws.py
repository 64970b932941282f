"""Question 5 of docs/questions.md: every draw repeated, also those that did not come true."""

import pytest

from replay.queries import draws
from tests.replay.asking import AFTER, ENDED, WILD, says
from tests.replay.finding import find_fact
from tests.replay.forging import events_of, rewritten, version_of, with_data
from tests.replay.variety import of


def test_section_3_5_seats_and_coin_are_drawn_again() -> None:
    history, _ = find_fact("Blackout to its end", "CoinFlipped")
    told = {draw["label"]: draw for draw in draws(history).to_json()["draws"]}
    assert told["coin"]["drawn"] == told["coin"]["recorded"]
    history = of("Blackout").history
    assert [draw["label"] for draw in draws(history).to_json()["draws"]] == ["seats"]


@pytest.mark.parametrize(
    ("kind", "fact", "field"), [(WILD, "DealerDrawn", "seat"), ("Blackout", "SeatsDrawn", "order")]
)
def test_section_3_5_another_draw_than_the_seed_makes_is_found(kind: str, fact: str, field: str) -> None:
    history = of(kind).hands(1).history
    version = version_of(history, fact)
    value = getattr(history.events[version - 1].data, field)
    other = (value + 1) % 4 if isinstance(value, int) else value[::-1]
    answer = draws(with_data(history, version, **{field: other}))
    assert (answer.code, "and the log has" in str(answer.findings[0])) == (1, True)


def test_section_3_5_another_change_than_the_seed_picks_is_found() -> None:
    history, version = find_fact(WILD, "RulesChanged")
    answer = draws(with_data(history, version, pick=999))
    assert (answer.code, answer.findings[0].version) == (1, version)
    assert answer.to_json()["draws"][-1]["label"]


@pytest.mark.parametrize("kind", [ENDED, AFTER])
def test_section_3_5_the_end_of_a_session_is_one_of_its_draws(kind: str) -> None:
    history, version = find_fact(kind, "GameEnded", lambda data: data["reason"] == "randomizer")
    ends = [draw for draw in draws(history).to_json()["draws"] if draw["fired"] and draw["label"].endswith("end")]
    assert [(draw["came"], draw["right"]) for draw in ends][:1] == [(version, True)]
    assert draws(history).code == 0


def test_section_3_5_a_session_that_continues_after_its_last_hand_is_found() -> None:
    history, version = find_fact(AFTER, "GameEnded", lambda data: data["reason"] == "randomizer")
    events = [event for event in events_of(history) if event["version"] < version]
    opened = next(event for event in events[::-1] if event["fact"] == "CeremonyOpened")
    data = {**opened["data"], "n": opened["data"]["n"] + 1}
    answer = draws(rewritten(history, [*events, {**events[-1], "fact": "CeremonyOpened", "data": data}]))
    assert "draws yes, and the log has none" in str(answer.findings)


def test_section_3_5_without_a_seed_only_the_recorded_results_are_listed() -> None:
    made = of(WILD).hands(1).play(most=20)
    while made.game.state.hand is None or made.game.state.hand.last_draw_turn is None:
        made.move()
    hand = made.game.state.hand.number
    answer = draws(made.seen_by(None), hand)
    told = answer.to_json()["draws"]
    assert told
    assert {draw["right"] for draw in told} == {None}
    assert (answer.code, f"hand {hand}" in says(answer)) == (2, True)
