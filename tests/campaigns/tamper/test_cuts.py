"""A log that ends after any of its events is verified within two seconds; `make tamper` cuts every stored file."""

from functools import partial

import pytest

from domain.commands import Resign
from replay.history import History, read_export
from tests.campaigns.tamper.cuts import STORED, Cuts, ends_of_commits, verify_cuts
from tests.replay.playing import table
from tests.replay.sound_games import GAMES

SMALL = ("setback-forgotten.ndjson", "blackout-running.seat-1.ndjson")


def revealed_at_the_end() -> History:
    """Return a game of five deals whose seeds all become public with its end."""
    made = table(2, 2, reveal="game")
    while made.state.ceremony_count < 5:
        made.move()
    made.says(Resign(0))
    return made.history


def test_a_log_that_ends_between_two_reveals_is_verified_and_not_right() -> None:
    history, found = revealed_at_the_end(), Cuts()
    verify_cuts("a game that reveals its seeds at the end", history, found)
    assert (found.faults, found.verified) == ([], len(history.lines) - 1)
    reveals = [line.version for line in history.lines if line.event and line.event.fact == "CeremonyRevealed"]
    assert len(reveals) == 5
    assert not ends_of_commits(history) & set(reveals)


@pytest.mark.parametrize("name", SMALL)
def test_a_stored_file_cut_after_any_event_is_verified_in_time(name: str) -> None:
    found = Cuts()
    path = STORED[[each.name for each in STORED].index(name)]
    verify_cuts(name, read_export(path.read_bytes()), found)
    assert found.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, *(f"{path.parent.name}/{path.name}" for path in STORED)])
def test_every_cut_of_every_game_and_stored_file_is_verified_in_time(name: str) -> None:
    found = Cuts()
    make = GAMES.get(name) or partial(_read, name)
    verify_cuts(name, make(), found)
    assert found.faults == []


def _read(name: str) -> History:
    (path,) = [path for path in STORED if f"{path.parent.name}/{path.name}" == name]
    return read_export(path.read_bytes())
