"""All four games are read without a finding: whole, as one seat sees them, cut short, and with every kind of end."""

from dataclasses import replace
from random import Random

import pytest

from domain.events import GameEnded
from domain.rules.variants import VARIANTS
from replay.audit import GREEN, audit
from replay.history import History, export_bytes, read_export
from replay.rejudge import rejudge
from tests.replay.finding import COINS, TIED, find_fact
from tests.replay.playing import Table, table
from tests.replay.variety import VARIETY, WILD, of, randomizer, timed


def sound(history: History, *, live: bool = True) -> None:
    """Assert that neither the audit nor today's rules find anything."""
    judged = rejudge(history)
    report = audit(history, judged)
    assert [str(found) for found in report.findings] == []
    assert report.code(live_is_fine=live) == GREEN


def kinds(made: Table) -> set[str]:
    return {entry.event.fact for entry in made.entries}


@pytest.mark.parametrize("name", VARIETY)
def test_a_game_with_every_kind_of_aside_is_sound(name: str) -> None:
    made = of(name, 1).hands(3, also=0.2, often=0.1)
    sound(read_export(export_bytes(made.history)))


@pytest.mark.lengthy
@pytest.mark.parametrize("seed", range(12))
def test_hands_of_corellian_pitch_under_any_options_are_sound(seed: int) -> None:
    chance = Random(seed)
    every = [option for option in VARIANTS["corellian"].options if option.parse is None]
    chosen = {option.name: chance.choice(option.values) for option in every}
    sound(table(seed, variant="corellian", **WILD, **chosen).hands(8, often=0.1).history)


@pytest.mark.parametrize("name", VARIETY)
def test_a_running_game_is_sound_for_a_seat_and_for_a_spectator(name: str) -> None:
    made = of(name, 3)
    for moves in (8, 25):
        made.play(0.1, moves, 0.2)
        for viewer in (None, 2):
            sound(read_export(export_bytes(made.seen_by(viewer))))


@pytest.mark.parametrize("name", ["Blackout", "Setback with partners", "Corellian that changes all the time"])
def test_a_log_cut_short_is_sound_between_commits_and_noticed_within_one(name: str) -> None:
    made = of(name, 5).play(0.1, 20, 0.1)
    lines = made.history.lines
    for size in range(1, len(lines)):
        cut = History(made.history.header, lines[:size], None)
        ends = [line.event.command for line in lines[size - 1 : size + 1] if line.event]
        assert bool(audit(replace(cut, faults=())).findings) == (ends[0] == ends[1]), size
        assert rejudge(cut).findings == (), size


def end_of(made: Table) -> GameEnded:
    ended = made.entries[-1].event.data
    assert isinstance(ended, GameEnded)
    return ended


def test_B24_to_B26_a_whole_game_of_blackout_ends_after_its_hands() -> None:
    made = of("Blackout", 2).play()
    assert (end_of(made).reason, made.scored) == ("hands", 13)
    sound(made.history, live=False)


def test_B26_a_coin_decides_between_seats_that_are_still_tied() -> None:
    history, version = find_fact(TIED, "CoinFlipped")
    ended = history.events[-1].data
    assert history.events[version - 1].data.winner == ended.winners[0]
    sound(history, live=False)
    sound(table(COINS[0], variant="blackout", inorder=True).play().history, live=False)


@pytest.mark.parametrize("stop", ["at_once", "after_hand"])
def test_C6_RC42_time_ends_a_session_at_once_or_after_the_hand(stop: str) -> None:
    made = timed(**randomizer(), stop=stop)
    while not made.over:
        made.move()
        if not made.over:
            made.stop()
    assert end_of(made).reason == "time"
    sound(made.history, live=False)


@pytest.mark.parametrize("name", ["Setback with partners", "Blackout", "Corellian that changes all the time"])
def test_seats_that_leave_are_played_for_and_may_end_the_game(name: str) -> None:
    made = of(name, 6).play(0.1, 12, 0.1)
    made.resign(1)
    made.play(0.1, 30, 0.1)
    for seat in (0, 2):
        if not made.over:
            made.resign(seat)
            made.play(most=15, also=0.2)
    sound(made.history)


def test_a_misdeal_is_dealt_again_by_the_same_seat() -> None:
    made = next(
        each
        for each in (of("Corellian without a randomizer", seed).play(most=1) for seed in range(200))
        if "MisdealDeclared" in kinds(each)
    )
    sound(made.play(most=20).history)
    report = audit(made.history)
    assert "misdealt" in {hand["ended"] for hand in report.to_json()["hands"]}
    assert report.to_json()["hands"][0]["ended"] == "drawn"
