"""GET /exports/games: every game at one moment, each as the caller may see it."""

import gzip
import sqlite3
from collections.abc import Iterator

import psycopg
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api.config import Config
from api.play.services.positions import write_position
from replay.audit import GREEN, WRONG, audit
from replay.history import read_export
from replay.history.bundle import split_exports
from tests.api.conftest import Caller, check_problem, services_of
from tests.games.four import OVER, RUNNING, Four, id_of
from tests.logs.tables import change_time, log_table

EVERY = range(1, 9)


@pytest.fixture
def four(config: Config, app: Flask) -> Iterator[Four]:
    made = Four(config).fill(6)
    yield made
    made.close()


def login(caller: Caller, name: str) -> Caller:
    """Return a caller logged in as one of the four registered players."""
    token = caller.post("/tokens", {"name": name, "password": "correct-horse"}).get_json()["token"]
    return Caller(caller.client, token)


def games(answer: TestResponse) -> list[bytes]:
    """Return the exports in an answer."""
    assert answer.status_code == 200, answer.text
    return list(split_exports(answer.data.splitlines(keepends=True))) if answer.data else []


def head_of(four: Four, app: Flask) -> str:
    """Return the position of the last event, as the server writes it."""
    return write_position(services_of(app).secret, four.games.log.heads())


def boards(answer: TestResponse) -> list[int]:
    """Return the boards of the exports."""
    return [read_export(each).header.board for each in games(answer)]


def test_each_game_is_the_callers_own_export_and_verifies(four: Four, app: Flask, caller: Caller) -> None:
    for asker in (caller, login(caller, "ann"), login(caller, "dan")):
        answer = asker.get("/exports/games")
        assert answer.content_type == "application/x-ndjson"
        assert answer.headers["Trickbook-Position"] == head_of(four, app)
        told = games(answer)
        assert told == [asker.get(f"/games/{board}/export").data for board in EVERY]
        for board, each in zip(EVERY, told, strict=True):
            history = read_export(each)
            assert audit(history).code(live_is_fine=True) == GREEN
            assert (history.withheld > 0) == (board in RUNNING)
            assert audit(history).code() == (2 if board in RUNNING else GREEN)


def test_filters_select_games_by_their_kind_and_time(four: Four, caller: Caller) -> None:
    four.open(9, "pitch", [0, 1])
    opened = [four.games.first_entry(id_of(board)).event.at for board in range(1, 10)]
    expected = {
        "": list(range(1, 10)),
        "variant=pitch": [1, 2, 9],
        "status=active": [*RUNNING, 9],
        "status=finished": list(OVER),
        "status=finished&variant=setback": [4],
        "player=dan": list(EVERY),
        "player=ann": list(range(1, 10)),
        "player=ann&player=dan": list(EVERY),
        "player=dan&player=nobody": [],
        "player=nobody": [],
        f"since={opened[2]}": list(range(3, 10)),
        f"until={opened[2]}": [1, 2],
        f"since={opened[2]}&until={opened[5]}": [3, 4, 5],
        "since=2030-01-01": [],
        "until=2026-11-21T08:00": [],
        "until=2026-11-22": list(range(1, 10)),
    }
    for query, wanted in expected.items():
        assert boards(caller.get(f"/exports/games?{query}")) == wanted, query


def test_an_invalid_query_is_malformed(caller: Caller) -> None:
    twice, many = "status=active&status=active", "&".join(["player=ann"] * 9)
    for query in ("status=over", "variant=bridge", "since=2026", "limit=3", twice, many):
        check_problem(caller.get(f"/exports/games?{query}"), 400, "malformed")


