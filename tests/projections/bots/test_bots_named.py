"""Bots where the highest bidder names trump (Corellian Pitch)."""

from random import Random
from typing import Any

import pytest

from domain.cards import DECK_54
from projections.bots import NothingToDo
from tests.projections.bots.bot_views import STANDARD, View, auction, choose, naming, play, seen

CALL = {"type": "call_partner", "from": "any"}


def corellian(**rules: Any) -> dict[str, Any]:
    return {"variant": "corellian", "rules": STANDARD | rules}


def simple(view: View) -> Any:
    """Return the bot's bid, card, trump or call."""
    move = choose("simple", view, lambda _: 0)
    return next((value for name, value in move.items() if name != "type"), move["type"])


@pytest.mark.parametrize(
    ("cards", "rules", "said"),
    [
        pytest.param("AH KH JH JD X1 3H 4C 5S 9S", {}, 4, id="a suit with its off jack and a joker"),
        pytest.param("9C 8D 7H 6S 5C 4D QH 8S 7C", {}, "pass", id="nothing"),
        pytest.param("2H 3H 4H 5H 6H 7H 9C 8S QD", {"reverse": True}, 4, id="R-C15 the lowest are the highest"),
        pytest.param("AH QH AD 9C 8S 7C 6S 5C 4S", {}, "pass", id="R-C11 an off ace that does not score"),
        pytest.param("AH QH AD 9C 8S 7C 6S 5C 4S", {"points": "11", "total": 11}, 4, id="R-C11 and one that does"),
    ],
)
def test_C32_simple_bids_by_the_suit_it_would_name(cards: str, rules: dict[str, Any], said: Any) -> None:
    assert simple(auction(["pass", *range(4, 11)], cards, **corellian(**rules))) == said


def test_simple_passes_if_every_bid_exceeds_the_worth_of_its_cards() -> None:
    assert simple(auction(["pass", 10], "AH KH JH JD X1 3H 4C 5S 9S", **corellian())) == "pass"


@pytest.mark.parametrize(
    ("cards", "rules", "suit"),
    [
        ("AH KH JH 4C 5C 6C 7C 2D 3S", {}, "H"),
        ("AH KH JH 4C 5C 6C 7C 2D 3S", {"reverse": True}, "C"),
        pytest.param("JC JS AC QS 9S 2D 3D 4H 5H", {}, "S", id="an off jack counts in either black suit"),
    ],
)
def test_simple_names_the_suit_worth_most(cards: str, rules: dict[str, Any], suit: str) -> None:
    assert simple(naming(cards, rules=STANDARD | rules)) == suit


def throwing(cards: str, least: int, most: int, must: str = "", of: str | None = None) -> View:
    choice = {"type": "discard", "from": (of or cards).split(), "must": must.split(), "min": least, "max": most}
    return seen(cards, choose=choice, trump="H", **corellian())


@pytest.mark.parametrize(
    ("view", "thrown"),
    [
        pytest.param(throwing("4C 5C KH 9H 4H 6D 7D 8S 9S", 3, 9), "4C 5C 6D 7D 8S 9S", id="all but trumps"),
        pytest.param(throwing("4C KH QH 9H 8H 7H 6H 5H 4H", 3, 9), "4C 4H 5H", id="the lowest where it must"),
        pytest.param(throwing("4C 5C KH QH 9H 8H 7H 6H 4H", 3, 3), "4C 5C 4H", id="the bidder down to six"),
        pytest.param(
            throwing("KH AH JH JD X1 X2 10H 3H 2H", 3, 3, "KH", "AH JH JD X1 X2 10H 3H 2H"),
            "KH 2H 10H",
            id="R-C48 the least points of too many",
        ),
    ],
)
def test_C3_simple_discards_the_cards_it_does_not_need(view: View, thrown: str) -> None:
    assert set(simple(view)) == set(thrown.split())


@pytest.mark.parametrize("least", [3, 4])
def test_R_C3_random_discards_any_allowed_cards(least: int) -> None:
    rng, view = Random(4), throwing("4C 5C 6C AH JH JD X1 X2 10H", least, 6, "4C", "4C 5C 6C AH JH JD X1 X2 10H")
    thrown = [choose("random", view, rng.randrange)["cards"] for _ in range(300)]
    assert {len(cards) for cards in thrown} == set(range(least, 7))
    assert all(cards[0] == "4C" and len(set(cards)) == len(cards) for cards in thrown)
    assert {card for cards in thrown for card in cards} == set(view["you"]["choose"]["from"])


@pytest.mark.parametrize(
    ("cards", "rules", "called"),
    [
        ("KH 9H", {}, "AH"),
        ("AH 9H", {}, "KH"),
        pytest.param("AH 9H", {"points": "11", "total": 11}, "AD", id="R-C11 the off ace where it scores"),
        pytest.param("2H 9H", {"reverse": True}, "3H", id="R-C15 the three in reverse"),
    ],
)
def test_C13_simple_calls_the_highest_trump_it_lacks(cards: str, rules: dict[str, Any], called: str) -> None:
    assert simple(seen(cards, choose=CALL, trump="H", **corellian(**rules))) == called


