"""Blackout, the opening, the seats and the deals (B1-B4, B8-B11, R-B1 to R-B4, R-B6, R-B7)."""

import re
from typing import Any

import pytest

from domain.cards import DECK_52, suit_of
from domain.commands import DealHand, DrawSeats, OpenCeremony, OpenGame, RevealCeremony
from domain.events import (
    CardPlayed,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    GameOpened,
    HandDealt,
    Player,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    TrumpTurnedUp,
)
from domain.protocols import fairdeal
from domain.rejections import NotDue, NotOffered, WrongNumberOfPlayers
from tests.games.blackout_hands import earlier_hands
from tests.games.hands import commit, fact_names, facts_of_kind, only_fact
from tests.games.tables import Table
from tests.given import GAME, SEED, Given, game_opened, given


def opening(players: int = 4, **options: Any) -> OpenGame:
    return OpenGame(GAME, 7, "blackout", options, tuple(Player(f"p{seat}", "human") for seat in range(players)))


def ceremony(n: int, subject: str) -> tuple[CeremonyOpened, SeedKept]:
    promised = fairdeal.commit(GAME, n, subject, bytes.fromhex(SEED)).hex()
    return CeremonyOpened(n, subject, promised, {}), SeedKept(n, SEED)


def due(hand: int) -> Given:
    """Return the situation in which the deal of that hand is due; the players sit as given."""
    return given(
        game_opened(variant="blackout", inorder=True), *earlier_hands(hand), *ceremony(hand, f"deal hand {hand}")
    )


def test_B1_four_players_play() -> None:
    made = only_fact(GameOpened, given().when(opening()).facts)
    assert (len(made.players), made.sides) == (4, ((0,), (1,), (2,), (3,)))
    for players in (0, 1, 2, 3, 5, 6, 7):
        refused = given().when(opening(players)).rejected(WrongNumberOfPlayers, "takes 4 players", str(players))
        assert refused.code == "wrong-number-of-players"


def test_B2_B3_B4_B24_R_B4_an_invalid_option_is_refused() -> None:
    both: dict[str, Any] = {"hook": True, "nohook": True}
    for options in (both, {"nohook": True}, {"hook": "no"}, {"hook": 1}, {"inorder": None}, {"win": 11}):
        assert given().when(opening(**options)).rejected(NotOffered).code == "not-offered"


def test_B2_R_B1_the_seats_are_drawn_in_a_ceremony_of_their_own() -> None:
    facts = commit(given(), opening())
    assert " ".join(fact_names(facts)) == (
        "GameOpened CeremonyOpened SeedKept SeatsDrawn CeremonyRevealed CeremonyOpened SeedKept HandDealt "
        "CardsDealt CardsDealt CardsDealt CardsDealt StockLaid TrumpTurnedUp"
    )
    zero, first = facts_of_kind(CeremonyOpened, facts)
    assert (zero.n, zero.subject, first.n, first.subject) == (0, "game", 1, "deal hand 1")
    assert only_fact(SeatsDrawn, facts).n == only_fact(CeremonyRevealed, facts).n == 0


def test_R_B1_the_seats_are_drawn_once_and_before_anything_else() -> None:
    table = given(game_opened(variant="blackout"))
    table.when(DrawSeats(0, (0, 1, 2, 3))).rejected(NotDue)
    table.when(OpenCeremony(1, "deal hand 1", SEED)).rejected(NotDue)
    table = table.when(OpenCeremony(0, "game", SEED)).then(*ceremony(0, "game"))
    table.when(RevealCeremony(0)).rejected(NotDue)
    table.when(DrawSeats(0, (0, 1, 2, 2))).rejected(NotDue)
    table = table.when(DrawSeats(0, (2, 0, 3, 1))).then(SeatsDrawn(0, (2, 0, 3, 1)))
    table.when(DrawSeats(0, (0, 1, 2, 3))).rejected(NotDue)
    table = table.when(RevealCeremony(0)).then(CeremonyRevealed(0, SEED))
    assert [seat.player for seat in table.state.seats] == ["p2", "p0", "p3", "p1"]


@pytest.mark.parametrize("hand", [pytest.param(hand, id=f"B9 B10 R-B2 R-B3 R-B6 hand {hand}") for hand in range(1, 13)])
def test_hands_1_to_12_deal_that_many_cards_and_turn_up_the_next(hand: int) -> None:
    deck, dealer, eldest = tuple(reversed(DECK_52)), (hand - 2) % 4, (hand - 1) % 4
    upcard = deck[4 * hand]
    due(hand).when(DealHand(hand, deck)).then(
        HandDealt(hand, 0, hand, dealer, eldest, (hand,) * 4, 52 - 4 * hand, (), (), "F0", (eldest,)),
        *(CardsDealt(hand, (eldest + turn) % 4, deck[turn : 4 * hand : 4]) for turn in range(4)),
        StockLaid(hand, deck[4 * hand :]),
        TrumpTurnedUp(hand, upcard, suit_of(upcard)),
    )


def test_B9_B11_R_B7_hand_13_deals_the_whole_deck_and_has_no_trump() -> None:
    deck = tuple(reversed(DECK_52))
    after = (
        due(13)
        .when(DealHand(13, deck))
        .then(
            HandDealt(13, 0, 13, 3, 0, (13,) * 4, 0, (), (), "F0", (0,)),
            *(CardsDealt(13, turn, deck[turn::4]) for turn in range(4)),
        )
    )
    assert after.state.hand
    assert (after.state.hand.trump, after.state.hand.upcard) == (None, None)


def test_B8_cards_are_written_rank_then_suit() -> None:
    table = Table(variant="blackout", seed=2).plays_out()
    written = {event.data.card for event in table.events if isinstance(event.data, CardPlayed)}
    assert {card for card in written if not re.fullmatch(r"([2-9]|10|[JQKA])[CDHS]", card)} == set()
    assert written == set(DECK_52)
