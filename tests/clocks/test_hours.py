"""Hours of players: nights, weekends and vacations in their own zone, and what they cost (R-P16)."""

from contextlib import nullcontext
from datetime import date, timedelta
from pathlib import Path

import pytest
from flask import Flask

from api.people.services.closed_times import ClosedTimes, closed_times
from api.people.stored.hours import FIRST_DAYS, MOST_DAYS, PlayerHours, days_left
from domain.commands import OpenGame, PassBid
from domain.engine.paces import deadline_after
from domain.events import Player, Timing, TurnPace
from domain.store.games import FactTooNew
from tests.api.conftest import Caller, check_problem, services_of
from tests.conftest import Database
from tests.domain.store.storing import at, command_id, new_id

HOUR = 3600 * 1000
JOINED = date(2026, 1, 1)
NIGHTS = PlayerHours("Europe/Berlin", "22:00", "07:00")


def moment(time: str, day: str = "2026-11-20") -> str:
    return f"{day}T{time}:00.000000Z"


def test_R_P16_nights_are_those_of_the_players_zone() -> None:
    times = closed_times(NIGHTS, moment("08:00"), 24 * HOUR)
    assert times == ((moment("21:00"), moment("06:00", "2026-11-21")),)
    assert deadline_after(moment("08:00"), 24 * HOUR, times)[0] == moment("17:00", "2026-11-21")


def test_R_P16_a_turn_that_begins_at_night_waits_for_the_morning() -> None:
    assert closed_times(NIGHTS, moment("23:30"), HOUR) == ((moment("23:30"), moment("06:00", "2026-11-21")),)


def test_R_P16_summer_time_moves_the_night_in_utc() -> None:
    (first, second) = closed_times(NIGHTS, moment("12:00", "2026-10-23"), 26 * HOUR)[:2]
    assert (first[1], second[1]) == (moment("05:00", "2026-10-24"), moment("06:00", "2026-10-25"))


def test_R_P16_a_zone_that_this_machine_does_not_know_any_more_is_utc() -> None:
    times = closed_times(PlayerHours("Moon/Crater", "22:00", "07:00"), moment("12:00"), 12 * HOUR)
    assert times == ((moment("22:00"), moment("07:00", "2026-11-21")),)


def test_R_P16_a_weekend_joins_its_nights() -> None:
    hours = PlayerHours("UTC", "22:00", "07:00", weekends=True)
    times = closed_times(hours, moment("12:00"), 11 * HOUR)  # on a Friday
    assert times == ((moment("22:00"), moment("07:00", "2026-11-23")),)


def test_R_P16_a_vacation_closes_whole_days() -> None:
    hours = PlayerHours("America/New_York", vacation=(date(2026, 11, 21), date(2026, 11, 22)))
    times = closed_times(hours, moment("12:00"), 24 * HOUR)
    assert times == ((moment("05:00", "2026-11-21"), moment("05:00", "2026-11-23")),)


def test_R_P16_no_hours_close_a_clock_forever() -> None:
    vacation = tuple(date(2026, 11, 20) + timedelta(days=day) for day in range(MOST_DAYS))
    hours = PlayerHours("UTC", "20:00", "08:00", weekends=True, vacation=vacation)
    deadline, closed = deadline_after(moment("08:00"), 60 * HOUR, closed_times(hours, moment("08:00"), 60 * HOUR))
    assert deadline == moment("20:00", "2026-12-24")
    assert len(closed) < 10


@pytest.mark.parametrize(
    ("taken", "until", "left"),
    [
        pytest.param(0, JOINED, FIRST_DAYS, id="R-P16 at first"),
        pytest.param(0, date(2026, 1, 15), FIRST_DAYS + 1, id="R-P16 after two weeks"),
        pytest.param(0, date(2029, 1, 1), MOST_DAYS, id="R-P16 up to the most"),
        pytest.param(7, date(2026, 1, 8), 0, id="R-P16 all of them"),
        pytest.param(8, date(2026, 1, 9), -1, id="R-P16 one too many"),
        pytest.param(8, date(2026, 3, 1), -1, id="R-P16 a day that accrued later doesn't help"),
    ],
)
def test_days_of_vacation_accrue(taken: int, until: date, left: int) -> None:
    assert days_left([JOINED + timedelta(days=day) for day in range(taken)], JOINED, until) == left


