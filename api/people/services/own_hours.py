"""The caller's hours: when their clock stands still (R-P16)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Annotated, Any, TypedDict
from zoneinfo import available_timezones

from marshmallow import ValidationError, fields, validate, validates_schema

from api.caller import Caller, require_player
from api.container import Services
from api.people.stored.hours import MOST_DAYS, Night, PlayerHours, days_left, zone_of
from api.people.stored.tokens import READ
from api.schemas import Read, StrictSchema, boolean_field
from domain.json_fields import Day, says
from domain.rejections import TooMany

LONGEST_NIGHT = timedelta(hours=12)
IS_LOCAL_TIME = validate.Regexp("^([01][0-9]|2[0-3]):[0-5][0-9]$", error="Must be a time, 00:00 to 23:59.")
IS_DATE = validate.Regexp("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", error="Must be a day, such as 2026-12-24.")
MOST_SPANS = 20
NO_ZONES = frozenset(("Factory", "localtime"))
"""Names that say nothing of a place: what the second one means depends on the machine."""


@cache
def zones() -> frozenset[str]:
    """Return the names of the time zones that this machine knows."""
    return frozenset(available_timezones()) - NO_ZONES | {"UTC"}


def _is_zone(text: str) -> None:
    if text not in zones():
        raise ValidationError("Must be the name of a time zone, such as Europe/Berlin or UTC.")


def _is_in_calendar(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValidationError("Must be a day of the calendar.") from None


class NewNight(StrictSchema):
    """From when until when the player sleeps, by their own clock."""

    start = fields.String(required=True, validate=IS_LOCAL_TIME)
    end = fields.String(required=True, validate=IS_LOCAL_TIME)

    @validates_schema
    def check_length(self, data: Mapping[str, Any], **_: object) -> None:
        """Refuse a night of no time or of over 12 hours: a clock must run for half of each day."""
        night = _since_midnight(data["end"]) - _since_midnight(data["start"])
        if not night or night % timedelta(days=1) > LONGEST_NIGHT:
            raise ValidationError("A night ends at another time than it begins, and lasts at most 12 hours.", "end")


class NewVacation(StrictSchema):
    """The first and the last day of a vacation."""

    first = fields.String(required=True, validate=[IS_DATE, _is_in_calendar])
    last = fields.String(required=True, validate=[IS_DATE, _is_in_calendar])

    @validates_schema
    def check_order(self, data: Mapping[str, Any], **_: object) -> None:
        """Refuse a vacation that ends before it begins, or that is longer than anybody has days."""
        length = (date.fromisoformat(data["last"]) - date.fromisoformat(data["first"])).days + 1
        if not 1 <= length <= MOST_DAYS:
            raise ValidationError(f"A vacation lasts 1 to {MOST_DAYS} days.", "last")


class NewHours(StrictSchema):
    """`PUT /me/hours`"""

    zone = fields.String(required=True, validate=_is_zone)
    night = fields.Nested(NewNight, required=True, allow_none=True)
    weekends = boolean_field()
    vacation = fields.List(fields.Nested(NewVacation), required=True, validate=validate.Length(0, MOST_SPANS))


HOURS = NewHours()


def _since_midnight(text: str) -> timedelta:
    at = time.fromisoformat(text)
    return timedelta(hours=at.hour, minutes=at.minute)


def vacation_days(spans: Iterable[Mapping[str, str]]) -> tuple[date, ...]:
    """Return every day of these vacations once, ascending."""
    days = set[date]()
    for span in spans:
        first, last = date.fromisoformat(span["first"]), date.fromisoformat(span["last"])
        days |= {first + timedelta(days=passed) for passed in range((last - first).days + 1)}
    return tuple(sorted(days))


class Vacation(TypedDict):
    """The first and the last day of a vacation."""

    first: Day
    last: Day


class OwnHours(TypedDict):
    """When the caller's clock stands still."""

    zone: Annotated[str, says("The name of a time zone.")]
    night: Night | None
    weekends: Annotated[bool, says("Whether it stands still on Saturdays and Sundays.")]
    vacation: Annotated[list[Vacation], says("The days of vacation from today on.")]
    vacation_days_left: Annotated[int, says("The days of vacation that can still be taken after them.")]


def vacation_spans(days: Sequence[date]) -> list[Vacation]:
    """Return ascending days as vacations with a first and a last day."""
    spans = list[list[date]]()
    for day in days:
        if spans and day - spans[-1][1] == timedelta(days=1):
            spans[-1][1] = day
        else:
            spans.append([day, day])
    return [{"first": first.isoformat(), "last": last.isoformat()} for first, last in spans]


FURTHEST = timedelta(days=366)
"""How far ahead a vacation can be planned: its days are counted up to then."""


def show_hours(services: Services, caller: Caller) -> OwnHours:
    """Return the caller's hours."""
    return _hours_json(services, require_player(services, caller, READ).id)


def set_hours(services: Services, caller: Caller, read: Read) -> OwnHours:
    """Set the hours for turns that begin from now on, and return them. Raise TooMany for too much vacation."""
    player = require_player(services, caller).id
    body = read(HOURS).fields
    night = body["night"] or {"start": None, "end": None}
    wanted = PlayerHours(body["zone"], night["start"], night["end"], body["weekends"], vacation_days(body["vacation"]))
    today = _today(services, wanted.zone)
    if wanted.vacation and wanted.vacation[-1] > today + FURTHEST:
        raise ValidationError({"vacation": ["Plan a vacation for the next 366 days."]})
    if not services.accounts.hours.set(player, wanted, today, _joined(services, player)):
        raise TooMany("You don't have that many days of vacation. You get another one every two weeks.")
    return _hours_json(services, player)


def _hours_json(services: Services, player: str) -> OwnHours:
    """Return the hours, with the vacation that hasn't ended and the days that are left after it."""
    stored = services.accounts.hours.of(player)
    today = _today(services, stored.zone)
    planned: Sequence[date] = [day for day in stored.vacation if day >= today]
    left = days_left([*stored.vacation], _joined(services, player), max([today, *planned]))
    return {
        "zone": stored.zone,
        "night": stored.night,
        "weekends": stored.weekends,
        "vacation": vacation_spans(planned),
        "vacation_days_left": left,
    }


def _today(services: Services, zone: str) -> date:
    now = services.clock.now()
    return datetime.fromisoformat(now).astimezone(zone_of(zone)).date()


def _joined(services: Services, player: str) -> date:
    """Return the day on which the player joined, in UTC."""
    joined = services.accounts.users.join_time(player)
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=joined)).date()
