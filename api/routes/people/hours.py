"""The caller's hours: when their clock stands still (R-P16)."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import ValidationError

from api.accounts.people.hours import PlayerHours, days_left, zone_of
from api.accounts.people.scopes import READ
from api.http.context import current_services, require_player
from api.http.people.hours import HOURS, night_json, vacation_days, vacation_spans
from api.http.responses import json_response
from api.http.strict_json import read_json
from domain.rejections import TooMany

hours = Blueprint("hours", __name__)
PATH = "/me/hours"
FURTHEST = timedelta(days=366)
"""How far ahead a vacation can be planned: its days are counted up to then."""


@hours.get(PATH)
def show_hours() -> Response:
    """Return 200 `{"zone", "night", "weekends", "vacation", "vacation_days_left"}`."""
    return json_response(_hours_json(require_player(READ).id))


@hours.put(PATH)
def set_hours() -> Response:
    """Return 200 and the hours as they are from now on, for turns that begin from now on; 409 for too much vacation."""
    player, accounts = require_player(), current_services().accounts
    body: dict[str, Any] = HOURS.load(read_json(request))
    night = body["night"] or {"start": None, "end": None}
    wanted = PlayerHours(body["zone"], night["start"], night["end"], body["weekends"], vacation_days(body["vacation"]))
    today = _today(wanted.zone)
    if wanted.vacation and wanted.vacation[-1] > today + FURTHEST:
        raise ValidationError({"vacation": ["Plan a vacation for the next 366 days."]})
    if not accounts.hours.set(player.id, wanted, today, _joined(player.id)):
        raise TooMany("You don't have that many days of vacation. You get another one every two weeks.")
    return json_response(_hours_json(player.id))


def _hours_json(player: str) -> dict[str, object]:
    """Return the hours, with the vacation that hasn't ended and the days that are left after it."""
    stored = current_services().accounts.hours.of(player)
    today = _today(stored.zone)
    planned: Sequence[date] = [day for day in stored.vacation if day >= today]
    left = days_left([*stored.vacation], _joined(player), max([today, *planned]))
    return {
        "zone": stored.zone,
        "night": night_json(stored),
        "weekends": stored.weekends,
        "vacation": vacation_spans(planned),
        "vacation_days_left": left,
    }


def _today(zone: str) -> date:
    now = current_services().clock.now()
    return datetime.fromisoformat(now).astimezone(zone_of(zone)).date()


def _joined(player: str) -> date:
    """Return the day on which the player joined, in UTC."""
    joined = current_services().accounts.users.join_time(player)
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=joined)).date()
