"""Corellian Pitch, changing partners: the sides, and the side that points count for (C3, C12, C18-C22, R-C26)."""

import pytest

from domain.engine.sides import bidding_side
from domain.events import AuctionWon, HandScored, PartnersChanged
from domain.struct import replace
from tests.games.corellian_changes import (
    TURNS,
    after_command,
    change_facts,
    hand,
    partnership,
    play_rest,
    ready,
    score_rest,
)
from tests.games.corellian_hands import change_rule, make_bids, play_tricks, plays, table
from tests.games.hands import fact_names, facts_of_kind, go_on, only_fact


@pytest.mark.parametrize("partners", [pytest.param(name, id=f"C12 R-C26 R-C27 {name}") for name in TURNS])
@pytest.mark.parametrize("bidder", range(4))
def test_an_orientation_chosen_before_there_is_a_bidder_applies_to_the_bidder(partners: str, bidder: int) -> None:
    start = table(partners="right" if partners == "across" else "across")
    at = make_bids(start, *[0] * bidder)
    facts = change_facts(at, f"partners:{partners}")
    assert fact_names(facts) == ["RulesChanged"]
    assert hand(change_rule(at, f"partners:{partners}")).sides is None
    at = make_bids(change_rule(at, f"partners:{partners}"), 4, *[0] * (3 - bidder))
    own = tuple(sorted((seat + bidder) % 4 for seat in TURNS[partners][0]))
    assert only_fact(AuctionWon, at.facts).sides == (own, tuple(seat for seat in range(4) if seat not in own))


def test_C12_R_C26_an_orientation_stays_for_the_following_hands() -> None:
    at = change_rule(ready("AH", "KH", "QH", "9H"), "partners:left")
    at = after_command(play_tricks(at, "0: AH KH QH"), plays(["3: 9H"])[0])
    assert (hand(at).number, at.state.rules.partners) == (2, "left")
    assert list(facts_of_kind(AuctionWon, make_bids(at, 4, 0, 0, 0).facts))[-1].sides == ((1, 2), (0, 3))


@pytest.mark.parametrize("before", list(TURNS))
@pytest.mark.parametrize("after", [pytest.param(name, id=f"C12 R-C27 R-C65 {name}") for name in TURNS])
def test_the_bidders_side_changes_at_once(before: str, after: str) -> None:
    at = play_tricks(ready("AH 4H", "KH", "QH", "9H", partners=before), "0: AH")
    if before != after:
        facts = change_facts(at, f"partners:{after}")
        partner = next(seat for seat in TURNS[after][0] if seat)
        assert facts[1:] == (PartnersChanged(0, partner, TURNS[after]),)
        assert hand(change_rule(at, f"partners:{after}")).sides == TURNS[after]
    assert hand(at).sides == TURNS[before]


@pytest.mark.parametrize("word", ["dirty:on", "reverse:on", "points:13", "points:4", "partners:call"])
def test_R_C65_only_a_change_of_orientation_records_a_change_of_partners(word: str) -> None:
    at = play_tricks(ready("AH 4H", "KH", "QH", "9H"), "0: AH")
    assert partnership(change_facts(at, word)) is None
    assert hand(change_rule(at, word)).sides == TURNS["across"]


SIDES = [
    pytest.param(None, False, (-4, 4, -4, 4), id="C22 C20 no change"),
    pytest.param("left", True, (4, 4, 0, 0), id="C19 C21 R-C33 left"),
    pytest.param("right", False, (-4, 4, 4, -4), id="C19 C22 R-C33 right"),
]


@pytest.mark.parametrize("before", [0, 3, 4, 7], ids=["the first card", "the fourth", "the second trick", "the last"])
@pytest.mark.parametrize(("partners", "made", "changes"), SIDES)
def test_points_won_count_for_the_side_on_which_their_player_ends(
    partners: str | None, made: bool, changes: tuple[int, ...], before: int
) -> None:
    at = ready("3H 8H", "KH 9H", "5H 6H", "10H 7H", dirty=True)
    moves = plays(["0: 3H KH 5H 10H", "1: 9H 6H 7H 8H"])
    at = go_on(at, *moves[:before])
    at = go_on(change_rule(at, f"partners:{partners}") if partners else at, *moves[before:-1])
    score = only_fact(HandScored, at.when(moves[-1]).facts)
    assert (score.made, score.changes) == (made, changes)


def test_C18_each_player_keeps_the_tricks_they_took() -> None:
    at = ready("3H 8H", "KH 9H", "5H 6H", "10H 7H")
    at = change_rule(play_tricks(at, "0: 3H KH 5H 10H"), "partners:left")
    assert (hand(at).tricks, hand(at).taken[1]) == ((0, 1, 0, 0), ("3H", "KH", "5H", "10H"))
    assert only_fact(HandScored, play_rest(at, "1: 9H 6H 7H 8H")).tricks == (0, 2, 0, 0)


def test_C3_C20_no_score_changes_before_the_end_of_the_hand() -> None:
    at = change_rule(
        play_tricks(ready("AH 8H", "3H", "5H", "10H", scores=(1, 2, 3, 4)), "0: AH 3H 5H 10H"), "partners:left"
    )
    assert at.state.scores == (1, 2, 3, 4)
    assert score_rest(at, "0: 8H").scores == (6, 7, 3, 4)


def test_C12_the_bidding_side() -> None:
    at = table()
    for pitcher, side in ((1, (1, 3)), (0, (0, 2)), (None, ())):
        assert bidding_side(at.state.rules, replace(hand(at), pitcher=pitcher, sides=((0, 2), (1, 3)))) == side
