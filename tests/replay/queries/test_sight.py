"""Questions 10 and 11 of docs/questions.md: who sees which cards since when, and the facts of each commit."""

import pytest

from replay.history import History
from replay.queries import event_visibility, list_commits
from tests.replay.asking import Event, says
from tests.replay.forging import events_of, forged
from tests.replay.playing import table


def test_section_3_10_a_withheld_card_is_not_shown() -> None:
    made = table(8, 4).play(0.1, most=40)
    for history, seat in ((made.seen_by(None), None), (made.seen_by(1), 1)):
        answer = event_visibility(history)
        hidden = [each for each in answer.to_json()["events"] if each["withheld"]]
        assert len(hidden) == history.withheld
        assert {each["fact"] for each in hidden} == {None}
        assert answer.code == 2
        own = [each for each in answer.to_json()["events"] if each["seen_by"] == [seat] and each["public"] is None]
        assert len(own) == (seat is not None)
    assert "not yet" in says(event_visibility(made.seen_by(1)))


def test_section_3_11_a_range_holds_the_commits_it_touches(whole: History) -> None:
    every = list_commits(whole).to_json()["commits"]
    middle = next(each for each in every if each["last"] > each["first"] and each["first"] > 20)
    asked = list_commits(whole, middle["last"], middle["last"])
    assert asked.to_json()["commits"] == [middle]
    assert "from " not in says(asked)
    assert len(list_commits(whole, 1, 40).to_json()["commits"]) > 1
    assert "from " in says(list_commits(whole, 1, 40))


def test_section_3_11_the_server_s_facts_have_the_id_of_the_command_before() -> None:
    made = table(2, 3, bots=(1, 2))
    events = events_of(made.play(most=6).history)
    person = next(event["command"] for event in events if event["by"] == "p0" and event["version"] > 1)
    after = next(event["version"] for event in events if event["command"] == person)

    def answered(event: Event) -> None:
        if event["version"] > after and event["by"].startswith("bot:"):
            event["command"] = person

    history = forged(made.history, answered)
    told = list_commits(history)
    assert told.code == 0
    assert any(each["follows"] for each in told.to_json()["commits"])
    assert "in answer" in says(told)


@pytest.mark.parametrize(("half", "said"), [("same", "the same command"), ("other", "another request")])
def test_section_3_11_a_person_s_command_is_recorded_once(whole: History, half: str, said: str) -> None:
    own = [event for event in events_of(whole) if event["by"] == "p0" and event["fact"] == "CardPlayed"]
    first, again = own[0], own[1]
    other = first["command"] if half == "same" else first["command"].partition("-")[0] + "-" + "f" * 16

    def repeats(event: Event) -> None:
        if event["command"] == again["command"]:
            event["command"] = other

    answer = list_commits(forged(whole, repeats))
    assert (answer.code, answer.findings[0].version) == (1, again["version"])
    assert said in says(answer)
    assert list_commits(forged(whole, repeats), 1, first["version"]).code == 0
