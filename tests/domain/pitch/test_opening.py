"""gamerz Pitch, the opening: the players, the goal and the first deal (S2-S5, S19, S20, R-S2, R-S18 to R-S22)."""

from typing import Any

import pytest

from domain.cards import DECK_52, NotACard, parse_card, parse_exact_card
from domain.commands import DealHand, EndGame, OpenCeremony, OpenGame, RevealCeremony, VoidCeremony
from domain.events import (
    CardsDealt,
    CeremonyOpened,
    CeremonyVoided,
    Fairness,
    GameEnded,
    GameOpened,
    HandDealt,
    Player,
    SeatResigned,
    SeedKept,
    StockLaid,
    Timing,
)
from domain.events.codec import encode
from domain.protocols import fairdeal
from domain.rejections import NoPerson, NotDue, NotOffered, SamePlayerTwice, WrongNumberOfPlayers, WrongPhase
from domain.rules.variants import PITCH, compose_rules
from domain.store.aggregate import Game, Request
from tests.games.hands import commit, fact_names, facts_of_kind, only_fact, with_hand_size
from tests.given import AT, GAME, SEED, Given, deal, game_opened, given

COMMIT = fairdeal.commit(GAME, 1, "deal hand 1", bytes.fromhex(SEED)).hex()
CEREMONY = (CeremonyOpened(1, "deal hand 1", COMMIT, {}), SeedKept(1, SEED))


USUAL = {"around": "left", "fifth": "earned", "settle": "bid_first"}
"""The defaults of the game's other options."""


def people(number: int) -> tuple[Player, ...]:
    return tuple(Player(f"p{seat}", "human") for seat in range(number))


def opening(players: tuple[Player, ...] = people(4), variant: str = "pitch", **options: Any) -> OpenGame:
    return OpenGame(GAME, 7, variant, options, players)


def nothing() -> Given:
    return given()


@pytest.mark.parametrize(
    "number", [pytest.param(number, id=f"S2 S3 {number} players") for number in (2, 3, 4, 5, 6, 7)]
)
def test_two_to_seven_players_may_play(number: int) -> None:
    made = only_fact(GameOpened, nothing().when(opening(people(number))).facts)
    assert made.players == people(number)


@pytest.mark.parametrize("number", [pytest.param(number, id=f"S2 {number} players") for number in (0, 1, 8, 9)])
def test_fewer_or_more_players_are_refused(number: int) -> None:
    nothing().when(opening(people(number))).rejected(WrongNumberOfPlayers, "2 to 7", str(number))


@pytest.mark.parametrize("goal", [pytest.param(goal, id=f"S4 to {goal}") for goal in (7, 11, 21)])
def test_an_allowed_goal_is_accepted(goal: int) -> None:
    made = only_fact(GameOpened, nothing().when(opening(win=goal)).facts)
    assert (made.rules.goal, made.options) == (goal, USUAL | {"win": goal})


def test_S5_the_default_goal_is_11() -> None:
    made = only_fact(GameOpened, nothing().when(opening()).facts)
    assert (made.rules.goal, made.options) == (11, USUAL | {"win": 11})


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"win": 9}, id="S4 R-S21 another goal"),
        pytest.param({"win": 0}, id="S4 no goal at all"),
        pytest.param({"win": -7}, id="S4 a goal below zero"),
        pytest.param({"win": "11"}, id="S4 a goal in letters"),
        pytest.param({"win": 11.0}, id="S4 a goal with a point"),
        pytest.param({"win": True}, id="S4 a goal of true"),
        pytest.param({"win": None}, id="S4 a goal of null"),
        pytest.param({"hook": True}, id="R-S21 another game's option"),
        pytest.param({"win": 7, "Win": 7}, id="R-S21 a name in capitals is another name"),
    ],
)
def test_an_invalid_option_is_refused_not_ignored(options: dict[str, Any]) -> None:
    nothing().when(opening(**options)).rejected(NotOffered)


def test_another_variant_is_refused() -> None:
    nothing().when(opening(variant="whist")).rejected(NotOffered, "whist")


def test_a_player_cannot_sit_twice() -> None:
    nothing().when(opening((*people(3), Player("p1", "human")))).rejected(SamePlayerTwice)


