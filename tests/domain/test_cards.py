"""Cards: their canonical spelling and the spellings that people can type."""

import pytest

from domain.cards import (
    DECK_52,
    DECK_54,
    DECK_INDEX,
    JOKERS,
    NotACard,
    parse_card,
    parse_exact_card,
    sort_cards,
    suit_of,
)


def test_S19_cards_are_written_rank_then_suit_letter() -> None:
    assert [parse_exact_card(text) for text in ("AD", "10C", "KH", "2S")] == ["AD", "10C", "KH", "2S"]


def test_R_S18_a_typed_card_is_read() -> None:
    for typed, card in (("10♠", "10S"), ("a♦\ufe0f", "AD")):
        assert parse_card(typed) == card
    for typed, card in (("ad", "AD"), ("tc", "10C"), ("TH", "10H"), ("10s", "10S"), ("x1", "X1"), ("aD", "AD")):
        assert parse_card(typed) == card


def test_R_S18_other_text_is_not_a_card() -> None:
    others = ("A\uff24", "\u0410D", "A\u200bD", "T10C", "ß", "TT0", "A D", "T0H")
    for text in ("", "A", "1D", "1Z", "11D", "10", "DA", "AD ", *others):
        with pytest.raises(NotACard, match="Write the rank"):
            parse_card(text)
    for text in ("ad", "TC", "tc", "x1"):
        with pytest.raises(NotACard):
            parse_exact_card(text)


def test_the_canonical_deck_is_ordered_by_suit_then_rank_then_jokers() -> None:
    assert DECK_52[:3] == ("2C", "3C", "4C")
    assert DECK_52[12:14] == ("AC", "2D")
    assert DECK_54[52:] == JOKERS
    assert len(set(DECK_54)) == 54
    assert [DECK_INDEX[card] for card in DECK_54] == list(range(54))


def test_cards_are_sorted_in_canonical_order() -> None:
    assert sort_cards(
        [parse_exact_card("X1"), parse_exact_card("AS"), parse_exact_card("10C"), parse_exact_card("9C")]
    ) == ("9C", "10C", "AS", "X1")


def test_a_joker_has_no_suit() -> None:
    assert suit_of(parse_exact_card("10H")) == "H"
    with pytest.raises(ValueError, match="X1 has no suit"):
        suit_of(parse_exact_card("X1"))
