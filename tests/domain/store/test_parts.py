"""Small parts of the store by themselves: the breaker, reasons of failures, names of tables, and what was copied."""

from eventsourcing.persistence import JSONTranscoder

from domain.protocols import merkle_log
from domain.store.application import FactMapper
from domain.store.log import row_leaf, short_leaf
from domain.store.shards.layout import choose_shards, postgres_tables, shard_names, sqlite_tables
from domain.store.shards.shard_copy import CopyContents
from domain.store.sql.breaker import REFUSAL, Breaker, Timeouts
from domain.store.sql.postgres_pool import connection_parameters, describe_failure


class NoAnswerError(Exception):
    """A database didn't answer in time."""


class RefusedError(Exception):
    """The breaker let nobody through."""


def is_timeout(error: Exception) -> bool:
    return isinstance(error, NoAnswerError)


def ask(breaker: Breaker, key: str, error: Exception | None = None) -> str:
    try:
        with breaker.attempt(key, is_timeout, RefusedError):
            if error is not None:
                raise error
    except RefusedError as refusal:
        return str(refusal)
    except (NoAnswerError, ValueError) as failed:
        return type(failed).__name__
    return "answered"


def test_after_a_timeout_others_are_refused_at_once_and_other_keys_answer() -> None:
    breaker = Breaker()
    assert ask(breaker, "log") == "answered"
    assert ask(breaker, "log", NoAnswerError()) == "NoAnswerError"
    assert (ask(breaker, "log"), ask(breaker, "accounts")) == (REFUSAL, "answered")
    assert (breaker.is_tripped("log"), breaker.is_tripped("accounts")) == (True, False)
    assert (breaker.trips("log"), breaker.trips("accounts")) == (1, 0)


def test_an_error_other_than_a_timeout_is_an_answer() -> None:
    breaker = Breaker()
    assert [ask(breaker, "log", ValueError()), ask(breaker, "log")] == ["ValueError", "answered"]
    assert not breaker.is_tripped("log")


def test_a_key_that_answers_again_admits_everybody_and_its_timeouts_are_counted() -> None:
    breaker = Breaker()
    for trips in (1, 2):
        ask(breaker, "log", NoAnswerError())
        assert breaker.trips("log") == trips
        breaker.reset("log")
        assert ask(breaker, "log") == "answered"


def test_the_reason_of_a_failure_is_one_line_without_the_file_of_the_password() -> None:
    password = 'host "a": FATAL:  password authentication failed\nthe password is in /x'
    for said, reason in (
        ("  \n ", "no connection in time"),
        ("connection refused\nIs the server running?", "Is the server running?"),
        (password, "password authentication failed"),
        ("FATAL: one\nFATAL: two", "one"),
        ("FATAL: retried, FATAL: no", "no"),
    ):
        assert describe_failure(OSError(said)) == reason
    assert describe_failure(None) == "no connection in time"


def test_tables_and_shards_have_names_that_stay() -> None:
    assert (sqlite_tables(1), postgres_tables(1), shard_names(1)) == (
        ["stored_events"],
        ["games00_events"],
        ["games00"],
    )
    assert sqlite_tables(2) == postgres_tables(2) == ["games00of02_events", "games01of02_events"]


def test_the_number_of_shards_is_the_one_in_the_database() -> None:
    asked = ((None, None), (None, 2), (8, None), (8, 8))
    assert [choose_shards(found, wanted, 4) for found, wanted in asked] == [4, 2, 8, 8]


def test_ranges_of_a_copy_add_up_in_any_order_but_the_last_number_is_the_latest() -> None:
    one, two = CopyContents(1, 10, 7, 5), CopyContents(2, 20, 9, (1 << 256) - 3)
    assert one.extended_by(two) == CopyContents(3, 30, 9, 2)
    assert CopyContents().extended_by(one) == one


def test_a_connection_has_time_limits_unless_its_url_has_others() -> None:
    chosen = connection_parameters("postgresql:///games", Timeouts(2, 4, 3), "-c jit=off")
    assert chosen["connect_timeout"] == 2
    assert chosen["tcp_user_timeout"] == 5000
    assert chosen["options"].split("-c ")[1:] == ["statement_timeout=4000 ", "lock_timeout=4000  ", "jit=off"]
    assert connection_parameters("postgresql:///games?connect_timeout=9", Timeouts())["connect_timeout"] == "9"
    assert (chosen["autocommit"], chosen["dbname"]) == (True, "games")


def test_a_row_without_bytes_has_a_leaf() -> None:
    assert row_leaf(FactMapper(JSONTranscoder()), (1, "no id", None, None, None)) == short_leaf(merkle_log.leaf(b""))