def test_a_game_of_bots_alone_is_refused() -> None:
    bots = tuple(Player(f"bot:random:{seat}", "bot", "random") for seat in range(3))
    nothing().when(opening(bots)).rejected(NoPerson)


def test_bots_sit_in_the_order_given() -> None:
    players = (Player("bot:random:0", "bot", "random"), *people(1), Player("bot:random:2", "bot", "random"))
    assert only_fact(GameOpened, nothing().when(opening(players)).facts).players == players


def test_the_opening_records_all_rules_of_the_game() -> None:
    timing, fairness = Timing(nag_days=1, forfeit_days=3), Fairness()
    command = OpenGame(GAME, 7, "pitch", {"win": 21}, people(3), timing, fairness, "game")
    rules, _ = compose_rules("pitch", {"win": 21})
    nothing().when(command).then(
        GameOpened(
            7, "pitch", rules, USUAL | {"win": 21}, ((0,), (1,), (2,)), people(3), DECK_52, timing, fairness, "game"
        )
    )


def test_deals_are_revealed_hand_by_hand_or_at_the_end_and_other_values_are_refused() -> None:
    never = OpenGame(GAME, 7, "pitch", {}, people(4), reveal="never")
    nothing().when(never).rejected(NotOffered, "hand", "game")


def test_a_game_is_opened_once() -> None:
    given(game_opened()).when(opening()).rejected(WrongPhase)


@pytest.mark.parametrize(
    "number", [pytest.param(number, id=f"R-S19 {number} players") for number in (2, 3, 4, 5, 6, 7)]
)
def test_each_player_plays_alone(number: int) -> None:
    made = only_fact(GameOpened, nothing().when(opening(people(number))).facts)
    assert made.sides == tuple((seat,) for seat in range(number))


@pytest.mark.parametrize(
    "number", [pytest.param(number, id=f"S20 R-S2 {number} players") for number in (2, 3, 4, 5, 6, 7)]
)
def test_six_cards_each_are_dealt_one_at_a_time_from_the_eldest(number: int) -> None:
    deck = tuple(reversed(DECK_52))
    dealt = tuple(CardsDealt(1, seat, deck[seat : 6 * number : number]) for seat in range(number))
    given(game_opened(number), *CEREMONY).when(DealHand(1, deck)).then(
        HandDealt(1, 0, 1, number - 1, 0, (6,) * number, 52 - 6 * number, (), (), "F0", (0,)),
        *dealt,
        StockLaid(1, deck[6 * number :]),
    )


def test_a_deal_without_remaining_cards_lays_no_stock() -> None:
    table = given(game_opened(4, rules=with_hand_size(PITCH, 13)), *CEREMONY)
    assert fact_names(table.when(DealHand(1, DECK_52)).facts) == ["HandDealt", *["CardsDealt"] * 4]


def test_the_table_deals_the_shuffle_it_committed_itself_to() -> None:
    facts = commit(nothing(), opening())
    assert fact_names(facts) == [
        "GameOpened",
        "CeremonyOpened",
        "SeedKept",
        "HandDealt",
        *["CardsDealt"] * 4,
        "StockLaid",
    ]
    seed = bytes.fromhex(only_fact(SeedKept, facts).seed)
    assert only_fact(CeremonyOpened, facts).commit == fairdeal.commit(GAME, 1, "deal hand 1", seed).hex()
    order = fairdeal.shuffle(fairdeal.key(GAME, 1, "deal hand 1", seed, []), "deck", 52)
    assert [each.cards for each in facts_of_kind(CardsDealt, facts)] == [
        tuple(DECK_52[order[seat + 4 * turn]] for turn in range(6)) for seat in range(4)
    ]
    assert only_fact(StockLaid, facts).cards == tuple(DECK_52[place] for place in order[24:])


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(OpenCeremony(1, "deal hand 1", SEED), id="a commitment while one is open"),
        pytest.param(DealHand(2, DECK_52), id="a deal on no commitment"),
        pytest.param(DealHand(1, DECK_52[1:]), id="a deck with a card missing"),
        pytest.param(DealHand(1, (DECK_52[1], *DECK_52[1:])), id="a deck with a card twice"),
        pytest.param(RevealCeremony(1), id="a reveal before the deal"),
        pytest.param(VoidCeremony(1), id="a void while the game goes on"),
    ],
)
def test_only_a_deal_is_accepted_after_the_commitment(
    command: OpenCeremony | DealHand | RevealCeremony | VoidCeremony,
) -> None:
    given(game_opened(), *CEREMONY).when(command).rejected(NotDue)


