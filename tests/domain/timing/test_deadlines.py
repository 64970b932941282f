"""Deadlines: reminders, forfeits by time, and games whose days are over (R-P10, C6, R-C42, R-C43)."""

from collections.abc import Iterable
from typing import Any

import pytest

from domain.commands import CallDelay, ChangeRules, Command, MakeBid, OpenGame, PassBid, ProposeDraw, Resign, Tick
from domain.decide import decide
from domain.decide.stand_in import stand_in_move
from domain.engine.deadlines import ALLOWED_DAYS, ends_at, forfeits_at, is_clock_due
from domain.events import CeremonyRevealed, Fact, GameEnded, GameOpened, Player, SeatForfeited, Timing, TurnReminded
from domain.rejections import GameOver, NotOffered
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE
from tests.games.corellian_sessions import Session
from tests.games.hands import HANDS, commit, fact_names, game_ended, go_on, only_fact
from tests.given import AT, GAME, SEED, Given, deal, game_opened, given
from tests.values import replace

NAGGED, OUT = "2026-11-28T08:00:00.000000Z", "2026-12-12T08:00:00.000000Z"
"""Seven days and twenty-one after the deal."""
JUST_BEFORE = {
    NAGGED: "2026-11-28T07:59:59.999999Z",
    OUT: "2026-12-12T07:59:59.999999Z",
    "2026-11-24T08:00:00.000000Z": "2026-11-24T07:59:59.999999Z",
}
NEVER = Timing(None, None)


def dealt(
    *commands: Command, players: int = 4, timing: Timing | None = None, bots: Iterable[int] = (), **rules: Any
) -> Given:
    """Return the situation after the first deal, with seat 0 to bid, and these commands."""
    game = replace(game_opened(players, bots=bots, **rules), timing=timing or Timing())
    return go_on(given(game, *deal(HANDS[:players])), *commands)


def ticked(table: Given, *times: str) -> Given:
    for time in times:
        table = given(*table.facts, *commit(table, Tick(time)))
    return table


def test_R_P10_after_seven_days_the_seat_to_move_is_reminded_once() -> None:
    for time in (AT, JUST_BEFORE[NAGGED]):
        dealt().when(Tick(time)).then()
    reminded = dealt().when(Tick(NAGGED)).then(TurnReminded(0))
    moved = reminded.when(MakeBid(0, 2)).happens()
    moved.when(Tick(NAGGED)).then(TurnReminded(1))
    for time in (NAGGED, "2026-12-01T00:00:00.000000Z", JUST_BEFORE[OUT]):
        reminded.when(Tick(time)).then()


def test_R_P10_after_twenty_one_days_a_seat_forfeits_and_the_table_plays_for_it() -> None:
    dealt().when(Tick(JUST_BEFORE[OUT])).then(TurnReminded(0))
    table = dealt().when(Tick(OUT)).then(SeatForfeited(0, "time"))
    assert [seat.state for seat in table.state.seats] == ["forfeited", "in", "in", "in"]
    assert (table.state.still_in, table.state.left, table.state.turn) == ((1, 2, 3), (0,), (0,))
    assert stand_in_move(table.state, 0) == PassBid(0)
    assert fact_names(commit(table, PassBid(0))) == ["BidPassed"]


DAY_MS = 24 * 3600 * 1000


def test_R_P10_a_reminder_tells_the_time_for_which_the_clock_was_held() -> None:
    table = dealt().when(Tick(NAGGED, 2 * DAY_MS)).then(TurnReminded(0, 2 * DAY_MS))
    assert forfeits_at(table.when(MakeBid(0, 2)).happens().state) == OUT, "held time counts for its own turn only"
    assert forfeits_at(table.state) == "2026-12-14T08:00:00.000000Z"
    table.when(Tick("2026-12-14T07:59:59.999999Z", 2 * DAY_MS)).then()
    table.when(Tick("2026-12-14T08:00:00.000000Z", 2 * DAY_MS)).then(SeatForfeited(0, "time", 2 * DAY_MS))


