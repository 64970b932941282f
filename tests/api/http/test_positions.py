"""Trickbook-Position: opaque, the same for every server of a store, and refused if it is of another history."""

import re

import pytest
from flask import Flask

from api.config import Config
from api.play.services.positions import POSITION, BadPosition, read_position, write_position
from domain.store.log import LogPosition, beginning
from tests.api.conftest import PASSWORD, Caller, MakeApp, check_problem, services_of
from tests.conftest import Database
from tests.logs.copies import LogCopy

SECRET = bytes(range(32))
WRITE = LogPosition(0, 1234567, "0f8fad5b")
TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}


def test_a_position_is_read_with_the_same_secret_alone() -> None:
    for positions in ((WRITE,), beginning(1), (WRITE, LogPosition(1, 0, ""), LogPosition(2, 7, "00000000"))):
        text = write_position(SECRET, positions)
        assert re.fullmatch("[A-Za-z0-9_-]+", text)
        assert read_position(SECRET, text) == positions
        with pytest.raises(BadPosition):
            read_position(bytes(32), text)


def test_a_known_position_keeps_its_text() -> None:
    """Another text for the same position would refuse the positions of clients after an upgrade."""
    assert write_position(SECRET, [WRITE]) == "9VTuTWo3x8YOR7ctRLE6-HQgygL8lpDzWOIo9EM"


def test_a_position_shows_nothing_of_its_number() -> None:
    texts = [write_position(SECRET, [LogPosition(0, number, "0f8fad5b")]) for number in (1, 2, 10, 10**12)]
    assert len(set(texts)) == len(texts)
    assert len(set(map(len, texts))) == 1
    assert not any(one[:6] == other[:6] for one in texts for other in texts if one != other)


def test_any_other_text_is_no_position() -> None:
    text = write_position(SECRET, [WRITE])
    changed = (text[:-2], text + "A", f" {text}", text[::-1], "A" + text[1:])
    for other in ("", "0", "1", "999", "A" * 39, "ä", "====", "!", *changed):
        with pytest.raises(BadPosition):
            read_position(SECRET, other)


def position_of(answer_of: Caller, path: str, body: object) -> str:
    """Return the position of a write."""
    answer = answer_of.post(path, body)
    assert answer.status_code == 201, answer.text
    return answer.headers[POSITION]


def test_wait_takes_the_position_of_a_write_and_of_a_list(app: Flask, ann: Caller) -> None:
    here, empty = services_of(app), ann.get("/games").headers[POSITION]
    assert read_position(here.secret, empty) == beginning(here.games.log.shards)
    assert ann.get(f"/games?wait={empty}").status_code == 200
    wrote = position_of(ann, "/games", TABLE)
    here.followers.catch_up()
    listed = ann.get(f"/games?wait={wrote}")
    for path in ("/games", "/games/1/scoreboard"):
        answer = ann.get(f"{path}?wait={listed.headers[POSITION]}")
        assert (answer.status_code, answer.headers[POSITION]) == (200, listed.headers[POSITION])
    assert read_position(here.secret, listed.headers[POSITION]) == here.games.log.heads()


def test_a_repeated_write_has_a_position_that_includes_it(app: Flask, ann: Caller) -> None:
    first = ann.post("/games", TABLE, Idempotency_Key="k")
    again = ann.post("/games", TABLE, Idempotency_Key="k")
    secret = services_of(app).secret
    (at,), (later,) = (read_position(secret, each.headers[POSITION]) for each in (first, again))
    assert at.number <= later.number
    assert services_of(app).games.log.has_position(later)


def test_a_position_beyond_the_head_or_of_another_leaf_is_of_another_history(app: Flask, ann: Caller) -> None:
    here = services_of(app)
    (head,) = read_position(here.secret, position_of(ann, "/games", TABLE))
    here.followers.catch_up()
    others = [
        LogPosition(head.shard, head.number + 1, head.leaf),
        LogPosition(head.shard, head.number, "00000000"),
        LogPosition(64, head.number, head.leaf),
        LogPosition(head.shard, 2**62, head.leaf),
    ]
    for each in others:
        text = write_position(here.secret, [each])
        for path in ("/games", "/games/1/scoreboard"):
            check_problem(ann.get(f"{path}?wait={text}"), 409, "other-history")
    assert ann.get(f"/games?wait={write_position(here.secret, [head])}").status_code == 200


def login(caller: Caller) -> Caller:
    """Log ann in."""
    token = caller.post("/tokens", {"name": "ann", "password": PASSWORD}).get_json()["token"]
    return Caller(caller.client, token)


def test_a_log_put_back_from_a_copy_refuses_earlier_positions_and_lists_its_own_games(
    make_app: MakeApp, config: Config, database: Database
) -> None:
    """It is longer than before, and the lists of before are still there."""
    before = make_app(config)
    ann = Caller(before.test_client()).join("ann")
    kept = position_of(ann, "/games", TABLE)
    copy = LogCopy(database)
    lost = position_of(ann, "/games", TABLE)
    services_of(before).followers.catch_up()
    listed = ann.get(f"/games?wait={lost}").headers[POSITION]
    services_of(before).close()
    copy.put_back()
    after = make_app(config)
    ann = login(Caller(after.test_client()))
    games = [ann.post("/games", TABLE).get_json()["id"] for _ in range(3)]
    wrote = position_of(ann, f"/games/{games[0]}/moves", {"type": "resign"})
    services_of(after).wait_timeout_s = 0.05
    for path in ("/games", "/games/1/scoreboard"):
        for position in (lost, listed):
            check_problem(ann.get(f"{path}?wait={position}"), 409, "other-history")
        check_problem(ann.get(f"{path}?wait={wrote}"), 503, "behind")
    services_of(after).followers.catch_up()
    for position in (kept, wrote):
        items = ann.get(f"/games?wait={position}").get_json()["items"]
        assert {item["id"] for item in items} >= set(games)
        assert len(items) == 4
        assert {item["status"] for item in items if item["id"] == games[0]} == {"finished"}
