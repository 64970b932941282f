"""Attacks on the deal: cuts, seals, seeds that a client wants to choose or to learn early."""

from functools import partial
from pathlib import Path

import pytest

from tests.api import fairdeal_reference as fair
from tests.api.conftest import Caller
from tests.api.cut_moves import OPEN, SEALED, cut_move, own_cut
from tests.api.live_server import GameServer, ServedGame, open_game, open_server
from tests.attacks.playing import same_bytes, statuses
from tests.attacks.running import problem_type
from tests.simultaneous import at_once


def seal(game: ServedGame, seat: int, deal: int) -> str:
    """Return the seal of the cut that a seat makes for a deal."""
    return fair.seal(game.id, seat, own_cut(seat, deal))


@pytest.fixture
def waiting(attacked: GameServer) -> ServedGame:
    """A game of two that waits for the cuts of its first deal."""
    return open_game(attacked, ("ann", "bob"), fairness=OPEN)


@pytest.fixture
def sealed(attacked: GameServer) -> ServedGame:
    """A game of two with sealed cuts that waits for the cuts of its second deal; seat 0 promised one, seat 1 didn't."""
    game = open_game(attacked, ("ann", "bob"), fairness=SEALED, options={"win": 21})
    for seat, promise in ((0, seal(game, 0, 2)), (1, None)):
        assert game.move(seat, cut_move(game, seat, next_seal=promise)).status_code == 201
    game.play(lambda view: view["ceremony"] is not None)
    assert game.public["ceremony"]["n"] == 2
    return game


def test_attack_47_a_cut_that_does_not_match_its_seal_is_409_and_the_promised_one_counts(sealed: ServedGame) -> None:
    with sealed.unchanged():
        sealed.refuse(0, cut_move(sealed, 0, cut="5a" * 32), 409, "not-as-sealed")
    assert sealed.move(0, cut_move(sealed, 0)).status_code == 201


def test_attack_48_a_second_cut_is_409_and_a_repeated_one_gets_the_first_answer(waiting: ServedGame) -> None:
    body = cut_move(waiting, 0)
    first = waiting.move(0, body, Idempotency_Key="k48")
    with waiting.unchanged():
        again = waiting.move(0, body, Idempotency_Key="k48")
        assert (again.status_code, again.data) == (201, first.data)
        waiting.refuse(0, body | {"cut": "cd" * 32}, 409, "already-cut")


def test_attack_49_a_cut_after_the_deal_is_409(waiting: ServedGame) -> None:
    bodies = [cut_move(waiting, seat) for seat in (0, 1)]
    for seat, body in enumerate(bodies):
        assert waiting.move(seat, body).status_code == 201
    with waiting.unchanged():
        for seat, body in enumerate(bodies):
            waiting.refuse(seat, body, 409, "wrong-phase")


def test_attack_50_a_copied_seal_fits_no_cut_of_the_seat_that_copied_it(attacked: GameServer) -> None:
    """A seal is a hash of the seat, too. So the copy is a promise that this seat can't keep."""
    game = open_game(attacked, ("ann", "bob"), fairness=SEALED, options={"win": 21})
    promise = seal(game, 0, 2)
    for seat in (0, 1):
        assert game.move(seat, cut_move(game, seat, next_seal=promise)).status_code == 201
    game.play(lambda view: view["ceremony"] is not None)
    assert game.public["ceremony"]["seals"] == {"0": promise, "1": promise}
    assert game.move(0, cut_move(game, 0)).status_code == 201
    with game.unchanged():
        for text in (own_cut(0, 2), own_cut(1, 2), bytes.fromhex(promise)):
            game.refuse(1, cut_move(game, 1, cut=text.hex()), 409, "not-as-sealed")


def test_attack_51_the_last_cuts_at_once_deal_once(waiting: ServedGame) -> None:
    sent = [(seat, cut_move(waiting, seat)) for seat in (0, 1) for _ in range(4)]
    answers = at_once(*(partial(waiting.move, seat, body) for seat, body in sent))
    assert statuses(answers).count(201) == 2
    assert set(statuses(answers)) <= {201, 409, 503}
    assert waiting.fact_names.count("HandDealt") == 1


def test_attack_52_a_restart_before_the_deal_keeps_commitment_and_seed(tmp_path: Path) -> None:
    with open_server(tmp_path) as killed, open_server(tmp_path) as restarted:
        game = open_game(killed, ("ann", "bob"), fairness=OPEN)
        waits = game.public["ceremony"]
        assert game.move(0, cut_move(game, 0)).status_code == 201
        seats = {seat: Caller(restarted.app.test_client(), each.token) for seat, each in game.seats.items()}
        again = ServedGame(restarted, game.id, seats)
        assert again.public["ceremony"]["commit"] == waits["commit"]
        assert again.move(1, cut_move(again, 1)).status_code == 201
        again.play(lambda view: view["status"] == "finished" or view["hand"]["number"] > 1 or bool(view["ceremony"]))
        facts = [item["event"] for item in again.items() if "event" in item]
        revealed = next(fact["data"] for fact in facts if fact["fact"] == "SeedKept" and fact["data"]["n"] == 1)
        assert fair.commitment(again.id, 1, waits["subject"], bytes.fromhex(revealed["seed"])) == waits["commit"]


def test_attack_55_a_reveal_in_the_middle_of_a_hand_is_refused(attacked: GameServer) -> None:
    game = open_game(attacked, ("ann", "bob"))
    game.play(lambda view: view["phase"] == "play")
    with game.unchanged():
        deal = game.seats[0].get(f"{game.path}/hands/1/deal").get_json()
        assert deal["code"] == 2, deal
        for seat in (0, 1):
            other = game.seats[seat].get(f"{game.path}/hands/1/replay?seat={1 - seat}")
            assert (other.status_code, problem_type(other)) == (404, "not-found")
            branch = game.seats[seat].post(f"{game.path}/branches", {"at": game.version})
            assert (branch.status_code, problem_type(branch)) == (409, "conflict")
            for move in ({"type": "reveal"}, {"type": "reveal", "n": 1}):
                game.refuse(seat, move, 400, "malformed")


def test_attack_57_a_change_by_the_randomizer_shows_nothing_before_it_happens(attacked: GameServer) -> None:
    """Every read of an unchanged game gives the same bytes, however often somebody asks."""
    people = ("ann", "bob", "cat", "dan")
    randomizer = {"when": [1, 3], "end": None, "points": ["4", "10", "13"], "dirty": True, "reverse": True}
    game = open_game(
        attacked, people, variant="corellian", options={"randomizer": randomizer | {"partners": ["across"]}}
    )
    for _ in range(6):
        attacked.follow()
        for caller in (attacked.nobody, game.seats[0]):
            for path in (game.path, f"{game.path}/events", f"{game.path}/draws", f"{game.path}/scoreboard"):
                assert same_bytes(*(caller.get(path) for _ in range(3))), path
        view = game.public
        seat = int(view["turn"]["seats"][0])
        move = game.legal(seat)
        assert game.move(seat, move[0] if move else {"type": "pass"}).status_code in {201, 409}