def test_R_P10_a_held_clock_puts_a_deadline_off_that_has_come() -> None:
    table = ticked(dealt(), NAGGED).when(Tick(OUT, 3 * DAY_MS)).then(TurnReminded(0, 3 * DAY_MS))
    assert not is_clock_due(table.state, OUT)
    assert fact_names(commit(table, MakeBid(0, 2))) == ["BidMade"]
    out = "2026-12-15T08:00:00.000000Z"
    later = table.when(Tick(out, 4 * DAY_MS)).then(TurnReminded(0, 4 * DAY_MS))
    later.when(Tick("2026-12-16T08:00:00.000000Z", 0)).then(SeatForfeited(0, "time", 4 * DAY_MS))


def test_C6_a_held_clock_does_not_move_the_end_of_a_game() -> None:
    table = dealt(timing=Timing(total_days=3))
    assert commit(table, Tick("2026-11-24T08:00:00.000000Z", DAY_MS))[-1] == GameEnded("time", (), (0,) * 4)


def test_R_P10_a_forfeit_by_time_ends_a_proposal_as_a_resignation_does() -> None:
    table = dealt(MakeBid(0, 2), ProposeDraw(2))
    assert ticked(table, OUT).state.proposal is None
    assert ticked(table, NAGGED).state.proposal is not None


def test_R_P10_the_last_one_in_wins_by_forfeit() -> None:
    for time in (OUT, "2031-01-01T00:00:00.000000Z"):
        ended = GameEnded("forfeit", (1,), (0, 0))
        assert commit(dealt(players=2), Tick(time)) == (SeatForfeited(0, "time"), CeremonyRevealed(1, SEED), ended)


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        pytest.param((Resign(1), Tick(OUT)), "forfeit", id="R-P10 R-P9 the seat out of time left last"),
        pytest.param((Tick(OUT), Resign(1)), "resignation", id="R-P9 R-P10 the seat that resigned left last"),
    ],
)
def test_the_last_seat_to_leave_decides_the_reason_of_the_end(first: tuple[Command, Command], reason: str) -> None:
    table = dealt(players=3)
    table = given(*table.facts, *commit(table, first[0]))
    assert only_fact(GameEnded, commit(table, first[1])) == GameEnded(reason, (2,), (0, 0, 0))


def test_R_P10_both_of_a_side_out_of_time_lose_to_the_other() -> None:
    table = given(*dealt(variant="setback").facts, *commit(dealt(variant="setback"), Resign(2)))
    assert only_fact(GameEnded, commit(table, Tick(OUT))) == GameEnded("forfeit", (1, 3), (0,) * 4)


def test_R_P10_a_game_without_active_players_is_void() -> None:
    table = dealt(bots=(1, 2))
    table = given(*table.facts, *commit(table, Resign(3)))
    assert commit(table, Tick(OUT))[-2:] == (CeremonyRevealed(1, SEED), GameEnded("void", (), (0,) * 4))


def test_R_P10_no_deadline_applies_to_a_bot_or_a_seat_that_left() -> None:
    dealt(bots=(0,)).when(Tick(OUT)).then()
    ticked(dealt(), OUT).when(Tick("2027-01-01T00:00:00.000000Z")).then()


def test_R_P10_a_turn_is_timed_from_its_beginning_despite_proposals_since() -> None:
    session = Session(3, randomizer=None, host_changes=True).to(Phase.PLAY)
    (slow,), until = session.state.turn, forfeits_at(session.state)
    asker = next(seat for seat in (1, 2, 3) if seat != slow)
    session.at("2026-11-27T00:00:00.000000Z", CallDelay(asker, slow), f"p{asker}")
    session.at("2026-11-28T12:00:00.000000Z", Tick())
    session.at("2026-11-29T00:00:00.000000Z", ProposeDraw(asker), f"p{asker}")
    session.at("2026-11-30T00:00:00.000000Z", ChangeRules(0, "dirty:on"), "p0")
    assert [event.fact for event in session.events[-4:]] == [
        "DelayCalled", "TurnReminded", "DrawProposed", "RulesChangeDeferred"
    ]  # fmt: skip
    assert forfeits_at(session.state) == until
    assert session.at("2026-12-20T00:00:00.000000Z", Tick())[0].event.data == SeatForfeited(slow, "time")


