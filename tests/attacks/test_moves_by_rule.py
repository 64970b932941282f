"""Attacks on the rules: cards that a seat doesn't hold, impossible bids, texts that look like cards."""

from typing import Any

import pytest

from tests.api.live_server import GameServer
from tests.attacks.playing import AttackedGame, open_game
from tests.attacks.running import problem_type

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]


@pytest.fixture(scope="module")
def auction(attacked: GameServer) -> AttackedGame:
    """A game of Pitch of four in its first auction."""
    return open_game(attacked)


@pytest.fixture(scope="module")
def play(attacked: GameServer) -> AttackedGame:
    """A game of Pitch of four whose second trick has begun."""
    game = open_game(attacked)
    game.advance(lambda view: view["phase"] == "play" and view["hand"]["trick"]["number"] == 2
                 and len(view["hand"]["trick"]["plays"]) == 1)  # fmt: skip
    return game


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


@pytest.mark.parametrize("bid", [-1, 1, 6, 18, 2**53, 2**63])
def test_attack_38_a_bid_out_of_range_is_refused(auction: AttackedGame, bid: int) -> None:
    with auction.unchanged():
        answer = auction.post(auction.turn(), {"type": "bid", "bid": bid})
        assert (answer.status_code, problem_type(answer)) in {
            (400, "malformed"), (409, "bid-too-low"), (409, "bid-too-high"), (409, "not-a-bid")
        }, answer.text  # fmt: skip


def test_attack_40_a_pass_of_the_dealer_who_must_bid_is_409(attacked: GameServer) -> None:
    game = open_game(attacked, variant="blackout")
    game.advance(lambda view: view["phase"] == "auction")
    with game.unchanged():
        game.refuse(game.turn(), {"type": "pass"}, 409, "must-bid")


def test_attack_41_undo_without_an_own_move_and_answers_to_nothing_are_409(play: AttackedGame) -> None:
    with play.unchanged():
        last = play.view()["hand"]["trick"]["plays"][-1]["seat"]
        play.refuse((last + 1) % 4, {"type": "undo"}, 409, "nothing-to-undo")
        for move in ({"type": "accept"}, {"type": "reject"}):
            play.refuse(0, move, 409, "no-proposal")
        claims: list[dict[str, object]] = [
            {"type": "claim", "tricks": 6},
            {"type": "claim"},
            {"type": "take", "seat": 0},
        ]
        for claim in claims:
            play.refuse(0, claim, 400, "malformed")


def test_attack_42_a_change_of_the_variant_after_the_start_is_refused(play: AttackedGame) -> None:
    host = play.seats.index(play.server["ann"])
    with play.unchanged():
        play.refuse(host, {"type": "change_rules", "change": "points:7"}, 409, "not-host")
        play.refuse(host, {"type": "change_rules", "variant": "setback"}, 400, "malformed")
        for method in ("PUT", "PATCH", "POST"):
            assert play.seats[host].ask(method, play.path, {"variant": "setback"}).status_code == 405
