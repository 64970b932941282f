"""Attacks on the order of moves: out of turn, repeated, at the same time, too late."""

from functools import partial
from pathlib import Path

import pytest

from tests.api.conftest import Caller
from tests.api.live_server import GameServer, ServedGame, open_game, open_server
from tests.attacks.playing import statuses
from tests.simultaneous import at_once


@pytest.fixture
def game(attacked: GameServer) -> ServedGame:
    """A game of Pitch of two in its first auction."""
    return open_game(attacked, ("ann", "bob"))


def test_attack_20_one_command_at_two_servers_at_once_is_one_event(tmp_path: Path) -> None:
    with open_server(tmp_path) as one, open_server(tmp_path) as two:
        game = open_game(one, ("ann", "bob"))
        for _ in range(2):
            seat, before = game.turn, game.version
            callers = [Caller(server.app.test_client(), game.seats[seat].token) for server in (one, two) * 2]
            send = partial(Caller.post, path=game.moves, body=game.legal(seat)[0], Idempotency_Key="k20")
            answers = at_once(*(partial(send, caller) for caller in callers))
            assert set(statuses(answers)) <= {201, 409, 503}
            assert len({answer.data for answer in answers if answer.status_code == 201}) == 1
            stored = [item["event"] for item in game.items()[before:] if "event" in item]
            assert len({event["command"] for event in stored}) == 1


def test_attack_29_a_move_that_became_illegal_after_the_read_is_409(attacked: GameServer) -> None:
    """Two seats accept and reject one proposal at the same time; the later answer is judged again when it's stored."""
    for turn in range(4):
        game = open_game(attacked, ("ann", "bob", "cat"))
        assert game.move(0, {"type": "propose_draw"}).status_code == 201
        kinds = ("accept", "reject") if turn % 2 else ("reject", "accept")
        moves = zip((1, 2), kinds, strict=True)
        answers = at_once(*(partial(game.move, seat, {"type": kind}) for seat, kind in moves))
        assert statuses(answers)[0] == 201
        assert set(statuses(answers)) <= {201, 409, 503}
        facts = game.fact_names
        assert facts.count("DrawProposed") == 1
        last = [fact for fact in facts if fact in {"DrawAnswered", "ProposalEnded"}]
        assert game.public["proposal"] is None, last
        assert game.server.nobody.get(f"{game.path}/audit").get_json()["verdict"]["code"] != 1


def test_attack_30_a_retry_after_a_crash_gets_the_answer_of_the_stored_move(tmp_path: Path) -> None:
    move, key = {"type": "bid", "bid": 2}, "k30"
    with open_server(tmp_path) as crashed:  # what it had stored is all that the next server has
        game = open_game(crashed, ("ann", "bob"))
        seat = game.turn
        first = game.move(seat, move, Idempotency_Key=key)
        assert first.status_code == 201
        with open_server(tmp_path) as restarted:
            again = Caller(restarted.app.test_client(), game.seats[seat].token)
            repeated = again.post(game.moves, move, Idempotency_Key=key)
            assert (repeated.status_code, repeated.data) == (201, first.data)


def test_attack_32_a_hundred_conflicting_moves_at_once_store_one_event_for_each_version(game: ServedGame) -> None:
    seat, before = game.turn, game.version
    bids = [2, 3, 4]
    asked = [
        lambda number=number: game.move(seat, {"type": "bid", "bid": bids[number % 3]}, Idempotency_Key=f"k32-{number}")
        for number in range(100)
    ]
    answers = at_once(*asked)
    assert statuses(answers).count(201) == 1
    assert set(statuses(answers)) <= {201, 409, 503}
    assert all("Retry-After" in answer.headers for answer in answers if answer.status_code == 503)
    items = game.items()
    assert [item["version"] for item in items] == list(range(1, len(items) + 1))
    assert game.version == before + 1
