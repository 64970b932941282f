"""All questions of docs/questions.md on sound games, missing hands and an empty history."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from replay.audit import audit
from replay.history import History, NoSuchHand, from_entries
from replay.history.steps import NotShown
from replay.queries import compare, deal, draws, event_visibility, revokes, score, turn_times
from tests.games.disputes import contest, rule
from tests.games.tables import Table
from tests.replay.asking import KINDS, OF_A_GAME, history_of, says
from tests.replay.playing import table
from tests.replay.variety import VARIETY, of


@pytest.mark.parametrize("kind", KINDS[::2])
def test_section_3_sound_games_have_no_findings_for_any_viewer(kind: str) -> None:
    made = of(kind).hands(1, also=0.1, often=0.1)
    for viewer in (None, 1):
        history = made.seen_by(viewer)
        for question, ask in OF_A_GAME.items():
            answer = ask(history)
            assert (answer.findings, says(answer) != "") == ((), True)
            assert answer.to_json()["question"] == question
        assert deal(history, 1).findings == ()
        assert compare(history, made.history).code == 0


@pytest.mark.parametrize("ask", [revokes, draws, score, turn_times])
def test_a_hand_that_was_not_dealt_is_refused(whole: History, ask: Callable[[History, int], object]) -> None:
    for each in (ask, deal):
        with pytest.raises(NoSuchHand, match="no hand 99"):
            each(whole, 99)
    with pytest.raises(NotShown, match="no hand 99"):
        event_visibility(whole, 99)


def test_a_deal_that_waits_for_cuts_differs_from_a_missing_one() -> None:
    waiting = of("Pitch with open cuts", 3).seen_by(None)
    promise = next(event.data for event in waiting.events if event.fact == "CeremonyOpened")
    with pytest.raises(NoSuchHand, match=f"deal hand 1 waits for cuts and is not dealt yet.*{promise.commit}"):
        deal(waiting, 1)
    with pytest.raises(NoSuchHand, match="no hand 2"):
        deal(waiting, 2)
    (hand,) = audit(waiting).to_json()["hands"]
    assert (hand["ended"], hand["deck"]) == ("not dealt", "unrevealed")


def test_a_hand_in_which_nobody_has_bid_says_so() -> None:
    assert "nobody has bid" in says(deal(table(8, 4).seen_by(None), 1))


def test_an_empty_history_has_answers(whole: History) -> None:
    nothing = replace(whole, lines=())
    for ask in OF_A_GAME.values():
        assert ask(nothing).code == 0
    assert set(VARIETY) >= set(KINDS)


def test_section_5_a_voided_live_hand_has_answers_like_any_other() -> None:
    made = Table(4, seed=3).plays_out(hands=1)
    for _ in range(6):
        made.moves(1)
    number = made.state.hand.number if made.state.hand else 0
    contest(made, 1, number)
    rule(made, "void", 0, 0, 0, 0)
    entries = [entry for commit in made.commits for entry in commit]
    history = from_entries(entries, {}, [entry.event.seen_by != () for entry in entries])
    again = deal(history_of(made), number)
    assert [each["redeal"] for each in again.to_json()["deals"]] == [0, 1]
    assert again.to_json()["deals"][0]["check"] == "right"
    for ask in OF_A_GAME.values():
        assert ask(history).findings == ()
        assert ask(history_of(made)).findings == ()
    assert score(history_of(made)).to_json()["as_ruled"] is None
    assert {card["hand"] for card in revokes(history_of(made)).to_json()["cards"]} >= {1}
