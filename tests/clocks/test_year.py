"""Correspondence in simulated time, with everything that can happen to a clock (R-P10, R-P15 to R-P18)."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from domain.store.aggregate import Entry
from replay.history import from_entries
from tests.clocks.questions import OUTCOMES
from tests.clocks.year import Year
from tests.replay.test_variants import sound

EXPECTED = {"TurnReminded", "TurnTimed", "SeatForfeited", "TimeClaimed", "SeatHandedOver", "SeatReturned"}
QUESTIONS = {"HandoverAsked", "HandoverAnswered"}


def check(year: Year, audited: int) -> None:
    """Run the year, and assert that it ends right: nothing is due, nothing happened twice, and the games are sound."""
    year.run()
    told = sum(year.facts(), Counter[str]())
    assert told.keys() >= EXPECTED | QUESTIONS
    assert year.outcomes().keys() >= OUTCOMES, year.outcomes()
    assert any(entry.event.data.held_ms for game in year.games for entry in _timed(year, game))
    assert all(scheduler.fired for scheduler in year.schedulers)
    assert all(scheduler.due() == [] for scheduler in year.schedulers)
    for game in year.chance.sample(year.games, audited):
        sound(from_entries(year.schedulers[0].games.entries(game), {}))


def _timed(year: Year, game: str) -> list[Entry]:
    return [entry for entry in year.schedulers[0].games.entries(game) if entry.event.fact == "TurnTimed"]


def test_a_season_of_a_few_games(tmp_path: Path) -> None:
    with closing(Year(tmp_path, games=9, days=60, restarts=3)) as year:
        check(year, 9)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_year_of_a_thousand_games(tmp_path: Path) -> None:
    with closing(Year(tmp_path, games=1000, days=365, restarts=10)) as year:
        check(year, 200)
