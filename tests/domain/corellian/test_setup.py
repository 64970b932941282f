"""Corellian Pitch, the opening and the deal (C1-C7, C34, C37, R-C1, R-C2, R-C4, R-C8, R-C14, R-C22, R-C47)."""

from typing import Any

import pytest

from domain.cards import DECK_54, Card, parse_exact_card
from domain.commands import DealHand, OpenCeremony, OpenGame, PassBid, PlayCard, Tick
from domain.decide import decide
from domain.events import (
    AuctionWon,
    CardsDealt,
    DealerDrawn,
    GameEnded,
    GameOpened,
    HandDealt,
    MisdealDeclared,
    Player,
    RulesChanged,
    StockLaid,
)
from domain.rejections import WrongNumberOfPlayers, WrongPhase
from domain.rules.choices import Ending, Partners, Phase
from domain.rules.model import RulesSummary
from domain.rules.variants import CORELLIAN
from domain.state import SERVER
from tests.games.corellian_hands import (
    DEAL,
    EVERY,
    MENU,
    change_rule,
    make_bids,
    name_trump,
    playing,
    rules_of,
    score_hand,
    table,
)
from tests.games.hands import fact_names, facts_of_kind, only_fact
from tests.games.tables import Table
from tests.given import SEED, Given, cards, given

DEALT = r"CeremonyOpened SeedKept HandDealt CardsDealt CardsDealt CardsDealt CardsDealt StockLaid"


def opening(players: int = 4, **options: Any) -> OpenGame:
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    return OpenGame("0f8fad5b-d9cb-469f-a165-70867728950e", 1, "corellian", options, people)


@pytest.mark.parametrize("players", [pytest.param(number, id=f"C37 {number}") for number in (0, 1, 2, 3, 5, 6, 7)])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    given().when(opening(players)).rejected(WrongNumberOfPlayers, "takes 4 players")


def test_C37_four_players_sit_in_the_order_given() -> None:
    made = only_fact(GameOpened, given().when(opening()).facts)
    assert [player.player for player in made.players] == ["p0", "p1", "p2", "p3"]


def test_C1_R_C47_it_starts_with_standard_pitch() -> None:
    made = only_fact(GameOpened, given().when(opening()).facts)
    assert made.rules.setting == RulesSummary("10", dirty=False, reverse=False, partners=Partners.ACROSS)
    assert (made.rules.total, made.rules.auction.least, made.rules.goal) == (10, 4, None)
    assert made.rules.ending is Ending.SESSION


def test_C1_the_options_are_recorded_with_their_defaults() -> None:
    made = only_fact(GameOpened, given().when(opening()).facts)
    assert made.options == {
        "randomizer": {
            "when": [1, 16],
            "end": [1, 240],
            "points": ["4", "5", "7", "8", "10", "11", "13", "14"],
            "dirty": True,
            "reverse": True,
            "partners": ["across", "left", "right", "call"],
        },
        "ends_at": None,
        "host_changes": False,
        "ten": "card",
        "deal": "fill",
        "follow": "trumps",
        "jokers": "first_high",
        "worth": "at_end",
        "scaling": "standing",
        "call": "announced",
        "credit": "full",
        "defenders": "full",
        "double": "when_made",
        "hold": "hand",
        "stop": "at_once",
    }


def test_R_C47_a_setting_is_given_as_text() -> None:
    assert EVERY == ("4", "5", "6", "7", "8", "9", "10", "11", "11b", "13", "14", "16")
    assert [str(partners) for partners in Partners][-4:] == ["across", "left", "right", "call"]


@pytest.mark.parametrize(
    ("when", "first"),
    [
        pytest.param([0, 1], None, id="C2 a randomizer that never draws"),
        pytest.param([1, 1], 1, id="C2 one that draws at every moment"),
    ],
)
def test_the_standard_rules_hold_until_a_change_is_declared(when: list[int], first: int | None) -> None:
    game = Table(variant="corellian", seed=4, randomizer={"when": when, "end": None}).plays_out(hands=1)
    facts = [event.data for event in game.events]
    changes = list(facts_of_kind(RulesChanged, facts))
    assert bool(changes) is (first is not None)
    before = facts[: facts.index(changes[0])] if changes else facts
    assert all(won.bid >= 4 for won in facts_of_kind(AuctionWon, before))
    assert bool(changes) or game.state.rules.setting == CORELLIAN.setting


def test_C2_without_a_randomizer_nothing_changes() -> None:
    game = Table(variant="corellian", seed=3, randomizer=None).plays_out(hands=3)
    assert "RulesChanged" not in {event.fact for event in game.events}
    assert game.state.rules.setting == CORELLIAN.setting


def test_C3_each_player_has_an_own_score() -> None:
    made = only_fact(GameOpened, given().when(opening()).facts)
    assert made.sides == ((0,), (1,), (2,), (3,))
    two = score_hand((4, 0, 0, 0), "0: AH 2H 4H 3H", "0: KH JH X1 10H", scores=(1, 20, 300, -4000))
    assert two.scores == (1 + 7, 20 + 1, 300 + 7, -4000 + 1)


