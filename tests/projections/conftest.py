"""A store, its rows and its followers, on both databases. Decks and times are the same in every run."""

from collections.abc import Iterator

import pytest

from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from tests.conftest import Database
from tests.projections.playing_stored import Play
from tests.tables import entropy
from tests.whole_games import Clock


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait as long as a busy machine needs."""
    monkeypatch.setattr("projections.storage.database.LOCK_TIMEOUT_S", 60.0)
    monkeypatch.setattr("projections.storage.database.POOL_TIMEOUT_S", 60.0)


@pytest.fixture
def games(database: Database) -> Iterator[Games]:
    with Games(database.data, database.url, entropy=entropy(1), clock=Clock()) as opened:
        yield opened


@pytest.fixture
def rows(database: Database) -> Iterator[RowStore]:
    store = RowStore(database.data, database.url, PROJECTIONS)
    yield store
    store.close()


@pytest.fixture
def followers(games: Games, rows: RowStore) -> LogFollower:
    return LogFollower(games, rows, page=40)


@pytest.fixture
def play(games: Games) -> Play:
    return Play(games)
