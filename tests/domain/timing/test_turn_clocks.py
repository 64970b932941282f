"""Clocks of turns in seconds: paces, the time of a turn, closed times, undos and holds (R-P15, R-P16)."""

from typing import Any

import pytest

from domain.commands import AnswerProposal, AskUndo, MakeBid, NameTrump, OpenGame, PassBid, TimeTurn
from domain.decide import decide
from domain.engine.deadlines import forfeits_at, is_timing_due
from domain.events import Fact, GameOpened, Player, SeatForfeited, Timing, TurnPace, TurnReminded, TurnTimed
from domain.rejections import NotDue, NotOffered
from domain.rules.choices import Phase
from domain.state import EMPTY_STATE
from domain.store.aggregate import AlwaysOpen
from tests.games.hands import HANDS
from tests.given import AT, GAME, Given, deal, game_opened, given
from tests.replay.playing import Table, table, until

LIVE = TurnPace("live", base_s=300, increment_s=5, auction_s=20, cap_s=310)
DAILY = TurnPace("daily", move_s=86_400)
BANK = TurnPace("bank", base_s=240 * 3600, move_s=36 * 3600, cap_s=300 * 3600)
HOUR = 3600 * 1000
Times = tuple[tuple[str, str], ...]


def moment(time: str, day: int = 21) -> str:
    return f"2026-11-{day}T{time}.000000Z"


def dealt(pace: TurnPace, **more: Any) -> Given:
    """Return the situation after the first deal: at 08:00, seat 0 is to bid, and its clock doesn't run yet."""
    return given(game_opened(timing=Timing(None, None, pace=pace), **more), *deal(HANDS[:4]))


class Nights(AlwaysOpen):
    """The hours of players who all sleep at these times."""

    def __init__(self, *times: tuple[str, str]) -> None:
        self.times = times

    def closed_intervals(self, _player: str, _since: str, _time_ms: int) -> Times:
        return self.times


@pytest.mark.parametrize(
    ("pace", "left_s", "deadline"),
    [
        pytest.param(LIVE, 310, moment("08:05:10"), id="R-P15 live, up to the cap"),
        pytest.param(DAILY, 86_400, moment("08:00:00", 22), id="R-P15 daily"),
        pytest.param(BANK, 276 * 3600, "2026-12-02T20:00:00.000000Z", id="R-P15 bank"),
    ],
)
def test_a_turn_starts_with_what_is_left_and_the_time_for_a_move(pace: TurnPace, left_s: int, deadline: str) -> None:
    table = dealt(pace)
    assert is_timing_due(table.state)
    timed = table.when(TimeTurn()).then(TurnTimed(0, left_s * 1000, (), 0, deadline))
    assert forfeits_at(timed.state) == deadline
    timed.when(TimeTurn()).rejected(NotDue)


def test_R_P16_the_clock_stands_still_in_closed_times() -> None:
    night, vacation = (moment("22:00:00"), moment("06:00:00", 22)), (moment("12:00:00", 22), moment("12:00:00", 25))
    later = (moment("00:00:00", 28), moment("06:00:00", 28))
    timed = dealt(DAILY).when(TimeTurn((later, vacation, night))).happens()
    # 14 hours until the night, 6 until the vacation, and 4 after it
    assert timed.facts[-1] == TurnTimed(0, 24 * HOUR, (night, vacation), 0, moment("16:00:00", 25))


def test_R_P16_closed_times_that_overlap_or_began_before_the_turn_count_once() -> None:
    times = (moment("06:00:00"), moment("09:00:00")), (moment("08:30:00"), moment("10:00:00"))
    timed = dealt(DAILY).when(TimeTurn(times)).happens()
    closed = (AT, moment("09:00:00")), (moment("09:00:00"), moment("10:00:00"))
    assert timed.facts[-1] == TurnTimed(0, 24 * HOUR, closed, 0, moment("10:00:00", 22))


def test_R_P16_a_live_clock_has_no_closed_times() -> None:
    timed = dealt(LIVE).when(TimeTurn(((moment("08:01:00"), moment("09:00:00")),))).happens()
    assert timed.facts[-1] == TurnTimed(0, 310_000, (), 0, moment("08:05:10"))


def test_R_P15_a_bot_and_a_table_of_days_have_no_clock() -> None:
    assert not is_timing_due(dealt(LIVE, bots=(0,)).state)
    assert not is_timing_due(given(game_opened(), *deal(HANDS[:4])).state)


def test_R_P15_unused_time_is_kept_and_a_call_in_the_auction_has_a_time_of_its_own() -> None:
    pace = TurnPace("live", base_s=300, increment_s=5, auction_s=20)
    made = table(1, 3, timing=Timing(None, None, pace=pace))
    assert left_ms(made) == [320_000]
    made.clock += 59
    for _ in range(3):
        made.move()
    while made.game.state.turn != (0,) or made.game.state.phase != "play":
        made.move()
    used = sum(1 + 59 * (turn == 0) for turn, each in enumerate(timed(made)) if each.seat == 0) * 1000
    (*_, last) = [each for each in timed(made) if each.seat == 0]
    assert last.left_ms == 300_000 + 20_000 - 60_000 + 5_000 - max(0, used - 61_000)


def timed(made: Table) -> list[TurnTimed]:
    return [entry.event.data for entry in made.entries if isinstance(entry.event.data, TurnTimed)]


def left_ms(made: Table) -> list[int]:
    return [each.left_ms for each in timed(made)]


