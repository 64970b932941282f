"""Corellian Pitch, the opening and the deal (C1-C7, C34, C37, R-C1, R-C2, R-C4, R-C8, R-C14, R-C22, R-C47)."""

from itertools import product
from typing import Any

import pytest

from domain.cards import DECK_54, Card
from domain.commands import DealHand, OpenCeremony, OpenGame, PassBid, PlayCard
from domain.events import CardsDealt, DealerDrawn, GameOpened, HandDealt, MisdealDeclared, Player, StockLaid
from domain.rejections import WrongNumberOfPlayers, WrongPhase
from domain.rules.choices import Ending, Partners, Phase
from domain.rules.model import RulesSummary
from tests.games.corellian_hands import DEAL, EVERY, rules_of, table
from tests.games.hands import fact_names, facts_of_kind, only_fact
from tests.games.tables import Table
from tests.given import SEED, Given, cards, given

DEALT = r"CeremonyOpened SeedKept HandDealt CardsDealt CardsDealt CardsDealt CardsDealt StockLaid"


def opening(players: int = 4, **options: Any) -> OpenGame:
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    return OpenGame("0f8fad5b-d9cb-469f-a165-70867728950e", 1, "corellian", options, people)


def test_C37_other_numbers_of_players_are_refused() -> None:
    for players in (0, 1, 2, 3, 5, 6, 7):
        given().when(opening(players)).rejected(WrongNumberOfPlayers, "takes 4 players")


def test_C1_R_C47_it_starts_with_standard_pitch() -> None:
    made = only_fact(GameOpened, given().when(opening()).facts)
    assert made.rules.setting == RulesSummary("10", dirty=False, reverse=False, partners=Partners.ACROSS)
    assert (made.rules.total, made.rules.auction.least, made.rules.goal) == (10, 4, None)
    assert made.rules.ending is Ending.SESSION


def test_C34_R_C14_all_54_cards_are_in_use_in_every_version() -> None:
    for points in EVERY:
        rules = rules_of(points)
        assert (rules.deck, rules.hand_sizes) == (DECK_54, (9,))
        at = table(DEAL, rules)
        held = [card for own in at.state.hand.cards for card in own or ()] if at.state.hand else []
        laid = only_fact(StockLaid, at.facts).cards
        assert (len(held), len(laid), {*held, *laid}) == (36, 18, set(DECK_54))


def promised(at: Given | None = None) -> Given:
    """Return a table whose first dealer is seat 1 and which has committed itself to the first deal."""
    drawn = at or given(*table().facts[:5])
    return drawn.when(OpenCeremony(1, "deal hand 1", SEED)).happens()


def deck(*hands: str, eldest: int = 0) -> tuple[Card, ...]:
    """Return the shuffled deck that deals these hands, one card at a time from the eldest hand."""
    held = [cards(own) for own in hands]
    dealt = [held[(eldest + turn) % 4][each] for each in range(9) for turn in range(4)]
    return (*dealt, *(card for card in DECK_54 if card not in dealt))


@pytest.mark.parametrize(
    ("deal", "each", "stock"),
    [pytest.param("fill", 9, 18, id="R-C2 nine each"), pytest.param("all", 13, 2, id="R-C2 the other answer: 13 each")],
)
def test_the_number_of_cards_dealt(deal: str, each: int, stock: int) -> None:
    game = Table(variant="corellian", seed=5, randomizer=None, deal=deal)
    dealt, laid = only_fact(HandDealt, facts_of(game)), only_fact(StockLaid, facts_of(game))
    assert (dealt.counts, dealt.stock, len(laid.cards)) == ((each,) * 4, stock, stock)
    order = [(dealt.eldest + turn) % 4 for turn in range(4)]
    hands = list(facts_of_kind(CardsDealt, facts_of(game)))
    assert [(hand.seat, len(hand.cards)) for hand in hands] == [(seat, each) for seat in order]
    assert sorted([*laid.cards, *(card for hand in hands for card in hand.cards)]) == sorted(DECK_54)


def facts_of(game: Table) -> list[Any]:
    return [event.data for event in game.events]


def test_R_C2_cards_are_dealt_one_at_a_time_from_the_eldest() -> None:
    at = promised().when(DealHand(1, DECK_54))
    assert [(hand.seat, hand.cards) for hand in facts_of_kind(CardsDealt, at.facts)] == [
        (seat, DECK_54[seat:36:4]) for seat in range(4)
    ]
    assert only_fact(StockLaid, at.facts).cards == DECK_54[36:]


THREE = ("AC 2C 3C 4C 5C 6C 7C 8C 9C", "AD 2D 3D 4D 5D 6D 7D 8D 9D", "AS KS QS JS 10S 10C 10D KC KD")
LOW = "2D 3D 4D 5D 6D 7D 8D 9D 10D"
TWO_LOW = ("AH KH QH JH 2H 3H 4H 5H 6H", LOW, "AC KC QC JC AS KS QS JS X1", "2C 3C 4C 5C 6C 7C 8C 9C 10C")


