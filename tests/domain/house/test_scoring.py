"""The score of a hand by house rules, and the winners of a game (N1, N2, N8 to N12, H6, H8, H9, H10)."""

from dataclasses import replace

import pytest

from domain.commands import CallPartner, NameTrump
from domain.decide.stand_in import stand_in_move
from domain.engine.endings import Verdict, verdict
from domain.engine.rulings import ruled_outcome
from domain.engine.tricks import kept_plays, trumps
from domain.events import Evidence, GameEnded, HandScored, Play, RulingGiven
from domain.rejections import NoCall
from domain.rules.choices import (
    AllPass,
    Award,
    Bids,
    Credit,
    DealerBids,
    Ending,
    Fill,
    Moon,
    Partners,
    Quirk,
    Settle,
)
from domain.rules.model import Point
from domain.rules.variants import SETBACK
from domain.rules.variants.corellian_versions import FOUR
from domain.state import Dispute, require
from domain.struct import replace as with_
from tests.games.corellian_changes import ready, score_rest
from tests.games.corellian_hands import change_rule, play_tricks, rules_of
from tests.games.hands import only_fact, pegs_text
from tests.games.house_hands import (
    SMEAR,
    TEN_POINT,
    auction,
    dealt,
    make_bids,
    name,
    play,
)
from tests.given import AT, Given, cards

LOW = auction(replace(SETBACK, first_dealer=TEN_POINT.first_dealer), dealer=DealerBids.AS_OTHERS)
"""High, low, jack and game, by pairs; trump is pitched."""
ALL_FOUR = ("0: AH 2D 2H 3D", "0: JH 4D 5D 6D")
"""Every point to seats 0 and 2."""
THREE = ("0: AH 2H 3D 4D", "0: 5C KC 6C 7C")
"""High, low and game to seat 0; seat 1 plays the two."""
TWO_EACH = ("0: AH 3D JH 2H", "0: 5C 10C 6C 7C")
"""High and jack to seat 0 and game to seat 1; seat 3 plays the two."""
OTHERS = ("0: KH 2H 3D AH",)
"""High, low and game to seat 3; seat 1 plays the two."""


def changes(at: Given) -> tuple[int, ...]:
    """Return how the hand changed the scores."""
    return require(at.state.last_hand).changes


def pegs(at: Given) -> str:
    """Return the pegs of the hand in words."""
    return pegs_text(require(at.state.last_hand).pegs)


def test_H8_a_moon_that_fails_loses_whatever_is_settled_first() -> None:
    rules = auction(replace(LOW, settle=Settle.POINTS_FIRST, ending=Ending.FIRST_TO_GOAL), moon=Moon.GAME)
    at = play(rules, "5 - - -", None, *THREE, scores=(10, 0, 10, 0))
    assert (at.state.scores, verdict(at.state)) == ((6, 0, 6, 0), Verdict("moon", (1, 3)))
    made = play(rules, "2 - - -", None, *THREE, scores=(10, 0, 10, 0))
    assert verdict(made.state) == Verdict("goal", (0, 2))


def test_H8_a_made_moon_wins_for_the_whole_side_if_a_seat_of_it_was_not_below_0() -> None:
    rules = replace(auction(LOW, moon=Moon.GAME), credit=Credit.OWN)
    at = play(rules, "5 - - -", None, *ALL_FOUR, scores=(-4, 0, 5, 0))
    assert (at.state.scores, verdict(at.state)) == ((0, 0, 11, 0), Verdict("moon", (0, 2)))


ALONE = replace(LOW, seats=(3,), partners=Partners.ALONE, ending=Ending.HIGHEST, goal=5)


@pytest.mark.parametrize("ending", [Ending.HIGHEST, Ending.BIDDER_ONLY])
def test_N11_N12_a_hand_that_was_thrown_in_ends_nothing(ending: Ending) -> None:
    rules = replace(auction(ALONE, all_pass=AllPass.THROW_IN), ending=ending)
    at = make_bids(dealt(rules, ("AH", "2D", "3D"), scores=(6, 0, 0)), "- - -")
    assert (require(at.state.hand).over, verdict(at.state)) == (True, None)


