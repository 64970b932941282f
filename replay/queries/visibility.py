"""Which events each seat can see, and since when: at once, or since a ceremony was revealed (docs/questions.md).

The envelope of each event names its audience.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from domain.events import Event, GameOpened
from domain.json_fields import Time
from projections.views.audience import ceremonies_revealed_by
from replay.history import History, LogLine
from replay.history.steps import hand_versions
from replay.queries.answer import Answer, HandAnswer, findings_json, question_json
from replay.text.layout import names_by_seat

HEADS = ("event", "fact", "by", "for", "public since")


class EventMoment(TypedDict):
    """An event and its time."""

    version: int
    at: Time


class EventSight(TypedDict):
    """Since when each seat, and everybody, can see an event. All is null if the event is withheld."""

    version: int
    fact: str | None
    by: str | None
    withheld: bool
    seen_by: list[int] | None
    public: EventMoment | None
    seats: list[EventMoment | None] | None


class SightAnswer(HandAnswer):
    """The events that each seat could see."""

    seats: int
    events: list[EventSight]


def event_visibility(history: History, hand: int | None = None) -> Answer[SightAnswer]:
    """Return each event of the game, or of one hand, and the version since which each seat may see it.

    For events that this history withholds, neither fact nor audience is given. Raise NotShown if the hand isn't dealt.
    """
    versions = range(1, len(history.lines) + 1) if hand is None else hand_versions(history, hand)
    open_since = {n: event for event in history.events for n in ceremonies_revealed_by(event)}
    seats = range(_seats(history))
    rows = [_event_json(history.lines[version - 1], seats, open_since) for version in versions]
    names, who = history.header.players, names_by_seat(history)
    withheld = [each["version"] for each in rows if each["withheld"]]
    waits = (f"{len(withheld)} events are withheld, the first is event {withheld[0]}",) if withheld else ()
    body: SightAnswer = {
        **question_json(history, "sight"),
        "hand": hand,
        "seats": len(seats),
        "events": rows,
        **findings_json((), waits),
    }
    notes = tuple(f"seat {seat} sees {count} at once" for seat, count in _count_at_once(rows, seats))
    return Answer(history, body, HEADS, [_row(each, names, who) for each in rows], notes, waits=waits)


def _seats(history: History) -> int:
    return next((len(event.data.players) for event in history.events if isinstance(event.data, GameOpened)), 0)


def _event_json(line: LogLine, seats: range, open_since: Mapping[int, Event[Any]]) -> EventSight:
    event = line.event
    if event is None:
        return {
            "version": line.version,
            "withheld": True,
            "fact": None,
            "by": None,
            "seen_by": None,
            "public": None,
            "seats": None,
        }
    shown = open_since.get(getattr(event.data, "n", -1))
    public = _moment(event) if event.seen_by is None else None if shown is None else _moment(shown)
    return {
        "version": line.version,
        "fact": event.fact,
        "by": event.by,
        "withheld": False,
        "seen_by": None if event.seen_by is None else list(event.seen_by),
        "public": public,
        "seats": [_moment(event) if _is_visible_at_once(event, seat) else public for seat in seats],
    }


def _moment(event: Event[Any]) -> EventMoment:
    return {"version": event.version, "at": event.at}


def _is_visible_at_once(event: Event[Any], seat: int) -> bool:
    return event.seen_by is None or seat in event.seen_by


def _count_at_once(rows: list[EventSight], seats: range) -> Iterator[tuple[int, int]]:
    """Yield each seat with the number of events it saw when they happened."""
    for seat in seats:
        since = [(each["version"], each["seats"][seat]) for each in rows if each["seats"] is not None]
        yield seat, sum(moment is not None and moment["version"] == version for version, moment in since)


def _row(row: EventSight, names: Mapping[str, str], who: Mapping[int, str]) -> tuple[object, ...]:
    if row["by"] is None:
        return row["version"], "withheld", "", "", ""
    seats = row["seen_by"]
    public = "" if row["public"] is None else f"event {row['public']['version']}, {row['public']['at']}"
    audience = "everybody" if seats is None else ", ".join(who[seat] for seat in seats) or "nobody"
    return row["version"], row["fact"], names.get(row["by"], row["by"]), audience, public or "not yet"