def test_moves_made_during_the_stream_are_not_in_it(four: Four, caller: Caller) -> None:
    everything, active = (caller.get(f"/exports/games{query}").data for query in ("", "?status=active"))
    answers = [caller.client.get(f"/api/v1/exports/games{query}", buffered=False) for query in ("", "?status=active")]
    streams = [answer.iter_encoded() for answer in answers]
    begun = [next(stream) for stream in streams]
    for board in RUNNING:
        four.play(board, 5)
        four.leave(board)
    four.open(9, "pitch")
    assert begun[0] + b"".join(streams[0]) == everything
    assert begun[1] + b"".join(streams[1]) == active
    for answer in answers:
        answer.close()
    assert boards(caller.get("/exports/games?status=active")) == [9]


def test_each_game_that_is_not_selected_is_a_step_of_its_own(four: Four, caller: Caller) -> None:
    steps = list(caller.get("/exports/games?player=nobody").iter_encoded())
    assert len(steps) > len(boards(caller.get("/exports/games")))
    assert set(steps) == {b""}


def test_an_export_is_compressed_for_a_client_that_takes_gzip_and_each_game_stays_a_step(
    four: Four, caller: Caller
) -> None:
    for path in ("/exports/games", "/exports/games?player=nobody", "/games/1/export"):
        plain = caller.get(path)
        assert plain.headers["Vary"] == "Accept-Encoding, Authorization, Cookie"
        assert plain.headers.get("Content-Encoding") is None
        assert caller.get(path, Accept_Encoding="gzip;q=0, br").headers.get("Content-Encoding") is None
        packed = caller.get(path, Accept_Encoding="br, gzip")
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) * 2 < len(plain.data) or not plain.data
    headers = {"Accept-Encoding": "gzip"}
    answers = [caller.client.get("/api/v1/exports/games", headers=each, buffered=False) for each in ({}, headers)]
    plain_steps, packed_steps = (len(list(answer.iter_encoded())) for answer in answers)
    assert packed_steps == plain_steps + 1  # the end of the file


def test_an_empty_store_gives_an_empty_stream(caller: Caller) -> None:
    answer = caller.get("/exports/games")
    assert (answer.status_code, answer.data) == (200, b"")


def test_head_requests_and_closed_connections_take_no_place(four: Four, app: Flask, caller: Caller) -> None:
    for _ in range(3):
        head = caller.client.head("/api/v1/exports/games")
        assert (head.status_code, head.headers["Trickbook-Position"]) == (200, head_of(four, app))
        head.close()
        hung_up = caller.client.get("/api/v1/exports/games", buffered=False)
        assert next(hung_up.iter_encoded())
        hung_up.close()
    assert boards(caller.get("/exports/games")) == list(EVERY)


def test_a_broken_log_gives_a_header_and_the_other_games_follow(four: Four, caller: Caller) -> None:
    whole = games(caller.get("/exports/games"))
    damage_log(four, 3)
    told = games(caller.get("/exports/games"))
    assert told[:2] + told[3:] == whole[:2] + whole[3:]
    broken = read_export(told[2])
    assert (broken.header.board, broken.header.game, broken.lines, broken.trailer) == (3, id_of(3), (), None)
    assert audit(broken).code(live_is_fine=True) == WRONG


def test_games_are_read_one_at_a_time_and_not_held_in_memory(four: Four, caller: Caller) -> None:
    answer = caller.client.get("/api/v1/exports/games", buffered=False)
    stream = answer.iter_encoded()
    told = [next(stream)]
    damage_log(four, 8)
    told += filter(None, stream)
    answer.close()
    assert [read_export(each).trailer is None for each in told] == [False] * 7 + [True]


def damage_log(four: Four, board: int) -> None:
    """Change one byte of the game's fifth event in the store."""
    if four.config.database_url is None:
        with sqlite3.connect(four.config.data / "log.db") as log:
            change_time(log, id_of(board), 5)
    else:
        changed, where = "state = set_byte(state, 40, 49)", "originator_id = %s AND originator_version = 5"
        with psycopg.connect(four.config.database_url) as connection:
            table = log_table(four.config.database_url, id_of(board))
            connection.execute(f"UPDATE {table} SET {changed} WHERE {where}".encode(), (id_of(board),))
