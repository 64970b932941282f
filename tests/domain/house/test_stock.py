"""The seat that gets the stock, the cards that may be thrown, and the first lead (N3 to N7, H1, H3, H4, Q16)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.cards import sort_cards
from domain.commands import Discard
from domain.engine.discards import DiscardOptions, discard_options
from domain.rejections import CannotDiscard
from domain.rules.choices import Fill, Partners, Phase, Quirk, Throw
from domain.rules.model import Rules
from domain.state import Hand, require
from tests.games.hands import fact_names
from tests.games.house_hands import KITTY, PEDRO, TEN_POINT, dealt, make_bids, name
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


def test_N5_the_help_says_what_stays() -> None:
    at = name(make_bids(dealt(TEN_POINT, ("3D", HELD, "5D", "6D"), stock="4D"), "5 - - -"), "H")
    said = "Discard 0 to 2 different cards: from 3C AC. You keep other trumps."
    at.when(Discard(1, cards("2H"))).rejected(CannotDiscard, said)
