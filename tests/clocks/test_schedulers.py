"""Two schedulers on one store, and a move and its time-out in the same instant (R-P10, R-P15, R-P17, R-P18)."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

import pytest

from domain.commands import AnswerHandover, AskHandover, ClaimTime, Command, OpenGame, PassBid, Tick
from domain.engine.timestamps import add_time
from domain.events import Player, Timing, TurnPace
from domain.rejections import NotSeated, Rejected, SeatLeft
from domain.state import SERVER
from domain.store import ClockHeld, Games
from replay.history import from_entries
from tests.conftest import Database
from tests.domain.store.storing import at, command_id, new_id
from tests.replay.test_variants import sound
from tests.simultaneous import at_once

OPENED, OUT = "2026-11-21T08:00:00.000000Z", "2026-11-21T08:05:00.000000Z"
JUST_BEFORE = "2026-11-21T08:04:59.999999Z"
LIVE = Timing(None, None, pace=TurnPace("live", base_s=300))
TIME_OUTS = {"forfeit": "SeatForfeited", "bot:simple": "SeatHandedOver", "claim": "TimeClaimed"}


def stopped(time: str) -> Callable[[], str]:
    return lambda: time


def opened(games: Games, autopilot: str = "forfeit", many: int = 1) -> list[str]:
    """Open games at 8:00 in which seat 0 has five minutes for the first call."""
    seats = tuple(Player(f"p{seat}", "human") for seat in range(3))
    ids = [new_id() for _ in range(many)]
    for game in ids:
        opening = OpenGame(game, 1, "pitch", {}, seats, LIVE, autopilot=autopilot)
        games.open(opening, by="p0", command_id=command_id(0))
    return ids


def facts(games: Games, game: str) -> list[str]:
    return [entry.event.fact for entry in games.entries(game)]


def refused_at_once(*acts: Callable[[], object]) -> list[Rejected]:
    """Do all of these in the same instant; return what was refused."""

    def run(act: Callable[[], object]) -> Rejected | None:
        try:
            act()
        except Rejected as refusal:
            return refusal
        return None

    return [refusal for refusal in at_once(*(partial(run, act) for act in acts)) if refusal is not None]


def acts(games: Games, game: str, command: Command, by: str, n: int) -> Callable[[], object]:
    return lambda: games.act(game, command, by=by, command_id=command_id(n))


@pytest.mark.parametrize("autopilot", ["forfeit", "bot:simple"])
def test_R_P15_two_schedulers_at_once_fire_a_deadline_once(database: Database, autopilot: str) -> None:
    with at(database, clock=stopped(OPENED)) as games:
        ids = opened(games, autopilot, many=3)
    with ExitStack() as stack:
        schedulers: Sequence[Games] = [stack.enter_context(at(database, clock=stopped(OUT))) for _ in range(2)]
        for game in ids:
            ticks = [acts(each, game, Tick(), SERVER, 1 + n) for n, each in enumerate(schedulers)]
            assert refused_at_once(*ticks) == []
            assert facts(schedulers[0], game).count(TIME_OUTS[autopilot]) == 1


@pytest.mark.parametrize("autopilot", TIME_OUTS)
def test_R_P15_a_move_and_its_time_out_in_the_same_instant(database: Database, autopilot: str) -> None:
    with at(database, clock=stopped(OPENED)) as games:
        ids = opened(games, autopilot, many=3)
    out: tuple[Command, str] = (ClaimTime(1), "p1") if autopilot == "claim" else (Tick(), SERVER)
    with at(database, clock=stopped(JUST_BEFORE)) as player, at(database, clock=stopped(OUT)) as clock:
        for game in ids:
            refused = refused_at_once(acts(player, game, PassBid(0), "p0", 1), acts(clock, game, out[0], out[1], 2))
            told = facts(clock, game)
            assert told.count("BidPassed") + told.count(TIME_OUTS[autopilot]) == 1
            moved = "BidPassed" in told
            assert len(refused) == (1 if autopilot == "claim" else not moved)
            if not moved:
                assert isinstance(refused[0], SeatLeft | NotSeated)


@pytest.mark.parametrize(
    ("seat", "agree", "taken"),
    [
        pytest.param(0, (), 0, id="R-P18 nobody has answered yet"),
        pytest.param(0, (1,), 0, id="R-P18 somebody has agreed"),
        pytest.param(1, (2,), 1, id="R-P18 all have agreed but the one who is late"),
    ],
)
def test_the_clock_takes_a_seat_while_the_table_is_asked(
    database: Database, seat: int, agree: tuple[int, ...], taken: int
) -> None:
    with at(database, clock=stopped(OPENED)) as games:
        [game] = opened(games, "bot:simple")
        question = AskHandover(seat, "p9", "human", None)
        games.act(game, question, by=f"p{seat}", command_id=command_id(1))
        for other in agree:
            games.act(game, AnswerHandover(other, True), by=f"p{other}", command_id=command_id(2 + other))
    with at(database, clock=stopped(OUT)) as games:
        games.act(game, Tick(), by=SERVER, command_id=command_id(9))
        told = [each.event.data for each in games.entries(game) if each.event.fact == "SeatHandedOver"]
        assert [each.seat for each in told] == ([0] if taken == 0 else [0, taken])
        sound(from_entries(games.entries(game), {}))


class HeldFor:
    """A clock that was held for so long in each turn, and may be held now."""

    def __init__(self, ms: int, *, now: bool = False) -> None:
        self.ms, self.now = ms, now

    def is_held(self) -> bool:
        return self.now

    def held_ms(self, _since: str, _until: str) -> int:
        return self.ms


@pytest.mark.parametrize("now", [False, True])
def test_R_P15_the_clock_is_set_again_before_a_command_that_follows_a_hold(database: Database, now: bool) -> None:
    with at(database, clock=stopped(OPENED)) as games:
        [game] = opened(games)
    with at(database, clock=stopped(JUST_BEFORE), holds=HeldFor(60_000, now=now)) as games:
        games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert facts(games, game)[-4:] == ["TurnTimed", "TurnTimed", "BidPassed", "TurnTimed"]
        timed = [each.event.data for each in games.entries(game) if each.event.fact == "TurnTimed"]
        assert (timed[1].held_ms, timed[1].deadline) == (60_000, add_time(OUT, seconds=60))


def test_R_P15_no_tick_sets_the_clock_while_it_is_held(database: Database) -> None:
    with at(database, clock=stopped(OPENED)) as games:
        [game] = opened(games)
    with at(database, clock=stopped(OUT), holds=HeldFor(60_000, now=True)) as games, pytest.raises(ClockHeld):
        games.act(game, Tick(), by=SERVER, command_id=command_id(1))
    with at(database, clock=stopped(OUT), holds=HeldFor(60_000)) as games:
        games.act(game, Tick(), by=SERVER, command_id=command_id(1))
        assert facts(games, game)[-1] == "TurnTimed"
    with at(database, clock=stopped("2026-11-21T08:06:00.000000Z"), holds=HeldFor(60_000)) as games:
        games.act(game, Tick(), by=SERVER, command_id=command_id(2))
        assert facts(games, game)[-1] == "SeatForfeited"
