"""Blackout, the play of the cards (B5, B8, B10, B11, B17, B20-B23, R-B6, R-B7, R-B11)."""

import pytest

from domain.cards import DECK_52, Suit, parse_exact_card
from domain.commands import PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import CardPlayed, Play, TrickTaken
from tests.games.blackout_hands import bidding
from tests.games.hands import card, check_legal_cards, go_on, hands_of_plays, plays
from tests.games.tables import Table
from tests.given import Given, cards

# Hand 3, spades are trump: seat 2 leads.
THREE = ("KH 2S 4C", "3H 9C 9D", "AH QC 5D", "2H 3S JD")


def table(*moves: str, each: tuple[str, ...] = THREE, trump: Suit | None = "S") -> Given:
    """Return the hand with that many cards after every seat has bid one and these cards were played."""
    return go_on(bidding(len(each[0].split()), each, 1, 1, 1, 1, trump=trump), *map(card, moves))


def test_B17_the_first_bidder_leads_any_card_to_the_first_trick() -> None:
    game = table()
    assert list(legal_moves(game.state, 2)) == [PlayCard(2, each) for each in cards("QC 5D AH")]
    game.when(card("2 AH")).then(CardPlayed(2, parse_exact_card("AH"), next=(3,)))


@pytest.mark.parametrize(
    ("hand", "led", "trump", "legal"),
    [
        pytest.param("2H KH 7S", "AH", "S", "2H KH", id="B20 the suit led, and no trump beside it"),
        pytest.param("2C 3C 7S", "AH", "S", "2C 3C 7S", id="B21 none of the suit led: any card, trump or not"),
        pytest.param("2C 7S 8S", "AS", "S", "7S 8S", id="B20 trump led, trumps held"),
        pytest.param("2C 3D 4H", "AS", "S", "2C 3D 4H", id="B21 trump led, none held"),
    ],
)
def test_the_legal_cards(hand: str, led: str, trump: Suit, legal: str) -> None:
    spare = [each for each in DECK_52 if each not in (*hand.split(), led)]
    each = (" ".join(spare[:3]), " ".join(spare[3:6]), f"{led} {spare[6]} {spare[7]}", hand)
    check_legal_cards(table(f"2 {led}", each=each, trump=trump), 3, hand, legal)


@pytest.mark.parametrize(
    ("fell", "trump", "taker"),
    [
        pytest.param("9H KH 2H 3H", "S", 3, id="B22 B23 the highest of the suit led"),
        pytest.param("AH 2S KH QH", "S", 3, id="B22 the smallest trump beats the ace led"),
        pytest.param("AH 3S 5S QH", "S", 0, id="B22 the highest trump"),
        pytest.param("AH 2S KH QH", "C", 2, id="B10 another suit is trump"),
    ],
)
def test_who_takes_the_trick(fell: str, trump: Suit, taker: int) -> None:
    moves = plays([f"2: {fell}"], 4)
    spare = [each for each in DECK_52 if each not in fell.split()]
    each = tuple(f"{own} {spare[seat]} {spare[seat + 4]}" for seat, own in enumerate(hands_of_plays(moves, 4)))
    game = table(*(f"{move.seat} {move.card}" for move in moves[:3]), each=each, trump=trump)
    on_table = tuple(Play(move.seat, move.card) for move in moves)
    after = game.when(moves[3]).then(
        CardPlayed(1, moves[3].card, next=()), TrickTaken(3, 1, taker, on_table, (), (taker,))
    )
    assert after.state.turn == (taker,)  # B23


def test_R_B11_the_table_plays_the_cards_only_in_hand_1() -> None:
    table_ = Table(variant="blackout", seed=8).plays_out()
    first = [event for event in table_.events if event.fact == "CardPlayed"][:4]
    later = [event for event in table_.events if event.fact == "CardPlayed"][4:]
    assert {event.by for event in first} == {"server"}
    assert {event.by for event in later} == {"p0", "p1", "p2", "p3"}
    played = [commit for commit in table_.commits if commit[0].event.fact == "CardPlayed"]
    assert len(played) == len(later) == 4 * sum(range(2, 14))
