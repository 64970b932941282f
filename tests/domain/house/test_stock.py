"""The seat that gets the stock, the cards that may be thrown, and the first lead (N3 to N7, H1, H3, H4, Q16)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.cards import sort_cards
from domain.commands import Discard, MakeBid, NameTrump, PlayCard
from domain.engine.discards import DiscardOptions, discard_options
from domain.engine.legal_moves import legal_moves
from domain.events import (
    AuctionWon,
    BidMade,
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    HandScored,
    StockTaken,
    TrumpNamed,
)
from domain.rejections import CannotDiscard, NotATrump
from domain.rules.choices import Fill, Follow, OpeningLead, Partners, Phase, Quirk, Throw
from domain.rules.model import Rules
from domain.state import Hand, require
from tests.games.hands import fact_names, only_fact
from tests.games.house_hands import KITTY, PEDRO, TEN_POINT, dealt, make_bids, name, without_stock
from tests.games.preset_hands import discarded
from tests.given import Given, cards

FOUR = ("AH KH QH 2C 3C 4C", "5C 6C 7C 8C 9C 10C", "2D 3D 4D 5D 6D 7D", "2S 3S 4S 5S 6S 7S")
STOCK = "AC KC QC JC AD"
"""Six cards for each seat and five in the stock."""


def hand_of(at: Given) -> Hand:
    """Return the hand on the table."""
    return require(at.state.hand)


def named(rules: Rules, bids: str = "3 - - -", *, hands: tuple[str, ...] = FOUR, stock: str = STOCK) -> Given:
    """Return these hands after the naming of spades."""
    return name(make_bids(dealt(rules, hands, stock=stock), bids), "S")


def test_N3_the_kitty_comes_right_after_the_auction_and_before_trump() -> None:
    at = make_bids(dealt(KITTY, FOUR, stock=STOCK), "- - 3")
    at = at.when(MakeBid(3, 4)).then(
        BidMade(3, 4, next=()),
        AuctionWon(3, 4, forced=False, max=True, sides=((1, 3), (0, 2)), next=()),
        StockTaken(3, 3, next=(3,)),
        CardsTaken(1, 3, cards("AC KC QC")),
    )
    assert (at.state.phase, hand_of(at).counts, hand_of(at).stock) == (Phase.NAMING, (6, 6, 6, 9), cards("JC AD"))
    at = at.when(NameTrump(3, "S")).then(TrumpNamed(3, "S", next=(3,)))
    assert at.state.phase is Phase.DISCARDING
    at.when(Discard(3, cards("AC KC"))).rejected(CannotDiscard, "Discard 3 different cards")
    at = at.when(Discard(3, cards("AC KC QC"))).then(
        CardsDiscarded(3, 3, (), next=(3,)), CardsBuried(1, 3, cards("QC KC AC"))
    )
    assert (at.state.phase, hand_of(at).stock_left) == (Phase.PLAY, 2)


KITTIES = [
    pytest.param({"kitty": 0}, (6, 6, 6, 6), Phase.PLAY, 0, id="a kitty of none, so nobody has a surplus"),
    pytest.param({"kept_cards": 0}, (9, 6, 6, 6), Phase.PLAY, 0, id="no number to keep, so nobody discards"),
    pytest.param({"kept_cards": 9}, (9, 6, 6, 6), Phase.PLAY, 0, id="more to keep than anybody holds"),
    pytest.param({}, (9, 6, 6, 6), Phase.DISCARDING, 0, id="only the pitcher has a surplus"),
    pytest.param({"kept_cards": 5}, (9, 6, 6, 6), Phase.DISCARDING, 1, id="everybody has, the pitcher discards last"),
]


@pytest.mark.parametrize(("fields", "counts", "phase", "turn"), KITTIES)
def test_N3_seats_with_a_surplus_discard(
    fields: dict[str, Any], counts: tuple[int, ...], phase: Phase, turn: int
) -> None:
    at = named(replace(KITTY, **fields))
    assert (hand_of(at).counts, at.state.phase, at.state.turn) == (counts, phase, (turn,))


def test_N3_after_a_kitty_nobody_draws_and_the_play_begins_with_the_last_discard() -> None:
    at = discarded(named(replace(KITTY, kept_cards=5)), "5C", "7D", "7S")
    assert (hand_of(at).discarded, at.state.turn, hand_of(at).stock_left) == ((1, 2, 3), (0,), 2)
    at = discarded(at, "AC KC QC 4C")
    assert (at.state.phase, at.state.turn, hand_of(at).counts) == (Phase.PLAY, (0,), (5, 5, 5, 5))


def test_Q16_with_a_kitty_and_a_draw_the_rest_of_the_stock_stays() -> None:
    at = named(replace(KITTY, fill=Fill.KITTY_AND_DRAW))
    assert at.state.turn == (1,)
    facts = at.when(Discard(1, cards("5C 6C 7C"))).facts
    assert facts[2:] == (CardsDrawn(1, 2), CardsTaken(1, 1, cards("JC AD")))
    at = discarded(discarded(at, "5C 6C 7C", "", ""), "AC KC QC")
    assert (at.state.phase, hand_of(at).counts) == (Phase.PLAY, (6, 5, 6, 6))


def test_N4_the_dealer_takes_the_rest_before_they_discard_last() -> None:
    at = discarded(named(replace(PEDRO, throw=Throw.POINTS_STAY), "8 - - -", stock=STOCK), "2C 3C", "6C")
    assert at.state.turn == (2,)
    facts = at.when(Discard(2, cards("2D"))).facts
    assert facts[2:] == (
        CardsDrawn(2, 1),
        CardsTaken(1, 2, cards("JC")),
        StockTaken(3, 1, next=(3,)),
        CardsTaken(1, 3, cards("AD")),
    )
    at = discarded(discarded(at, "2D"), "AD")
    assert (at.state.phase, at.state.turn, hand_of(at).counts) == (Phase.PLAY, (1,), (6, 6, 6, 6))


def test_N4_a_dealer_takes_no_stock_if_none_is_left_and_throws_nothing_without_a_surplus() -> None:
    at = discarded(named(PEDRO, "8 - - -", stock="AC"), "2C", "", "")
    at.when(Discard(3, cards("7S"))).rejected(CannotDiscard, "Discard no card")
    at = at.when(Discard(3, ())).then(CardsDiscarded(3, 0, (), next=(1,)))
    assert (at.state.phase, hand_of(at).stock_left) == (Phase.PLAY, 0)


DRAWS = [
    pytest.param((), ["CardsDiscarded", "CardsBuried"], id="H1 a draw of none is no fact"),
    pytest.param(
        (Quirk.EMPTY_DRAWS,),
        ["CardsDiscarded", "CardsBuried", "CardsDrawn", "CardsTaken"],
        id="H1 as it was, it is one",
    ),
]


@pytest.mark.parametrize(("quirks", "names"), DRAWS)
def test_H1_a_seat_draws_what_is_left(quirks: tuple[Quirk, ...], names: list[str]) -> None:
    at = discarded(named(replace(PEDRO, quirks=quirks), "8 - - -", stock="AC"), "2C 3C")
    assert hand_of(at).counts == (5, 6, 6, 6)
    assert fact_names(at.when(Discard(1, cards("6C"))).facts) == names


def options_of(optional: str, required: str, least: int, most: int) -> DiscardOptions:
    """Return the options of a discard; cards are in the order of the deck."""
    return DiscardOptions(sort_cards(cards(optional)), sort_cards(cards(required)), least, most)


HELD = "2H 9H AH JD 3C AC"
"""With hearts as trump: the 9H doesn't score, and the AC is plain."""
STAY = Throw.TRUMPS_STAY
THROWS = [
    pytest.param({}, HELD, 1, ("9H 3C AC", "", 0, 3), id="points stay"),
    pytest.param(
        {"kept_cards": 2}, HELD, 1, ("2H AH JD", "9H 3C AC", 4, 4), id="points stay, and even they are too many"
    ),
    pytest.param({"throw": STAY}, HELD, 1, ("3C AC", "", 0, 2), id="N5 trumps stay"),
    pytest.param(
        {"throw": STAY, "kept_cards": 3}, HELD, 1, ("9H", "3C AC", 3, 3), id="N5 H3 those go that don't score"
    ),
    pytest.param({"throw": STAY, "kept_cards": 2}, HELD, 1, ("2H AH JD", "9H 3C AC", 4, 4), id="N5 H3 then any"),
    pytest.param({"throw": STAY}, HELD, 0, ("3C AC", "", 0, 0), id="N5 the pitcher comes down to the number"),
    pytest.param({"throw": STAY, "kept_cards": 5}, HELD, 0, ("3C AC", "", 1, 1), id="N5 and throws the surplus"),
    pytest.param({"most_thrown": 1}, HELD, 1, ("9H 3C AC", "", 0, 1), id="N6 at most one"),
    pytest.param({"most_thrown": 1, "kept_cards": 4}, HELD, 1, ("9H 3C AC", "", 2, 2), id="N6 but the surplus"),
    pytest.param({"most_thrown": 5}, HELD, 1, ("9H 3C AC", "", 0, 3), id="N6 no more than there are"),
    pytest.param({"fill": Fill.KITTY, "kept_cards": 5}, HELD, 1, ("9H 3C AC", "", 1, 1), id="N3 exactly the surplus"),
    pytest.param({"fill": Fill.DEALER, "kept_cards": 5}, HELD, 3, ("9H 3C AC", "", 1, 1), id="N4 the dealer does, too"),
    pytest.param(
        {"fill": Fill.DEALER, "kept_cards": 5}, HELD, 0, ("9H 3C AC", "", 1, 3), id="N4 a pitcher may throw more"
    ),
]


