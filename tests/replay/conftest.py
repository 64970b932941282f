"""Histories that the tests of this folder share. They never change."""

import pytest

from replay.history import History
from tests.replay.playing import played, table


@pytest.fixture(scope="session")
def small() -> History:
    """A short whole game: an undo, a hand thrown in, a hand scored, a seat that resigns, a table that resigns."""
    made = table(3, 3, win=7).play(most=14)
    made.undo()
    made.play(0.3, most=22)
    made.draw(accept=False)
    made.resign(1)
    made.play(most=5)
    made.resign(0)
    return made.history


@pytest.fixture(scope="session")
def whole() -> History:
    """A game of four to its goal, with moves taken back."""
    return played(5, 4, often=0.1).history


@pytest.fixture(scope="session")
def live() -> History:
    """A running game with public facts only."""
    return table(8, 4).play(0.1, most=40).seen_by(None)
