"""Oh Hell (docs/rules/oh-hell.md)."""

from typing import Any

import pytest

from domain.cards import SUIT
from domain.commands import MakeBid, OpenGame, PassBid, PlayCard, Resign
from domain.decide import decide
from domain.events import CoinFlipped, GameEnded, HandDealt, Player, TrumpTurnedUp
from domain.rejections import Hooked, MustBid, MustFollow, NotABid, WrongNumberOfPlayers
from domain.rules.variants import compose_rules
from domain.state import EMPTY_STATE, current_hand
from tests.games.hands import facts_of_kind, go_on, only_fact, plays
from tests.games.preset_hands import at_play, bids_of, dealt, make_bids, playable, played, scored
from tests.games.tables import Table
from tests.given import GAME, cards

GAMES = ("oh-hell", "oh-hell-tricks", "oh-hell-minus")
SPADE = "7S"
TRICKS = "0: KD 3D 2S", "2: 5C AC 9C"
BIDS = (1, 0, 2)
TWO = {"hand_sizes": (2,)}


def sizes(players: int, **options: Any) -> tuple[int, ...]:
    """Return the sizes of the hands that a game opens with."""
    return Table(players, variant="oh-hell", **options).state.rules.hand_sizes


def up_and_down(largest: int) -> tuple[int, ...]:
    return (*range(1, largest), largest, *range(largest - 1, 0, -1))


@pytest.mark.parametrize("variant", GAMES)
def test_O1_O2_three_to_seven_play_alone_in_their_order(variant: str) -> None:
    for number in range(2, 9):
        players = tuple(Player(f"p{seat}", "human") for seat in range(number))
        if number in range(3, 8):
            table = Table(number, variant=variant)
            assert [seat.player for seat in table.state.seats] == [f"p{seat}" for seat in range(number)]
            assert table.state.rules.sides(number) == tuple((seat,) for seat in range(number))
        else:
            with pytest.raises(WrongNumberOfPlayers, match="takes 3 to 7 players"):
                decide(EMPTY_STATE, OpenGame(GAME, 1, variant, {}, players))


def test_O2_O3_O5_the_hands_grow_and_shrink_and_the_deal_moves_left() -> None:
    facts = [event.data for event in Table(7, variant="oh-hell", seed=4).plays_out().events]
    hands = list(facts_of_kind(HandDealt, facts))
    assert [hand.counts for hand in hands] == [(size,) * 7 for size in up_and_down(7)]
    assert [hand.dealer for hand in hands] == [(6 + hand) % 7 for hand in range(13)]


@pytest.mark.parametrize(
    ("players", "options", "largest"),
    [
        *(pytest.param(players, {}, 10, id=f"O4 O5 R-O6 {players} players: ten") for players in (3, 4, 5)),
        pytest.param(6, {}, 8, id="O4 O5 six players: eight"),
        pytest.param(7, {}, 7, id="O4 O5 seven players: seven"),
        *(
            pytest.param(players, {"largest": "most"}, most, id=f"R-O1 {players} players: {most}")
            for players, most in ((3, 17), (4, 12), (5, 10), (6, 8), (7, 7))
        ),
    ],
)
def test_the_sizes_of_hands(players: int, options: dict[str, Any], largest: int) -> None:
    assert sizes(players, **options) == up_and_down(largest)
    down_and_up = (*range(largest, 1, -1), 1, *range(2, largest + 1))
    assert sizes(players, order="down_up", **options) == down_and_up
    assert largest * players < len(compose_rules("oh-hell", {})[0].deck)


def test_R_O2_a_game_can_begin_with_the_largest_hand() -> None:
    assert sizes(6, order="down_up")[:3] == (8, 7, 6)


@pytest.mark.parametrize("options", [pytest.param({}, id="O6 turned up"), pytest.param({"trump": "spades"}, id="R-O3")])
def test_what_is_trump(options: dict[str, Any]) -> None:
    facts = [event.data for event in Table(3, variant="oh-hell", **options).plays_out(hands=6).events]
    turned = [SUIT[each.card] for each in facts_of_kind(TrumpTurnedUp, facts)]
    assert len(turned) == (0 if options else 7)
    at = dealt("oh-hell", "AH", "2C", "3D", stock="KD", **options)
    assert current_hand(at.state).trump == ("S" if options else "D")


@pytest.mark.parametrize(
    ("bids", "can_bid"),
    [
        pytest.param((), [0, 1, 2], id="O8 O10 any number"),
        pytest.param((2,), [0, 1, 2], id="O10 also lower"),
        pytest.param((1, 0), [0, 2], id="O9 E10 not the number that makes two"),
        pytest.param((2, 2), [0, 1, 2], id="R-O8 any number"),
    ],
)
def test_the_bids(bids: tuple[int, ...], can_bid: list[int]) -> None:
    assert bids_of(make_bids(dealt("oh-hell", "KD AC", "3D 9C", "2S 5C", stock=SPADE, fields=TWO), *bids)) == can_bid


