"""Changes that an operator could make to the stored log: another event with matching links, or a missing tail."""

import json
from typing import LiteralString

from api.container import Services
from domain.protocols.merkle_log import EMPTY, canonical, leaf
from domain.store.aggregate import PREV_SIZE
from domain.store.sql.database import RowValues
from tests.conftest import Database
from tests.domain.store.storing import Rows


def forge(database: Database, game: str, version: int, salt: str = "0" * 32) -> None:
    """Give one event another salt and mend all later links, so that only an older root shows the change."""
    frontier = EMPTY
    for number, topic, state in Rows(database).of(game):
        raw = state[PREV_SIZE:]
        if number == version:
            raw = canonical(json.loads(raw) | {"salt": salt})
        if number >= version:
            Rows(database).put(game, number, topic, frontier.root() + raw)
        frontier = frontier.append(leaf(raw))


def truncate_log(database: Database, game: str, last: int) -> None:
    """Delete every event after version `last`."""
    for number, _, _ in Rows(database).of(game):
        if number > last:
            Rows(database).drop(game, number)


def run_accounts_sql(here: Services, statement: LiteralString, *values: object) -> list[RowValues]:
    """Run SQL on the accounts database."""
    return here.accounts.database.run(statement, *values)