@pytest.mark.parametrize("points", [pytest.param(points, id=f"C34 version {points}") for points in EVERY])
def test_all_54_cards_are_in_use_in_every_version(points: str) -> None:
    rules = rules_of(points)
    assert (rules.deck, rules.hand_sizes) == (DECK_54, (9,))
    at = table(DEAL, rules)
    held = [card for own in at.state.hand.cards for card in own or ()] if at.state.hand else []
    laid = only_fact(StockLaid, at.facts).cards
    assert (len(held), len(laid), {*held, *laid}) == (36, 18, set(DECK_54))


def test_C34_R_C14_the_jokers_are_two_distinct_cards() -> None:
    assert DECK_54[-2:] == (parse_exact_card("X1"), parse_exact_card("X2"))


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
@pytest.mark.parametrize("points", EVERY)
@pytest.mark.parametrize("reverse", [False, True])
def test_every_seat_must_be_dealt_an_honour(honour: str, misdealt: tuple[int, ...], points: str, reverse: bool) -> None:
    hands = *THREE, f"{honour} 2S 3S 4S 5S 6S 7S 8S 9S"
    drawn = table(DEAL, rules_of(points, reverse=reverse)).facts[:5]
    facts = promised(given(*drawn)).when(DealHand(1, deck(*hands))).facts
    assert [each.seats for each in facts_of_kind(MisdealDeclared, facts)] == ([misdealt] if misdealt else [])


def test_C4_C5_a_misdeal_is_declared_in_the_commit_of_its_deal_and_no_seat_is_to_move() -> None:
    at = promised().when(DealHand(1, deck(*TWO_LOW)))
    assert fact_names(at.facts) == ["HandDealt", *["CardsDealt"] * 4, "StockLaid", "MisdealDeclared"]
    assert (only_fact(HandDealt, at.facts).next, at.facts[-1]) == ((), MisdealDeclared(1, 0, (1, 3)))
    after = at.happens().state
    assert (after.turn, after.phase, after.scores) == ((), Phase.WAITING, (0, 0, 0, 0))


@pytest.mark.parametrize(
    "command", [pytest.param(PassBid(0), id="C5 a bid"), pytest.param(PlayCard(0, Card("AH")), id="C5 a card")]
)
def test_commands_are_refused_in_a_misdeal(command: Any) -> None:
    promised().when(DealHand(1, deck(*TWO_LOW))).happens().when(command).rejected(WrongPhase)


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


def test_C4_R_C2_the_author_and_the_audience_of_a_deal() -> None:
    for event in first_misdeal().events[1:]:
        assert event.by == SERVER
        hidden = {"SeedKept": (), "StockLaid": ()}.get(event.fact)
        assert event.seen_by == ((event.data.seat,) if event.fact == "CardsDealt" else hidden), event.fact


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


def test_C6_C7_the_session_ends_at_a_time_set_before_and_the_highest_score_wins() -> None:
    game = Table(variant="corellian", seed=1, randomizer=None, ends_at="2026-11-22T00:00:00Z").plays_out(hands=2)
    assert decide(game.state, Tick("2026-11-21T23:59:59.999999Z")) == ()
    over = only_fact(GameEnded, decide(game.state, Tick("2026-11-22T00:00:00.000000Z")))
    best = max(over.scores)
    assert (over.reason, over.n, over.label, over.scores) == ("time", None, None, game.hands_scored[-1].scores)
    assert over.winners == tuple(seat for seat in range(4) if over.scores[seat] == best)


def test_C6_C7_the_session_ends_when_the_randomizer_says_so() -> None:
    game = Table(variant="corellian", seed=1, randomizer={"when": [0, 1], "end": [1, 1]})
    over = only_fact(GameEnded, facts_of(game))
    assert (over.reason, over.n, over.label, over.winners) == ("randomizer", over.n, "randomizer 0 end", (0, 1, 2, 3))
    assert over.n is not None


@pytest.mark.parametrize("word", [pytest.param(word, id=f"R-C22 {word}") for word in MENU])
def test_no_change_names_another_trump_or_takes_the_lead(word: str) -> None:
    begun = playing((4, 0, 0, 0), ("0: AH 2H 4H 3H", "0: KH 6H"), rest=("9H", "8H", "7H JD", "10H X1"))
    before = begun.state.hand
    assert before is not None
    if word in {"points:10", "dirty:off", "reverse:off", "partners:across"}:
        assert begun.state.rules.setting == CORELLIAN.setting
        return
    after = change_rule(begun, word).state.hand
    assert after is not None
    assert (after.trump, after.lead, after.trick) == (before.trump, before.lead, before.trick)
    assert not {each.partition(":")[0] for each in MENU} & {"trump", "lead", "suit"}


def test_C1_the_least_bid_is_four_and_the_partner_sits_opposite() -> None:
    won = only_fact(AuctionWon, name_trump(make_bids(table(), 0, 4, 0, 0), "H").facts)
    assert (won.seat, won.bid, won.sides) == (1, 4, ((1, 3), (0, 2)))
