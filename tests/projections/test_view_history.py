"""Every moment of a view's history equals the view folded from the first event."""

import json
from random import Random
from typing import Any

import pytest

from domain.state import require
from projections.views import history
from projections.views.history import ViewHistory
from projections.views.seat import View, view_at
from tests.replay.playing import table

TABLES = [
    pytest.param({"players": 4}, 45, id="Pitch"),
    pytest.param({"players": 3, "reveal": "game"}, 30, id="Pitch, revealed at its end"),
    pytest.param({"variant": "setback"}, 45, id="Setback"),
    pytest.param({"variant": "blackout"}, 60, id="Blackout, of which each hand is revealed"),
    pytest.param({"variant": "corellian"}, 60, id="Corellian Pitch"),
]


def as_bytes(shown: View) -> bytes:
    return json.dumps(shown).encode()


@pytest.mark.parametrize(("kind", "moves"), TABLES)
def test_every_moment_of_every_viewer_is_the_view_folded_from_event_1(kind: dict[str, Any], moves: int) -> None:
    entries = table(4, **kind).play(0.1, moves, 0.1).entries
    every = ViewHistory(entries)
    for viewer in (None, *range(kind.get("players", 4))):
        for version in range(1, len(entries) + 1, 2 if viewer in (None, 1) else 7):
            assert as_bytes(every.view(viewer, version)) == as_bytes(view_at(entries, viewer, version)), version


def test_a_long_game_caches_only_some_moments_and_shows_all_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_SNAPSHOTS", 16)
    monkeypatch.setattr(history, "MAX_VIEWERS", 2)
    entries, order = table(8, 3).play(0.2, 40, 0.2).entries, Random(2)
    every = ViewHistory(entries)
    for _ in range(80):
        viewer, version = order.choice([None, 0, 1, 2]), order.randint(1, len(entries))
        assert as_bytes(every.view(viewer, version)) == as_bytes(view_at(entries, viewer, version))
        assert len(every._by_viewer) <= 2
        assert all(len(each._snapshots) <= 18 for each in every._by_viewer.values())
    assert as_bytes(every.view(1, len(entries))) == as_bytes(view_at(entries, 1, len(entries)))


@pytest.mark.parametrize("version", [-1, 0, 10_000])
def test_a_moment_before_the_first_event_or_after_the_last_is_refused(version: int) -> None:
    with pytest.raises(ValueError, match=f"no event {version}"):
        ViewHistory(table(2, 2).entries).view(None, version)


def test_a_missing_seat_is_refused_each_time_without_other_effects() -> None:
    entries = table(2, 2).entries
    every = ViewHistory(entries)
    for _ in range(2):
        with pytest.raises(LookupError, match="no seat 7"):
            every.view(7, 3)
    assert every.view(1, 3) == view_at(entries, 1, 3)


def test_changing_a_view_does_not_change_another() -> None:
    entries = table(4, variant="corellian").play(most=8).entries
    every = ViewHistory(entries)
    first, before = every.view(1, len(entries)), as_bytes(every.view(1, len(entries)))
    first["rules"]["goal"] = first["rules"]["total"] = -1
    first["seats"].clear()
    require(first["hand"])["bids"].append(7)
    first["you"]["legal"].append({"type": "cheat"})
    assert as_bytes(every.view(1, len(entries))) == before
