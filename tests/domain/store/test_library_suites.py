"""The eventsourcing library's own suites, run on the recorders of the log."""

from collections.abc import Sequence
from pathlib import Path
from unittest import TestCase
from uuid import UUID

import pytest
from eventsourcing.persistence import AggregateRecorder, StoredEvent
from eventsourcing.tests import persistence as shipped

from domain.store.recorder import LogRecorder, recorder_env
from tests.domain.store.recording import PATIENT, Games


class OnSqlite(TestCase):
    place: Path
    url: str | None = None

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.place = tmp_path

    def create_log(self) -> LogRecorder:
        games = Games(env=recorder_env(self.place, self.url, **PATIENT))
        self.addCleanup(games.close)
        assert isinstance(games.recorder, LogRecorder)
        return games.recorder


class OnPostgres(OnSqlite):
    @pytest.fixture(autouse=True)
    def _database(self, fresh_postgres: str) -> None:
        self.url = fresh_postgres


class WithoutIds(AggregateRecorder):
    """The recorder without its ids: the library's suite for recorders without a notification log expects none."""

    def __init__(self, log: LogRecorder) -> None:
        self.log = log

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: object) -> None:
        self.log.insert_events(stored_events)

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        return self.log.select_events(originator_id, gt=gt, lte=lte, desc=desc, limit=limit)


class TestAggregatesOnSqlite(OnSqlite, shipped.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return WithoutIds(self.create_log())


class TestAggregatesOnPostgres(OnPostgres, shipped.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return WithoutIds(self.create_log())


class TestApplicationsOnSqlite(OnSqlite, shipped.ApplicationRecorderTestCase[LogRecorder]):
    def create_recorder(self) -> LogRecorder:
        return self.create_log()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestApplicationsOnPostgres(OnPostgres, shipped.ApplicationRecorderTestCase[LogRecorder]):
    EXPECT_CONTIGUOUS_NOTIFICATION_IDS = False

    def create_recorder(self) -> LogRecorder:
        return self.create_log()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestOrderOnSqlite(OnSqlite, shipped.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> LogRecorder:
        return self.create_log()


class TestOrderOnPostgres(OnPostgres, shipped.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> LogRecorder:
        return self.create_log()
