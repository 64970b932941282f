"""Faults between a server and its databases: before a write, or after it and before the reply."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

import psycopg
from eventsourcing.persistence import OperationalError

from api.container import Services
from domain.store.sql.database import Transaction
from projections.storage.rows import RowsUnavailable
from tests.campaigns.simulation.simulated_time import SimulatedTime

LOG_FAULTS = ("the write fails", "the disk is full", "the reply is lost", "crash before", "crash after", "slow")
LIST_FAULTS = ("the write fails", "the reply is lost", "crash before", "crash after")
ACCOUNT_FAULTS = ("the write fails", "crash before", "crash after")
MAIL_FAULTS = ("refused for now", "nothing arrives", "the reply is lost", "crash before", "crash after", "crash after")
SLOW_S = 20.0
MESSAGES = {"the disk is full": "database or disk is full"}


class Crash(BaseException):
    """The server's process is gone, at this moment."""


class Seam:
    """A write to the log, the lists or the accounts, or a mail, meets the fault that is set; then the fault is gone."""

    def __init__(self, time: SimulatedTime, *, postgres: bool = False) -> None:
        self._time = time
        self._office_error = psycopg.OperationalError if postgres else sqlite3.OperationalError
        self.log_fault: str | None = None
        self.list_fault: str | None = None
        self.account_fault: str | None = None
        self.mail_fault: str | None = None
        self.met = Counter[str]()
        """How many writes and mails met each fault."""

    def heal(self) -> None:
        """Forget the faults that have met nothing."""
        self.log_fault = self.list_fault = self.account_fault = self.mail_fault = None

    def attach(self, services: Services) -> None:
        """Stand between these services and their databases."""
        log, rows, office = services.games.log, services.rows, services.accounts.database
        vars(log)["insert_batches"] = partial(self._insert, log.insert_batches)
        vars(rows)["fold_together"] = partial(self._fold, rows.fold_together)
        vars(office)["transaction"] = partial(self._change_office, office.transaction)

    def take_mail_fault(self) -> str | None:
        """Return the fault that the next mail meets before it arrives or instead; it may crash the server."""
        fault, self.mail_fault = self.mail_fault, None
        self._count("mail", fault)
        if fault == "crash before":
            raise Crash
        return fault

    @staticmethod
    def crash_after(fault: str | None) -> None:
        """Crash the server if the fault says so, now that its mail has arrived."""
        if fault == "crash after":
            raise Crash

    def _count(self, place: str, fault: str | None) -> None:
        if fault is not None:
            self.met[f"{place}: {fault}"] += 1

    def _insert(self, insert: Callable[..., Any], batches: Sequence[Any]) -> Any:
        fault, self.log_fault = self.log_fault, None
        self._count("log", fault)
        return self._meet(fault, partial(insert, batches), OperationalError)

    def _fold(self, fold: Callable[..., Any], *arguments: Any) -> Any:
        fault, self.list_fault = self.list_fault, None
        self._count("lists", fault)
        return self._meet(fault, partial(fold, *arguments), RowsUnavailable)

    @contextmanager
    def _change_office(
        self, transaction: Callable[..., AbstractContextManager[Transaction]], *, writes: bool
    ) -> Iterator[Transaction]:
        fault = None
        if writes:
            fault, self.account_fault = self.account_fault, None
            self._count("accounts", fault)
        if fault == "the write fails":
            raise self._office_error("the database is locked")
        with transaction(writes=writes) as made:
            yield made
            if fault == "crash before":
                raise Crash
        if fault == "crash after":
            raise Crash

    def _meet(self, fault: str | None, write: Callable[[], Any], error: type[Exception]) -> Any:
        if fault == "crash before":
            raise Crash
        if fault in ("the write fails", "the disk is full"):
            raise error(MESSAGES.get(fault, fault))
        if fault == "slow":
            self._time.pass_s(SLOW_S)
        result = write()
        if fault == "crash after":
            raise Crash
        if fault == "the reply is lost":
            raise error("the connection is lost")
        return result
