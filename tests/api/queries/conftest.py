"""Fixtures for questions about games: a game of Setback in the middle."""

from pathlib import Path

import pytest

from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import Caller
from tests.api.queries.test_bytes import Live


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store is enough, since both answers come from the same code."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


@pytest.fixture
def live(caller: Caller) -> Live:
    """A game of Setback with hand 1 played and hand 2 in play."""
    made = Live(caller, "setback")
    made.plays(14)
    return made