@pytest.mark.parametrize(
    ("n", "subject"),
    [
        pytest.param(2, "deal hand 1", id="a ceremony's number left out"),
        pytest.param(1, "deal hand 2", id="a hand left out"),
        pytest.param(1, "deal hand 1 redeal 1", id="a redeal of nothing"),
        pytest.param(1, "coin", id="a coin that isn't needed"),
    ],
)
def test_a_commitment_is_to_the_next_deal(n: int, subject: str) -> None:
    given(game_opened()).when(OpenCeremony(n, subject, SEED)).rejected(NotDue)


def test_the_table_commits_itself_before_it_deals() -> None:
    given(game_opened()).when(OpenCeremony(1, "deal hand 1", SEED)).then(*CEREMONY)


def test_a_ceremony_without_a_deal_is_voided_when_the_game_ends() -> None:
    over = commit(given(game_opened(2), *CEREMONY, SeatResigned(0)), VoidCeremony(1))
    void = only_fact(CeremonyVoided, over)
    assert (void.n, void.reason, void.seed) == (1, "ended", SEED)
    assert fact_names(over) == ["CeremonyVoided", "GameEnded"]
    assert only_fact(GameEnded, over).winners == (1,)


def test_the_game_ends_when_it_is_due_and_every_seed_is_public() -> None:
    given(game_opened(2)).when(EndGame()).rejected(NotDue)
    left = given(game_opened(2), *deal(["AH", "KH"]), SeatResigned(0))
    left.when(EndGame()).rejected(NotDue)
    left.when(RevealCeremony(1)).happens().when(EndGame()).then(GameEnded("resignation", (1,), (0, 0)))


def test_a_ceremony_that_dealt_is_revealed_and_never_voided() -> None:
    table = given(game_opened(2), *deal(["AH", "KH"]), SeatResigned(0))
    table.when(VoidCeremony(1)).rejected(NotDue)


@pytest.mark.parametrize("card", [pytest.param(card, id=f"S19 {card}") for card in ("AD", "10C", "KH", "2S")])
def test_cards_are_written_rank_then_suit(card: str) -> None:
    assert parse_exact_card(card) == parse_card(card) == card


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        pytest.param("10h", "10H", id="R-S18 10 in small letters"),
        pytest.param("TH", "10H", id="R-S18 T for ten"),
        pytest.param("td", "10D", id="R-S18 t for ten"),
        pytest.param("aD", "AD", id="R-S18 mixed letters"),
    ],
)
def test_a_typed_card_is_read_and_printed_canonically(typed: str, card: str) -> None:
    assert parse_card(typed) == card
    with pytest.raises(NotACard):
        parse_exact_card(typed)


@pytest.mark.parametrize(
    "typed", [pytest.param(typed, id=f"S19 {typed!r}") for typed in ("", "1D", "DA", "11C", "10", "TT0", "A D", "T0H")]
)
def test_an_invalid_card_is_refused(typed: str) -> None:
    with pytest.raises(NotACard, match="n't a card"):
        parse_card(typed)


def test_S20_the_variant_plays_six_cards_of_52() -> None:
    assert (PITCH.hand_size(1), PITCH.hand_size(30), PITCH.deck) == (6, 6, DECK_52)


@pytest.mark.parametrize("number", [pytest.param(number, id=f"R-S22 {number} players") for number in (2, 7)])
def test_a_deal_shows_all_viewers_the_counts_and_no_card(number: int) -> None:
    game = Game(GAME)
    events = [entry.event for entry in game.draft(opening(people(number)), Request("p0", "c1", AT), bytes).entries]
    audiences = {"SeedKept": (), "StockLaid": (), "CardsDealt": "its seat"}
    for event in events:
        expected = audiences.get(event.fact)
        assert event.seen_by == ((event.data.seat,) if expected == "its seat" else expected)
    public = [encode(event).decode() for event in events if event.seen_by is None and event.fact != "GameOpened"]
    assert not [card for card in DECK_52 for line in public if f'"{card}"' in line]
