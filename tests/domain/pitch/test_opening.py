"""gamerz Pitch, the opening: the players, the goal and the first deal (S2-S5, S19, S20, R-S2, R-S18 to R-S22)."""

from typing import Any

import pytest

from domain.cards import DECK_52
from domain.commands import Command, DealHand, EndGame, OpenCeremony, OpenGame, RevealCeremony, VoidCeremony
from domain.events import (
    CardsDealt,
    CeremonyOpened,
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
from tests.games.hands import fact_names, only_fact, with_hand_size
from tests.given import AT, GAME, SEED, deal, game_opened, given

COMMIT = fairdeal.commit(GAME, 1, "deal hand 1", bytes.fromhex(SEED)).hex()
CEREMONY = (CeremonyOpened(1, "deal hand 1", COMMIT, {}), SeedKept(1, SEED))


USUAL = {"around": "left", "fifth": "earned", "settle": "bid_first"}
"""The defaults of the game's other options."""


def people(number: int) -> tuple[Player, ...]:
    return tuple(Player(f"p{seat}", "human") for seat in range(number))


def opening(players: tuple[Player, ...] = people(4), variant: str = "pitch", **options: Any) -> OpenGame:
    return OpenGame(GAME, 7, variant, options, players)


@pytest.mark.parametrize(
    "number", [pytest.param(number, id=f"S2 S3 R-S19 S20 R-S2 {number} players") for number in range(2, 8)]
)
def test_two_to_seven_players_play_alone_with_six_cards_dealt_one_at_a_time_from_the_eldest(number: int) -> None:
    made = only_fact(GameOpened, given().when(opening(people(number))).facts)
    assert (made.players, made.sides) == (people(number), tuple((seat,) for seat in range(number)))
    deck = tuple(reversed(DECK_52))
    dealt = tuple(CardsDealt(1, seat, deck[seat : 6 * number : number]) for seat in range(number))
    given(game_opened(number), *CEREMONY).when(DealHand(1, deck)).then(
        HandDealt(1, 0, 1, number - 1, 0, (6,) * number, 52 - 6 * number, (), (), "F0", (0,)),
        *dealt,
        StockLaid(1, deck[6 * number :]),
    )


def test_S2_who_cannot_sit_together() -> None:
    for number in (0, 1, 8, 9):
        given().when(opening(people(number))).rejected(WrongNumberOfPlayers, "2 to 7", str(number))
    given().when(opening((*people(3), Player("p1", "human")))).rejected(SamePlayerTwice)
    bots = tuple(Player(f"bot:random:{seat}", "bot", "random") for seat in range(3))
    given().when(opening(bots)).rejected(NoPerson)
    mixed = (bots[0], *people(1), bots[2])
    assert only_fact(GameOpened, given().when(opening(mixed)).facts).players == mixed


def test_S4_R_S21_an_invalid_option_is_refused_not_ignored() -> None:
    for goal in (9, 0, -7, 11.0, "11", None, True, [7]):
        given().when(opening(win=goal)).rejected(NotOffered, "Choose from 7, 11, 21")
    named: tuple[dict[str, Any], ...] = ({"hook": True}, {"win": 7, "Win": 7})
    for options in named:
        given().when(opening(**options)).rejected(NotOffered, "Its options are win, around, fifth, settle")
    given().when(opening(variant="whist")).rejected(NotOffered, "whist", "Choose from pitch")
    never = OpenGame(GAME, 7, "pitch", {}, people(4), reveal="never")
    given().when(never).rejected(NotOffered, "hand", "game")


def test_the_opening_records_all_rules_of_the_game() -> None:
    timing, fairness = Timing(nag_days=1, forfeit_days=3), Fairness()
    command = OpenGame(GAME, 7, "pitch", {"win": 21}, people(3), timing, fairness, "game")
    rules, _ = compose_rules("pitch", {"win": 21})
    given().when(command).then(
        GameOpened(
            7, "pitch", rules, USUAL | {"win": 21}, ((0,), (1,), (2,)), people(3), DECK_52, timing, fairness, "game"
        )
    )


def test_a_game_is_opened_once() -> None:
    given(game_opened()).when(opening()).rejected(WrongPhase)


def test_a_deal_without_remaining_cards_lays_no_stock() -> None:
    table = given(game_opened(4, rules=with_hand_size(PITCH, 13)), *CEREMONY)
    assert fact_names(table.when(DealHand(1, DECK_52)).facts) == ["HandDealt", *["CardsDealt"] * 4]


def test_only_a_deal_is_accepted_after_the_commitment() -> None:
    commands: tuple[Command, ...] = (
        OpenCeremony(1, "deal hand 1", SEED),
        DealHand(2, DECK_52),
        DealHand(1, DECK_52[1:]),
        DealHand(1, (DECK_52[1], *DECK_52[1:])),
        RevealCeremony(1),
        VoidCeremony(1),
    )
    for command in commands:
        given(game_opened(), *CEREMONY).when(command).rejected(NotDue)


def test_a_commitment_is_to_the_next_deal() -> None:
    for n, subject in ((2, "deal hand 1"), (1, "deal hand 2"), (1, "deal hand 1 redeal 1"), (1, "coin")):
        given(game_opened()).when(OpenCeremony(n, subject, SEED)).rejected(NotDue)
    given(game_opened()).when(OpenCeremony(1, "deal hand 1", SEED)).then(*CEREMONY)


def test_the_game_ends_when_it_is_due_and_every_seed_is_public() -> None:
    given(game_opened(2)).when(EndGame()).rejected(NotDue)
    left = given(game_opened(2), *deal(["AH", "KH"]), SeatResigned(0))
    left.when(EndGame()).rejected(NotDue)
    left.when(VoidCeremony(1)).rejected(NotDue)
    left.when(RevealCeremony(1)).happens().when(EndGame()).then(GameEnded("resignation", (1,), (0, 0)))


def test_R_S22_a_deal_shows_all_viewers_the_counts_and_no_card() -> None:
    for number in (2, 7):
        draft = Game(GAME).draft(opening(people(number)), Request("p0", "c1", AT), bytes)
        for event in (entry.event for entry in draft.entries):
            hidden = {"SeedKept": (), "StockLaid": ()}.get(event.fact)
            assert event.seen_by == ((event.data.seat,) if event.fact == "CardsDealt" else hidden)
            told = encode(event).decode() if event.seen_by is None and event.fact != "GameOpened" else ""
            assert not [card for card in DECK_52 if f'"{card}"' in told]