@pytest.mark.parametrize(
    ("honour", "misdealt"),
    [
        *(pytest.param(f"{rank}H", (), id=f"C4 R-C4 one {rank} is enough") for rank in ("A", "K", "Q", "J")),
        pytest.param("X2", (), id="C4 R-C4 one joker is enough"),
        pytest.param("10H", (3,), id="C4 R-C4 a ten isn't an honour, although it is a point"),
        pytest.param("2H", (3,), id="C4 R-C4 a two isn't an honour, although it is a point"),
    ],
)
def test_every_seat_must_be_dealt_an_honour(honour: str, misdealt: tuple[int, ...]) -> None:
    hands = *THREE, f"{honour} 2S 3S 4S 5S 6S 7S 8S 9S"
    for points, reverse in product(EVERY, (False, True)):
        drawn = table(DEAL, rules_of(points, reverse=reverse)).facts[:5]
        facts = promised(given(*drawn)).when(DealHand(1, deck(*hands))).facts
        assert [each.seats for each in facts_of_kind(MisdealDeclared, facts)] == ([misdealt] if misdealt else [])


def test_C4_C5_a_misdeal_is_declared_in_the_commit_of_its_deal_and_no_seat_is_to_move() -> None:
    at = promised().when(DealHand(1, deck(*TWO_LOW)))
    assert fact_names(at.facts) == ["HandDealt", *["CardsDealt"] * 4, "StockLaid", "MisdealDeclared"]
    assert (only_fact(HandDealt, at.facts).next, at.facts[-1]) == ((), MisdealDeclared(1, 0, (1, 3)))
    after = at.happens().state
    assert (after.turn, after.phase, after.scores) == ((), Phase.WAITING, (0, 0, 0, 0))
    for command in (PassBid(0), PlayCard(0, Card("AH"))):
        at.happens().when(command).rejected(WrongPhase)


def test_C5_R_C4_the_same_dealer_deals_again_as_often_as_needed() -> None:
    at = promised()
    for redeal in range(3):
        at = at.when(DealHand(redeal + 1, deck(*TWO_LOW))).happens()
        assert at.facts[-1] == MisdealDeclared(1, redeal, (1, 3))
        at = at.when(OpenCeremony(redeal + 2, f"deal hand 1 redeal {redeal + 1}", SEED)).happens()
    at = at.when(DealHand(4, deck(*DEAL))).happens()
    dealt = list(facts_of_kind(HandDealt, at.facts))
    assert [(each.hand, each.redeal, each.n, each.dealer) for each in dealt] == [(1, n, n + 1, 3) for n in range(4)]
    assert (at.state.turn, at.state.scores) == ((0,), (0, 0, 0, 0))


def first_misdeal() -> Table:
    """Return the first game that opens with a misdeal."""
    games = (Table(variant="corellian", seed=seed, randomizer=None) for seed in range(200))
    return next(game for game in games if any(facts_of_kind(MisdealDeclared, facts_of(game))))


def test_C5_a_misdeal_is_dealt_again_in_the_same_commit_once_it_is_revealed() -> None:
    game = first_misdeal()
    (commit,) = game.commits
    said_ = " ".join(entry.event.fact for entry in commit)
    first = "GameOpened CeremonyOpened SeedKept DealerDrawn CeremonyRevealed"
    assert said_ == f"{first} {DEALT} MisdealDeclared CeremonyRevealed {DEALT}"
    one, two = facts_of_kind(HandDealt, facts_of(game))
    assert (one.dealer, one.redeal, one.next) == (two.dealer, 0, ())
    assert (two.redeal, two.next) == (1, (two.eldest,))


def test_R_C8_the_first_dealer_is_drawn_and_the_deal_moves_left() -> None:
    first = set()
    for seed in range(12):
        game = Table(variant="corellian", seed=seed, randomizer=None)
        opened, drawn = fact_names(facts_of(game))[:5], only_fact(DealerDrawn, facts_of(game))
        assert opened == ["GameOpened", "CeremonyOpened", "SeedKept", "DealerDrawn", "CeremonyRevealed"]
        assert next(facts_of_kind(HandDealt, facts_of(game))).dealer == drawn.seat
        first.add(drawn.seat)
    assert first == {0, 1, 2, 3}
    game = Table(variant="corellian", seed=0, randomizer=None).plays_out(hands=5)
    dealers = [each.dealer for each in facts_of_kind(HandDealt, facts_of(game)) if not each.redeal]
    assert dealers == [(dealers[0] + turn) % 4 for turn in range(6)]
