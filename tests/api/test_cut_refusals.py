"""Cuts and tables that are refused over HTTP (docs/fairness.md); one store is enough if nothing reaches it."""

from pathlib import Path

import pytest
from flask import Flask

from api.config import NO_LIMITS, Config
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.cutting_table import WINDOW, open_cutting_table


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """On SQLite."""
    return Config(data=tmp_path, hashing="cheapest", limits=NO_LIMITS)


@pytest.mark.parametrize(
    ("other", "status", "slug"),
    [
        pytest.param({"commit": "00" * 32}, 409, "wrong-commitment", id="quoting another commitment"),
        pytest.param({"n": 2}, 409, "wrong-commitment", id="before its commitment"),
        pytest.param({"next_seal": "00" * 32}, 409, "not-a-cut", id="a seal at a table of open cuts"),
        pytest.param({"cut": "5a" * 31}, 400, "malformed", id="31 bytes"),
        pytest.param({"cut": "5a" * 33}, 400, "malformed", id="33 bytes"),
        pytest.param({"cut": "5A" * 32}, 400, "malformed", id="upper case"),
        pytest.param({"cut": "٣" * 64}, 400, "malformed", id="other digits"),
        pytest.param({"cut": None}, 400, "malformed", id="null"),
        pytest.param({"n": "1"}, 400, "malformed", id="a number as text"),
        pytest.param({"n": 2**63}, 400, "malformed", id="a number beyond all"),
        pytest.param({"seat": 1}, 400, "malformed", id="for another seat"),
        pytest.param({"seed": "5a" * 32}, 400, "malformed", id="a seed"),
    ],
)
def test_a_wrong_cut_is_refused_and_the_log_stays(app: Flask, other: dict[str, object], status: int, slug: str) -> None:
    table = open_cutting_table(app, WINDOW)
    before = table.facts
    check_problem(table.post(0, table.cut(0) | other), status, slug)
    assert table.facts == before


MOVES: list[dict[str, object]] = [
    {"type": "bid", "bid": 2}, {"type": "pass"}, {"type": "name_trump", "suit": "H"},
    {"type": "call_partner", "card": "KH"}, {"type": "discard", "cards": []}, {"type": "play", "card": "AD"},
    {"type": "call_delay", "accused": 1}, {"type": "vote", "guilty": True}, {"type": "undo"}, {"type": "accept"},
    {"type": "change_rules", "change": "points:7"}, {"text": "kh"}, {"text": "2"},
]  # fmt: skip


@pytest.mark.parametrize("variant", ["pitch", "setback", "blackout", "corellian"])
def test_before_the_first_deal_every_other_move_is_refused(app: Flask, variant: str) -> None:
    ann = Caller(app.test_client()).join("ann")
    seats = ["ann", *["bot:simple"] * 3]
    game = ann.post("/games", {"variant": variant, "seats": seats, "fairness": WINDOW}).get_json()["id"]
    for move in MOVES:
        answer = ann.post(f"/games/{game}/moves", move)
        assert answer.status_code in {400, 409}, (move, answer.text)


@pytest.mark.parametrize(
    "fairness",
    [
        pytest.param({"cuts": "secret"}, id="another kind"),
        pytest.param({"cuts": "open", "window_s": 0}, id="no time"),
        pytest.param({"cuts": "none", "window_s": 5}, id="a window for nothing"),
        pytest.param({"cuts": "open", "window_s": 10**9}, id="for ever"),
        pytest.param({"cuts": "open", "window_s": "2"}, id="a text"),
        pytest.param({"cuts": "open", "window_s": True}, id="true"),
        pytest.param({"cuts": None}, id="null"),
        pytest.param({"cut": "open"}, id="an unknown field"),
    ],
)
def test_a_fairness_that_is_not_offered_opens_no_game(app: Flask, fairness: dict[str, object]) -> None:
    ann = Caller(app.test_client()).join("ann")
    answer = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bot:random"], "fairness": fairness})
    assert answer.status_code in {400, 409}, answer.text
    assert services_of(app).games.last_position() == 0
