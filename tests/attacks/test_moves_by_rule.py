"""Attacks on the rules: cards that a seat doesn't hold or can't play, by the seat to move or another one."""

from typing import Any

import pytest

from tests.api.live_server import GameServer
from tests.attacks.playing import AttackedGame, open_game, same_bytes

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]


@pytest.fixture(scope="module")
def play(attacked: GameServer) -> AttackedGame:
    """A game of Pitch of four whose second trick has begun."""
    game = open_game(attacked)
    game.advance(lambda view: view["phase"] == "play" and view["hand"]["trick"]["number"] == 2
                 and len(view["hand"]["trick"]["plays"]) == 1)  # fmt: skip
    return game


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


def test_attack_33_a_card_not_in_hand_gets_the_same_answer_wherever_it_lies(play: AttackedGame) -> None:
    """It may be in another hand or in the stock, or the seat has played it."""
    seat = play.turn()
    own = next(each["card"] for each in play.view()["hand"]["last_trick"]["plays"] if each["seat"] == seat)
    played = {each["card"] for each in play.view()["hand"]["last_trick"]["plays"]}
    cards = sorted({own, *DECK} - (played - {own}) - set(play.view(seat)["you"]["cards"]))
    with play.unchanged():
        answers = [play.refuse(seat, {"type": "play", "card": card}, 409, "not-in-hand") for card in cards]
    told = {answer.data.replace(card.encode(), b"?") for answer, card in zip(answers, cards, strict=True)}
    assert len(told) == 1
    assert len({tuple(answer.headers.keys()) for answer in answers}) == 1


def test_attack_35_a_card_that_does_not_follow_is_409_and_shows_only_the_own_hand(attacked: GameServer) -> None:
    game = open_game(attacked)

    def must_follow(view: dict[str, Any]) -> bool:
        if view["phase"] != "play" or not view["hand"]["trick"]["plays"]:
            return False
        own = game.view(view["turn"]["seats"][0])["you"]
        return len(own["legal"]) < len(own["cards"])

    game.advance(must_follow)
    seat = game.turn()
    own = game.view(seat)["you"]
    legal = [move["card"] for move in own["legal"]]
    card = next(card for card in own["cards"] if card not in legal)
    with game.unchanged():
        answer = game.refuse(seat, {"type": "play", "card": card}, 409, "must-follow").get_json()
        assert answer["legal"] == own["legal"]
        named = {each for each in DECK if each in str(answer)}
        assert named <= set(own["cards"]) | {each["card"] for each in game.view()["hand"]["trick"]["plays"]}