def test_R_P15_nobody_starts_a_turn_with_less_than_ten_seconds() -> None:
    made = table(1, 3, timing=Timing(None, None, pace=TurnPace("live", base_s=10)))
    while len(timed(made)) < 7:
        made.clock += 4
        made.move()
    assert set(left_ms(made)) == {10_000}


def test_R_P15_a_move_that_is_taken_back_restores_what_was_left() -> None:
    made = table(1, 3, timing=Timing(None, None, pace=LIVE))
    made.clock += 99
    made.says(PassBid(0))
    made.clock += 9
    made.says(AskUndo(0))
    made.clock += 9
    for seat in (1, 2):
        made.says(AnswerProposal(seat, accept=True))
    assert [(each.seat, each.left_ms) for each in timed(made)] == [(0, 310_000), (1, 310_000), (0, 210_000)]
    made.says(PassBid(0))
    assert (timed(made)[-1].seat, timed(made)[-1].left_ms) == (1, 310_000)  # as if its turn had not begun before


def test_R_P15_an_undo_leaves_at_least_ten_seconds() -> None:
    made = table(1, 2, timing=Timing(None, None, pace=TurnPace("live", base_s=60)))
    made.clock += 58
    made.says(PassBid(0))
    made.says(AskUndo(0))
    made.says(AnswerProposal(1, accept=True))
    assert [(each.seat, each.left_ms) for each in timed(made)] == [(0, 60_000), (1, 60_000), (0, 10_000)]


def test_R_P15_an_undo_of_practice_restores_the_clock_although_the_same_seat_is_to_move() -> None:
    live = TurnPace("live", base_s=60, increment_s=20)
    made = table(3, 3, bots=(1, 2), undo="practice", timing=Timing(None, None, pace=live))
    until(made, lambda each: each.game.state.phase is Phase.PLAY and each.game.state.turn == (0,))
    before = left_ms(made)[-1]
    for used in range(1, 5):
        made.says(made.choice(0))
        until(made, lambda each: each.game.state.turn == (0,))
        assert left_ms(made)[-1] == before - 1000 * used + 20_000
        made.clock += 40
        made.says(AskUndo(0))
        assert left_ms(made)[-1] == before - 1000 * used  # a move takes a second


def test_R_P15_a_clock_does_not_go_on_after_an_undo_of_the_only_move_since_its_turn_began() -> None:
    made = until(
        table(2, variant="corellian", randomizer=None, timing=Timing(None, None, pace=LIVE)),
        lambda each: each.game.state.phase is Phase.NAMING,
    )
    seat = made.game.state.turn[0]
    made.clock += 40
    made.says(NameTrump(seat, "H"))
    made.says(AskUndo(seat))
    for other in [each for each in range(4) if each != seat]:
        made.says(AnswerProposal(other, accept=True))
    named, back = timed(made)[-2:]
    assert (back.seat, made.game.state.turn_since) == (seat, made.entries[-1].event.at)
    assert named.seat != seat


def test_R_P15_the_clock_ends_no_undo_and_leaves_the_moves_open() -> None:
    table = dealt(LIVE).when(TimeTurn()).happens().when(MakeBid(0, 2)).happens()
    after = table.when(TimeTurn()).happens().state
    assert (after.moved, after.undo_point) == (table.state.moved, table.state.undo_point)
    assert after.undo_point is not None


def test_R_P10_a_held_clock_is_set_again_and_the_seat_gets_the_time_back() -> None:
    made = table(1, 3, timing=Timing(None, None, pace=DAILY), hours=Nights((moment("22:00:00"), moment("23:00:00"))))
    made.held_ms = 2 * HOUR
    made.waits(0.5)
    assert [(each.held_ms, each.deadline) for each in timed(made)] == [
        (0, moment("01:00:01", 22)), (2 * HOUR, moment("03:00:01", 22))
    ]  # fmt: skip
    made.waits(0.5)
    made.move()
    assert [each.seat for each in timed(made)] == [0, 0, 1]


def test_R_P15_a_seat_whose_clock_has_run_down_forfeits_at_the_deadline() -> None:
    made = table(1, 3, timing=Timing(1, None, pace=LIVE))
    made.clock += 308
    made.stop()
    assert not [entry for entry in made.entries if isinstance(entry.event.data, SeatForfeited | TurnReminded)]
    made.stop()
    assert made.entries[-1].event.data == SeatForfeited(0, "time", 0)
    assert not is_timing_due(made.game.state)
    made.move()
    assert timed(made)[-1].seat == 1


def test_R_P15_a_pace_that_is_not_offered_is_refused() -> None:
    for pace in (
        TurnPace("blitz", base_s=60),
        TurnPace("live"),
        TurnPace("daily", move_s=86_400, base_s=60),
        TurnPace("bank", base_s=60, move_s=60, cap_s=30),
        TurnPace("live", base_s=9),
        TurnPace("daily", move_s=10**9),
    ):
        with pytest.raises(NotOffered):
            opened(pace)


def opened(pace: TurnPace) -> Fact:
    players = tuple(Player(f"p{seat}", "human") for seat in range(3))
    command = OpenGame(GAME, 1, "pitch", {}, players, timing=Timing(pace=pace))
    return decide(EMPTY_STATE, command)[0]


def test_R_P15_a_table_with_a_pace_has_no_days_until_a_forfeit() -> None:
    fact = opened(DAILY)
    assert isinstance(fact, GameOpened)
    assert (fact.timing.nag_days, fact.timing.forfeit_days, fact.timing.pace) == (7, None, DAILY)
