"""The list of deadlines: the games that are due, on both databases, in agreement with the clock."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from domain.commands import Tick
from domain.engine import deadlines as clock
from domain.engine.cuts import cut_deadline
from domain.events import Fairness, Timing
from domain.evolve import evolve
from domain.state import EMPTY_STATE, SERVER, State
from domain.store.aggregate import Entry
from projections.followers import LogFollower
from projections.lists.deadlines import DEADLINE_COLUMNS, DEADLINES, due_games
from projections.storage.rows import RowStore
from projections.storage.tables import MemoryRows
from tests.projections.playing_stored import Play, refolded, rows_of
from tests.replay.audit.test_turn_clocks import AUTOPILOTS, PACES, with_pauses
from tests.replay.playing import Table, table
from tests.replay.test_variants import sound
from tests.replay.variety import VARIETY

SOON, LATER = "2999-01-01T08:00:00.000000Z", "2999-01-01T09:00:00.000000Z"


def owed(rows: RowStore, now: str, limit: int = 64) -> list[str]:
    with rows.snapshot(DEADLINES.name) as reading:
        return due_games(reading, now, limit)


def test_C6_a_game_is_due_from_its_time_until_it_has_ended(play: Play, rows: RowStore, followers: LogFollower) -> None:
    ends = [{"ends_at": f"{at[:19]}Z", "randomizer": None} for at in (LATER, SOON)]
    never = Timing(None, None)
    late, early = (play.open(4, variant="corellian", options=options, timing=never) for options in ends)
    play.open(3, timing=never)
    followers.catch_up()
    assert owed(rows, "2999-01-01T07:59:59.999999Z") == []
    assert owed(rows, SOON) == [early]
    assert owed(rows, LATER) == [early, late]
    assert owed(rows, LATER, 1) == [early]
    assert owed(rows, LATER, -1) == []
    for seat in (1, 2, 3):
        play.resign(early, seat)
    followers.catch_up()
    assert owed(rows, LATER) == [late]


def test_R_P10_an_awaited_seat_is_first_reminded_and_then_out_of_time(
    play: Play, rows: RowStore, followers: LogFollower
) -> None:
    game = play.open(2, timing=Timing(7, 21))
    followers.catch_up()
    (row,) = rows_of(rows, DEADLINES)["games"]
    state = play.games.state(game)
    assert row["due"] == row["reminds_at"] == clock.reminds_at(state)
    assert row["forfeits_at"] == clock.forfeits_at(state)
    assert owed(rows, row["due"]) == [game]
    play.step(game)
    followers.catch_up()
    assert owed(rows, row["due"]) == []  # another seat is awaited now and has its seven days
    assert refolded(play.games, DEADLINES) == rows_of(rows, DEADLINES)


def check_deadlines(entries: Iterable[Entry]) -> MemoryRows:
    """Assert that after every fact the row holds the state's next deadline."""
    rows, state = MemoryRows(DEADLINES), EMPTY_STATE
    for entry in entries:
        DEADLINES.fold(rows, entry.event)
        state = evolve(state, entry.event)
        (row,) = rows.all("games")
        times = falls_due(state)
        assert {kind: row[kind] for kind in DEADLINE_COLUMNS} == times
        assert row["due"] == min((each for each in times.values() if each is not None), default=None)
    return rows


def falls_due(state: State) -> dict[str, Any]:
    if state.result is not None:
        return dict.fromkeys(DEADLINE_COLUMNS)
    waits = state.pending_deal
    return {
        "ends_at": clock.ends_at(state),
        "reminds_at": clock.reminds_at(state),
        "forfeits_at": None if clock.is_claimed_by_players(state) else clock.forfeits_at(state),
        "cuts_at": None if waits is None else cut_deadline(state, waits),
    }


@pytest.mark.parametrize("seed", range(4))
def test_R_P10_C6_the_deadlines_of_games_with_long_pauses_are_correct(seed: int) -> None:
    chance = Random(seed)
    name, end = chance.choice(list(VARIETY)), chance.choice([None, "2026-12-01T00:00:00.000000Z"])
    timing = Timing(chance.choice([None, 1, 3]), chance.choice([None, 4, 9]), chance.choice([None, 40]), end)
    made = table(seed, **VARIETY[name], timing=timing)
    for _ in range(50):
        if made.over:
            break
        if chance.random() < 0.2:
            made.waits(chance.choice([0.01, 1, 2, 5, 30]))
        else:
            made.clock += round(chance.choice([0, 0, 0, 0.5, 3, 9]) * 24 * 3600)
            made.play(most=1, also=0.2)
    check_deadlines(made.entries)
    sound(made.history)


@pytest.mark.parametrize("autopilot", AUTOPILOTS)
@pytest.mark.parametrize("kind", PACES)
def test_R_P15_the_deadlines_of_clocks_in_seconds_are_correct(kind: str, autopilot: str) -> None:
    check_deadlines(with_pauses(1, kind, autopilot).entries)


def test_a_window_for_cuts_is_due_when_it_closes() -> None:
    made: Table = table(1, 3, fairness=Fairness("open", 2))
    rows = MemoryRows(DEADLINES)
    for entry in made.entries:
        DEADLINES.fold(rows, entry.event)
    (row,) = rows.all("games")
    assert row["due"] == row["cuts_at"] == made.now.replace("01.0", "03.0")
    made.clock += 1
    made.do(Tick(), SERVER)
    assert made.now == row["cuts_at"]
    assert made.game.state.turn
    check_deadlines(made.entries)