@pytest.mark.parametrize(("fields", "held", "seat", "options"), THROWS)
def test_what_a_seat_can_throw(
    fields: dict[str, Any], held: str, seat: int, options: tuple[str, str, int, int]
) -> None:
    rules = replace(TEN_POINT, **({"throw": Throw.POINTS_STAY} | fields))
    hands = ["3D"] * 4
    hands[seat] = held
    at = name(make_bids(dealt(rules, hands, stock="4D 5D 6D"), "5 - - -"), "H")
    assert discard_options(rules, hand_of(at), seat) == options_of(*options)


CALLED = [
    pytest.param(Throw.POINTS_STAY, 4, (), ("9H 3C", "", 2, 2), id="H3 under points stay"),
    pytest.param(Throw.TRUMPS_STAY, 4, (), ("9H", "3C", 2, 2), id="H3 it's a card that stays"),
    pytest.param(Throw.TRUMPS_STAY, 3, (), ("2H AH JD", "9H 3C", 3, 3), id="H3 even among cards that score"),
    pytest.param(Throw.POINTS_STAY, 4, (Quirk.CALLED_CARD_THROWN,), ("9H 3C AC", "", 2, 3), id="as it was, it can go"),
]


@pytest.mark.parametrize(("throw", "kept", "quirks", "options"), CALLED)
def test_H3_nobody_throws_the_called_card(
    throw: Throw, kept: int, quirks: tuple[Quirk, ...], options: tuple[str, str, int, int]
) -> None:
    rules = replace(TEN_POINT, partners=Partners.CALL, throw=throw, kept_cards=kept, quirks=quirks)
    at = name(make_bids(dealt(rules, ("3D", HELD, "5D", "6D"), stock="4D"), "5 - - -"), "H", "AC")
    assert discard_options(rules, hand_of(at), 1) == options_of(*options)
    if not quirks:
        assert "AC" not in str(at.when(Discard(1, cards("AC 3C"))).rejected(CannotDiscard))


