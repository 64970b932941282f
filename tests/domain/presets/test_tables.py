"""The players of each preset, their sides and the cards that they are dealt; Oh Hell has its own tests of these."""

from typing import Any

import pytest

from domain.commands import OpenGame
from domain.decide import decide
from domain.events import DealerDrawn, HandDealt, Player
from domain.rejections import WrongNumberOfPlayers
from domain.state import EMPTY_STATE, require
from tests.games.hands import fact_names, facts_of_kind, only_fact
from tests.games.tables import Table
from tests.given import GAME

Sides = tuple[tuple[int, ...], ...]
PAIRS: Sides = ((0, 2), (1, 3))
TEAMS: Sides = ((0, 2, 4), (1, 3, 5))
THREE_PAIRS: Sides = ((0, 3), (1, 4), (2, 5))
ALONE: Sides = ((0,), (1,), (2,), (3,), (4,))
TABLES = [
    pytest.param("four-point-kitty", {}, PAIRS, 6, 28, id="Y2 Y3 Y4 with a kitty"),
    pytest.param("setback-21", {}, PAIRS, 6, 28, id="Y2 Y3 Y4 to 21"),
    pytest.param("pedro", {}, PAIRS, 9, 16, id="D2 D3 D4 Pedro"),
    pytest.param("cinch", {}, PAIRS, 9, 16, id="D2 D3 D4 Cinch"),
    pytest.param("smear", {}, PAIRS, 6, 53 - 24, id="M2 M3 M4 M5 four"),
    pytest.param("smear", {}, TEAMS, 6, 53 - 36, id="M2 M3 M4 M5 six"),
    pytest.param("ten-point", {}, PAIRS, 9, 18, id="V2 V6 V7 V8 pairs"),
    pytest.param("seven-point", {}, PAIRS, 9, 18, id="V2 V6 V7 V8 seven points"),
    pytest.param("thirteen-point", {}, PAIRS, 9, 18, id="V2 V6 V7 V8 thirteen points"),
    pytest.param("ten-point-five", {}, ALONE, 10, 4, id="V5 V6 V10 everybody alone"),
    pytest.param("ten-point-teams", {}, TEAMS, 8, 6, id="V3 V6 V10 teams"),
    pytest.param("ten-point-pairs", {}, THREE_PAIRS, 8, 6, id="V4 V6 V10 three pairs"),
    pytest.param("ten-point-five", {"dealt": "no_fours"}, ALONE, 10, 0, id="R-V9 without fours"),
    pytest.param("ten-point-teams", {"dealt": "nine"}, TEAMS, 9, 0, id="R-V10 nine each in teams"),
    pytest.param("ten-point-pairs", {"dealt": "nine"}, THREE_PAIRS, 9, 0, id="R-V10 nine each in pairs"),
]


@pytest.mark.parametrize(("variant", "options", "sides", "each", "stock"), TABLES)
def test_who_plays_together_with_how_many_cards_and_the_deal_moves_left(
    variant: str, options: dict[str, Any], sides: Sides, each: int, stock: int
) -> None:
    players = sum(map(len, sides))
    table = Table(players, variant=variant, seed=3, **options).plays_out(hands=2)
    assert require(table.state.opened).sides == sides
    facts = [event.data for event in table.events]
    hands, first = list(facts_of_kind(HandDealt, facts)), only_fact(DealerDrawn, facts).seat
    assert (hands[0].counts, hands[0].stock, len(table.state.rules.deck)) == (
        (each,) * players, stock, each * players + stock
    )  # fmt: skip
    assert [hand.dealer for hand in hands if not hand.redeal][:2] == [first, (first + 1) % players]


NUMBERS = [
    *(pytest.param(name, (4,), id=f"Y1 {name}") for name in ("four-point-kitty", "setback-21")),
    *(pytest.param(name, (4,), id=f"D1 {name}") for name in ("pedro", "cinch")),
    pytest.param("smear", (4, 6), id="M1"),
    *(pytest.param(name, (4,), id=f"V1 {name}") for name in ("ten-point", "seven-point", "thirteen-point")),
    pytest.param("ten-point-five", (5,), id="V1 five"),
    *(pytest.param(name, (6,), id=f"V1 {name}") for name in ("ten-point-teams", "ten-point-pairs")),
]


@pytest.mark.parametrize(("variant", "seats"), NUMBERS)
def test_each_game_is_for_its_number_of_players(variant: str, seats: tuple[int, ...]) -> None:
    for number in range(2, 9):
        asked = OpenGame(GAME, 1, variant, {}, tuple(Player(f"p{seat}", "human") for seat in range(number)))
        if number in seats:
            assert fact_names(decide(EMPTY_STATE, asked)) == ["GameOpened"]
        else:
            with pytest.raises(WrongNumberOfPlayers, match=f"takes {seats[0]}"):
                decide(EMPTY_STATE, asked)
