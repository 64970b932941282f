"""Attacks by players who do what everybody may do, too often: games, proposals, disputes."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.config import Limits
from tests.api.live_server import GameServer, open_server
from tests.attacks.playing import AttackedGame, open_game
from tests.attacks.running import problem_type


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """A server with low limits for each player."""
    low: dict[str, Any] = {"hourly_games": 8, "unfinished_games": 5, "hand_proposals": 4, "game_disputes": 3}
    with open_server(tmp_path_factory.mktemp("limits"), limits=Limits(), text_length=50, **low) as opened:
        yield opened


def test_attack_96_a_user_who_opens_game_after_game_is_refused(server: GameServer) -> None:
    table = {"variant": "pitch", "seats": ["mallory", "bot:simple"]}
    answers = [server["mallory"].post("/games", table) for _ in range(15)]
    assert [answer.status_code for answer in answers[:5]] == [201] * 5
    assert {(each.status_code, problem_type(each)) for each in answers[5:]} == {(409, "too-many")}
    server.follow()
    assert len(server.nobody.get("/games?player=mallory").get_json()["items"]) == 5
    assert server["ann"].post("/games", table | {"seats": ["ann", "bot:simple"]}).status_code == 201


def test_attack_111_proposals_and_rejections_in_a_loop_are_refused_and_leave_a_short_log(server: GameServer) -> None:
    game = open_game(server, ("eve", "fay"))
    for turn in range(30):
        proposed = game.post(turn % 2, {"type": "propose_draw"})
        assert (proposed.status_code, problem_type(proposed)) in {(201, ""), (409, "too-many")}
        if proposed.status_code == 201:
            assert game.post(1 - turn % 2, {"type": "reject"}).status_code == 201
    assert game.facts().count("DrawProposed") == 8
    assert game.version() < 40
    assert game.post(game.turn(), game.legal(game.turn())[-1]).status_code == 201, "the game goes on"


def test_attack_112_games_that_name_a_stranger_are_limited(server: GameServer) -> None:
    assert server["victim"].token
    answers = []
    for _ in range(12):
        made = server["pest"].post("/games", {"variant": "pitch", "seats": ["pest", "victim"]})
        answers.append((made.status_code, problem_type(made)))
        if made.status_code == 201:
            assert server["pest"].post(f"/games/{made.get_json()['id']}/moves", {"type": "resign"}).status_code == 201
            server.follow()
    assert answers == [(201, "")] * 8 + [(429, "too-many-requests")] * 4
    assert server["victim"].post("/games", {"variant": "pitch", "seats": ["victim", "bot:simple"]}).status_code == 201


def test_attack_113_disputes_with_long_texts_are_limited(server: GameServer) -> None:
    game = open_game(server, ("gil", "hal"))
    with game.unchanged():
        for length in (51, 10_000, 60_000):
            assert dispute(game, "x" * length) == (400, "malformed")
    told = [dispute(game, f"text {number}") for number in range(40)]
    assert told == [(201, "")] + [(409, "already-disputed")] * 39
    assert game.facts().count("DisputeOpened") == 1


def dispute(game: AttackedGame, text: str) -> tuple[int, str]:
    """Dispute the first hand as seat 0, and return the status and the type of the problem."""
    answer = game.seats[0].post(f"{game.path}/disputes", {"hand": 1, "kind": "deal", "text": text})
    return answer.status_code, problem_type(answer)