SHOWN = [
    pytest.param(Throw.TRUMPS_STAY, 1, "9H", id="N5 trumps that anybody throws"),
    pytest.param(Throw.POINTS_STAY, 1, "", id="only those of the seat that takes the stock"),
]


@pytest.mark.parametrize(("throw", "seat", "shown"), SHOWN)
def test_thrown_trumps_are_shown(throw: Throw, seat: int, shown: str) -> None:
    rules = replace(TEN_POINT, throw=throw, kept_cards=3)
    at = name(make_bids(dealt(rules, ("3D", HELD, "5D", "6D"), stock="4D"), "5 - - -"), "H")
    thrown = only_fact(CardsDiscarded, at.when(Discard(seat, cards("3C AC 9H"))).facts)
    assert (thrown.count, thrown.shown) == (3, cards(shown))


def test_N5_the_help_says_what_stays() -> None:
    at = name(make_bids(dealt(TEN_POINT, ("3D", HELD, "5D", "6D"), stock="4D"), "5 - - -"), "H")
    said = "Discard 0 to 2 different cards: from 3C AC. You keep other trumps."
    at.when(Discard(1, cards("2H"))).rejected(CannotDiscard, said)


ANY, HELD_TRUMP, TRUMP = OpeningLead.ANY, OpeningLead.TRUMP_IF_HELD, OpeningLead.TRUMP
BOTH, NONE = ("2H 3C", "4H 4C", "5D 5C", "6S 6C"), ("2D 3C", "4H 4C", "5D 5C", "6S 6C")
LEADS = [
    pytest.param(TRUMP, Follow.SUIT, BOTH, 0, "2H", id="R-C10 a trump"),
    pytest.param(TRUMP, Follow.SUIT, NONE, 1, "4H", id="R-C10 or the next seat that has one"),
    pytest.param(HELD_TRUMP, Follow.SUIT_OR_TRUMP, BOTH, 0, "2H", id="H4 a trump if the pitcher has one"),
    pytest.param(HELD_TRUMP, Follow.SUIT_OR_TRUMP, NONE, 0, "3C 2D", id="H4 else any card"),
    pytest.param(ANY, Follow.SUIT, BOTH, 0, "3C 2H", id="N7 any card"),
    pytest.param(HELD_TRUMP, Follow.TRUMPS_ONLY, NONE, 1, "4H", id="H4 if only trumps are played, the next seat"),
    pytest.param(ANY, Follow.TRUMPS_ONLY, BOTH, 0, "2H", id="N7 and any trump"),
]


@pytest.mark.parametrize(("lead", "follow", "hands", "seat", "legal"), LEADS)
def test_N7_the_first_lead(lead: OpeningLead, follow: Follow, hands: tuple[str, ...], seat: int, legal: str) -> None:
    rules = replace(without_stock(TEN_POINT), opening_lead=lead, follow=follow)
    at = name(make_bids(dealt(rules, hands), "5 - - -"), "H")
    assert at.state.turn == (seat,)
    assert legal_moves(at.state, seat) == tuple(PlayCard(seat, card) for card in cards(legal))
    if legal == "2H":
        at.when(PlayCard(0, *cards("3C"))).rejected(NotATrump, "You can only play trumps now. You can play 2H.")


def test_H4_a_hand_without_trumps_ends_unplayed_if_a_trump_is_to_be_led() -> None:
    rules = replace(without_stock(TEN_POINT), opening_lead=TRUMP, follow=Follow.SUIT)
    at = make_bids(dealt(rules, ("2D", "4C", "5D", "6S")), "5 - - -")
    scored = only_fact(HandScored, at.when(NameTrump(0, "H")).facts)
    assert (scored.made, scored.changes) == (False, (-5, 0, -5, 0))
