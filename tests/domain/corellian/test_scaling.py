"""Corellian Pitch, bids when the points change (C16, C17, C33, R-C23 to R-C25, R-C50, R-C51, R-C65)."""

import pytest

from domain.commands import MakeBid, PassBid
from domain.engine.legal_moves import legal_moves
from domain.engine.rule_menu import available_changes
from domain.events import BidMade, BidScaled
from domain.rejections import BidTooHigh, BidTooLow
from domain.rules.model import total_worth
from domain.rules.variants.corellian_versions import VERSIONS
from tests.games.corellian_changes import change_facts, hand, ready, scalings, score_rest
from tests.games.corellian_hands import change_rule, make_bids, play_tricks, rules_of, table
from tests.games.hands import fact_names
from tests.given import Given

TABLE = {
    ("10", "4"): {4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 4},
    ("10", "5"): {4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5},
    ("10", "7"): {4: 3, 5: 4, 6: 5, 7: 5, 8: 6, 9: 7, 10: 7},
    ("10", "8"): {4: 4, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 10: 8},
    ("13", "10"): {4: 4, 5: 4, 6: 5, 7: 6, 8: 7, 9: 7, 10: 8, 11: 9, 12: 10, 13: 10},
    ("7", "4"): {3: 2, 4: 3, 5: 3, 6: 4, 7: 4},
    ("16", "14"): {4: 4, 7: 7, 8: 7, 9: 8, 15: 14, 16: 14},
}
"""Bids and their scaled values (R-C24; the last two worked out by hand)."""


def bid_by_0(bid: int, points: str = "10") -> Given:
    """Return the situation after seat 0 has won the auction and named trump."""
    return make_bids(table(points=points), bid, 0, 0, 0)


@pytest.mark.parametrize(
    ("before", "after"), [pytest.param(*way, id=f"C17 R-C24 {way[0]} to {way[1]}") for way in TABLE]
)
def test_fewer_points_scale_the_bid_down_rounded_up(before: str, after: str) -> None:
    for bid, scaled in TABLE[before, after].items():
        at = bid_by_0(bid, before)
        facts = change_facts(at, f"points:{after}")
        assert facts[1:] == (() if scaled == bid else (BidScaled(0, bid, scaled),))
        later = hand(change_rule(at, f"points:{after}"))
        assert (later.bid, later.bids) == (scaled, (scaled, None, None, None))


def test_C16_more_points_do_not_change_the_bid() -> None:
    for after in ("11", "11b", "13", "16"):
        for bid in (4, 7, 10):
            facts = change_facts(bid_by_0(bid), f"points:{after}")
            assert fact_names(facts) == ["RulesChanged"]
            assert hand(change_rule(bid_by_0(bid), f"points:{after}")).bid == bid


def test_R_C25_the_same_number_of_points_does_not_change_the_bid() -> None:
    for before, word in (("11", "points:11b"), ("10", "dirty:on"), ("10", "reverse:on"), ("10", "partners:left")):
        at = bid_by_0(7, before)
        assert scalings(change_facts(at, word)) == []
        assert hand(change_rule(at, word)).bid == 7


@pytest.mark.parametrize(
    ("scaling", "way", "bids"),
    [
        pytest.param("standing", ("4", "10"), [2, 2], id="R-C24 C16 going up never restores it"),
        pytest.param("original", ("4", "10"), [2, 5], id="R-C24 from the bid as it was made"),
        pytest.param("standing", ("4", "7", "5"), [2, 2, 2], id="R-C24 from the bid as it stands"),
        pytest.param("standing", ("7", "4"), [4, 3], id="R-C24 C17 rounded up twice"),
        pytest.param("original", ("7", "4"), [4, 2], id="R-C24 rounded up once"),
    ],
)
def test_a_bid_scaled_by_changes_back_and_forth(scaling: str, way: tuple[str, ...], bids: list[int]) -> None:
    at = ready("AH 8H", "KH 7H", "QH 6H", "9H 5H", bids=(5, 0, 0, 0), scaling=scaling)
    stood, said_of = [], 5
    for points, move in zip(way, ("0: AH", "1: KH", "2: QH"), strict=False):
        facts = change_facts(at, f"points:{points}")
        at = change_rule(at, f"points:{points}")
        now = hand(at).bid
        assert now is not None
        assert scalings(facts) == ([] if now == said_of else [(0, said_of, now)])
        stood.append(now)
        said_of, at = now, play_tricks(at, move)
    assert stood == bids


def test_R_C23_R_C51_later_bids_exceed_the_scaled_one_within_the_new_limits() -> None:
    at = change_rule(make_bids(table(), 6), "points:4")
    assert legal_moves(at.state, 1) == (PassBid(1), MakeBid(1, 4))
    at.when(MakeBid(1, 3)).rejected(BidTooLow, "3")
    at.when(MakeBid(1, 5)).rejected(BidTooHigh, "4")
    at.when(MakeBid(1, 4)).then(BidMade(1, 4, next=(2,)))


def test_R_C23_C32_the_maximum_bid_stays_the_maximum() -> None:
    for name, version in VERSIONS.items():
        at = make_bids(table(points="16"), 16)
        at = change_rule(at, f"points:{name}") if name != "16" else at
        assert hand(at).bids[0] == total_worth(version.points)
        assert legal_moves(at.state, 1) == (PassBid(1),)


@pytest.mark.parametrize(
    ("double", "before", "bid", "after", "costs"),
    [
        pytest.param("when_made", "10", 10, "4", 8, id="C22 C33 R-C37 twice the bid as it stands"),
        pytest.param("when_made", "10", 9, "4", 4, id="C22 R-C37 scaled to everything is not bid for everything"),
        pytest.param("when_made", "4", 4, "10", 8, id="C33 R-C50 it stays doubled"),
        pytest.param("at_end", "10", 9, "4", 8, id="R-C37 at the end"),
        pytest.param("at_end", "4", 4, "10", 4, id="R-C37 no longer all the points at the end"),
    ],
)
def test_the_cost_of_a_failed_bid_for_all_points(double: str, before: str, bid: int, after: str, costs: int) -> None:
    at = ready("9H 8H", "AH KH", "7H 6H", "QH 5H", points=before, double=double, bids=(bid, 0, 0, 0))
    at = change_rule(play_tricks(at, "0: 9H AH 7H 5H"), f"points:{after}")
    score = score_rest(at, "1: KH 6H QH 8H")
    assert (score.made, score.changes[0], score.changes[2]) == (False, -costs, -costs)


def test_R_C24_no_change_raises_a_bid_from_any_version_to_any_other() -> None:
    for before in VERSIONS:
        rules = rules_of(before)
        for bid in range(4, rules.total + 1):
            at = make_bids(table(points=before), bid)
            for word in available_changes(rules):
                assert all(after < stood for _, stood, after in scalings(change_facts(at, word)))