RULED = [
    pytest.param(Ending.BIDDER_FIRST, "goal", "adjust", (0, 0, 0), (0,), id="the bidder at the goal"),
    pytest.param(Ending.BIDDER_FIRST, "goal", "adjust", (-5, 0, 0), (1,), id="else the highest"),
    pytest.param(Ending.BIDDER_ONLY, "goal", "void", (-3, 0, 0), (1,), id="N11 no bid was made"),
    pytest.param(Ending.HIGHEST, "goal", "adjust", (-2, 0, 0), (0,), id="N12 a tie with the pitcher"),
    pytest.param(Ending.HIGHEST, "goal", "adjust", (-5, 0, 1), (1, 2), id="N12 a tie of others is shared"),
    pytest.param(Ending.HIGHEST, "goal", "void", (-2, 0, 0), (0, 1), id="N12 so is one after a hand that is void"),
    pytest.param(Ending.HANDS_SHARED, "hands", "adjust", (-5, 0, 1), (1, 2), id="Q17 all leaders"),
    pytest.param(Ending.HIGHEST, "moon", "adjust", (-9, 0, 0), (0,), id="H8 a moon stays won"),
    pytest.param(Ending.HIGHEST, "moon", "void", (-9, 0, 1), (1, 2), id="H8 unless its hand is void"),
]