def test_O7_O8_O9_refused_bids() -> None:
    at = dealt("oh-hell", "KD AC", "3D 9C", "2S 5C", stock=SPADE, fields=TWO)
    assert at.state.turn == (0,)
    at.when(MakeBid(0, 3)).rejected(NotABid)
    at.when(PassBid(0)).rejected(MustBid)
    make_bids(at, 1, 0).when(MakeBid(2, 1)).rejected(Hooked)


@pytest.mark.parametrize(
    ("hands", "before", "can_play"),
    [
        pytest.param(("KD AC", "3D 9C", "2S 5C"), "", "AC KD", id="O11 any card is led"),
        pytest.param(("KD AC", "3D 9S", "2S 5C"), "0: KD", "3D", id="O12 the suit, and no trump"),
        pytest.param(("KD AC", "3H 9S", "2S 5C"), "0: KD", "3H 9S", id="O12 else any card"),
    ],
)
def test_the_play(hands: tuple[str, ...], before: str, can_play: str) -> None:
    at = make_bids(dealt("oh-hell", *hands, stock=SPADE, fields=TWO), *BIDS)
    at = go_on(at, *plays((before,), 3)) if before else at
    assert playable(at) == can_play
    (seat,) = at.state.turn
    for card in set(cards(hands[seat])) - set(cards(can_play)):
        at.when(PlayCard(seat, card)).rejected(MustFollow)


@pytest.mark.parametrize(
    ("trick", "options", "taker"),
    [
        pytest.param("0: KD 3D 2S", {}, 2, id="O11 O13 a trump takes the trick"),
        pytest.param("0: KD AD 2C", {}, 1, id="O11 O13 else the suit led"),
        pytest.param("0: KD 3D 2S", {"trump": "spades"}, 2, id="R-O3 spades are trump"),
    ],
)
def test_who_takes_a_trick(trick: str, options: dict[str, Any], taker: int) -> None:
    tricks = trick, f"{taker}: 5H 6H 7H"
    at = go_on(at_play("oh-hell", BIDS, *tricks, stock=SPADE, **options), *plays((trick,), 3))
    assert at.state.turn == (taker,)


@pytest.mark.parametrize(
    ("variant", "options", "changes"),
    [
        pytest.param("oh-hell", {}, (11, 10, 0), id="O14 O15 R-O7 E10 nothing"),
        pytest.param("oh-hell-tricks", {}, (11, 10, 1), id="O14 O16 R-O7 E10 the tricks"),
        pytest.param("oh-hell-minus", {}, (11, 10, -12), id="O14 O17 R-O7 E10 the bid and ten"),
        pytest.param("oh-hell-minus", {"miss": "bid"}, (11, 10, -2), id="R-O5 the bid"),
        pytest.param("oh-hell-minus", {"miss": "ten_each"}, (11, 10, -12), id="R-O5 ten for one trick too few"),
    ],
)
def test_the_score(variant: str, options: dict[str, Any], changes: tuple[int, ...]) -> None:
    assert scored(variant, BIDS, *TRICKS, stock=SPADE, **options).changes == changes


def test_R_O5_ten_for_each_trick_too_many() -> None:
    tricks = "0: KD 3D 2D", "0: AC 5C 9C"
    assert scored("oh-hell-minus", (0, 0, 1), *tricks, stock=SPADE, miss="ten_each").changes == (-20, 10, -11)


@pytest.mark.parametrize(
    ("options", "scores", "winners"),
    [
        pytest.param({}, (0, 0, 9), {(0,)}, id="O18 the highest"),
        pytest.param({}, (0, 0, 11), {(0,)}, id="O19 of equal scores the one with more bids made"),
        pytest.param({}, (0, 1, 9), {(0,), (1,)}, id="O20 else a coin"),
        pytest.param({"ties": "shared"}, (0, 0, 11), {(0, 2)}, id="R-O4 shared"),
    ],
)
def test_who_wins(options: dict[str, Any], scores: tuple[int, ...], winners: set[tuple[int, ...]]) -> None:
    """The last of four hands; nobody made a bid before it."""
    facts = played("oh-hell", BIDS, *TRICKS, stock=SPADE, scores=scores, fields={"hand_sizes": (1, 2, 2, 2)}, **options)
    assert len(list(facts_of_kind(CoinFlipped, facts))) == len(winners) - 1
    end = only_fact(GameEnded, facts)
    assert (end.reason, end.winners in winners) == ("hands", True)


def test_R_O9_the_table_plays_for_a_seat_that_left() -> None:
    table = Table(3, variant="oh-hell", seed=5)
    table.says(Resign(1))
    table.plays_out()
    assert table.state.result is not None
    assert 1 not in table.state.result.winners
