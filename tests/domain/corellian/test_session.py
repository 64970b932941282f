"""Corellian Pitch, the end of a session: by time, by the randomizer, and the winners (C6, C7, R-C42, R-C43, R-C46)."""

from typing import Any

import pytest

from domain.commands import EndSession, Tick
from domain.events import CeremonyRevealed, CeremonyVoided, Fairness, GameEnded, GameOpened
from domain.rejections import NotDue, NotOffered
from domain.rules.choices import Phase
from domain.state import SERVER, current_hand
from tests.games.corellian_changes import ready
from tests.games.corellian_draws import Draw, check_draws, those
from tests.games.corellian_hands import change_rule, draw_end, table
from tests.games.corellian_sessions import Session
from tests.games.hands import fact_names, only_fact

ENDS = "2026-11-21T00:05:00.000000Z"
BY_TOMORROW: dict[str, Any] = {"randomizer": None, "ends_at": "2026-11-22T00:00:00Z"}
BY_TIME: dict[str, Any] = {"randomizer": None, "ends_at": "2026-11-21T00:05:00Z"}
RANDOM: dict[str, Any] = {"randomizer": {"when": [1, 16], "end": [1, 30]}}


def the_end(session: Session) -> GameEnded:
    ended = session.events[-1].data
    assert isinstance(ended, GameEnded)
    return ended


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.NAMING, Phase.DISCARDING, Phase.PLAY])
def test_C6_R_C42_time_stops_the_session_at_once_and_the_hand_scores_nothing(phase: Phase) -> None:
    session = Session(3, **BY_TOMORROW).plays_out(hands=2).to(phase)
    scores = session.state.scores
    facts = session.at("2027-01-01T00:00:00.000000Z", Tick())
    assert [entry.event.fact for entry in facts] == ["CeremonyRevealed", "GameEnded"]
    assert {entry.event.by for entry in facts} == {"server"}
    ended = the_end(session)
    assert (ended.reason, ended.scores, ended.n, ended.label) == ("time", scores, None, None)
    assert len(session.hands_scored) == 2
    assert (session.state.phase, session.state.turn) == (Phase.OVER, ())


def test_C6_a_tick_before_the_time_does_nothing() -> None:
    for time, ends in (("00:04:59.999999", False), ("00:05:00.000000", True), ("01:00:00.000000", True)):
        session = Session(3, **BY_TIME)
        opening, version = session.events[0].data, session.game.version
        assert isinstance(opening, GameOpened)
        assert (opening.timing.ends_at, opening.options["ends_at"]) == (ENDS, ENDS)
        assert bool(session.at(f"2026-11-21T{time}Z", Tick())) is ends
        assert (session.game.version > version) is ends


@pytest.mark.parametrize("stop", ["at_once", "after_hand"])
def test_C6_a_session_whose_time_has_passed_ends_as_it_opens(stop: str) -> None:
    session = Session(3, randomizer=None, stop=stop, ends_at="2026-11-20T00:00:00Z")
    assert [event.fact for event in session.events] == ["GameOpened", "GameEnded"]
    assert the_end(session).winners == (0, 1, 2, 3)


def test_C6_an_invalid_time_is_refused() -> None:
    for time in ("tomorrow", "2026-11-21T00:05:00", "2026-11-21T00:05:00+01:00", 7):
        with pytest.raises(NotOffered):
            Session(3, randomizer=None, ends_at=time)


@pytest.mark.parametrize("seed", range(3))
def test_C6_R_C42_R_C46_the_randomizer_stops_it_at_once_and_names_its_draw(seed: int) -> None:
    session = Session(seed, **RANDOM).plays_out()
    ended, last = the_end(session), check_draws(session)[-1]
    assert ended.reason == "randomizer"
    assert last == Draw(ended.n or 0, last.t, "end")
    assert ended.label == f"randomizer {last.t} end"
    before = [event.data for event in session.events if event.fact == "HandScored"]
    assert ended.scores == (before[-1].scores if before else (0, 0, 0, 0))
    opened = [event.data.n for event in session.events if event.fact == "CeremonyOpened"]
    assert [event.data.n for event in those(CeremonyRevealed, session.events)] == opened


def test_C6_time_stops_a_session_that_waits_for_cuts_and_its_seed_is_public() -> None:
    session = Session(3, **BY_TIME, fairness=Fairness("open", 3600))
    (promised,) = session.state.ceremonies
    facts = [entry.event.data for entry in session.at("2026-11-21T00:05:00.000000Z", Tick())]
    assert facts[0] == CeremonyVoided(promised.n, "ended", SERVER, str(promised.seed))
    assert (fact_names(facts), only_fact(GameEnded, facts).reason) == (["CeremonyVoided", "GameEnded"], "time")


def after_hand(seed: int, **options: Any) -> Session:
    """Return a session that plays out its last hand."""
    return Session(seed, stop="after_hand", **options)


NO_END = [pytest.param(None, id="no randomizer"), pytest.param({"when": [1, 16], "end": None}, id="R-C42 end: null")]


@pytest.mark.parametrize("randomizer", NO_END)
def test_R_C46_a_randomizer_that_draws_no_end_never_ends_a_session(randomizer: dict[str, Any] | None) -> None:
    session = Session(3, randomizer=randomizer).to(Phase.PLAY)
    hand = current_hand(session.state)
    session.refuses(EndSession(hand.n, f"randomizer {hand.turns} end"), NotDue, SERVER)


@pytest.mark.parametrize("seed", range(3))
def test_R_C42_after_the_hand_the_draw_waits_until_it_has_been_scored(seed: int) -> None:
    session = after_hand(seed, **RANDOM).plays_out()
    last, ended = check_draws(session)[-1], the_end(session)
    facts = [event.fact for event in session.events]
    assert facts[-3:] == ["HandScored", "CeremonyRevealed", "GameEnded"]
    assert (ended.reason, ended.label, ended.scores) == (
        "randomizer",
        f"randomizer {last.t} end",
        session.hands_scored[-1].scores,
    )


def test_R_C42_after_the_hand_the_time_waits_as_well() -> None:
    session = after_hand(3, **BY_TIME).plays_out(hands=1).to(Phase.PLAY)
    assert session.at("2026-11-21T10:00:00.000000Z", Tick()) == ()
    session.seconds = 11 * 3600
    session.plays_out()
    assert [event.fact for event in session.events][-3:] == ["HandScored", "CeremonyRevealed", "GameEnded"]
    assert (the_end(session).reason, len(session.hands_scored)) == ("time", 2)


def test_R_C43_C7_the_highest_score_wins() -> None:
    at = ready("AH", "KH", "QH", "9H", scores=(3, 12, -4, 11))
    facts = at.when(draw_end(at)).facts
    assert only_fact(GameEnded, facts) == GameEnded("randomizer", (1,), (3, 12, -4, 11), 2, "randomizer 5 end")


def test_R_C43_equal_highest_scores_win_together() -> None:
    at = table(scores=(12, 3, 12, -1))
    ended = only_fact(GameEnded, at.when(draw_end(at)).facts)
    assert (ended.winners, ended.scores) == ((0, 2), (12, 3, 12, -1))


def test_R_C42_a_draw_of_another_deal_cannot_end_the_session() -> None:
    at = change_rule(ready("AH", "KH", "QH", "9H"), "dirty:on")
    at.when(EndSession(7, "randomizer 5 end")).rejected(NotDue)
    at.when(EndSession(draw_end(at).n, "randomizer 4 end")).rejected(NotDue)
