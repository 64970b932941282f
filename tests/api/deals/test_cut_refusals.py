"""Cuts, and games with cuts, that are refused over HTTP (docs/fairness.md); nothing reaches the store."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import check_problem, services_of
from tests.api.cut_moves import OPEN, cut_move
from tests.api.live_server import GameServer, ServedGame, open_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these requests, since none of them changes it."""
    with open_server(tmp_path_factory.mktemp("cuts")) as opened:
        yield opened


@pytest.fixture(scope="module")
def waiting(server: GameServer) -> ServedGame:
    """A game that waits for the cuts of its first deal."""
    return server.open(["ann", "bob"], fairness=OPEN)


@pytest.mark.parametrize(
    ("changes", "status", "slug"),
    [
        pytest.param({"commit": "00" * 32}, 409, "wrong-commitment", id="another commitment"),
        pytest.param({"commit": None}, 400, "malformed", id="a null commitment"),
        pytest.param({"n": 2}, 409, "wrong-commitment", id="a later ceremony"),
        pytest.param({"n": 0}, 409, "wrong-commitment", id="an earlier ceremony"),
        pytest.param({"n": -1}, 409, "wrong-commitment", id="a negative number"),
        pytest.param({"n": "1"}, 400, "malformed", id="a number as text"),
        pytest.param({"n": True}, 400, "malformed", id="true as a number"),
        pytest.param({"n": 2**53}, 400, "malformed", id="a number over 2^53"),
        pytest.param({"n": 2**63}, 400, "malformed", id="a number over 2^63"),
        pytest.param({"next_seal": "00" * 32}, 409, "not-a-cut", id="a seal in a game of open cuts"),
        pytest.param({"next_seal": "ab"}, 400, "malformed", id="a short seal"),
        pytest.param({"next_seal": 5}, 400, "malformed", id="a number as a seal"),
        pytest.param({"cut": "5a" * 31}, 400, "malformed", id="31 bytes"),
        pytest.param({"cut": "5a" * 33}, 400, "malformed", id="33 bytes"),
        pytest.param({"cut": "5A" * 32}, 400, "malformed", id="upper case"),
        pytest.param({"cut": "\u0663" * 64}, 400, "malformed", id="Arabic digits"),
        pytest.param({"cut": "\uff10" * 64}, 400, "malformed", id="full-width digits"),
        pytest.param({"cut": None}, 400, "malformed", id="a null cut"),
        pytest.param({"cut": 7}, 400, "malformed", id="a number as a cut"),
        pytest.param({"cut": []}, 400, "malformed", id="a list as a cut"),
        pytest.param({"seat": 1}, 400, "malformed", id="a cut for another seat"),
        pytest.param({"seed": "5a" * 32}, 400, "malformed", id="a seed"),
    ],
)
def test_an_invalid_cut_is_refused_and_stores_nothing(
    waiting: ServedGame, changes: dict[str, Any], status: int, slug: str
) -> None:
    before = waiting.export()
    check_problem(waiting.move(0, cut_move(waiting, 0, **changes)), status, slug)
    assert waiting.export() == before


MOVES: list[dict[str, object]] = [
    {"type": "bid", "bid": 2}, {"type": "pass"}, {"type": "name_trump", "suit": "H"},
    {"type": "call_partner", "card": "KH"}, {"type": "discard", "cards": []}, {"type": "play", "card": "AD"},
    {"type": "call_delay", "accused": 1}, {"type": "vote", "guilty": True}, {"type": "undo"}, {"type": "accept"},
    {"type": "change_rules", "change": "points:7"}, {"text": "kh"}, {"text": "2"},
]  # fmt: skip


@pytest.mark.parametrize("variant", ["pitch", "setback", "blackout", "corellian"])
def test_before_the_first_deal_every_other_move_is_refused(server: GameServer, variant: str) -> None:
    game = server.open(["ann", *["bot:simple"] * 3], variant, fairness=OPEN)
    (seat,) = game.seats
    for move in MOVES:
        answer = game.move(seat, move)
        assert answer.status_code in {400, 409}, (move, answer.text)


@pytest.mark.parametrize(
    "fairness",
    [
        pytest.param({"cuts": "secret"}, id="an unknown kind"),
        pytest.param({"cuts": None}, id="null"),
        pytest.param({"cuts": "none", "window_s": 5}, id="a window without cuts"),
        pytest.param({"cuts": "open", "window_s": 0}, id="no time"),
        pytest.param({"cuts": "open", "window_s": -1}, id="a negative time"),
        pytest.param({"cuts": "open", "window_s": 604801}, id="a second over a week"),
        pytest.param({"cuts": "open", "window_s": 10**9}, id="32 years"),
        pytest.param({"cuts": "open", "window_s": 2.5}, id="a fraction"),
        pytest.param({"cuts": "open", "window_s": "2"}, id="a text"),
        pytest.param({"cuts": "open", "window_s": True}, id="true"),
        pytest.param({"cuts": "open", "seed": "00"}, id="a seed"),
        pytest.param({"cut": "open"}, id="an unknown field"),
        pytest.param([], id="a list"),
    ],
)
def test_an_invalid_fairness_opens_no_game(server: GameServer, fairness: object) -> None:
    games = services_of(server.app).games
    before = games.log.last_numbers()
    body = {"variant": "pitch", "seats": ["ann", "bot:random"], "fairness": fairness}
    answer = server["ann"].post("/games", body)
    assert answer.status_code in {400, 409}, answer.text
    assert games.log.last_numbers() == before
