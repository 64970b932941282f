"""Every choice of a strong bot is worked out again from the log alone, once its hand is revealed."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest

from domain.commands import AskHandover
from domain.state import current_hand
from projections.bots.strong import Analysis, think
from replay.history import History, NoSuchHand, from_entries
from replay.queries import choices
from replay.queries.choices import Mover, count_choices
from tests.games.tables import Table
from tests.handover.games import agree, history_of
from tests.projections.bots.bot_table import bot_table
from tests.replay.forging import forged, in_each
from tests.strong.test_games import GAMES, QUICK


def strong_game(
    seed: int, variant: str, strategies: Sequence[str], recorded: Sequence[str | None], **options: Any
) -> tuple[History, int]:
    """Return a game's history, and the number of its hands. The opening records these strategies."""
    table = bot_table(seed, variant, strategies, recorded=recorded, **options).play()
    assert table.game.state.result is not None
    return from_entries(table.entries, {}), current_hand(table.game.state).number


@pytest.mark.parametrize("variant", ["pitch", "corellian"])
def test_every_choice_of_a_game_is_worked_out_again(variant: str) -> None:
    strategies, options = GAMES[variant]
    history, hands = strong_game(2, variant, strategies, [None, *[QUICK] * (len(strategies) - 1)], **options)
    moves = wrong = 0
    for hand in range(1, hands + 1):
        answer = choices(history, hand)
        for each in answer.body["choices"]:
            moves += 1
            wrong += not each["right"]
            assert sum(option["best"] for option in each["options"]) >= each["worlds"]
        assert answer.code == (1 if answer.findings else 0)
        assert len(answer.findings) == sum(not (each["right"] or each["hurried"]) for each in answer.body["choices"])
    assert moves > 10
    if "simple" not in strategies:
        assert not wrong


def test_a_move_that_the_strong_bot_does_not_choose_is_a_finding() -> None:
    history, hands = strong_game(1, "pitch", ("simple", "random"), (None, QUICK), win=7)
    answers = [choices(history, hand) for hand in range(1, hands + 1)]
    found = [finding for answer in answers for finding in answer.findings]
    assert found
    assert "but the strong bot chooses" in str(found[0])
    assert max(answer.code for answer in answers) == 1


def test_one_choice_is_asked_for_by_the_event_of_its_move_and_worked_out_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history, _ = strong_game(2, "setback", ("simple", QUICK, "simple"), (None, QUICK, "simple"))
    every = choices(history, 1).body["choices"]
    one, worked_out = next(each for each in every if each["worlds"]), list[None]()

    def count(*given: Any) -> Analysis:
        worked_out.append(None)
        return think(*given)

    monkeypatch.setattr(import_module("replay.queries.choices"), "think", count)
    answer = choices(history, 1, one["version"])
    assert len(worked_out) == 1
    assert answer.body["choices"] == [one]
    assert answer.notes[0].startswith(f"event {one['version']}: of 5 deals that seat 1 couldn't rule out, ")
    assert choices(history, 1, 1).body["choices"] == []
    assert len(worked_out) == 1, "no move, no thought"


def test_a_hand_that_is_not_revealed_is_not_explained() -> None:
    table = bot_table(1, "pitch", ("simple", QUICK), recorded=(None, QUICK))
    for _ in range(6):
        table.move()
    answer = choices(from_entries(table.entries, {}), 1)
    assert answer.code == 2
    assert answer.body["choices"] == []
    with pytest.raises(NoSuchHand):
        choices(from_entries(table.entries, {}), 9)


def test_a_move_for_lack_of_time_is_no_finding() -> None:
    history, hands = strong_game(1, "pitch", ("simple", "simple"), (None, QUICK), win=7)
    answers = [choices(history, hand) for hand in range(1, hands + 1)]
    assert {answer.code for answer in answers} == {0}
    assert any("it had no time, and played" in note for answer in answers for note in answer.notes)
    assert any("played, for lack of time" in row for answer in answers for row in answer.rows)


def test_a_hand_whose_seed_was_not_promised_is_not_explained() -> None:
    history, _ = strong_game(1, "pitch", ("simple", "simple"), (None, QUICK), win=7)
    for fact in ("SeedKept", "CeremonyRevealed"):
        history = forged(history, in_each(fact, lambda event: event["data"].update(seed="00" * 32)))
    assert choices(history, 1).body["choices"] == []


def test_the_choices_of_a_strong_bot_that_took_a_seat_over_are_counted() -> None:
    table = Table(2)
    table.moves(1)
    bot = f"bot:{QUICK}:9"
    table.send(AskHandover(1, bot, "bot", QUICK), "p1")
    agree(table)
    table.plays_out(hands=1)
    moved = [event.fact for event in table.events if event.by == bot]
    assert len(moved) > 6
    assert count_choices(history_of(table), 1) == len(moved)


def test_moves_of_a_person_are_compared_with_the_strong_bot_s_choices_and_none_is_a_finding() -> None:
    history, hands = strong_game(1, "pitch", ("random", "simple"), (None, "simple"), win=7)
    person, wrong = Mover(0, "p0"), 0
    for hand in range(1, hands + 1):
        answer = choices(history, hand, person=person)
        compared = answer.body["choices"]
        assert {each["seat"] for each in compared} == {0}
        assert len(compared) <= count_choices(history, hand, person=person)
        assert answer.findings == ()
        wrong += sum(not each["right"] for each in compared)
    assert wrong
    other = choices(history, 1, person=Mover(0, "somebody who sat there before"))
    assert other.body["choices"] == []


def test_games_without_a_strong_bot_have_no_choices() -> None:
    history, _ = strong_game(1, "pitch", ("simple", "simple"), (None, "simple"), win=7)
    assert choices(history, 1).notes == ("no strong bot had a choice here",)


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAMES)
def test_every_choice_of_fifty_games_is_worked_out_again(variant: str) -> None:
    """With the four variants these are 200 games; above is one of the simplest and one with every kind of choice."""
    strategies, options = GAMES[variant]
    few, moves = "strong/1:2", 0
    for seed in range(50):
        recorded = [None, *[few] * (len(strategies) - 1)]  # a game needs a person
        history, hands = strong_game(seed, variant, [few] * len(strategies), recorded, **options)
        answers = [choices(history, hand) for hand in range(1, hands + 1)]
        assert [answer.findings for answer in answers if answer.findings] == []
        moves += sum(len(answer.body["choices"]) for answer in answers)
    assert moves > 500  # the randomizer ends some games of Corellian Pitch early
