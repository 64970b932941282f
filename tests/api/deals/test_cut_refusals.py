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


NO_CUTS: list[object] = ["5a" * 31, "5a" * 33, "5A" * 32, "\u0663" * 64, "\uff10" * 64, None, 7, []]
REFUSED: dict[tuple[int, str], list[dict[str, Any]]] = {
    (409, "wrong-commitment"): [{"commit": "00" * 32}, *({"n": n} for n in (2, 0, -1))],
    (409, "not-a-cut"): [{"next_seal": "00" * 32}],
    (400, "malformed"): [
        {"commit": None},
        *({"n": n} for n in ("1", True, 2**53, 2**63)),
        *({"next_seal": seal} for seal in ("ab", 5)),
        *({"cut": cut} for cut in NO_CUTS),
        *({"seat": 1}, {"seed": "5a" * 32}),
    ],
}


@pytest.mark.parametrize("refusal", REFUSED, ids=str)
def test_an_invalid_cut_is_refused_and_stores_nothing(waiting: ServedGame, refusal: tuple[int, str]) -> None:
    before = waiting.export()
    for changes in REFUSED[refusal]:
        check_problem(waiting.move(0, cut_move(waiting, 0, **changes)), *refusal)
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


INVALID: list[object] = [
    *({"cuts": "secret"}, {"cuts": None}, {"cuts": "none", "window_s": 5}, {"cut": "open"}, []),
    *({"cuts": "open", "window_s": window} for window in (0, -1, 604801, 10**9, 2.5, "2", True)),
    {"cuts": "open", "seed": "00"},
]


def test_an_invalid_fairness_opens_no_game(server: GameServer) -> None:
    games = services_of(server.app).games
    before = games.log.last_numbers()
    for fairness in INVALID:
        body = {"variant": "pitch", "seats": ["ann", "bot:random"], "fairness": fairness}
        assert server["ann"].post("/games", body).status_code in {400, 409}, fairness
    assert games.log.last_numbers() == before
