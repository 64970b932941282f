"""Games from the opening to the end: some of every kind, and a thousand of each variant with `make games`."""

import pytest

from domain.events import RulesChanged
from domain.rules.variants import VARIANTS
from replay.audit import GREEN, audit
from replay.history import export_bytes, read_export
from replay.rejudge import rejudge
from tests.games.whole_games import ALL, BEGUN, KINDS, PRESETS, Kind
from tests.replay.playing import Table, table

EACH = {"pitch": 48, "setback": 200, "blackout": 334, "corellian": 53}
"""Games of each kind of table in the slow run: a thousand of each variant and more, and 300 of each preset."""
OF_A_PRESET = 300
UNREST = 0.04
LONGEST = 21
ENDS = {name: (each.rules.seats[0], each.rules.seats[-1]) for name, each in VARIANTS.items()}
FEW = [
    *(kind for kind in KINDS if kind.players in (2, 4) and kind.options.get("win") != LONGEST),
    *(kind for kind in PRESETS if not kind.options and kind.players in ENDS[kind.variant]),
]
"""Each option once, the fewest and the usual number of players, and each preset with its fewest and most players."""
WON = {"goal", "moon", "hands"}
"""The reasons for which games end if no player leaves and nothing but the score ends them."""


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
        ends = {"time"} if "ends_at" in kind.options else {"randomizer"} if kind.variant == "corellian" else WON
        assert state.result.reason in ends
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
    of_preset = -(-OF_A_PRESET // sum(each.variant == kind.variant for each in PRESETS)) if kind in PRESETS else 0
    number_of_games = EACH.get(kind.variant, of_preset)
    tables = [finished(kind, number, UNREST * (number % 2)) for number in range(number_of_games)]
    if kind.options.get("randomizer"):
        changes = [isinstance(entry.event.data, RulesChanged) for made in tables for entry in made.entries]
        assert sum(changes) >= 3 * len(tables)
