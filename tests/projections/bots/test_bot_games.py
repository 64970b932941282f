"""Bots in whole games: no illegal move in any variant under any options, and `simple` beats `random`."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.rules.variants import VARIANTS, Option
from domain.rules.variants.corellian_options import PARTNERS
from domain.rules.variants.corellian_versions import VERSIONS
from projections.bots import STRATEGIES, NothingToDo, choose
from tests.projections.bots.bot_table import BotTable, bot_table, winner

RESTLESS = {"when": [1, 3], "end": [1, 400], "points": list(VERSIONS), "partners": list(PARTNERS)}
READ: dict[str, st.SearchStrategy[Any]] = {
    "randomizer": st.sampled_from([RESTLESS, RESTLESS | {"partners": ["call"]}, RESTLESS | {"end": None}, None]),
    "ends_at": st.none(),
}
"""Values of the options that aren't a choice from a list."""


def values(option: Option) -> st.SearchStrategy[Any]:
    return st.sampled_from(option.values) if option.parse is None else READ[option.name]


@st.composite
def tables(draw: st.DrawFn) -> BotTable:
    """Draw a new game of any variant under any options."""
    variant = draw(st.sampled_from(list(VARIANTS.values())))
    seats = draw(st.sampled_from(variant.rules.seats))
    strategies = draw(st.lists(st.sampled_from(list(STRATEGIES)), min_size=seats, max_size=seats))
    options = {option.name: draw(values(option)) for option in variant.options}
    return bot_table(draw(st.integers(0, 2**32)), variant.name, strategies, **options)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(tables(), st.booleans(), st.booleans())
def test_no_bot_ever_makes_an_illegal_move(table: BotTable, restless: bool, leaving: bool) -> None:
    table.play(0.0, 60, 0.2 * restless)
    if leaving and table.game.state.result is None:
        table.resign(table.random.choice(table.game.state.still_in))
    table.play(0.0, 200, 0.2 * restless)
    if table.game.state.result is None:
        return
    for seat in range(len(table.strategies)):
        with pytest.raises(NothingToDo):
            choose("simple", table.view(seat), table.game.state.rules, lambda _: 0)


def test_bots_call_partners_discard_and_vote_out_of_turn_too() -> None:
    calls = RESTLESS | {"partners": ["call"], "end": None}
    table = bot_table(3, "corellian", ["simple", "random"] * 2, randomizer=calls)
    table.play(0.0, 300, 0.3)
    facts = Counter(entry.event.fact for entry in table.entries)
    assert min(facts[fact] for fact in ("TrumpNamed", "CardsDiscarded", "PartnerCalled", "DelayJudged")) >= 3


QUICK = (
    pytest.param("pitch", ("simple", "random"), id="pitch, one of two"),
    pytest.param("setback", ("simple", "random") * 2, id="setback, side against side"),
)
TABLES = (
    *QUICK,
    pytest.param("pitch", ("simple", "random", "random", "random"), id="pitch, one of four"),
    pytest.param("setback", ("simple", "random", "random"), id="setback, one of three"),
    pytest.param("blackout", ("simple", "random") * 2, id="blackout"),
    pytest.param("corellian", ("simple", "random") * 2, id="corellian"),
)


@pytest.mark.lengthy
@pytest.mark.parametrize(("variant", "strategies"), QUICK)
def test_simple_beats_random_in_most_games(variant: str, strategies: tuple[str, ...]) -> None:
    _beats(variant, strategies, games=12, times=1)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "strategies"), TABLES)
def test_simple_beats_random_over_500_games(variant: str, strategies: tuple[str, ...]) -> None:
    _beats(variant, strategies, games=500, times=2)


def _beats(variant: str, strategies: tuple[str, ...], games: int, times: int) -> None:
    """Assert that it wins more than its share of all games, and that the others win far fewer."""
    won = Counter(winner(seed, variant, strategies) for seed in range(games))
    assert won["simple"] > 0.6 * games, won
    assert won["simple"] > times * won["random"], won
