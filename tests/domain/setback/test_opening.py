"""Setback, the opening: the players, the first dealer and the first deal (T1-T4, T29, R-T1, R-T4, R-T13, R-T14)."""

from typing import Any

import pytest

from domain.cards import DECK_52
from domain.commands import DealHand, DrawDealer, OpenCeremony, OpenGame, RevealCeremony
from domain.events import (
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    DealerDrawn,
    GameOpened,
    HandDealt,
    Player,
    SeedKept,
    StockLaid,
)
from domain.protocols import fairdeal
from domain.rejections import NotDue, NotOffered, WrongNumberOfPlayers
from tests.games.hands import commit, fact_names, facts_of_kind, only_fact
from tests.games.setback_hands import dealer_drawn
from tests.games.tables import Table
from tests.given import GAME, SEED, Given, game_opened, given

CEREMONY = dealer_drawn(0)[:2]
"""Return a table that has committed itself to the draw of the dealer."""


def opening(players: int = 4, **options: Any) -> OpenGame:
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    return OpenGame(GAME, 7, "setback", options, people)


def dealing(players: int, dealer: int) -> Given:
    """Return the situation in which `dealer` must make the first deal."""
    promised = fairdeal.commit(GAME, 1, "deal hand 1", bytes.fromhex(SEED)).hex()
    ceremony = CeremonyOpened(1, "deal hand 1", promised, {}), SeedKept(1, SEED)
    return given(game_opened(players, variant="setback"), *dealer_drawn(dealer), *ceremony)


def test_T1_T2_R_T14_three_players_play_alone_and_four_across() -> None:
    for players, sides in ((3, ((0,), (1,), (2,))), (4, ((0, 2), (1, 3)))):
        made = only_fact(GameOpened, given().when(opening(players)).facts)
        assert (len(made.players), made.sides) == (players, sides)
    for players in (0, 1, 2, 5, 6, 7):
        refused = given().when(opening(players)).rejected(WrongNumberOfPlayers, "3 to 4", str(players))
        assert refused.code == "wrong-number-of-players"


def test_T29_T41_R_T2_R_T3_an_invalid_option_is_refused() -> None:
    named: tuple[dict[str, Any], ...] = ({"dealer": "steals"}, {"stick": 2}, {"win": 21})
    for options in (*named, *({"low": low} for low in (0, 3, "1", True))):
        assert given().when(opening(**options)).rejected(NotOffered).code == "not-offered"


def test_T3_R_T1_the_first_dealer_is_drawn_in_a_ceremony_of_its_own() -> None:
    facts = commit(given(), opening())
    assert " ".join(fact_names(facts)) == (
        "GameOpened CeremonyOpened SeedKept DealerDrawn CeremonyRevealed CeremonyOpened SeedKept HandDealt "
        "CardsDealt CardsDealt CardsDealt CardsDealt StockLaid"
    )
    zero, first = facts_of_kind(CeremonyOpened, facts)
    assert (zero.n, zero.subject, first.n, first.subject) == (0, "game", 1, "deal hand 1")
    assert only_fact(CeremonyRevealed, facts).n == only_fact(DealerDrawn, facts).n == 0


def test_R_T1_any_seat_can_be_drawn_as_dealer() -> None:
    for players in (3, 4):
        tables = (Table(players, variant="setback", seed=seed) for seed in range(20))
        drawn = {only_fact(DealerDrawn, [event.data for event in table.events]).seat for table in tables}
        assert drawn == set(range(players))


def test_R_T1_the_dealer_is_drawn_once_and_in_its_ceremony_before_any_deal() -> None:
    opened = given(game_opened(variant="setback"))
    opened.when(DrawDealer(0, 1)).rejected(NotDue)
    assert opened.when(OpenCeremony(1, "deal hand 1", SEED)).rejected(NotDue).code == "not-due"
    table = opened.when(OpenCeremony(0, "game", SEED)).then(*CEREMONY)
    table.when(RevealCeremony(0)).rejected(NotDue)
    drawn = table.when(DrawDealer(0, 1)).then(DealerDrawn(0, 1))
    drawn.when(DrawDealer(0, 2)).rejected(NotDue)
    drawn.when(RevealCeremony(0)).then(CeremonyRevealed(0, SEED))


@pytest.mark.parametrize(
    ("players", "dealer"),
    [pytest.param(n, by, id=f"T4 R-T1 {n} players, seat {by}") for n in (3, 4) for by in range(n)],
)
def test_six_cards_each_are_dealt_one_at_a_time_from_the_dealers_left(players: int, dealer: int) -> None:
    deck, eldest = tuple(reversed(DECK_52)), (dealer + 1) % players
    dealing(players, dealer).when(DealHand(1, deck)).then(
        HandDealt(1, 0, 1, dealer, eldest, (6,) * players, 52 - 6 * players, (), (), "F0", (eldest,)),
        *(CardsDealt(1, (eldest + turn) % players, deck[turn : 6 * players : players]) for turn in range(players)),
        StockLaid(1, deck[6 * players :]),
    )


def test_R_T13_a_deal_of_low_cards_is_not_a_misdeal() -> None:
    """The deal holds twos to sevens and no honour."""
    small = [card for card in DECK_52 if card[0] in "234567"]
    deck = (*small, *(card for card in DECK_52 if card not in small))
    facts = dealing(4, 3).when(DealHand(1, deck)).facts
    assert fact_names(facts) == ["HandDealt", *["CardsDealt"] * 4, "StockLaid"]
    assert only_fact(HandDealt, facts).next == (0,)
