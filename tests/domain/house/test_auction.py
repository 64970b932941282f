"""The moon as a bid, and the forced bid, by rules that no preset has (H7, H8)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.commands import MakeBid, PassBid
from domain.engine.auction import BidOptions, bid_options
from domain.events import AuctionWon
from domain.rejections import BidTooHigh, BidTooLow
from domain.rules.choices import AllPass, Bids, DealerBids, Moon, Quirk
from domain.rules.model import Rules
from domain.rules.variants import SETBACK
from domain.state import require
from tests.games.hands import only_fact
from tests.games.house_hands import TEN_POINT, auction, dealt, make_bids
from tests.given import Given

HANDS = ("AH KH", "QH JH", "10H 9H", "8H 7H")
LISTED = auction(replace(SETBACK, first_dealer=TEN_POINT.first_dealer), moon=Moon.GAME)
"""Setback with a moon: 2, 3, 4, and then 5."""


def at_bids(rules: Rules, bids: str) -> Given:
    """Return the auction after these bids."""
    return make_bids(dealt(rules, HANDS), bids)


OFFERS = [
    pytest.param(LISTED, "3", BidOptions(True, (4, 5)), id="H8 after the bids that are listed"),
    pytest.param(LISTED, "3 - -", BidOptions(True, (3, 5)), id="H8 a dealer who can tie"),
    pytest.param(LISTED, "5 - -", BidOptions(True, ()), id="H8 but nobody can tie a moon"),
    pytest.param(
        auction(LISTED, dealer=DealerBids.TIES_OR_RAISES), "3 - -", BidOptions(True, (3, 4, 5)), id="H8 or can raise"
    ),
    pytest.param(LISTED, "- - -", BidOptions(False, (2, 5)), id="H8 a dealer who must make the lowest bid"),
    pytest.param(
        auction(LISTED, all_pass=AllPass.DEALER_BIDS), "- - -", BidOptions(False, (2, 3, 4, 5)), id="H8 who must bid"
    ),
    pytest.param(
        auction(LISTED, dealer=DealerBids.AS_OTHERS), "5 - -", BidOptions(True, ()), id="H8 a dealer as the others"
    ),
]


@pytest.mark.parametrize(("rules", "bids", "options"), OFFERS)
def test_H8_a_moon_is_offered_as_the_highest_bid(rules: Rules, bids: str, options: BidOptions) -> None:
    at = at_bids(rules, bids)
    assert bid_options(rules, require(at.state.hand)) == options


REFUSALS = [
    pytest.param(
        TEN_POINT, "5", 12, BidTooHigh, "12 is more than the 10 points of a hand. You can bid 6", id="too high"
    ),
    pytest.param(TEN_POINT, "10", 9, BidTooLow, "You can bid 11 or pass. 11 is the moon.", id="too low"),
    pytest.param(LISTED, "5 - -", 5, BidTooLow, "5 isn't higher than 5. You can only pass.", id="a tie"),
]


@pytest.mark.parametrize(("rules", "bids", "bid", "offence", "said"), REFUSALS)
def test_H8_what_a_refusal_says(rules: Rules, bids: str, bid: int, offence: Any, said: str) -> None:
    at = at_bids(rules, bids)
    at.when(MakeBid(at.state.turn[0], bid)).rejected(offence, said)


FORCED = [
    pytest.param((), {"least": 2}, 2, id="H7 the lowest bid as written"),
    pytest.param((Quirk.SCALED_LEAST,), {"least": 2}, 1, id="H7 scaled to four points, as it was"),
    pytest.param((), {"of": Bids.POINTS, "least": 4}, 2, id="R-C6 bids of points are scaled"),
]


@pytest.mark.parametrize(("quirks", "fields", "bid"), FORCED)
def test_H7_the_bid_that_a_dealer_has_without_bidding(
    quirks: tuple[Quirk, ...], fields: dict[str, Any], bid: int
) -> None:
    rules = auction(replace(LISTED, quirks=quirks), all_pass=AllPass.DEALER_HAS_IT, moon=Moon.NONE, **fields)
    won = only_fact(AuctionWon, at_bids(rules, "- - -").when(PassBid(3)).facts)
    assert (won.seat, won.bid, won.forced, won.max) == (3, bid, True, False)
