"""Non-interference at seats that changed hands: the leaver, the comer and the others get no byte of hidden cards."""

import random
import shutil
from collections.abc import Sequence

import pytest

from domain.state import State
from projections.views.audience import FormerHolder, viewer_of
from tests.api.conftest import Caller
from tests.api.secrecy.test_secrecy import Registered, Told, all_responses, registered, serve
from tests.api.worlds import Events, play_random_game, state_of, time_after, vary_hidden_facts

__all__ = ["registered"]

VARIANTS = ("pitch", "setback", "blackout", "corellian")
LENT = 1
"""The seat that changes hands."""


def worlds_of(state: State, events: Events, player: str | None, chance: random.Random) -> Sequence[Events]:
    """Return the game, and another one that looks the same to the player."""
    return events, vary_hidden_facts(events, viewer_of(state, player), chance)


def responses(office: Registered, folder: pytest.TempPathFactory, events: Events, player: str | None) -> list[Told]:
    """Return the answers that a player gets to all reads, and to moves that are refused."""
    kept, _, tokens = office
    state = state_of(events)
    data, now = folder.mktemp("world"), time_after(state.at, 20)
    shutil.copytree(kept, data, dirs_exist_ok=True, ignore=shutil.ignore_patterns("log.db*", "views.db*"))
    served = serve(data, events, now)
    caller = Caller(served.app.test_client(), None if player is None else tokens[player])
    seat = None if player is None else state.seat_of(player)
    try:
        return all_responses(caller, state, seat, now, accept=False)
    finally:
        served.close()


@pytest.mark.parametrize("reader", ["the leaver", "the comer", "another seat", "a spectator"])
@pytest.mark.parametrize("variant", VARIANTS)
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
    one, two = worlds_of(state, events, player, chance)
    assert one != two
    assert responses(registered, tmp_path_factory, one, player) == responses(registered, tmp_path_factory, two, player)