@pytest.mark.parametrize(("ending", "reason", "decision", "moved", "winners"), RULED)
def test_who_has_won_by_the_scores_as_ruled(
    ending: Ending, reason: str, decision: str, moved: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """The hand leaves 8, 6 and 5; with no change at all there would be no other outcome."""
    state = play(replace(ALONE, ending=ending), "3 - -", None, "0: AH 2D 3D", scores=(5, 6, 5)).state
    ruling = RulingGiven(1, decision, moved, None, "", Evidence(1, ""), "", None, None)
    dispute = Dispute(1, 0, 2, 1, "", AT, "p0", ruling=ruling)
    ended = with_(state, disputes=(dispute,), result=GameEnded(reason, (0,), state.scores))
    ruled = ruled_outcome(ended)
    assert (ruled.winners if ruled else (0,)) == winners


def test_N1_a_teams_joint_point_is_pegged_by_its_lowest_seat() -> None:
    at = play(replace(LOW, seats=(6,), partners=Partners.TEAMS), "- - 3 - - -", None, "2: AH 2D 3D 4D 5D 6D")
    assert (pegs(at), changes(at)) == ("high 2 AH, low 2 AH, game 0", (3, 0, 3, 0, 3, 0))
    assert require(at.state.hand).sides == ((0, 2, 4), (1, 3, 5))


LAST, ALL = Point("last", Award.LAST_TRICK), Point("all", Award.ALL_TRICKS)
MORE = [
    pytest.param(
        LAST, "4 - - -", ("0: AH 2D 2H 3D", "0: KD AD 5D 6D"), "high 0 AH, low 0 2H, last 1", id="the last trick"
    ),
    pytest.param(
        ALL, "5 - - -", ALL_FOUR, "high 0 AH, low 0 2H, jack 0 JH, game 0, all 0", id="all tricks, and bid so"
    ),
    pytest.param(ALL, "4 - - -", ALL_FOUR, "high 0 AH, low 0 2H, jack 0 JH, game 0", id="all tricks, but not bid so"),
    pytest.param(ALL, "5 - - -", ("0: AH 2D JH 3D", "0: KD AD 5D 6D"), "high 0 AH, low 0 JH, jack 0 JH", id="not all"),
]


@pytest.mark.parametrize(("point", "bids", "tricks", "pegged"), MORE)
def test_Q15_points_for_tricks(point: Point, bids: str, tricks: tuple[str, ...], pegged: str) -> None:
    rules = auction(replace(LOW, points=(*LOW.points, point), settle=Settle.BID_FIRST), bids=(2, 3, 4, 5))
    at = play(rules, bids, None, *tricks)
    assert pegs(at).replace("(", "").replace(")", "").replace(", game 1", "") == pegged


def test_Q15_a_hand_that_nobody_plays_has_no_last_trick_and_not_all_of_them() -> None:
    rules = replace(TEN_POINT, points=(LAST, ALL), fill=Fill.NOTHING)
    at = make_bids(
        dealt(auction(rules, of=Bids.LISTED, bids=(2,), moon=Moon.NONE), ("2D", "4C", "5D", "6S")), "2 - - -"
    )
    scored = only_fact(HandScored, at.when(NameTrump(0, "H")).facts)
    assert (scored.pegs, scored.changes) == ((), (-2, 0, -2, 0))


def test_N2_a_removed_card_is_no_trump_and_cannot_be_called() -> None:
    rules = replace(SMEAR, fill=Fill.NOTHING, partners=Partners.CALL, removed=cards("X2 AH KH"))
    assert trumps(rules, "H")[:2] == cards("X1 2H")
    assert trumps(rules, "H")[-1:] == cards("QH")
    assert set(cards("X2 AH KH")).isdisjoint(rules.deck)
    at = name(make_bids(dealt(rules, ("2H", "3C", "4C", "5C")), "3 - - -"), "H")
    at.when(CallPartner(0, *cards("X2"))).rejected(NoCall, "X2 isn't in this deck")
    assert stand_in_move(at.state, 0) == CallPartner(0, *cards("QH"))


LOWEST = [
    pytest.param((), "high 0 AH, low 0 2H, game 0", id="H6 a joker is never low"),
    pytest.param((Quirk.LOW_JOKER,), "high 0 AH, low 0 X1, game 0", id="H6 as it was, the lowest trump is"),
]


@pytest.mark.parametrize(("quirks", "pegged"), LOWEST)
def test_H6_the_point_for_low(quirks: tuple[Quirk, ...], pegged: str) -> None:
    rules = replace(SMEAR, points=FOUR, quirks=quirks, dirty=True)
    assert pegs(play(auction(rules, least=2), "2 - - -", "H", "0: AH 2H X1 3D")) == pegged


KEPT = [
    pytest.param((), False, "2H", id="H6 the lowest rank that isn't a joker's stays"),
    pytest.param((), True, "AH", id="H6 in reverse the highest"),
    pytest.param((Quirk.LOW_JOKER,), False, "", id="H6 as it was, none does if jokers are lowest"),
]


@pytest.mark.parametrize(("quirks", "reverse", "kept"), KEPT)
def test_H6_which_cards_stay_with_their_player(quirks: tuple[Quirk, ...], reverse: bool, kept: str) -> None:
    rules = replace(SMEAR, quirks=quirks, reverse=reverse)
    plays_ = [Play(seat, card) for seat, card in enumerate(cards("AH 2H X1 3H"))]
    assert tuple(play.card for play in kept_plays(rules, plays_, "H")) == cards(kept)


PEGGING = [
    pytest.param((), "ace 0 AH, three 0 3H", id="H10 the points in force, then those of other versions"),
    pytest.param((Quirk.PEGGING_LIST,), "three 0 3H, ace 0 AH", id="H10 as it was, one list for all games"),
]


@pytest.mark.parametrize(("quirks", "pegged"), PEGGING)
def test_H10_the_order_of_points_of_several_versions(quirks: tuple[Quirk, ...], pegged: str) -> None:
    rules = replace(rules_of(worth="when_taken"), quirks=quirks)
    at = ready("AH 4H", "3H JH", "10H 5H", "6H 7H", rules=rules)
    at = change_rule(play_tricks(at, "0: AH 3H 10H 6H"), "points:7")
    words = pegs_text(score_rest(at, "0: 4H JH 5H 7H").pegs).replace("(", "").replace(")", "")
    assert words.endswith(pegged)
