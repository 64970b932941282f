"""Attacks on seats and authority: tokens, other seats, roles that somebody doesn't have."""

from dataclasses import replace

import pytest

from tests.api.live_server import GameServer
from tests.attacks.playing import AttackedGame, open_game, same_bytes
from tests.attacks.running import problem_type

HIDDEN_METHODS = ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")


@pytest.fixture(scope="module")
def game(attacked: GameServer) -> AttackedGame:
    """A game of Pitch of four in its first auction."""
    return open_game(attacked)


def test_attack_2_false_tokens_get_the_same_401(game: AttackedGame) -> None:
    token = str(game.seats[0].token)
    false = ["x", "tb_", token[:-1], token + "x", token.upper(), "tb_" + "0" * 43]
    for method, path in (("POST", game.moves), ("GET", f"{game.path}/seats/0"), ("GET", game.path)):
        body = {"type": "pass"} if method == "POST" else None
        answers = [replace(game.seats[0], token=each).ask(method, path, body) for each in false]
        assert answers[0].status_code == 401
        assert same_bytes(*answers), path


def test_attack_2_the_token_of_a_player_of_another_game_gives_no_seat(game: AttackedGame) -> None:
    other = open_game(game.server, ("eve", "fay"))
    with game.unchanged():
        answer = other.seats[0].post(game.moves, {"type": "pass"})
        assert (answer.status_code, problem_type(answer)) == (403, "not-seated")
        assert [other.seats[0].get(f"{game.path}/seats/{seat}").status_code for seat in range(4)] == [404] * 4


def test_attack_3_a_seat_that_plays_for_another_gets_the_same_answer_whatever_it_holds(attacked: GameServer) -> None:
    game = open_game(attacked)
    game.to_play()
    turn, eve = game.turn(), (game.turn() + 1) % 4
    held = {seat: game.view(seat)["you"]["cards"] for seat in range(4)}
    cards = [held[turn][0], held[(turn + 2) % 4][0], held[(turn + 3) % 4][0]]
    cards.append(next(rank + "C" for rank in "23456789JQKA" if not any(rank + "C" in each for each in held.values())))
    with game.unchanged():
        answers = [game.refuse(eve, {"type": "play", "card": card}, 409, "out-of-turn") for card in cards]
        assert same_bytes(*answers)


def test_attack_6_a_player_on_the_routes_of_arbiters_is_403(game: AttackedGame) -> None:
    ann = game.seats[0]
    with game.unchanged():
        ruling = {"decision": "none", "basis": None, "standard": "likely", "text": "x"}
        asked = [
            ann.post(f"{game.path}/disputes/1/ruling", ruling),
            ann.post(f"{game.path}/disputes/1/decision", {"decision": "upheld", "text": "x"}),
            ann.ask("DELETE", f"{game.path}/disputes/1/texts"),
            ann.get("/disputes"),
        ]
        assert [(answer.status_code, problem_type(answer)) for answer in asked] == [(403, "forbidden")] * 4
    unknown = [ann.get(path) for path in ("/admin", "/director", "/debug", "/x/metrics", "/games/1/seed", "/nothing")]
    assert [answer.status_code for answer in unknown] == [404] * len(unknown)
    assert len({answer.data for answer in unknown}) == 1


def test_attack_11_a_seat_that_left_moves_no_more(attacked: GameServer) -> None:
    game = open_game(attacked, ("ivy", "jan", "kit"))
    seat = game.turn()
    assert game.post(seat, {"type": "resign"}).status_code == 201
    with game.unchanged():
        for move in ({"type": "pass"}, {"type": "propose_draw"}, {"type": "accept"}):
            game.refuse(seat, move, 409, "seat-left")


def test_attack_15_override_headers_and_other_methods_do_nothing(game: AttackedGame) -> None:
    turn, own = game.turn(), f"{game.path}/seats/0"
    with game.unchanged():
        for header in HIDDEN_METHODS:
            answer = game.seats[turn].ask("GET", game.path, None, **{header: "POST"})
            assert (answer.status_code, answer.get_json()["version"]) == (200, game.version())
            deleted = game.seats[turn].ask("POST", "/tokens/current", {}, **{header: "DELETE"})
            assert deleted.status_code == 405
        for method in ("TRACE", "PUT", "PATCH", "DELETE", "PROPFIND"):
            refused = game.seats[0].ask(method, own)
            assert refused.status_code == 405, method
            assert str(game.seats[0].token).encode() not in refused.data
        assert (game.seats[0].ask("HEAD", own).data, game.server.nobody.ask("HEAD", own).status_code) == (b"", 401)
        options = game.seats[0].ask("OPTIONS", own)
        assert b"cards" not in options.data
        assert options.status_code in {200, 204, 405}
