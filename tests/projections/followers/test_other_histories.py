"""Rows of another history are noticed and built again, even if the log is longer now than it was."""

import sqlite3
from contextlib import closing
from itertools import count

import psycopg
import pytest
from eventsourcing.cipher import AESCipher

from domain.store import Games
from domain.store.log import LEAF_DIGITS, Numbers, beginning, numbers_of
from projections.followers import PROJECTIONS
from projections.storage.rows import RowStore
from tests.conftest import Database
from tests.domain.store.storing import Rows
from tests.games.tables import entropy
from tests.games.whole_games import Clock
from tests.logs.copies import LogCopy
from tests.logs.reading import all_notices
from tests.projections.playing_stored import Play, opened, refolded, rows_of

NAMES = [projection.name for projection in PROJECTIONS]


def check_rows(games: Games, rows: RowStore) -> None:
    """Check that every row is the fold of the log."""
    for projection in PROJECTIONS:
        assert rows_of(rows, projection) == refolded(games, projection)


def put_back_and_play_on(database: Database, moves: int) -> Numbers:
    """Follow a log, put it back from an earlier copy and play other moves; return the position followed before."""
    with opened(database) as (games, _, _):
        Play(games).steps(Play(games).open(3), 8)
        copy = LogCopy(database)
    with opened(database, seed=2) as (games, _, followers):
        play = Play(games, seed=2)
        play.steps(play.open(4, board=2), 12)
        followed = followers.catch_up()
    copy.put_back()
    with opened(database, seed=3) as (games, _, _):
        play = Play(games, seed=3)
        play.steps(play.open(2, board=3), moves)
    return followed


@pytest.mark.lengthy
@pytest.mark.parametrize(
    ("database", "moves"), [("sqlite", 2), ("sqlite", 40), ("postgres", 40)], indirect=["database"]
)
def test_a_log_put_back_from_a_copy_is_noticed_whether_shorter_or_longer(database: Database, moves: int) -> None:
    followed = put_back_and_play_on(database, moves)
    with opened(database) as (games, rows, followers):
        assert (sum(games.log.last_numbers()) > sum(followed)) is (moves == 40)
        assert not followers.wait_for(games.log.heads(), 0)
        assert followers.lag() == dict.fromkeys(NAMES, sum(games.log.last_numbers()))
        assert followers.catch_up() == games.log.last_numbers()
        check_rows(games, rows)
        assert followers.wait_for(games.log.heads(), 0)
        assert {rows.live_generation(name).at for name in NAMES} == {games.log.heads()}


class Interrupted(Exception):
    """The process stops here."""


@pytest.mark.lengthy
def test_an_interrupted_rebuild_of_another_history_does_not_continue(database: Database) -> None:
    with opened(database) as (games, _, _):
        copy = LogCopy(database)
        Play(games).steps(Play(games).open(3), 30)
    with opened(database) as (_, rows, followers):
        with pytest.raises(Interrupted):
            followers.rebuild("lobby", interrupt_after_a_page)
        begun = rows.building_generation("lobby")
        assert begun is not None
        assert sum(numbers_of(begun.at)) > 0
    copy.put_back()
    with opened(database, seed=2) as (games, rows, followers):
        play = Play(games, seed=2)
        play.steps(play.open(4), 40)
        followers.rebuild("lobby")
        assert rows.live_generation("lobby").number > begun.number
        followers.catch_up()
        check_rows(games, rows)


def interrupt_after_a_page(position: int, last: int) -> None:
    if position > 10:
        raise Interrupted


def execute(database: Database, statement: str) -> None:
    if database.url is None:
        with closing(sqlite3.connect(database.data / "views.db")) as connection:
            connection.execute(statement)
    else:
        with psycopg.connect(database.url, options="-c search_path=views") as connection:
            connection.execute(statement.encode())


OLDER_TABLE = (
    "ALTER TABLE followers ADD COLUMN position BIGINT NOT NULL DEFAULT 30",
    "ALTER TABLE followers DROP COLUMN positions",
)


def test_rows_of_version_0_1_without_leaves_are_built_again(database: Database) -> None:
    with opened(database) as (games, rows, followers):
        play = Play(games)
        play.steps(play.open(3), 20)
        followers.catch_up()
        old = rows.live_generation("lobby").number
    for statement in OLDER_TABLE:
        execute(database, statement)
    with opened(database) as (games, rows, followers):
        assert not followers.wait_for(games.log.heads(), 0)
        followers.catch_up()
        check_rows(games, rows)
        assert rows.live_generation("lobby").number == old + 1


def test_a_position_is_of_one_history(database: Database) -> None:
    with opened(database) as (games, _, _):
        assert games.log.heads() == beginning(games.log.shards)
        assert all(map(games.log.has_position, beginning(games.log.shards)))
        play = Play(games)
        play.open(3)
        copy = LogCopy(database)
        written = games.log.head(play.open(3, board=2))
        assert games.log.has_position(written)
        assert games.log.position_at(written.shard, written.number) == written
        beyond = type(written)(written.shard, written.number + 1, written.leaf)
        other_shard = type(written)(64, written.number, written.leaf)
        assert not games.log.has_position(beyond)
        assert not games.log.has_position(other_shard)
    copy.put_back()
    with opened(database, seed=2) as (games, _, _):
        play = Play(games, seed=2)
        boards = count(2)
        while games.log.last_numbers()[written.shard] < written.number:
            play.open(3, board=next(boards))
        assert not games.log.has_position(written)


@pytest.mark.lengthy
def test_an_unreadable_last_event_leads_to_one_rebuild_and_no_more(database: Database) -> None:
    with opened(database) as (games, rows, followers):
        play = Play(games)
        game = play.open(3)
        play.open(3, board=2)
        play.steps(game, 5)
        followers.catch_up()
        numbers = {name: rows.live_generation(name).number for name in NAMES}
        last = games.entries(game)[-1]
        _, topic, _ = Rows(database).of(game)[last.event.version - 1]
        Rows(database).put(game, last.event.version, topic, last.prev + b"not an event")
        for _ in range(3):
            assert followers.catch_up() == games.log.last_numbers()
            assert {name: rows.live_generation(name).number - 1 for name in NAMES} == numbers
            assert {rows.live_generation(name).at for name in NAMES} == {games.log.heads()}


@pytest.mark.parametrize("compressor", [{}, {"COMPRESSOR_TOPIC": "zlib"}], ids=["encrypted", "compressed too"])
def test_a_position_has_the_leaf_of_the_plain_event(database: Database, compressor: dict[str, str]) -> None:
    settings = {"CIPHER_KEY": AESCipher.create_key(32), **compressor}
    with Games(database.data, database.url, settings=settings, entropy=entropy(1), clock=Clock()) as games:
        game = Play(games).open(3)
        leaf = games.entries(game)[-1].leaf.hex()
        assert games.log.head(game).leaf == all_notices(games)[-1].leaf == leaf[:LEAF_DIGITS]
