"""Attacks 138 to 140: stop a clock forever, or the server, by hours that a player sets for themselves."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.api.live_server import GameServer, ServedGame, open_game

OPEN: dict[str, Any] = {"zone": "UTC", "night": None, "weekends": False, "vacation": []}
NIGHT = {"start": "20:00", "end": "08:00"}
DAY_S = 86_400


def vacation(first: int, last: int) -> list[dict[str, str]]:
    """Return a vacation between two days from today."""
    today = datetime.now(UTC).date()
    return [{"first": str(today + timedelta(days=first)), "last": str(today + timedelta(days=last))}]


def set_hours(attacked: GameServer, name: str, **changes: object) -> TestResponse:
    return attacked[name].ask("PUT", "/me/hours", OPEN | changes)


def turn_of(game: ServedGame) -> dict[str, Any]:
    """Return the clock of the turn."""
    found: dict[str, Any] = game.public["clock"]["running"]
    return found


SPANS = (
    ("9999-12-31", "9999-12-31"), ("2999-01-01", "2999-01-20"), ("2026-02-30", "2026-03-01"),
    ("2026-12-02", "2026-12-01"), ("2026-W48-4", "2026-W48-4"), (str(date.min), str(date.max)),
    ("2127-02-01", "2128-02-01"),
)  # fmt: skip
NIGHTS = (("20:00", "08:01"), ("20:00", "20:00"), ("24:00", "07:00"))
BAD_VALUES: dict[str, Sequence[object]] = {
    "zone": ("../../etc/passwd", "/etc/passwd", "localtime", "Factory", "utc", "Moon/Crater", "", "A" * 5000, 5),
    "night": (*({"start": start, "end": end} for start, end in NIGHTS), {}, 5),
    "weekends": (1, 0, None, "yes", 2**53 - 1),
    "vacation": (None, 5, *([{"first": first, "last": last}] for first, last in SPANS), vacation(1, 1) * 300),
    "extra": (1,),
}
REFUSED = [{name: value} for name, values in BAD_VALUES.items() for value in values]


def test_attack_138_invalid_hours_are_refused_and_change_nothing(attacked: GameServer) -> None:
    before = attacked["ann"].get("/me/hours").data
    answers = [set_hours(attacked, "ann", **change) for change in REFUSED]
    assert [answer.status_code for answer in answers] == [400] * len(REFUSED)
    assert attacked["ann"].get("/me/hours").data == before


@pytest.mark.both_stores
def test_attack_139_a_day_of_vacation_that_stopped_a_clock_cannot_be_taken_back(attacked: GameServer) -> None:
    for name in ("cat", "dan"):
        assert set_hours(attacked, name, vacation=vacation(0, 6)).get_json()["vacation_days_left"] == 0
    game = open_game(attacked, ("cat", "dan"), timing={"pace": {"kind": "daily", "move_s": DAY_S}})
    late = game.public["names"][game.public["seats"][game.turn]["player"]]
    waiting = "dan" if late == "cat" else "cat"
    assert len(turn_of(game)["closed"]) == 1
    kept = set_hours(attacked, late).get_json()
    assert (kept["vacation"], kept["vacation_days_left"]) == (vacation(0, 6), 0)
    assert set_hours(attacked, late, vacation=vacation(7, 8)).status_code == 409
    assert set_hours(attacked, waiting).get_json()["vacation"] == [], "no clock counts with it yet"


def test_attack_140_nights_close_no_clock_of_a_live_table(attacked: GameServer) -> None:
    for name in ("eve", "fay"):
        assert set_hours(attacked, name, night=NIGHT, weekends=True).status_code == 200
    pace = {"kind": "live", "base_s": 90 * DAY_S, "increment_s": 90 * DAY_S}
    game = open_game(attacked, ("eve", "fay"), timing={"pace": pace})
    assert turn_of(game)["closed"] == []
