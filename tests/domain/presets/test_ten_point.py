"""Ten-point Pitch for four, five and six players, seven-point and thirteen-point Pitch (docs/rules/ten-point.md)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.cards import DECK_54, SUITS, Card, Suit
from domain.commands import (
    CallPartner,
    DealHand,
    Discard,
    MakeBid,
    NameTrump,
    OpenCeremony,
    PassBid,
    PlayCard,
)
from domain.engine.discards import discard_options
from domain.engine.legal_moves import legal_moves
from domain.engine.tricks import trumps
from domain.events import (
    AuctionWon,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    GameEnded,
    HandDealt,
    HandScored,
    HandThrownIn,
    MisdealDeclared,
    PartnerRevealed,
    StockTaken,
)
from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    MustBid,
    MustPlayCalled,
    NoCall,
    NotATrump,
)
from domain.rules.choices import Fill, Phase, Trump
from domain.rules.consistency import rules_fault
from domain.rules.variants import VARIANTS, compose_rules
from domain.state import current_hand
from tests.games.hands import commit, fact_names, facts_of_kind, go_on, only_fact, pegs_text, plays
from tests.games.preset_hands import (
    at_play,
    bids_of,
    dealt,
    discarded,
    ended,
    make_bids,
    named,
    playable,
    scored,
)
from tests.given import SEED, Given, cards, given

SEATS = {
    "ten-point": 4,
    "ten-point-five": 5,
    "ten-point-teams": 6,
    "ten-point-pairs": 6,
    "seven-point": 4,
    "thirteen-point": 4,
}
FOUR = (
    "AH KH 9H 4H 3H 2C 3C 4C 5C",
    "QH JH 8H AS KS 6C 7C 8C 9C",
    "JD X1 7H 2H 4D 5D 6D 7D 8D",
    "X2 10H 6H 5H 2D 3D 9D 10D KD",
)
SEVEN_TRUMPS, EIGHT_POINTS = "AH KH QH 9H 8H 7H 6H 2C 3C", "AH JH JD X1 X2 10H 3H 2H 9H"
FIVE = (
    "AH QH 3H 2C 3C 4C 5C 6C 7C 8C",
    "KH JH 9H 4H 9C 10C JC QC KC AC",
    "2H 5H 2D 3D 4D 5D 6D 7D 8D 9D",
    "JD 6H 2S 3S 4S 5S 6S 7S 8S 9S",
    "X1 7H 10D QD KD AD 10S JS QS KS",
)
SIX = tuple(f"{DECK_54[at]} {' '.join(DECK_54[at + 1 : at + 8])}" for at in range(0, 48, 8))
NINE_POINTS = ("0: AH 2H 3H 10H", "0: JH X1 JD X2")
TEN_POINTS = ("0: AH 10H 2H 3H", "0: JH X1 JD X2")
EIGHT_OF_SIX = "1: AS JS 3S 2S X1 10S"
ONE = (5, 0, 0, 0)


def sole(kind: type[Any], at: Given) -> Any:
    return only_fact(kind, at.facts)


@pytest.mark.parametrize(
    ("variant", "card", "misdealt"),
    [
        *(
            pytest.param("ten-point", f"{rank}H", (), id=f"V9 a {rank} is enough")
            for rank in ("2", "3", "10", "J", "A")
        ),
        pytest.param("ten-point", "X1", (), id="V9 a joker is enough"),
        pytest.param("ten-point", "9H", (3,), id="V9 only four to nine"),
        pytest.param("thirteen-point", "9H", (), id="V9 not in other games"),
    ],
)
def test_a_misdeal(variant: str, card: str, misdealt: tuple[int, ...]) -> None:
    low = cards(f"{card} 4C 5C 6C 7C 8C 9C 4D 5D")
    others = [each for each in DECK_54 if each not in low][:27]
    dealt_in_turn = [each for turn in range(9) for each in (*others[turn::9], low[turn])]
    deck = (*dealt_in_turn, *(each for each in DECK_54 if each not in dealt_in_turn))
    opened = given(*dealt(variant, *FOUR).facts[:5]).when(OpenCeremony(1, "deal hand 1", SEED)).happens()
    facts = opened.when(DealHand(1, deck)).facts
    assert [each.seats for each in facts_of_kind(MisdealDeclared, facts)] == ([misdealt] if misdealt else [])


@pytest.mark.parametrize(
    ("variant", "options", "bids", "can_bid"),
    [
        pytest.param("ten-point", {}, (), [0, 5, 6, 7, 8, 9, 10, 11], id="V12 V15 from five to ten, and the moon"),
        pytest.param("ten-point", {}, (7, 9), [0, 10, 11], id="V11 higher than the highest"),
        pytest.param("ten-point", {}, (7, 0, 10), [0, 11], id="V11 V15 the dealer can only pass or shoot the moon"),
        pytest.param("ten-point", {}, (11, 0, 0), [0], id="R-V15 nobody bids over a moon or ties it"),
        pytest.param("ten-point-teams", {}, (), [0, 5, 6, 7, 8, 9, 10, 11], id="V15 a moon of teams"),
        pytest.param("ten-point-pairs", {}, (), [0, 5, 6, 7, 8, 9, 10], id="V12 V15 no moon of pairs"),
        pytest.param("ten-point-five", {}, (), [0, 5, 6, 7, 8, 9, 10], id="V12 V15 no moon of five"),
        pytest.param("seven-point", {}, (), [0, 3, 4, 5, 6, 7], id="V12 three to seven"),
        pytest.param("thirteen-point", {}, (), [0, *range(4, 14)], id="V12 four to thirteen"),
        pytest.param("thirteen-point", {}, (0, 0, 0), [*range(4, 14)], id="V14 the dealer can't pass"),
        pytest.param("thirteen-point", {"least": 5}, (0, 0, 0), [*range(5, 14)], id="R-V12 from five"),
        pytest.param("ten-point", {"least": 4}, (), [0, *range(4, 12)], id="R-V1 from four"),
    ],
)
def test_the_bids(variant: str, options: dict[str, Any], bids: tuple[int, ...], can_bid: list[int]) -> None:
    hands = FOUR if SEATS[variant] == 4 else FIVE if SEATS[variant] == 5 else SIX
    assert bids_of(make_bids(dealt(variant, *hands, **options), *bids)) == can_bid


def test_V11_V12_V14_refused_bids() -> None:
    at = make_bids(dealt("ten-point", *FOUR), 7)
    at.when(MakeBid(1, 7)).rejected(BidTooLow)
    at.when(MakeBid(1, 4)).rejected(BidTooLow)
    at.when(MakeBid(1, 12)).rejected(BidTooHigh, "12 is more than the 10 points of a hand.", "11 is the moon")
    make_bids(dealt("thirteen-point", *FOUR), 0, 0, 0).when(PassBid(3)).rejected(MustBid)


@pytest.mark.parametrize(
    ("options", "won", "dealer"),
    [
        pytest.param({}, (3, 5, True), None, id="V13 the dealer has it for the lowest bid"),
        pytest.param({"least": 4}, (3, 4, True), None, id="V13 R-V1 for four"),
        pytest.param({"all_pass": "throw_in"}, None, 0, id="R-V2 the next seat deals"),
        pytest.param({"all_pass": "same_dealer"}, None, 3, id="R-V2 the same dealer deals"),
    ],
)
def test_nobody_bids(options: dict[str, Any], won: tuple[int, int, bool] | None, dealer: int | None) -> None:
    facts = commit(make_bids(dealt("ten-point", *FOUR, **options), 0, 0, 0), PassBid(3))
    assert [(each.seat, each.bid, each.forced) for each in facts_of_kind(AuctionWon, facts)] == ([won] if won else [])
    assert len(list(facts_of_kind(HandThrownIn, facts))) == (won is None)
    assert [each.dealer for each in facts_of_kind(HandDealt, facts)] == ([] if dealer is None else [dealer])


def test_V16_the_pitcher_names_any_suit() -> None:
    at = make_bids(dealt("ten-point", *FOUR), 5, 0, 0, 0)
    assert legal_moves(at.state, 0) == tuple(NameTrump(0, suit) for suit in SUITS)


def test_V17_the_others_throw_and_fill_to_six_and_the_pitcher_takes_the_rest() -> None:
    at = discarded(named(make_bids(dealt("ten-point", *FOUR), 5, 0, 0, 0)), "AS KS 6C 7C 8C 9C", "4D 5D 6D 7D 8D")
    assert [(each.seat, each.count) for each in facts_of_kind(CardsDrawn, at.facts)] == [(1, 3), (2, 2)]
    at = discarded(at, "2D 3D 9D 10D KD")
    assert (sole(StockTaken, at).seat, sole(StockTaken, at).count) == (0, 11)
    assert at.state.turn == (0,)
    options = discard_options(at.state.rules, current_hand(at.state), 0)
    assert options is not None
    assert (options.minimum, options.maximum) == (14, 14)


def exchange(variant: str, *hands: str, **options: Any) -> Given:
    """Return the discards of a hand in which seat 0 has named hearts, and called KH if there are calls."""
    return named(make_bids(dealt(variant, *hands, **options), 5, *(0 for _ in hands[1:])), call="KH")


def test_V18_a_kitty_is_taken_before_trump_is_named_and_nobody_draws() -> None:
    at = make_bids(dealt("ten-point-five", *FIVE), 0, 6, 0, 0, 0)
    assert (at.state.phase, sole(StockTaken, at), len(sole(CardsTaken, at).cards)) == (
        Phase.NAMING,
        StockTaken(1, 4, (1,)),
        4,
    )
    at = named(at, "H", "AH")
    order = []
    while at.state.phase is Phase.DISCARDING:
        (seat,) = at.state.turn
        options = discard_options(at.state.rules, current_hand(at.state), seat)
        assert options is not None
        assert options.minimum == options.maximum == (8 if seat == 1 else 4)
        order.append(seat)
        at = discarded(at, " ".join((*options.required, *options.optional)[: options.minimum]))
    assert (order, list(facts_of_kind(CardsDrawn, at.facts)), at.state.turn) == ([0, 2, 3, 4, 1], [], (1,))
    assert current_hand(at.state).counts == (6,) * 5


def test_V18_R_V10_without_a_kitty_each_comes_down_to_six() -> None:
    hands = tuple(" ".join(DECK_54[at : at + 9]) for at in range(0, 54, 9))
    at = exchange("ten-point-pairs", *hands, dealt="nine")
    assert list(facts_of_kind(StockTaken, at.facts)) == []
    options = discard_options(at.state.rules, current_hand(at.state), 1)
    assert options is not None
    assert (at.state.turn, options.minimum, options.maximum) == ((1,), 3, 3)


def test_V19_the_pitcher_calls_a_card_after_naming_trump() -> None:
    at = make_bids(dealt("ten-point-five", *FIVE), 6, 0, 0, 0, 0)
    at = named(at)
    assert at.state.phase is Phase.CALLING
    called = at.when(CallPartner(0, Card("KH"))).happens()
    assert fact_names(called.facts[len(at.facts) :]) == ["PartnerCalled"]
    named(make_bids(dealt("ten-point", *FOUR), 5, 0, 0, 0)).when(CallPartner(0, Card("KH"))).rejected(NoCall)


@pytest.mark.parametrize(
    ("held", "thrown", "shown"),
    [
        pytest.param(FOUR[0], "2C 3C 4C 3H", None, id="V20 no trump can be thrown"),
        pytest.param(FOUR[0], "2C 3C 4C", "", id="V20 plain cards can"),
        pytest.param(SEVEN_TRUMPS, "2C 3C", None, id="V21 down to six"),
        pytest.param(SEVEN_TRUMPS, "2C 3C 6H", "6H", id="V21 a thrown trump is shown"),
        pytest.param(SEVEN_TRUMPS, "2C 3C AH", None, id="V21 trumps that score stay"),
        pytest.param(SEVEN_TRUMPS, "3C 6H 7H", None, id="V21 first all other cards"),
        pytest.param(EIGHT_POINTS, "9H 2H 10H", "2H 9H 10H", id="V21 then trumps that score, to six"),
        pytest.param(EIGHT_POINTS, "2H 3H 10H", None, id="V21 but not before those that don't score"),
    ],
)
def test_what_may_be_thrown(held: str, thrown: str, shown: str | None) -> None:
    rest = [card for card in DECK_54 if card not in cards(held)]
    hands = held, *(" ".join(rest[at : at + 9]) for at in (0, 9, 18))
    throw = named(make_bids(dealt("ten-point", *hands), 0, 5, 0, 0)).when(Discard(0, cards(thrown)))
    if shown is None:
        throw.rejected(CannotDiscard)
    else:
        assert " ".join(only_fact(CardsDiscarded, throw.facts).shown) == shown


def test_R_V17_the_called_card_stays_even_if_it_is_no_trump() -> None:
    at = named(make_bids(dealt("ten-point-five", *FIVE), 5, 0, 0, 0, 0), call="9C")
    at.when(Discard(1, cards("9C 10C JC QC"))).rejected(CannotDiscard)
    assert discarded(at, "10C JC QC KC").state.turn == (2,)


@pytest.mark.parametrize(
    ("variant", "options", "order"),
    [
        pytest.param("ten-point", {}, "AH KH QH JH JD X1 X2 10H 9H 8H 7H 6H 5H 4H 3H 2H", id="V25 V26 ten points"),
        pytest.param("seven-point", {}, "AH KH QH JH JD X1 X2 10H 9H 8H 7H 6H 5H 4H 3H 2H", id="V25 seven points"),
        pytest.param("thirteen-point", {}, "AH KH QH JH JD X1 X2 10H 9H 8H 7H 6H 5H 4H 3H 3D 2H", id="V25 13 points"),
        pytest.param(
            "ten-point",
            {"higher_joker": "lowest"},
            "AH KH QH JH JD 10H 9H 8H 7H 6H 5H 4H 3H 2H X1 X2",
            id="R-V7 the jokers lowest",
        ),
        pytest.param(
            "ten-point-five",
            {"dealt": "no_fours"},
            "AH KH QH JH JD X1 X2 10H 9H 8H 7H 6H 5H 3H 2H",
            id="R-V9 without fours",
        ),
    ],
)
def test_the_order_of_trumps(variant: str, options: dict[str, Any], order: str) -> None:
    rules, _ = compose_rules(variant, options, SEATS[variant])
    assert " ".join(reversed(trumps(rules, "H", Card("X1")))) == order


@pytest.mark.parametrize(
    ("higher_joker", "taker"),
    [
        pytest.param("first", 0, id="V26 the first joker is higher"),
        pytest.param("marked", 1, id="R-V7 X1 is higher"),
        pytest.param("second", 1, id="R-V7 the second is higher"),
        pytest.param("lowest", 0, id="R-V7 the first is the higher of the lowest"),
    ],
)
def test_which_joker_is_higher(higher_joker: str, taker: int) -> None:
    pegs = scored("ten-point", ONE, "0: X2 X1 - -", higher_joker=higher_joker).pegs
    assert {peg.seat for peg in pegs} == {taker}


def test_V23_V24_only_trumps_are_played_and_a_seat_without_one_is_passed_over() -> None:
    hands = "AH 2C", "3C 4C", "KH 9H", "QH 8H"
    at = named(make_bids(dealt("ten-point", *hands, fields={"fill": Fill.NOTHING}), *ONE))
    at.when(PlayCard(0, Card("2C"))).rejected(NotATrump)
    at = at.when(PlayCard(0, Card("AH"))).happens()
    assert at.state.turn == (2,)
    at = go_on(at, PlayCard(2, Card("KH")), PlayCard(3, Card("QH")))
    assert (at.state.turn, playable(at)) == ((2,), "9H")  # seat 0 took the trick and has no trump left


def test_R_V13_without_any_trump_the_hand_ends_and_the_bid_is_lost() -> None:
    hands = "2C", "3C", "4C", "5C"
    at = make_bids(dealt("ten-point", *hands, fields={"fill": Fill.NOTHING}), *ONE)
    score = only_fact(HandScored, at.when(NameTrump(0, "H")).facts)
    assert (score.made, score.changes) == (False, (-5, 0, -5, 0))


def test_R_V13_the_next_seat_with_a_trump_leads_if_the_pitcher_has_none() -> None:
    hands = "2C", "3C", "4H", "5H"
    at = named(make_bids(dealt("ten-point", *hands, fields={"fill": Fill.NOTHING}), *ONE))
    assert at.state.turn == (2,)


def test_V19_V27_the_called_card_comes_out_as_soon_as_it_can() -> None:
    tricks = "0: 3H 9H 4H KH 10H", "3: AH 2H JH 5H X1"
    at = at_play("ten-point-five", (6, 0, 0, 0, 0), *tricks, call="KH")
    at = go_on(at, *plays(("0: 3H 9H 4H",), 5))
    assert current_hand(at.state).sides == ((0,), (1, 2, 3, 4))  # only the holder knows
    at.when(PlayCard(3, Card("AH"))).rejected(MustPlayCalled)
    assert only_fact(PartnerRevealed, at.when(PlayCard(3, Card("KH"))).facts).seat == 3
    assert scored("ten-point-five", (6, 0, 0, 0, 0), *tricks, call="KH").changes == (7, 1, 1, 7, 1)  # V5


def test_R_V17_a_pitcher_whose_called_card_nobody_holds_is_alone() -> None:
    tricks = "0: AH 9H 4H KH 10H", "0: JH 2H 5H 6H X1"
    assert scored("ten-point-five", (5, 0, 0, 0, 0), *tricks, call="QH").changes == (-5, 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("variant", "options", "pegs"),
    [
        pytest.param(
            "ten-point",
            {},
            "jack 0 JH, off_jack 0 JD, joker 0 X1, joker 0 X2, ten 0 10H, three 0 3H, two 1 2H, ace 0 AH",
            id="V28 V30 R-V18 ten points: the two stays with its player",
        ),
        pytest.param(
            "ten-point",
            {"two": "taker"},
            "jack 0 JH, off_jack 0 JD, joker 0 X1, joker 0 X2, ten 0 10H, three 0 3H, two 0 2H, ace 0 AH",
            id="R-V5 the two to its taker",
        ),
        pytest.param(
            "ten-point",
            {"last_point": "game"},
            "jack 0 JH, off_jack 0 JD, joker 0 X1, joker 0 X2, game 0, three 0 3H, two 1 2H, ace 0 AH",
            id="R-V6 R-V18 game in the place of the ten",
        ),
        pytest.param(
            "seven-point",
            {},
            "jack 0 JH, off_jack 0 JD, joker 0 X1, joker 0 X2, ten 0 10H, two 1 2H, ace 0 AH",
            id="V29 seven points: not the three",
        ),
        pytest.param(
            "seven-point",
            {"last_point": "game"},
            "jack 0 JH, off_jack 0 JD, joker 0 X1, joker 0 X2, game 0, two 1 2H, ace 0 AH",
            id="R-V6 seven points with game",
        ),
    ],
)
def test_the_points(variant: str, options: dict[str, Any], pegs: str) -> None:
    assert pegs_text(scored(variant, ONE, *NINE_POINTS, **options).pegs) == pegs


def test_V22_a_card_that_is_not_played_scores_for_nobody() -> None:
    assert pegs_text(scored("ten-point", (0, 5, 0, 0), "1: AH 9H 8H 7H").pegs) == "(ace 1 AH)"


THIRTEEN = "0: 3D 3H 2H 9H", "3: 10H AH JH JD"


@pytest.mark.parametrize(
    ("variant", "bids", "tricks", "suit", "changes"),
    [
        pytest.param("ten-point", (9, 0, 0, 0), NINE_POINTS, "H", (9, 1, 9, 1), id="V31 V30 E1 made"),
        pytest.param("ten-point", (10, 0, 0, 0), NINE_POINTS, "H", (-10, 1, -10, 1), id="V31 E1 set"),
        pytest.param("thirteen-point", (4, 0, 0, 0), THIRTEEN, "H", (5, 6, 5, 6), id="V29 R-V14 E7 off three"),
        pytest.param(
            "ten-point-pairs", (0, 8, 0, 0, 0, 0), (EIGHT_OF_SIX,), "S", (0, 8, 0, 0, 8, 0), id="V4 E5 three pairs"
        ),
        pytest.param(
            "ten-point-teams", (0, 8, 0, 0, 0, 0), (EIGHT_OF_SIX,), "S", (1, -8, 1, -8, 1, -8), id="V3 E5 teams"
        ),
    ],
)
def test_the_score(
    variant: str, bids: tuple[int, ...], tricks: tuple[str, ...], suit: Suit, changes: tuple[int, ...]
) -> None:
    assert scored(variant, bids, *tricks, suit=suit).changes == changes


def test_R_V14_a_led_off_card_asks_for_trump() -> None:
    at = at_play("thirteen-point", (4, 0, 0, 0), *THIRTEEN)
    assert playable(go_on(at, PlayCard(0, Card("3D")))) == "3H JH"


@pytest.mark.parametrize(
    ("options", "scores", "after", "winners"),
    [
        pytest.param({}, (10, 20, 10, 20), (0, 21, 0, 21), (1, 3), id="V36 R-V15 E2 it costs ten and the game"),
        pytest.param({"moon": "double"}, (10, 20, 10, 20), (-10, 21, -10, 21), None, id="R-V8 it costs twenty"),
    ],
)
def test_a_failed_moon(
    options: dict[str, Any], scores: tuple[int, ...], after: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    found, end = ended("ten-point", (11, 0, 0, 0), *NINE_POINTS, scores=scores, **options)
    assert found == after
    assert end == (None if winners is None else GameEnded("moon", winners, after))


@pytest.mark.parametrize(
    ("options", "before", "after", "reason"),
    [
        pytest.param({}, -4, 0, None, id="V35 E2 from below zero to zero, and play goes on"),
        pytest.param({}, 12, 52, "moon", id="V35 E2 to the goal"),
        pytest.param({}, 60, 60, "moon", id="V35 R-V15 never down"),
        pytest.param({"goal": 32}, 12, 32, "moon", id="V35 R-V3 to the goal of 32"),
        pytest.param({"moon": "double"}, 12, 32, None, id="R-V8 twenty points"),
        pytest.param({"moon": "double"}, 32, 52, "goal", id="R-V8 twenty points reach the goal"),
    ],
)
def test_a_made_moon(options: dict[str, Any], before: int, after: int, reason: str | None) -> None:
    scores = (before, 20, before, 20)
    found, end = ended("ten-point", (11, 0, 0, 0), *TEN_POINTS, scores=scores, **options)
    assert found == (after, 20, after, 20)
    assert end == (None if reason is None else GameEnded(reason, (0, 2), found))


LOST = "0: KH 2H 3H 9H", "0: QH AH JD 10H", "1: JH X1 8H X2"


@pytest.mark.parametrize(
    ("variant", "bids", "tricks", "options", "scores", "winners"),
    [
        pytest.param("ten-point", ONE, LOST, {}, (47, 49), None, id="V33 E3 the others don't win"),
        pytest.param("ten-point", ONE, LOST, {"ending": "bidder_first"}, (47, 49), (1, 3), id="R-V4 bidder first"),
        pytest.param("ten-point", ONE, LOST, {"ending": "highest"}, (47, 49), (1, 3), id="R-V4 the highest"),
        pytest.param("ten-point", ONE, NINE_POINTS, {}, (43, 60), (0, 2), id="V32 V33 52 with a made bid"),
        pytest.param("ten-point", ONE, NINE_POINTS, {}, (42, 0), None, id="V32 51 isn't enough"),
        pytest.param("ten-point", ONE, NINE_POINTS, {"goal": 32}, (23, 0), (0, 2), id="R-V3 to 32"),
        pytest.param("ten-point", ONE, NINE_POINTS, {"goal": 31}, (22, 0), (0, 2), id="R-V3 to 31"),
        pytest.param("ten-point", ONE, NINE_POINTS, {"ending": "highest"}, (43, 60), (1, 3), id="R-V4 highest wins"),
        pytest.param("ten-point", ONE, NINE_POINTS, {"ending": "highest"}, (52, 60), (0, 2), id="R-V4 a tie: bidders"),
        pytest.param("seven-point", (3, 0, 0, 0), NINE_POINTS, {}, (15, 40), (0, 2), id="V32 V34 bidders first"),
        pytest.param("seven-point", (7, 0, 0, 0), NINE_POINTS, {}, (20, 20), (1, 3), id="V34 else the highest"),
        pytest.param(
            "seven-point", (7, 0, 0, 0), NINE_POINTS, {"ending": "bidder_only"}, (20, 20), None, id="R-V4 only bidders"
        ),
        pytest.param("thirteen-point", (4, 0, 0, 0), THIRTEEN, {}, (47, 60), (0, 2), id="V32 V33 thirteen points"),
    ],
)
def test_who_wins(
    variant: str,
    bids: tuple[int, ...],
    tricks: tuple[str, ...],
    options: dict[str, Any],
    scores: tuple[int, int],
    winners: tuple[int, ...] | None,
) -> None:
    after, end = ended(variant, bids, *tricks, scores=scores * 2, **options)
    assert end == (None if winners is None else GameEnded("goal", winners, after))


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        pytest.param((35, 0, 0, 41, 0), (0,), id="V32 R-V16 the pitcher alone"),
        pytest.param((34, 41, 0, 60, 0), None, id="R-V16 not the partner, nor the others"),
    ],
)
def test_with_a_called_partner_the_pitcher_alone_wins(scores: tuple[int, ...], winners: tuple[int, ...] | None) -> None:
    tricks = "0: 3H 9H 4H KH 10H", "3: AH 2H JH 5H X1"
    after, end = ended("ten-point-five", (6, 0, 0, 0, 0), *tricks, call="KH", scores=scores)
    assert end == (None if winners is None else GameEnded("goal", winners, after))


def test_R_V11_no_game_of_this_sheet_pitches_trump() -> None:
    rules = [variant.rules for variant in VARIANTS.values() if variant.sheet.letter == "V"]
    assert {each.trump for each in rules} == {Trump.NAMED}
    pitched = replace(compose_rules("seven-point", {})[0], trump=Trump.PITCHED)
    assert rules_fault(pitched) is not None
