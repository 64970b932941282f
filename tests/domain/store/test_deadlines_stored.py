"""Deadlines in the store: the first of two commits wins, and time never goes back (R-P10, docs/trust.md)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from domain.commands import Command, OpenGame, PassBid, ProposeDraw, Tick
from domain.engine.timestamps import add_time
from domain.events import Player, SeatForfeited, Timing, TurnReminded
from domain.rejections import GameOver, Rejected, SeatLeft
from domain.state import SERVER
from domain.store import ClockHeld, Games
from tests.conftest import Database
from tests.domain.store.storing import at, command_id, new_id

OPENED = "2026-11-21T08:00:00.000000Z"
JUST_BEFORE, OUT = "2026-12-12T07:59:59.999999Z", "2026-12-12T08:00:00.000000Z"
Clock = Callable[[], str]
DAY_MS = 24 * 3600 * 1000


def stopped(time: str) -> Clock:
    return lambda: time


def abandoned(database: Database, players: int = 3, number: int = 1, timing: Timing | None = None) -> list[str]:
    """Yield games opened three weeks ago in which seat 0 has still not bid."""
    seats = tuple(Player(f"p{seat}", "human") for seat in range(players))
    with at(database, clock=stopped(OPENED)) as games:
        ids = [new_id() for _ in range(number)]
        for game in ids:
            opening = OpenGame(game, 1, "pitch", {}, seats, timing or Timing())
            games.open(opening, by="p0", command_id=command_id(0))
    return ids


def facts(games: Games, game: str) -> list[str]:
    return [entry.event.fact for entry in games.entries(game)]


def test_R_P10_several_clocks_store_one_forfeit(database: Database) -> None:
    (game,) = abandoned(database)
    clocks = [at(database, clock=stopped(OUT)) for _ in range(4)]
    start = Barrier(8)

    def ticks(games: Games, n: int) -> None:
        start.wait()
        games.act(game, Tick(), by=SERVER, command_id=command_id(n))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ticks, clocks * 2, range(1, 9)))
    assert facts(clocks[0], game).count("SeatForfeited") == 1
    assert clocks[0].state(game).still_in == (1, 2)
    for games in clocks:
        games.close()


def test_R_P10_either_a_move_at_the_last_moment_or_the_clock_wins(database: Database) -> None:
    games = abandoned(database, number=12)
    won = {"BidPassed": 0, "SeatForfeited": 0}
    with at(database, clock=stopped(JUST_BEFORE)) as player, at(database, clock=stopped(OUT)) as clock:
        for game in games:
            start, refused = Barrier(2), list[Rejected]()
            with ThreadPoolExecutor(2) as pool:
                pool.submit(races, start, player, game, PassBid(0), "p0", refused)
                pool.submit(races, start, clock, game, Tick(), SERVER, refused)
            last = facts(clock, game)[-1]
            won[last] += 1
            assert facts(clock, game).count("BidPassed") + facts(clock, game).count("SeatForfeited") == 1
            assert [type(each) for each in refused] == ([SeatLeft] if last == "SeatForfeited" else [])
    assert sum(won.values()) == len(games)


def races(start: Barrier, games: Games, game: str, command: Command, by: str, refused: list[Rejected]) -> None:
    start.wait()
    try:
        games.act(game, command, by=by, command_id=command_id(1 + (by == SERVER)))
    except Rejected as refusal:
        refused.append(refusal)


class HeldFor:
    """A clock that was held for so long in each turn, and may be held now."""

    def __init__(self, ms: int, *, now: bool) -> None:
        self.ms, self.now = ms, now

    def is_held(self) -> bool:
        return self.now

    def held_ms(self, since: str, until: str) -> int:
        assert since < until
        return self.ms


@pytest.mark.parametrize("now", [False, True])
def test_R_P10_a_move_after_the_deadline_counts_if_the_clock_was_held(database: Database, now: bool) -> None:
    (game,) = abandoned(database)
    with at(database, clock=stopped(OUT), holds=HeldFor(DAY_MS, now=now)) as games:
        games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert facts(games, game)[-2:] == ["TurnReminded", "BidPassed"]
        (reminded,) = [each.event.data for each in games.entries(game) if each.event.fact == "TurnReminded"]
        assert reminded == TurnReminded(0, DAY_MS)


@pytest.mark.lengthy
@pytest.mark.parametrize("timing", [Timing(), Timing(None, None, total_days=21)])
@pytest.mark.parametrize("command", [Tick(), PassBid(0)])
def test_nobody_runs_out_of_time_while_the_clock_is_held(database: Database, command: Command, timing: Timing) -> None:
    (game,) = abandoned(database, timing=timing)
    with at(database, clock=stopped("2026-12-14T08:00:00.000000Z"), holds=HeldFor(DAY_MS, now=True)) as games:
        before = facts(games, game)
        with pytest.raises(ClockHeld):
            games.act(game, command, by="p0", command_id=command_id(1))
        assert facts(games, game) == before
    with at(database, clock=stopped("2026-12-14T08:00:00.000000Z"), holds=HeldFor(DAY_MS, now=False)) as games:
        games.act(game, Tick(), by=SERVER, command_id=command_id(2))
        assert facts(games, game)[-1] == ("SeatForfeited" if timing.forfeit_days else "GameEnded")


@pytest.mark.parametrize("by", ["p0", "p1"])
def test_R_P10_a_command_after_the_deadline_comes_after_the_forfeit(database: Database, by: str) -> None:
    (game,) = abandoned(database)
    with at(database, clock=stopped(OUT)) as games:
        if by == "p0":
            with pytest.raises(SeatLeft):
                games.act(game, PassBid(0), by=by, command_id=command_id(1))
        else:
            games.act(game, ProposeDraw(1), by=by, command_id=command_id(1))
        told = games.entries(game)
        (forfeit,) = [entry.event for entry in told if isinstance(entry.event.data, SeatForfeited)]
        assert (forfeit.data.seat, forfeit.by, forfeit.at) == (0, SERVER, OUT)
        assert len({entry.event.command for entry in told if entry.event.at == OUT}) == (1 if by == "p0" else 2)


def test_a_clock_that_goes_back_adds_nothing_and_event_times_never_go_back(database: Database) -> None:
    """With a wrong clock (docs/trust.md) stored events stay, and later ones are never earlier than the log's last."""
    (game,) = abandoned(database)
    times = iter([OUT, "2026-12-12T07:00:00.000000Z", OPENED, "2020-01-01T00:00:00.000000Z", OPENED])
    with at(database, clock=lambda: next(times)) as games:
        games.act(game, Tick(), by=SERVER, command_id=command_id(1))
        assert games.act(game, Tick(), by=SERVER, command_id=command_id(2)).entries == ()
        games.act(game, PassBid(0), by=SERVER, command_id=command_id(3))
        games.act(game, PassBid(1), by="p1", command_id=command_id(4))
        assert games.act(game, Tick(), by=SERVER, command_id=command_id(5)).entries == ()
        told = [entry.event.at for entry in games.entries(game)]
        assert told == sorted(told)
        assert told[-1] == OUT


@pytest.mark.lengthy
def test_R_P10_a_clock_an_hour_ahead_and_one_behind_send_one_reminder(database: Database) -> None:
    (game,) = abandoned(database)
    nagged = add_time(OPENED, days=7)
    assert nagged is not None
    ahead, behind = add_time(nagged, seconds=3600), add_time(nagged, seconds=-3600)
    for n, time in enumerate([behind, ahead, nagged, behind, ahead], 1):
        assert time is not None
        with at(database, clock=stopped(time)) as games:
            games.act(game, Tick(), by=SERVER, command_id=command_id(n))
    with at(database) as games:
        reminded = [entry.event for entry in games.entries(game) if isinstance(entry.event.data, TurnReminded)]
        assert [(event.data.seat, event.at) for event in reminded] == [(0, ahead)]


def test_C6_a_game_whose_days_are_over_ends_before_a_late_move(database: Database) -> None:
    (game,) = abandoned(database, timing=Timing(total_days=3))
    with at(database, clock=stopped("2026-11-24T08:00:00.000000Z")) as games:
        with pytest.raises(GameOver):
            games.act(game, PassBid(0), by="p0", command_id=command_id(1))
        assert facts(games, game)[-2:] == ["CeremonyRevealed", "GameEnded"]