@pytest.mark.parametrize(
    ("timing", "time", "comes"),
    [
        pytest.param(NEVER, "2999-01-01T00:00:00.000000Z", [], id="R-P10 never"),
        pytest.param(Timing(None, 3), "2026-11-24T08:00:00.000000Z", ["SeatForfeited"], id="R-P10 no reminder"),
        pytest.param(Timing(3, None), "2999-01-01T00:00:00.000000Z", ["TurnReminded"], id="R-P10 no forfeit"),
        pytest.param(Timing(3, 3), "2026-11-24T08:00:00.000000Z", ["SeatForfeited"], id="R-P10 both at once"),
        pytest.param(Timing(9, 3), "2026-11-24T08:00:00.000000Z", ["SeatForfeited"], id="R-P10 never reminded"),
    ],
)
def test_the_timing_a_table_can_choose(timing: Timing, time: str, comes: list[str]) -> None:
    assert fact_names(commit(dealt(timing=timing), Tick(time))) == comes
    if time in JUST_BEFORE:
        assert commit(dealt(timing=timing), Tick(JUST_BEFORE[time])) == ()


@pytest.mark.parametrize(("variant", "winners"), [("pitch", ()), ("setback", ()), ("corellian", (0, 1, 2, 3))])
def test_C6_R_C43_a_game_whose_days_are_over_ends_by_time(variant: str, winners: tuple[int, ...]) -> None:
    table = dealt(variant=variant, timing=Timing(total_days=3))
    assert commit(table, Tick("2026-11-24T07:59:59.999999Z")) == ()
    assert commit(table, Tick("2026-11-24T08:00:00.000000Z")) == (
        CeremonyRevealed(1, SEED),
        GameEnded("time", winners, (0,) * 4),
    )


@pytest.mark.parametrize(
    ("timing", "end"),
    [
        pytest.param(Timing(), None, id="C6 neither"),
        pytest.param(Timing(total_days=3), "2026-11-24T08:00:00.000000Z", id="C6 days"),
        pytest.param(Timing(total_days=3, ends_at=NAGGED), "2026-11-24T08:00:00.000000Z", id="C6 the days are over"),
        pytest.param(Timing(total_days=9, ends_at=NAGGED), NAGGED, id="C6 the hour comes first"),
    ],
)
def test_the_earlier_of_two_deadlines_ends_the_game(timing: Timing, end: str | None) -> None:
    assert ends_at(dealt(timing=timing).state) == end


def test_R_P10_C6_deadlines_are_handled_in_order_even_if_the_clock_is_late() -> None:
    both = Timing(None, 3, ends_at="2026-11-24T08:00:00.000000Z")
    assert fact_names(commit(dealt(timing=both), Tick(OUT))) == ["CeremonyRevealed", "GameEnded"]
    later = replace(both, ends_at="2026-11-24T08:00:00.000001Z")
    assert fact_names(commit(dealt(timing=later), Tick(OUT)))[0] == "SeatForfeited"
    assert game_ended(commit(dealt(players=2, timing=later), Tick(OUT))) == GameEnded("forfeit", (1,), (0, 0))


def test_nothing_happens_after_the_end() -> None:
    over = ticked(dealt(players=2), OUT)
    assert (is_clock_due(over.state, "2999-01-01T00:00:00.000000Z"), forfeits_at(over.state)) == (False, None)
    over.when(Tick(OUT)).rejected(GameOver)


OFFERED = OpenGame(GAME, 1, "pitch", {}, (Player("p0", "human"), Player("p1", "human")))


def test_R_P10_a_table_can_set_days_or_no_days() -> None:
    allowed = f"{ALLOWED_DAYS[0]} to {ALLOWED_DAYS[-1]}"
    for field in ("nag_days", "forfeit_days", "total_days"):
        for days in (None, 1, 3650):
            timing = replace(Timing(), **{field: days})
            facts: tuple[Fact, ...] = decide(EMPTY_STATE, replace(OFFERED, timing=timing))
            assert only_fact(GameOpened, facts).timing == timing
        says = f"Set timing.{field} to null or to a whole number of days, {allowed}."
        for wrong in (0, -1, 3651, 10**18, True, 1.5, "7", [7]):
            values: dict[str, Any] = {field: wrong}
            with pytest.raises(NotOffered, match=says):
                decide(EMPTY_STATE, replace(OFFERED, timing=replace(Timing(), **values)))
