"""Corellian Pitch at a table whose host changes the rules by hand (docs/rules/corellian.md; C9, R-C41, R-C64)."""

from typing import Any

import pytest

from domain.commands import CallDelay, ChangeRules, Resign, Tick
from domain.events import Fairness, HandDealt, RulesChanged, RulesChangeDeferred
from domain.rejections import NoChange, NotHost, SeatLeft
from domain.rules.choices import Phase
from domain.state import current_hand
from tests.games.corellian_draws import those
from tests.games.corellian_sessions import Session
from tests.games.hands import only_fact

HOSTED: dict[str, Any] = {"randomizer": None, "host_changes": True}


def changes(session: Session, word: str) -> list[Any]:
    return [entry.event.data for entry in session.says(ChangeRules(0, word))]


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.NAMING, Phase.DISCARDING, Phase.PLAY])
def test_C9_the_host_changes_the_rules_at_once_in_any_turn(phase: Phase) -> None:
    session = Session(2, **HOSTED).to(phase)
    turn, since = session.state.turn, session.state.turn_since
    (entry,) = session.says(ChangeRules(0, "reverse:on"))
    fact = entry.event.data
    assert isinstance(fact, RulesChanged)
    assert (entry.event.by, fact.cause, fact.n, fact.label, fact.pick, fact.of) == ("p0", "host", *[None] * 4)
    assert (fact.next, fact.summary.reverse, fact.rules.reverse) == (turn, True, True)
    assert (session.state.rules, session.state.turn) == (fact.rules, turn)
    assert session.state.turn_since == since


def test_C28_R_C63_a_change_by_the_host_does_not_restart_the_turn() -> None:
    session = Session(2, **HOSTED).to(Phase.PLAY)
    began, accused = session.state.turn_since, session.state.turn[0]
    session.says(ChangeRules(0, "reverse:on"))
    (called,) = session.says(CallDelay((accused + 1) % 4, accused))
    assert (session.state.turn_since, called.event.data.waited_ms) == (began, 20_000)


def test_C9_a_change_before_the_first_deal_applies_to_it() -> None:
    session = Session(2, **HOSTED, fairness=Fairness("open", 60))
    assert (session.state.hand, session.state.turn) == (None, ())
    (fact,) = changes(session, "reverse:on")
    assert (fact.cause, fact.next, session.state.rules) == ("host", (), fact.rules)
    assert session.state.moved == session.game.version
    session.at("2026-11-21T08:00:00.000000Z", Tick())
    dealt = only_fact(HandDealt, [event.data for event in session.events])
    assert (dealt.hand, session.state.rules.reverse, session.state.turn) == (1, True, (dealt.eldest,))


def test_only_the_host_can_change_the_rules_while_in_and_at_a_table_that_allows_it() -> None:
    for seat in (1, 2, 3):
        Session(2, **HOSTED).refuses(ChangeRules(seat, "reverse:on"), NotHost)
    for randomizer in (None, {"when": [1, 16]}):
        Session(2, randomizer=randomizer).refuses(ChangeRules(0, "reverse:on"), NotHost)
    session = Session(2, **HOSTED)
    session.says(Resign(0))
    session.refuses(ChangeRules(0, "dirty:on"), SeatLeft)


def test_R_C22_R_C44_R_C47_a_word_that_changes_nothing_or_is_not_on_the_menu_is_refused() -> None:
    in_force = ("points:10", "partners:across", "dirty:off")
    for word in (*in_force, "points:16", "points:12", "reverse", "trump:H", ""):
        Session(2, **HOSTED).refuses(ChangeRules(0, word), NoChange)


def test_C17_R_C65_a_change_by_the_host_has_the_effects_of_a_drawn_one() -> None:
    session = Session(2, **HOSTED).plays_out(hands=1).to(Phase.NAMING)
    bidder, bid = current_hand(session.state).pitcher, current_hand(session.state).bid
    assert bidder is not None
    assert bid is not None
    changed, scaled = changes(session, "points:4")
    assert (scaled.seat, scaled.before, scaled.after, changed.next) == (bidder, bid, -(-bid * 4 // 10), (bidder,))
    changed, partners = changes(session, "partners:left")
    assert (partners.bidder, partners.partner) == (bidder, (bidder + 1) % 4)


def delayed() -> tuple[Session, int]:
    """Return a game with an open delay call on the seat that must lead."""
    session = Session(2, **HOSTED).to(Phase.PLAY)
    (accused,) = session.state.turn
    session.seconds += 10
    session.says(CallDelay((accused + 1) % 4, accused))
    return session, accused


def test_C30_R_C41_R_C64_a_change_by_the_host_waits_for_an_open_delay_call() -> None:
    session, _ = delayed()
    (entry,) = session.says(ChangeRules(0, "dirty:on"))
    fact = entry.event.data
    assert isinstance(fact, RulesChangeDeferred)
    assert (entry.event.by, fact.cause, fact.n, fact.summary.dirty) == ("p0", "host", None, True)
    session.refuses(ChangeRules(0, "dirty:on"), NoChange)
    session.plays_out(hands=1)
    (event,) = those(RulesChanged, session.events)
    assert (event.by, event.data.cause, event.data.n, event.data.label) == ("server", "deferred", None, None)
    assert session.state.rules.dirty
