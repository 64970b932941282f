"""Corellian Pitch at a table whose host changes the rules by hand (docs/rules/corellian.md; C9, R-C41, R-C64)."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.commands import CallDelay, CallPartner, ChangeRules, PlayCard, Resign, Tick
from domain.engine.legal_moves import legal_moves
from domain.engine.rule_menu import available_changes
from domain.events import Fairness, GameOpened, HandDealt, RulesChanged, RulesChangeDeferred
from domain.rejections import NoChange, NotHost, Rejected, SeatLeft
from domain.rules.choices import Phase
from domain.state import current_hand
from tests.games.corellian_draws import check_draws, those
from tests.games.corellian_sessions import Session
from tests.games.hands import only_fact

HOSTED: dict[str, Any] = {"randomizer": None, "host_changes": True}


def changes(session: Session, word: str) -> list[Any]:
    """Return the facts of this change by the host."""
    return [entry.event.data for entry in session.says(ChangeRules(0, word))]


def refused(session: Session, command: ChangeRules, offence: type[Rejected]) -> None:
    """Assert that the command is refused with this class and nothing is written."""
    version = session.game.version
    with pytest.raises(offence) as error:
        session.says(command)
    assert (type(error.value), session.game.version) == (offence, version)


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


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_only_the_host_can_change_the_rules(seat: int) -> None:
    refused(Session(2, **HOSTED), ChangeRules(seat, "reverse:on"), NotHost)


@pytest.mark.parametrize("randomizer", [None, {"when": [1, 16]}])
def test_the_host_cannot_change_rules_at_a_table_that_does_not_allow_it(randomizer: dict[str, Any] | None) -> None:
    refused(Session(2, randomizer=randomizer), ChangeRules(0, "reverse:on"), NotHost)


@pytest.mark.parametrize(
    "word",
    [
        pytest.param("points:10", id="R-C44 in force already"),
        pytest.param("partners:across", id="R-C44 R-C47 as it stands"),
        pytest.param("dirty:off", id="R-C44 off already"),
        pytest.param("points:16", id="not on this table's menu"),
        pytest.param("points:12", id="no version"),
        pytest.param("reverse", id="not the menu's spelling"),
        pytest.param("trump:H", id="R-C22 trump can't be changed"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_word_that_changes_nothing_or_is_not_on_the_menu_is_refused(word: str) -> None:
    refused(Session(2, **HOSTED), ChangeRules(0, word), NoChange)


def test_the_host_can_use_every_word_of_the_menu() -> None:
    session = Session(2, **HOSTED)
    said = set()
    for word in [*available_changes(session.state.rules), "points:10", "dirty:off", "reverse:off", "partners:across"]:
        if word in available_changes(session.state.rules):
            said.add(word)
            assert changes(session, word)[0].cause == "host"
    opening = session.events[0].data
    assert isinstance(opening, GameOpened)
    assert said == set(opening.rules.changes.menu)


def test_C17_R_C65_a_change_by_the_host_has_the_effects_of_a_drawn_one() -> None:
    session = Session(2, **HOSTED).plays_out(hands=1).to(Phase.NAMING)
    bidder, bid = current_hand(session.state).pitcher, current_hand(session.state).bid
    assert bidder is not None
    assert bid is not None
    changed, scaled = changes(session, "points:4")
    assert (scaled.seat, scaled.before, scaled.after, changed.next) == (bidder, bid, -(-bid * 4 // 10), (bidder,))
    changed, partners = changes(session, "partners:left")
    assert (partners.bidder, partners.partner) == (bidder, (bidder + 1) % 4)


def test_C9_R_C19_the_host_can_change_rules_several_times_in_a_turn() -> None:
    session = Session(2, **HOSTED).to(Phase.PLAY).turns()
    before = legal_moves(session.state, session.state.turn[0])
    for word in ("points:4", "dirty:on", "reverse:on", "points:10", "reverse:off", "dirty:off"):
        assert changes(session, word)[0].cause == "host"
    assert legal_moves(session.state, session.state.turn[0]) == before
    assert session.state.rules.setting == Session(2, **HOSTED).state.rules.setting


def passed_on() -> Iterator[tuple[Session, tuple[int, ...]]]:
    """Return a game in which the change from fourteen points to four has taken the lead from this seat."""
    for seed in range(40):
        session = Session(seed, **HOSTED).to(Phase.PLAY)
        changes(session, "points:14")
        while session.turns().state.phase is Phase.PLAY:
            lead, between = session.state.turn, current_hand(session.state).trick is None
            changes(session, "points:4")
            if session.state.phase is Phase.PLAY and between and session.state.turn != lead:
                yield session, lead
            if session.state.phase is Phase.PLAY:
                changes(session, "points:14")


def test_R_C10_R_C53_a_lead_that_moved_on_can_come_back() -> None:
    session, lead = next(passed_on())
    changes(session, "points:14")
    assert session.state.turn == lead


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
    refused(session, ChangeRules(0, "dirty:on"), NoChange)
    session.plays_out(hands=1)
    (event,) = those(RulesChanged, session.events)
    assert (event.by, event.data.cause, event.data.n, event.data.label) == ("server", "deferred", None, None)
    assert session.state.rules.dirty


def test_a_host_who_left_cannot_change_rules() -> None:
    session = Session(2, **HOSTED)
    session.says(Resign(0))
    refused(session, ChangeRules(0, "dirty:on"), SeatLeft)


def test_C13_the_host_can_change_to_call_and_then_the_bidder_calls() -> None:
    session = Session(2, **HOSTED).to(Phase.PLAY).turns()
    changes(session, "partners:call")
    bidder = current_hand(session.state).pitcher
    assert bidder is not None
    (entry,) = session.says(CallPartner(bidder, session.state.rules.deck[0]))
    assert (entry.event.by, entry.event.fact) == (f"p{bidder}", "PartnerCalled")


def test_R_C44_R_C45_changes_by_the_host_use_none_of_the_randomizers_draws() -> None:
    causes = set()
    for seed in range(4):
        session = Session(seed, randomizer={"when": [1, 3], "end": [1, 80]}, host_changes=True).lively(400)
        causes |= {event.data.cause for event in those(RulesChanged, session.events)}
        assert check_draws(session.events)[-1].word == "end"
    assert causes >= {"randomizer", "host"}


@pytest.mark.parametrize(
    ("options", "menu"),
    [
        pytest.param({"randomizer": None}, 0, id="R-C44 neither a randomizer nor a host"),
        pytest.param({"randomizer": None, "host_changes": True}, 16, id="R-C44 the usual menu"),
        pytest.param({"randomizer": {"points": ["10"], "partners": []}}, 5, id="R-C44 its own menu"),
    ],
)
def test_a_table_without_a_randomizer(options: dict[str, Any], menu: int) -> None:
    session = Session(2, **options).plays_out(hands=4)
    assert len(session.state.rules.changes.menu) == menu
    if options["randomizer"] is None:
        assert list(those(RulesChanged, session.events)) == []
        assert session.state.result is None


def test_C9_cards_that_are_no_longer_trumps_are_refused_at_once() -> None:
    for seed in range(30):
        session = Session(seed, **HOSTED).to(Phase.PLAY)
        seat = session.state.turn[0]
        before = legal_moves(session.state, seat)
        changes(session, "points:4")
        if session.state.turn == (seat,) and (gone := set(before) - set(legal_moves(session.state, seat))):
            for move in gone:
                assert isinstance(move, PlayCard)
                with pytest.raises(Rejected):
                    session.says(move)
            return
    raise AssertionError("in these games no seat on lead held the off jack")
