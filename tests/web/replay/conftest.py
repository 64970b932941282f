"""The game whose replay most tests look at."""

import pytest

from tests.web.conftest import Village
from tests.web.table.room import Room


@pytest.fixture(scope="session")
def room(village: Village) -> Room:
    """A game of Pitch of ann, bob and cyd: the first hand is over and revealed, and the second one has begun."""
    return village.rooms["second hand"]
