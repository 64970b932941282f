"""Games from the opening to the end: some of every kind, and a thousand of each variant with `make games`."""

import pytest

from domain.events import RulesChanged
from replay.audit import GREEN, audit
from replay.history import export_bytes, read_export
from replay.rejudge import rejudge
from tests.games.whole_games import ALL, BEGUN, KINDS, Kind
from tests.replay.playing import Table, table

EACH = {"pitch": 48, "setback": 200, "blackout": 334, "corellian": 53}
"""Games of each kind of table in the slow run: a thousand of each variant and more."""
UNREST = 0.04
LONGEST = 21
FEW = [kind for kind in KINDS if kind.players in (2, 4) and kind.options.get("win") != LONGEST]
"""Each option once, and the fewest and the usual number of players."""
WON = {"pitch": "goal", "setback": "goal", "blackout": "hands", "corellian": "randomizer"}
"""The reasons for which games end if no player leaves and no time is set."""


def finished(kind: Kind, number: int, unrest: float) -> Table:
    """Play game `number` of a kind to its end, and check how it ended and that its export verifies.

    `unrest` is how often seats act out of turn; if they do so at all, one of more than two leaves.
    """
    made = table(number, kind.players, variant=kind.variant, start=BEGUN, **kind.options)
    if not made.play(unrest, most=20, also=unrest).over and unrest and kind.players > 2:
        made.resign(number % kind.players)
    state = made.play(unrest, also=unrest).game.state
    assert state.result is not None
    if len(state.still_in) == kind.players:
        assert state.result.reason == ("time" if "ends_at" in kind.options else WON[kind.variant])
    assert set(state.result.winners) <= set(state.still_in)
    assert state.result.winners
    whole = read_export(export_bytes(made.history))
    assert whole.faults == ()
    report = audit(whole, rejudge(whole))
    assert (report.code(), report.findings) == (GREEN, [])
    return made


@pytest.mark.parametrize("kind", FEW, ids=str)
def test_a_game_ends_and_verifies(kind: Kind) -> None:
    finished(kind, 1, UNREST)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ALL, ids=str)
def test_a_thousand_games_of_each_variant_under_every_option(kind: Kind) -> None:
    tables = [finished(kind, number, UNREST * (number % 2)) for number in range(EACH[kind.variant])]
    if kind.options.get("randomizer"):
        changes = [isinstance(entry.event.data, RulesChanged) for made in tables for entry in made.entries]
        assert sum(changes) >= 3 * len(tables)
