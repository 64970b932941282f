"""Question 4 of docs/questions.md: the deal recomputed from its seed and cuts."""

from replay.history import History
from replay.queries import deal
from tests.replay.asking import says
from tests.replay.forging import forged, in_each, version_of, with_data
from tests.replay.variety import of


def test_section_3_4_cuts_are_listed_with_their_seals() -> None:
    history = of("Setback with sealed cuts").hands(3).history
    told = [each for hand in (1, 2, 3) for each in deal(history, hand).to_json()["deals"]]
    cuts = [cut for each in told for cut in each["cuts"]]
    assert {cut["sealed"] for cut in cuts} == {True, False}
    assert all(cut["fits"] for cut in cuts)
    assert all(len(each["order"]["cuts"]) >= len(each["cuts"]) for each in told)
    text = "".join(says(deal(history, hand)) for hand in (1, 2, 3))
    assert "as sealed" in text
    assert "open" in text


def test_section_3_4_a_cut_that_does_not_match_its_seal_is_named() -> None:
    history = of("Setback with sealed cuts").hands(3).history
    event = next(each for each in history.events if each.fact == "HandDealt" and each.data.hand == 2 and each.data.cuts)
    (who, _), *others = event.data.cuts
    answer = deal(with_data(history, event.version, cuts=[[who, "ab" * 32], *others]), 2)
    assert (answer.code, "NOT as sealed" in says(answer)) == (1, True)


def test_section_3_4_another_card_than_the_seed_deals_is_found(whole: History) -> None:
    first = version_of(whole, "CardsDealt")
    false = with_data(whole, first, cards=whole.events[first - 1].data.cards[::-1])
    answer = deal(false, 1)
    assert (answer.code, answer.to_json()["deals"][0]["check"]) == (1, "wrong")
    assert "; the log has " in says(answer)
    assert deal(false, 2).code == 0


def test_section_3_4_a_live_hand_shows_its_promise_and_no_card(live: History) -> None:
    last = max(event.data.hand for event in live.events if event.fact == "HandDealt")
    answer = deal(live, last)
    (told,) = answer.to_json()["deals"]
    assert (answer.code, told["seed"], told["key"], told["deck"], told["recorded"]) == (2, None, None, None, {})
    assert (told["revealed"], told["check"]) == (False, "unrevealed")
    assert told["commit"] in says(answer)


def test_section_3_4_a_ceremony_voided_by_the_end_is_listed() -> None:
    made = of("Pitch with open cuts").hands(1)
    made.resign(0)
    made.resign(1)
    voided = deal(made.history, 1).to_json()["voided"]
    assert [each["reason"] for each in voided] == ["ended"]


def test_section_3_4_a_seed_that_was_not_promised_is_called_another() -> None:
    another = in_each("CeremonyRevealed", lambda event: event["data"].update(seed="00" * 32))
    history = forged(of("gamerz Pitch").hands(1).history, another)
    text = says(deal(history, 1))
    (told,) = deal(history, 1).to_json()["deals"]
    assert told["check"] == "wrong"
    assert f"{told['commit_recomputed']}: ANOTHER\n" in text
