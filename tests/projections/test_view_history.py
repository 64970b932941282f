"""Every moment of a view's history equals the view folded from the first event."""

import json
import random
from typing import Any

import pytest

from domain.store.aggregate import Entry
from projections.views import history
from projections.views.audience import Viewer
from projections.views.history import ViewHistory
from projections.views.seat import View, view_at
from tests.projections.playing import Table, open_table, play_game

UNREST: dict[str, Any] = {"unrest": 0.1}
TABLES = [
    pytest.param(4, UNREST, id="Pitch"),
    pytest.param(3, {"unrest": 0.3, "reveal": "game", "most": 60}, id="Pitch, revealed at its end, some leave"),
    pytest.param(4, UNREST | {"variant": "setback"}, id="Setback"),
    pytest.param(4, {"variant": "blackout", "most": 130}, id="Blackout, of which each hand is revealed"),
    pytest.param(4, UNREST | {"variant": "corellian", "most": 140}, id="Corellian Pitch"),
]


def as_bytes(shown: View) -> bytes:
    return json.dumps(shown).encode()


@pytest.mark.parametrize(("players", "how"), TABLES)
def test_every_moment_of_every_viewer_is_the_view_folded_from_event_1(players: int, how: dict[str, Any]) -> None:
    entries = play_game(random.Random(players), players, **{"most": 90, **how}).entries
    every = ViewHistory(entries)
    for viewer in (None, *range(players)):
        for version in range(1, len(entries) + 1, 2 if viewer in (None, 1) else 7):
            assert as_bytes(every.view(viewer, version)) == as_bytes(view_at(entries, viewer, version)), version


def _some(entries: list[Entry], seed: int, many: int) -> list[tuple[Viewer, int]]:
    order = random.Random(seed)
    return [(order.choice([None, 0, 1, 2]), order.randint(1, len(entries))) for _ in range(many)]


def test_moments_can_be_read_in_any_order() -> None:
    entries = play_game(random.Random(8), 3, unrest=0.2, most=80).entries
    every = ViewHistory(entries)
    for viewer, version in _some(entries, 1, 60):
        assert as_bytes(every.view(viewer, version)) == as_bytes(view_at(entries, viewer, version))


def test_a_long_game_caches_only_some_moments_and_shows_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_SNAPSHOTS", 16)
    monkeypatch.setattr(history, "MAX_VIEWERS", 2)
    entries = play_game(random.Random(8), 3, unrest=0.2, most=80).entries
    every = ViewHistory(entries)
    for viewer, version in _some(entries, 2, 80):
        assert as_bytes(every.view(viewer, version)) == as_bytes(view_at(entries, viewer, version))
        assert len(every._by_viewer) <= 2
        assert all(len(each._snapshots) <= 18 for each in every._by_viewer.values())
    assert as_bytes(every.view(1, len(entries))) == as_bytes(view_at(entries, 1, len(entries)))


def _small() -> Table:
    return open_table(random.Random(2), 2)


@pytest.mark.parametrize("version", [-1, 0, 10_000])
def test_a_moment_before_the_first_event_or_after_the_last_is_refused(version: int) -> None:
    with pytest.raises(ValueError, match=f"no event {version}"):
        ViewHistory(_small().entries).view(None, version)


def test_a_missing_seat_is_refused_each_time_without_other_effects() -> None:
    entries = _small().entries
    every = ViewHistory(entries)
    for _ in range(2):
        with pytest.raises(LookupError, match="no seat 7"):
            every.view(7, 3)
    assert every.view(1, 3) == view_at(entries, 1, 3)


def test_changing_a_view_does_not_change_another() -> None:
    entries = play_game(random.Random(4), 4, variant="corellian", most=30).entries
    every = ViewHistory(entries)
    first, before = every.view(1, len(entries)), as_bytes(every.view(1, len(entries)))
    first["rules"]["goal"] = first["rules"]["total"] = -1
    first["seats"].clear()
    first["hand"]["bids"].append(7)
    first["you"]["legal"].append({"type": "cheat"})
    assert as_bytes(every.view(1, len(entries))) == before
