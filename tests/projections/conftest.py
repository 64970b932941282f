"""A store, its rows and its followers, on both databases. Decks and times are the same in every run."""

from collections.abc import Iterator

import pytest

from domain.store import Games
from domain.store.sql.breaker import Timeouts
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from tests.conftest import Database
from tests.games.tables import entropy
from tests.games.whole_games import Clock
from tests.projections.playing_stored import Play

PATIENT = Timeouts(connect_s=60, lock_s=60, statement_s=60)
"""As long as a busy machine needs."""


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with Games(database.data, database.url, entropy=entropy(1), clock=Clock()) as opened:
        yield opened


@pytest.fixture
def rows(database: Database) -> Iterator[RowStore]:
    store = RowStore(database.data, database.url, PROJECTIONS, timeouts=PATIENT)
    yield store
    store.close()


@pytest.fixture
def followers(games: Games, rows: RowStore) -> LogFollower:
    return LogFollower(games, rows, page=40)


@pytest.fixture
def play(games: Games) -> Play:
    return Play(games)