@pytest.mark.parametrize("stored", [True, False])
def test_R_P16_only_a_stored_turn_counts_a_day_of_vacation(tmp_path: Path, stored: bool) -> None:
    # given p1, who is on vacation, and p0 to move
    counted = list[tuple[str, list[date]]]()
    away = PlayerHours("UTC", vacation=(date(2026, 11, 21),))
    hours = ClosedTimes(
        lambda player: away if player == "p1" else PlayerHours(),
        lambda player, days: counted.append((player, [*days])),
    )
    with at(Database(None, tmp_path), clock=lambda: moment("12:00", "2026-11-21")) as games:
        games.use_hours(hours)
        seats = tuple(Player(f"p{seat}", "human") for seat in range(2))
        timing = Timing(None, None, pace=TurnPace("daily", move_s=3600))
        opened = games.open(OpenGame(new_id(), 1, "pitch", {}, seats, timing), by="p0", command_id=command_id(1))
        # when a command of p0 begins p1's turn, and is stored or refused
        games.guard.unknown = {} if stored else {"TurnTimed": "0.1"}
        with nullcontext() if stored else pytest.raises(FactTooNew):
            games.act(opened.game, PassBid(0), by="p0", command_id=command_id(2))
        # then the day is spent only if the turn is in the log
        assert counted == ([("p1", [date(2026, 11, 21)])] if stored else [])


HOURS = {"zone": "Europe/Berlin", "night": {"start": "22:00", "end": "07:00"}, "weekends": True, "vacation": []}


@pytest.fixture
def ann(app: Flask) -> Caller:
    return Caller(app.test_client()).join("ann")


def test_R_P16_a_player_sets_their_hours(ann: Caller) -> None:
    usual: dict[str, object] = {
        "zone": "UTC",
        "night": None,
        "weekends": False,
        "vacation": [],
        "vacation_days_left": FIRST_DAYS,
    }
    assert ann.get("/me/hours").get_json() == usual | {"vacation_days_left": FIRST_DAYS}
    assert ann.ask("PUT", "/me/hours", HOURS).get_json() == HOURS | {"vacation_days_left": FIRST_DAYS}
    assert ann.get("/me/export").get_json()["hours"] == {
        "zone": "Europe/Berlin",
        "night": HOURS["night"],
        "weekends": True,
        "vacation_days": [],
    }
    assert ann.ask("PUT", "/me/hours", HOURS | {"night": None}).get_json()["night"] is None


def test_R_P16_a_vacation_costs_its_days_and_can_be_taken_back_before_it_begins(app: Flask, ann: Caller) -> None:
    today = date.fromisoformat(services_of(app).clock.now()[:10])
    first, last = today + timedelta(days=2), today + timedelta(days=1 + FIRST_DAYS)
    span = {"first": first.isoformat(), "last": last.isoformat()}
    shown = ann.ask("PUT", "/me/hours", HOURS | {"zone": "UTC", "vacation": [span]}).get_json()
    assert (shown["vacation"], shown["vacation_days_left"]) == ([span], 0)
    longer = span | {"last": (last + timedelta(days=1)).isoformat()}
    check_problem(ann.ask("PUT", "/me/hours", HOURS | {"vacation": [longer]}), 409, "too-many")
    assert ann.get("/me/hours").get_json()["vacation"] == [span]
    assert ann.ask("PUT", "/me/hours", HOURS).get_json()["vacation_days_left"] == FIRST_DAYS


def test_R_P16_a_deadline_respects_the_hours_and_the_log_names_no_zone(app: Flask, ann: Caller) -> None:
    start = services_of(app).clock.now()
    hour = int(start[11:13])
    night = {"start": f"{hour:02}:00", "end": f"{(hour + 3) % 24:02}:00"}
    for caller in (ann, bob := Caller(app.test_client()).join("bob")):
        caller.ask("PUT", "/me/hours", HOURS | {"zone": "UTC", "night": night, "weekends": False})
    pace = {"kind": "daily", "move_s": 3600}
    game = ann.post("/games", {"variant": "pitch", "seats": ["ann", "bob"], "timing": {"pace": pace}}).get_json()
    view = bob.get(f"/games/{game['id']}").get_json()
    assert view["clock"]["pace"] == pace
    [closed] = view["clock"]["running"]["closed"]
    assert closed[1][11:16] == night["end"]
    assert view["turn"]["deadline"][11:16] == f"{(hour + 4) % 24:02}:00"
    assert b"zone" not in bob.get(f"/games/{game['id']}/export").data
