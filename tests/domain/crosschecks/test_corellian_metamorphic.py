"""Corellian Pitch, properties that hold for any change at any point of a hand (C9, C16, C25, R-C19, R-C24, R-C44)."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import SUITS, Card
from domain.commands import ChangeRules
from domain.engine.auction import scale
from domain.engine.legal_moves import legal_moves
from domain.engine.rule_menu import apply_change
from domain.engine.tricks import trumps
from domain.rules.variants.corellian_versions import VERSIONS
from replay.audit import audit
from replay.history import from_entries
from replay.history.findings import Finding
from replay.rejudge import rejudge
from tests.games.corellian_hands import rules_of
from tests.games.corellian_sessions import Session

FEW = settings(max_examples=20, deadline=None)
SOME = settings(max_examples=80, deadline=None)
HOSTED: dict[str, Any] = {"randomizer": None, "host_changes": True}
MENUS = st.fixed_dictionaries(
    {
        "when": st.sampled_from([[1, 1], [1, 3], [1, 8]]),
        "end": st.just([1, 70]),
        "points": st.lists(st.sampled_from(list(VERSIONS)), unique=True),
        "dirty": st.booleans(),
        "reverse": st.booleans(),
        "partners": st.lists(st.sampled_from(["across", "left", "right", "call"]), unique=True),
    }
)
"""Randomizers of every kind, some with nothing to change."""
OPTIONS = st.fixed_dictionaries(
    {
        "randomizer": MENUS,
        "host_changes": st.booleans(),
        "deal": st.sampled_from(["fill", "fill", "all"]),
        "follow": st.sampled_from(["trumps", "trumps", "suit_or_trump"]),
        "call": st.sampled_from(["announced", "secret"]),
        "hold": st.sampled_from(["hand", "verdict"]),
        "worth": st.sampled_from(["at_end", "when_taken"]),
    }
)


def findings(session: Session) -> list[Finding]:
    """Return the findings of an audit and of a second judging of the log by the rules."""
    history = from_entries([entry for commit in session.commits for entry in commit], {})
    return audit(history, rejudge(history)).findings


# Reversing twice is nothing


@SOME
@given(
    st.sampled_from(list(VERSIONS)),
    st.sampled_from(SUITS),
    st.sampled_from([None, Card("X1"), Card("X2")]),
    st.booleans(),
)
def test_C25_reversing_twice_restores_the_order_of_trumps(
    points: str, suit: Any, joker: Card | None, back: bool
) -> None:
    rules = rules_of(points, reverse=back)
    first, second = ("reverse:off", "reverse:on") if back else ("reverse:on", "reverse:off")
    turned = apply_change(rules, first)
    assert apply_change(turned, second) == rules
    assert trumps(apply_change(turned, second), suit, joker) == trumps(rules, suit, joker)
    assert set(trumps(turned, suit, joker)) == set(trumps(rules, suit, joker))


@FEW
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


# Scaling never raises a bid


@SOME
@given(st.integers(1, 16), st.integers(1, 16), st.data())
def test_C16_C17_scaling_never_raises_a_bid_or_makes_it_exceed_the_total(
    before: int, after: int, data: st.DataObject
) -> None:
    bid = data.draw(st.integers(1, before))
    now = scale(bid, before, after)
    assert 1 <= now <= bid
    assert now <= max(after, bid if after >= before else after)
    assert now == bid or (now - 1) * before < bid * after <= now * before


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**16), OPTIONS)
def test_C8_C9_every_log_with_changes_anywhere_can_be_verified(seed: int, options: dict[str, Any]) -> None:
    assert findings(Session(seed, **options).lively(80)) == []
