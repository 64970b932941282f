"""Cutthroat Pitch (docs/rules/cutthroat.md), clause by clause."""

import pytest

from domain.cards import Card
from domain.commands import Command, MakeBid, OpenGame, PassBid, PlayCard
from domain.decide import decide
from domain.events import AuctionWon, GameEnded, HandDealt, Player, TrumpPitched
from domain.rejections import BidTooLow, MustFollow, NotABid, WrongNumberOfPlayers
from domain.rules.variants.cutthroat import CUTTHROAT
from domain.rules.variants.pitch import PITCH
from domain.state import EMPTY_STATE
from tests.games.hands import commit, fact_names, game_ended, only_fact, pegs_text, play_hand, score_hand
from tests.games.tables import Table
from tests.given import GAME, Given, deal, game_opened, given

LOW_IS_TAKEN = ("0: AH 2H 5H", "0: KH 3C 4C")  # seat 0 takes all; seat 1 was dealt the lowest heart


def dealt(*hands: str) -> Given:
    return given(game_opened(len(hands), variant="cutthroat"), *deal(hands))


def through(table: Given, *commands: Command) -> Given:
    for command in commands:
        table = table.when(command).happens()
    return table


def test_K1_three_to_five_players_play_each_alone() -> None:
    assert game_opened(4, variant="cutthroat").sides == ((0,), (1,), (2,), (3,))
    for number in (2, 6):
        players = tuple(Player(f"p{seat}", "human") for seat in range(number))
        with pytest.raises(WrongNumberOfPlayers, match="3 to 5"):
            decide(EMPTY_STATE, OpenGame(GAME, 1, "cutthroat", {}, players))


def test_K2_six_cards_of_52_are_dealt_to_each() -> None:
    hand = only_fact(HandDealt, [event.data for event in Table(5, variant="cutthroat").events])
    assert (hand.counts, hand.stock) == ((6,) * 5, 22)


def test_K3_each_seat_bids_once_and_higher_than_the_highest_bid() -> None:
    table = dealt("AH KH", "2C 3C", "4D 5D")
    table.when(MakeBid(0, 5)).rejected(NotABid, "You can bid 2, 3, or 4, or pass.")
    table.when(MakeBid(0, 3)).happens().when(MakeBid(1, 3)).rejected(BidTooLow, "You can bid 4 or pass.")


def test_K4_the_highest_bidder_leads_trump() -> None:
    table = through(dealt("AH KH", "2C 3C", "4D 5D"), MakeBid(0, 2), MakeBid(1, 3), PassBid(2))
    assert only_fact(AuctionWon, table.facts).next == (1,)
    assert only_fact(TrumpPitched, table.when(PlayCard(1, Card("3C"))).facts).suit == "C"


def test_K5_K6_there_are_four_points_and_low_goes_to_the_player_who_was_dealt_it() -> None:
    assert pegs_text(score_hand((2, 0, 0), *LOW_IS_TAKEN, rules=CUTTHROAT).pegs) == "high 0 AH, low 1 2H, game 0"
    assert pegs_text(score_hand((2, 0, 0), *LOW_IS_TAKEN, rules=PITCH).pegs) == "high 0 AH, low 0 2H, game 0"
    assert CUTTHROAT.total == 4


def test_K7_a_pitcher_who_falls_short_loses_the_bid() -> None:
    assert score_hand((3, 0, 0), *LOW_IS_TAKEN, rules=CUTTHROAT).changes == (-3, 1, 0)


def test_K8_fifteen_is_the_goal() -> None:
    assert game_ended(play_hand((2, 0, 0), *LOW_IS_TAKEN, rules=CUTTHROAT, scores=(12, 0, 0))) is None
    facts = play_hand((2, 0, 0), *LOW_IS_TAKEN, rules=CUTTHROAT, scores=(13, 0, 0))
    assert game_ended(facts) == GameEnded("goal", (0,), (15, 1, 0))


def test_R_K1_cards_follow_as_in_pitch() -> None:
    table = through(dealt("AH KH", "2H 3C", "4D 5D"), MakeBid(0, 2), PassBid(1), PassBid(2), PlayCard(0, Card("AH")))
    table.when(PlayCard(1, Card("3C"))).rejected(MustFollow, "You must follow the suit led, hearts.")


def test_R_K2_a_hand_without_a_bid_is_thrown_in_and_the_next_seat_deals() -> None:
    table = through(dealt("AH KH", "2C 3C", "4D 5D"), PassBid(0), PassBid(1))
    facts = commit(table, PassBid(2))
    assert fact_names(facts)[:2] == ["BidPassed", "HandThrownIn"]
    assert only_fact(HandDealt, facts).dealer == 0


def test_R_K3_points_are_credited_in_order_until_a_player_wins() -> None:
    facts = play_hand((2, 0, 0), *LOW_IS_TAKEN, rules=CUTTHROAT, scores=(14, 14, 0))
    assert game_ended(facts) == GameEnded("goal", (0,), (15, 14, 0))
    set_back = play_hand((3, 0, 0), *LOW_IS_TAKEN, rules=CUTTHROAT, scores=(14, 14, 0))
    assert game_ended(set_back) == GameEnded("goal", (1,), (11, 15, 0))
