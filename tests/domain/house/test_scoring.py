"""The score of a hand by house rules, and the winners of a game (N1, N2, N8 to N12, H6, H8, H9, H10)."""

from dataclasses import replace

import pytest

from domain.cards import JOKERS
from domain.commands import CallPartner, NameTrump, PlayCard
from domain.decide.stand_in import stand_in_move
from domain.engine.endings import Verdict, is_coin_due, verdict
from domain.engine.legal_moves import legal_moves
from domain.engine.points import game_counts
from domain.engine.rulings import ruled_outcome
from domain.engine.tricks import kept_plays, taker, trumps
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
    Jokers,
    Miss,
    Moon,
    Partners,
    Quirk,
    Settle,
    Tally,
    Trump,
)
from domain.rules.model import Point, Rules
from domain.rules.variants import SETBACK
from domain.rules.variants.corellian_versions import FOUR
from domain.state import Dispute, require
from domain.struct import replace as with_
from tests.games.corellian_changes import ready, score_rest
from tests.games.corellian_hands import change_rule, play_tricks, rules_of
from tests.games.hands import fact_names, go_on, only_fact, pegs_text, plays
from tests.games.house_hands import (
    OH_HELL,
    SMEAR,
    TEN_POINT,
    TEN_POINT_FIVE,
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


DOUBLE = auction(replace(LOW, goal=40), moon=Moon.DOUBLE)
DOUBLES = [
    pytest.param("5 - - -", ALL_FOUR, (8, 0, 8, 0), "(high 0 AH), (low 0 2H), (jack 0 JH), (game 0)", id="made"),
    pytest.param("5 - - -", THREE, (-8, 0, -8, 0), "(high 0 AH), (low 0 2H), (game 0)", id="failed"),
    pytest.param("5 - - -", OTHERS, (-8, 3, -8, 3), "high 3 AH, low 3 2H, game 1", id="failed, and the others peg"),
    pytest.param("4 - - -", ALL_FOUR, (4, 0, 4, 0), "high 0 AH, low 0 2H, jack 0 JH, game 0", id="a bid of all points"),
]


@pytest.mark.parametrize(("bids", "tricks", "scored", "pegged"), DOUBLES)
def test_N8_a_moon_for_double(bids: str, tricks: tuple[str, ...], scored: tuple[int, ...], pegged: str) -> None:
    at = play(DOUBLE, bids, None, *tricks)
    assert (changes(at), pegs(at), verdict(at.state)) == (scored, pegged, None)


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


DIFFERENCES = [
    pytest.param("1 - - -", THREE, (1, 0, 1, 0), "high 0 AH, low 1 2H, game 0", id="made: 2 against 1"),
    pytest.param("2 - - -", TWO_EACH, (0, 0, 0, 0), "high 0 AH, low 3 2H, jack 0 JH, game 1", id="made: 2 against 2"),
    pytest.param("1 - - -", ("0: KH AH 2D 3D",), (0, 1, 0, 1), "high 1 AH, low 0 KH, game 1", id="made: 1 against 2"),
    pytest.param(
        "3 - - -", TWO_EACH, (0, 5, 0, 5), "(high 0 AH), low 3 2H, (jack 0 JH), game 1", id="set: 2 and the bid"
    ),
]


@pytest.mark.parametrize(("bids", "tricks", "scored", "pegged"), DIFFERENCES)
def test_N9_the_difference(bids: str, tricks: tuple[str, ...], scored: tuple[int, ...], pegged: str) -> None:
    at = play(auction(replace(LOW, tally=Tally.DIFFERENCE, dirty=False), bids=(1, 2, 3, 4)), bids, None, *tricks)
    assert (changes(at), pegs(at)) == (scored, pegged)


MISSES = [
    pytest.param(Miss.NOTHING, (0, 0, 0), id="nothing"),
    pytest.param(Miss.TRICKS, (1, 0, 1), id="one for each trick"),
    pytest.param(Miss.BID, (-2, -2, 0), id="minus the bid"),
    pytest.param(Miss.BID_AND_TEN, (-12, -12, -10), id="minus the bid and ten"),
    pytest.param(Miss.TEN_EACH, (-12, -22, -10), id="minus the bid, and ten for each trick off"),
]
TRICKS = ("0: KD 3D 2S", "2: 5C AC 9C")
"""One trick each to seats 0 and 2, with spades as trump."""
OH = replace(OH_HELL, hand_sizes=(2,))


def promised(rules: Rules, bids: str) -> Given:
    """Return the situation after the two tricks, with these bids."""
    at = make_bids(dealt(rules, ("KD AC", "3D 9C", "2S 5C"), stock="7S"), bids)
    return go_on(at, *plays(TRICKS, 3))


@pytest.mark.parametrize(("miss", "scored"), MISSES)
def test_N10_Q17_bids_of_2_2_and_0_that_take_1_0_and_1(miss: Miss, scored: tuple[int, ...]) -> None:
    assert changes(promised(replace(OH, miss=miss), "2 2 0")) == scored


SHARED = replace(auction(OH, hook=False), ending=Ending.HANDS_SHARED)
LAST_HANDS = [
    pytest.param(SHARED, "1 0 2", Verdict("hands", (0,)), False, id="Q17 the highest"),
    pytest.param(SHARED, "1 0 1", Verdict("hands", (0, 2)), False, id="Q17 both who share it"),
    pytest.param(replace(SHARED, ending=Ending.HANDS), "1 0 1", None, True, id="B26 or a coin decides"),
]


@pytest.mark.parametrize(("rules", "bids", "won", "coin"), LAST_HANDS)
def test_Q17_who_wins_after_the_last_hand(rules: Rules, bids: str, won: Verdict | None, coin: bool) -> None:
    state = promised(rules, bids).state
    assert (verdict(state), is_coin_due(state)) == (won, coin)


E1 = ("0: AH 2H 3H 10H", "0: JH X1 JD X2")
E4 = ("0: 3H 9H 4H KH 10H", "3: AH 2H JH 5H X1")
BIDDERS = [
    pytest.param(TEN_POINT, "9 - - -", E1, (43, 0, 43, 0), None, Verdict("goal", (0, 2)), id="N11 the bidders"),
    pytest.param(TEN_POINT, "10 - - -", E1, (70, 0, 70, 0), None, None, id="N11 not if they are set"),
    pytest.param(TEN_POINT, "9 - - -", E1, (0, 60, 0, 60), None, None, id="N11 not the others"),
    pytest.param(
        TEN_POINT_FIVE, "6 - - - -", E4, (40, 0, 0, 40, 0), "KH", Verdict("goal", (0,)), id="H9 not the partner"
    ),
    pytest.param(TEN_POINT_FIVE, "6 - - - -", E4, (30, 0, 0, 40, 0), "KH", None, id="H9 by their own score"),
]


@pytest.mark.parametrize(("rules", "bids", "tricks", "before", "call", "won"), BIDDERS)
def test_N11_only_a_bidder_wins(
    rules: Rules, bids: str, tricks: tuple[str, ...], before: tuple[int, ...], call: str | None, won: Verdict | None
) -> None:
    assert verdict(play(rules, bids, "H", *tricks, call=call, scores=before).state) == won


ALONE = replace(LOW, seats=(3,), partners=Partners.ALONE, ending=Ending.HIGHEST, goal=5)
HIGHEST = [
    pytest.param((1, 0, 0), None, id="N12 nobody is at the goal"),
    pytest.param((4, 6, 0), Verdict("goal", (0,)), id="N12 the highest"),
    pytest.param((0, 6, 5), Verdict("goal", (1,)), id="N12 no matter which seat bid"),
    pytest.param((3, 6, 6), Verdict("goal", (0,)), id="N12 a tie goes to the pitcher"),
    pytest.param((0, 6, 6), None, id="N12 a tie of others ends nothing"),
]


@pytest.mark.parametrize(("before", "won"), HIGHEST)
def test_N12_the_highest_wins(before: tuple[int, ...], won: Verdict | None) -> None:
    assert verdict(play(ALONE, "3 - -", None, "0: AH 2D 3D", scores=before).state) == won


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


ORDERS = [
    pytest.param(Jokers.MARKED, False, "X2", "X1", id="Q7 marked: X1 is above X2"),
    pytest.param(Jokers.MARKED, True, "X2", "X1", id="Q7 marked: in reverse, too"),
    pytest.param(Jokers.SECOND_HIGH, False, "X1", "X2", id="Q7 the second is above the first"),
    pytest.param(Jokers.SECOND_HIGH, True, "X2", "X1", id="Q7 in reverse, too"),
    pytest.param(Jokers.FIRST_HIGH, True, "X1", "X1", id="R-C15 the first is above the second"),
    pytest.param(Jokers.FIRST_LOW, False, "X1", "X1", id="R-C15 it is, too"),
    pytest.param(Jokers.FIRST_LOW, True, "X1", "X2", id="R-C15 but in reverse the second"),
]


@pytest.mark.parametrize(("order", "reverse", "first", "higher"), ORDERS)
def test_Q7_which_joker_is_higher(order: Jokers, reverse: bool, first: str, higher: str) -> None:
    rules = replace(TEN_POINT, joker_order=order, reverse=reverse)
    played = [Play(seat, card) for seat, card in enumerate(cards(first + {"X1": " X2", "X2": " X1"}[first]))]
    assert played[taker(rules, played, "H", cards(first)[0])].card == higher
    assert [card for card in trumps(rules, "H", cards(first)[0]) if card in JOKERS][-1] == higher


def test_Q7_marked_jokers_have_their_order_before_one_is_played() -> None:
    assert [card for card in trumps(replace(TEN_POINT, joker_order=Jokers.MARKED), "H") if card in JOKERS] == [
        "X2",
        "X1",
    ]


def test_Q12_what_a_joker_counts_for_game() -> None:
    assert (game_counts([cards("X1 AH"), cards("10C X2 X1")], 1), game_counts([JOKERS], 0)) == ((5, 12), (0,))


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


def test_fixed_trump_is_trump_from_the_deal_on_and_any_card_leads() -> None:
    rules = replace(OH, trump=Trump.FIXED, fixed_trump="S")
    at = dealt(rules, ("KD AS", "3D 9C", "2S 5C"), stock="7H")
    assert require(at.state.hand).trump == "S"
    at = make_bids(at, "0 0 0")
    assert legal_moves(at.state, 0) == (PlayCard(0, *cards("KD")), PlayCard(0, *cards("AS")))
    assert fact_names(at.when(PlayCard(0, *cards("KD"))).facts) == ["CardPlayed"]
    assert require(go_on(at, *plays(("0: KD 3D 2S",), 3)).state.hand).tricks == (0, 0, 1)


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
