"""Tables as clients describe them: what is offered, what is not, and what is no table at all; the catalogue."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, check_problem, services_of

BOTS = {"variant": "pitch", "seats": ["ann", "bot:random", "bot:simple"], "options": {"win": 7}}


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One store is enough for what never reaches it."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS)


@pytest.mark.parametrize("win", [7, 11, 21])
def test_S4_S5_the_goals_that_are_offered(ann: Caller, win: int) -> None:
    body = ann.post("/games", BOTS | {"options": {"win": win}}).get_json()
    assert body["view"]["rules"] == {"goal": win}


@pytest.mark.parametrize(
    ("change", "slug"),
    [
        pytest.param({"options": {"win": 8}}, "not-offered", id="S4 another goal"),
        pytest.param({"options": {"win": "7"}}, "not-offered", id="R-S21 a goal as text"),
        pytest.param({"options": {"win": True}}, "not-offered", id="R-S21 true is no goal"),
        pytest.param({"options": {"low": 1}}, "not-offered", id="R-S21 an option of another game"),
        pytest.param({"variant": "chess"}, "not-offered", id="no such variant"),
        pytest.param({"seats": ["ann"]}, "wrong-number-of-players", id="S2 one player"),
        pytest.param({"seats": ["ann", *["bot:random"] * 7]}, "wrong-number-of-players", id="S2 eight players"),
        pytest.param({"seats": ["ann", "ann"]}, "same-player-twice", id="R-P1 a player twice"),
        pytest.param({"seats": ["ann", "nobody"]}, "no-such-player", id="R-P1 a player who is not registered"),
        pytest.param({"seats": ["bot:random", "bot:simple"]}, "no-person", id="bots alone"),
        pytest.param({"reveal": "never"}, "not-offered", id="another reveal"),
        pytest.param({"timing": {"nag_days": 1}}, "not-offered", id="another timing"),
        pytest.param({"timing": {"nag_days": True}}, "not-offered", id="true is no number of days"),
        pytest.param({"fairness": {"cuts": "all"}}, "not-offered", id="cuts"),
    ],
)
def test_a_table_that_is_not_offered_takes_no_board(
    ann: Caller, app: Flask, change: dict[str, Any], slug: str
) -> None:
    check_problem(ann.post("/games", BOTS | change), 409, slug)
    assert services_of(app).games.last_position() == 0
    assert ann.post("/games", BOTS).get_json()["board"] == 1


def test_what_is_usual_is_told_as_it_may_be_sent(ann: Caller) -> None:
    refused = check_problem(ann.post("/games", BOTS | {"timing": {"nag_days": 1}}), 409, "not-offered")
    assert str(refused["detail"]).endswith("yet: nag_days 7, forfeit_days 21, total_days null, ends_at null")
    refused = check_problem(ann.post("/games", BOTS | {"options": []}), 400, "malformed")
    assert refused["errors"] == {"options": ["Must be an object."]}


def test_what_is_usual_may_be_said(ann: Caller) -> None:
    body = BOTS | {"timing": {"nag_days": 7, "ends_at": None}, "fairness": {"cuts": "none"}, "reveal": "game"}
    assert ann.post("/games", body).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"variant": "pitch"},
        {"seats": ["ann", "bot:random"]},
        BOTS | {"board": 7},
        BOTS | {"seed": "00"},
        BOTS | {"role": "admin"},
        BOTS | {"seats": "ann"},
        BOTS | {"seats": []},
        BOTS | {"seats": ["ann", 3]},
        BOTS | {"seats": ["ann", None]},
        BOTS | {"seats": ["ann", "bot:cheat"]},
        BOTS | {"seats": ["ann", "x\r\ny"]},
        BOTS | {"seats": ["ann"] * 100},
        BOTS | {"options": []},
        BOTS | {"options": None},
        BOTS | {"variant": None},
        BOTS | {"variant": 3},
        BOTS | {"reveal": 3},
    ],
    ids=lambda body: ascii(body)[-40:],
)
def test_what_describes_no_table_is_malformed(ann: Caller, body: object) -> None:
    check_problem(ann.post("/games", body), 400, "malformed")


def test_variants_are_data(caller: Caller) -> None:
    body = caller.get("/variants").get_json()
    assert body["bots"] == ["bot:random", "bot:simple"]
    (pitch,) = body["items"]
    assert (pitch["name"], pitch["seats"]) == ("pitch", [2, 3, 4, 5, 6, 7])
    assert pitch["options"] == [
        {"name": "win", "values": [7, 11, 21], "default": 11, "says": "the goal in points"}
    ]
    assert pitch["rules"]["goal"] == 11
