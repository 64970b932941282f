"""Corellian Pitch: a switch that is turned on and off at once changes nothing, at any point of a hand (C9, C25)."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.commands import ChangeRules
from domain.engine.legal_moves import legal_moves
from tests.games.corellian_sessions import Session

HOSTED: dict[str, Any] = {"randomizer": None, "host_changes": True}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 500), st.integers(0, 30), st.sampled_from(["reverse", "dirty"]))
def test_C9_C25_switching_on_and_off_at_once_changes_nothing(seed: int, turns: int, switch: str) -> None:
    plain, switched = (Session(seed, **HOSTED).turns(turns) for _ in range(2))
    for word in (f"{switch}:on", f"{switch}:off"):
        switched.says(ChangeRules(0, word))
        assert legal_moves(switched.state, switched.state.turn[0]) == legal_moves(plain.state, plain.state.turn[0])
    assert (switched.state.rules, switched.state.hand) == (plain.state.rules, plain.state.hand)
    assert (switched.state.turn, switched.state.turn_since) == (plain.state.turn, plain.state.turn_since)
    before = len(plain.hands_scored)
    plain.plays_out(hands=before + 1)
    for move in moves(plain)[len(moves(switched)) :]:
        switched.says(move)
    assert switched.hands_scored == plain.hands_scored


def moves(session: Session) -> list[Any]:
    """Return the commands of the seats, in order, without the host's changes."""
    return [said for said in session.said if not isinstance(said, ChangeRules)]
