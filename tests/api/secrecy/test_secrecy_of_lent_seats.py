"""Non-interference at seats that changed hands: the leaver, the comer and the others get no byte of hidden cards."""

import random

import pytest

from projections.views.audience import FormerHolder, viewer_of
from tests.api.secrecy.test_secrecy import Registered, registered, responses_in_both
from tests.api.worlds import play_random_game, state_of, vary_hidden_facts

__all__ = ["registered"]

VARIANTS = ("pitch", "setback", "blackout", "corellian")
READERS = ("the leaver", "the comer", "another seat", "a spectator")
LENT = 1
"""The seat that changes hands."""
CASES = [
    pytest.param(variant, reader, marks=() if VARIANTS.index(variant) == at else pytest.mark.slow)
    for variant in VARIANTS
    for at, reader in enumerate(READERS)
]


@pytest.mark.parametrize(("variant", "reader"), CASES)
def test_no_answer_at_a_lent_seat_depends_on_what_its_reader_may_not_see(
    registered: Registered, tmp_path_factory: pytest.TempPathFactory, variant: str, reader: str
) -> None:
    _, people, _ = registered
    chance = random.Random(f"{variant} {reader}")
    events = play_random_game(chance, people[:4], variant, 26, reveal="game", lend=(LENT, people[4]))
    state = state_of(events)
    leaver, other = state.seats[LENT].earlier[0].player, state.seats[LENT + 1].player
    player = {"the leaver": leaver, "the comer": people[4].player, "another seat": other}.get(reader)
    assert isinstance(viewer_of(state, player), FormerHolder) is (reader == "the leaver")
    varied = vary_hidden_facts(events, viewer_of(state, player), chance)
    assert events != varied
    one, two = responses_in_both(registered, tmp_path_factory, (events, varied), player, accept=False)
    assert one == two
