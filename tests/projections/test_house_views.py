"""Views, boards and sentences of tables that play by presets: the moon, the kitty, and where a commit can end."""

import pytest

from domain.commands import MakeBid, PassBid
from domain.events import AuctionWon, BidMade, StockTaken
from domain.rules.variants import VARIANTS
from domain.state import require
from projections.views.seat import View, ViewFold, view_json
from replay.text.board import board_text
from replay.text.narrate import narrate
from tests.games.whole_games import FIRST, OTHER_WAYS
from tests.projections.bots.bot_table import BotTable, bot_table

WHO = {0: "ann", 1: "bob"}
TEAMS = VARIANTS["ten-point-teams"].rules


def in_auction(variant: str) -> BotTable:
    return bot_table(1, variant, ["simple"] * VARIANTS[variant].rules.seats[0])


def view_to_move(table: BotTable) -> View:
    return table.view(table.game.state.turn[0])


def test_N15_a_view_says_which_bid_is_the_moon_and_how_large_the_kitty_is() -> None:
    view = view_to_move(in_auction("ten-point-teams"))
    assert view["rules"]["moon"] == 11
    assert view["rules"]["kitty"] == 6
    assert view["you"]["legal"][-1] == {"type": "bid", "bid": 11}
    for other in ("ten-point-pairs", "pitch"):
        assert "moon" not in view_to_move(in_auction(other))["rules"]


def test_N15_a_board_says_moon() -> None:
    table = in_auction("ten-point-teams")
    assert "You may: pass, bid 5, 6, 7, 8, 9, 10, moon" in board_text(view_to_move(table), {})
    first = table.game.state.turn[0]
    table.says(MakeBid(first, 11))
    assert "moon" in board_text(table.view(first), {})
    table.says(PassBid(table.game.state.turn[0]))
    assert require(view_to_move(table)["hand"])["bids"][first] == 11
    assert "You may: pass\n" in board_text(view_to_move(table), {}) + "\n"


def test_N15_the_sentences_of_the_moon_and_of_a_kitty() -> None:
    assert narrate(BidMade(1, 11, ()), WHO, TEAMS) == "bob bids the moon"
    assert narrate(AuctionWon(1, 11, forced=False, max=True, sides=((1,), (0,)), next=()), WHO, {"moon": 11}) == (
        "bob pitches for the moon"
    )
    assert narrate(BidMade(1, 10, ()), WHO, TEAMS) == "bob bids 10"
    assert narrate(StockTaken(1, 6, ()), WHO, TEAMS) == "bob takes the kitty of 6 cards"
    assert narrate(StockTaken(1, 6, ()), WHO) == "bob takes the last 6 cards of the stock"


@pytest.mark.parametrize("variant", [*FIRST, *OTHER_WAYS])
def test_a_seat_can_move_at_the_end_of_a_commit_and_nowhere_else(variant: str) -> None:
    seats = VARIANTS[variant].rules.seats[-1]
    table = bot_table(2, variant, ["simple", "random"] * (seats // 2) + ["simple"] * (seats % 2))
    seen, told = [ViewFold(seat) for seat in range(seats)], 0
    while not table.over and len(table.entries) < 200:
        for place, entry in enumerate(table.entries[told:], told + 1):
            for each in seen:
                each.add(entry.event)
            can_move = [bool(view["legal"] or view["choose"]) for view in (view_json(each, "")["you"] for each in seen)]
            turn = table.game.state.turn if place == len(table.entries) else ()
            assert can_move == [seat in turn for seat in range(seats)], entry.event
        told = len(table.entries)
        table.move()
