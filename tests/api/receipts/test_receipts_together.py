"""Receipts that several calls of one thread store at the same time share a transaction."""

import sqlite3
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import psycopg
import pytest
from flask import Flask

from api.evidence.stored.receipts import StoredReceipt, StoredReceipts
from tests.api.conftest import Caller, services_of
from tests.api.receipts.test_receipts import open_game
from tests.api.server.test_batch_lane import run_together


def count_transactions(database: Any, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that grows with every transaction."""
    begun, transaction = list[bool](), database.transaction

    def counted(*, writes: bool) -> AbstractContextManager[Any]:
        begun.append(writes)
        entered: AbstractContextManager[Any] = transaction(writes=writes)
        return entered

    monkeypatch.setattr(database, "transaction", counted)
    return begun


def test_receipts_that_wait_share_a_transaction(app: Flask, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    here, games = services_of(app), [open_game(ann) for _ in range(4)]
    begun = count_transactions(here.accounts.database, monkeypatch)
    given = run_together([partial(here.receipts.issue, game) for game in games])
    assert given == [here.receipts.stored_receipts(game)[0] for game in games]
    assert begun == [True]
    assert run_together([partial(here.receipts.issue, game) for game in games]) == given
    assert begun == [True]


def test_a_database_that_fails_fails_each_call_and_no_later_one(app: Flask, ann: Caller) -> None:
    here, games = services_of(app), [open_game(ann) for _ in range(3)]
    table = StoredReceipts(here.accounts.database)
    here.accounts.database.run("ALTER TABLE receipts RENAME TO hidden")
    failed = run_together([partial(table.add, game, StoredReceipt(1, "", "")) for game in games])
    here.accounts.database.run("ALTER TABLE hidden RENAME TO receipts")
    assert [isinstance(each, sqlite3.Error | psycopg.Error) for each in failed] == [True] * 3
    given = run_together([partial(here.receipts.issue, game) for game in games])
    assert given == [here.receipts.stored_receipts(game)[0] for game in games]