def test_C13_random_calls_any_card_it_does_not_hold() -> None:
    rng, view = Random(3), seen("AH KH", choose=CALL, trump="H", **corellian())
    called = {choose("random", view, rng.randrange)["card"] for _ in range(1500)}
    assert called == set(DECK_54) - {"AH", "KH"}


OURS = {"sides": [[0, 2], [1, 3]], "pitcher": 1}
CASES = [
    pytest.param("", "KH 9H 3H", {}, "KH", id="leads a trump that is likely to win"),
    pytest.param("", "9H 3H 10H", {}, "9H", id="else one without points"),
    pytest.param("", "AH 4H", {"reverse": True}, "4H", id="R-C15 the highest in reverse is low"),
    pytest.param("1: 9H 2:KH 3:4H", "3H 10H 5H", {}, "3H", id="the most points to the partner's trick"),
    pytest.param("2: AH 3:4H", "10H 5H", {}, "10H", id="also before a rival, when the partner's card is high"),
    pytest.param("2: 9H 3:4H", "10H 5H", {}, "5H", id="not when a rival may take it"),
    pytest.param("1: 9H 2:4H 3:10H", "AH 3H KH", {}, "AH", id="last, takes a point and brings its own home"),
    pytest.param("1: 9H 2:4H 3:8H", "3H KH", {}, "KH", id="does not give the three away"),
    pytest.param("1: 2H 2:4H 3:5H", "10H 9H", {}, "10H", id="last, saves the ten"),
    pytest.param("2: 4H 3:10H", "QH KH 5H", {}, "KH", id="the highest for a point when a rival plays after it"),
    pytest.param("1: KH 2:4H 3:9H", "2H 5H", {}, "2H", id="C23 the two cannot be lost while the table is clean"),
    pytest.param("1: KH 2:4H 3:9H", "2H 5H", {"dirty": True}, "5H", id="C23 dirty, the two can be lost"),
    pytest.param("1: X2 2:4H 3:9H", "X1 5H", {"first_joker": "X2"}, "5H", id="R-C13 the other joker does not take it"),
    pytest.param("1: JD 2:4H 3:9H", "JH 5H", {}, "JH", id="C27 the jack takes the off jack"),
    pytest.param("1: 10H 2:KH 3:9H", "AH 5H", {"sides": [[1], [0, 2, 3]]}, "5H", id="leaves the trick to a partner"),
]


@pytest.mark.parametrize(("lies", "cards", "said", "card"), CASES)
def test_C21_simple_plays_to_win_points(lies: str, cards: str, said: dict[str, Any], card: str) -> None:
    rules = {name: value for name, value in said.items() if name in STANDARD}
    others = {name: value for name, value in said.items() if name not in STANDARD}
    view = play(lies, cards, "H", **OURS | corellian(**rules) | {"sides": others.pop("sides", OURS["sides"])})
    view["hand"] |= others
    assert simple(view) == card


@pytest.mark.parametrize(
    ("points", "cards", "card"),
    [
        pytest.param("4", "JH 10H", "JH", id="the jack a point, the ten half of one for game"),
        pytest.param("8", "JH 10H", "10H", id="a point each: the lower"),
        pytest.param("4", "X1 9H", "9H", id="C36 a joker that is not a point"),
        pytest.param("6", "X1 9H", "X1", id="R-C59 a joker a point"),
        pytest.param("9", "10H 5H", "5H", id="five for the five"),
        pytest.param("10", "10H 2H", "10H", id="C23 the two stays with its player, the ten must be won"),
        pytest.param("13", "3D 10H", "3D", id="the off three counts three"),
    ],
)
def test_R_C20_the_version_in_force_decides_what_a_card_is_worth(points: str, cards: str, card: str) -> None:
    view = play("1: 4H 2:KH 3:6H", cards, "H", **OURS | corellian(points=points))
    assert simple(view) == card


def voting(waited_ms: int) -> View:
    delay = {"seat": 1, "accused": 2, "waited_ms": waited_ms, "votes": []}
    return seen("AH", may=["vote", "resign"], delay=delay, **corellian())


def test_C29_simple_votes_guilty_after_twice_the_allowed_time() -> None:
    assert [simple(voting(waited)) for waited in (15_001, 30_000, 30_001)] == [False, False, True]


def test_C29_random_votes_either_way() -> None:
    assert {choose("random", voting(20_000), Random(seed).randrange)["guilty"] for seed in range(9)} == {True, False}


def test_R_C31_a_call_that_is_due_comes_before_a_vote_and_after_a_move_of_the_turn() -> None:
    due = voting(20_000)
    due["you"]["choose"], due["hand"]["trump"] = CALL, "H"
    assert choose("simple", due, lambda _: 0)["type"] == "call_partner"
    due["you"]["legal"] = [{"type": "play", "card": "AH"}]
    due["hand"]["trick"] = {"number": 1, "leader": 0, "plays": []}
    assert choose("simple", due, lambda _: 0) == {"type": "play", "card": "AH"}


def test_a_bot_that_can_only_leave_does_nothing() -> None:
    with pytest.raises(NothingToDo):
        choose("simple", seen("AH", may=["resign"], **corellian()), lambda _: 0)
