"""A game of the tests that doesn't go on fails with a sentence instead of filling the memory."""

from collections.abc import Callable
from itertools import repeat
from random import Random
from typing import Any

import pytest

from domain.commands import Tick
from domain.state import SERVER
from tests import step_limit
from tests.games.corellian_sessions import Session
from tests.games.tables import Table
from tests.projections.playing import open_table
from tests.replay.playing import table
from tests.step_limit import TooManySteps, steps


def test_steps_end_with_a_sentence() -> None:
    taken = steps(3)
    assert [next(taken) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(TooManySteps, match="The game isn't over after 3 steps"):
        next(taken)


def tick_often(send: Callable[..., object]) -> None:
    """Let the clock tick while nothing is due, so that the game stays as it is."""
    for tick in repeat(Tick(), 100):
        send(tick, SERVER)


@pytest.mark.parametrize(
    "sender",
    [
        pytest.param(lambda: Table(2).send, id="tests.games.tables"),
        pytest.param(lambda: Session(1).send, id="tests.games.corellian_sessions"),
        pytest.param(lambda: table(1, 2).do, id="tests.replay.playing"),
        pytest.param(lambda: open_table(Random(1), 2).do, id="tests.projections.playing"),
    ],
)
def test_a_driver_stops_after_its_limit(sender: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_limit.check_steps, "__defaults__", (50,))
    with pytest.raises(TooManySteps, match="The game isn't over after 50 steps"):
        tick_often(sender())
