"""Hands as stored, and every seat's view after each fact, kept as text and compared letter by letter.

`python -m tests.golden` writes the texts again; read the difference before you commit it. A line with a number is a
fact: version, name, author, audience unless all see it, and its data as stored. The lines under it are the changes of
views: "0 2 -: turn.seats [1]" in those of seats 0 and 2 and of a spectator. If a text begins in the middle of a game,
the complete views come before its first fact.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.events import CeremonyOpened, CeremonyRevealed, Event
from domain.events.codec import encode
from domain.evolve import evolve
from domain.state import EMPTY_STATE, State
from projections.views.seat import ViewFold, view_json
from tests.games.tables import Table

FOLDER = Path(__file__).parent
CHANGING = ("id", "version", "root")
"""Fields whose changes the text leaves out."""
WHOLE = ("last_hand", "proposal", "delay", "disputes", "ruled", "result")
"""Fields of a view that appear and disappear together."""
Lines = dict[str, str]
"""A view as {place: short text}."""


@dataclass(frozen=True)
class Golden:
    """A table at which a hand was played, and the ceremony with which its text begins; None for the first event."""

    name: str
    says: str
    table: Callable[[], Table]
    begins: str | None = None

    @property
    def file(self) -> Path:
        """Return the name of the text's file."""
        return FOLDER / f"{self.name}.txt"

    def text(self) -> str:
        """Return the text."""
        played = self.table()
        return "\n".join([f"# {self.says}", *lines(played.events, len(played.state.seats), self.begins)]) + "\n"


def known(events: list[Event[Any]], viewer: int | None) -> State:
    """Return the facts that a viewer can see, including those of every revealed ceremony."""
    revealed = {event.data.n for event in events if isinstance(event.data, CeremonyRevealed)}
    state = EMPTY_STATE
    for event in events:
        if event.seen_by is None or viewer in event.seen_by or event.data.n in revealed:
            state = evolve(state, event)
    return state


def lines(events: list[Event[Any]], seats: int, begins: str | None = None) -> Iterator[str]:
    """Yield the lines of the text from the ceremony `begins` on."""
    viewers: list[int | None] = [*range(seats), None]
    seen = {viewer: ViewFold(viewer) for viewer in viewers}
    before: dict[int | None, Lines] = {viewer: {} for viewer in viewers}
    told = begins is None
    for event in events:
        if not told and isinstance(event.data, CeremonyOpened) and event.data.subject == begins:
            told = True
            yield from _changes(before, _views(seen))
            before = _views(seen)
        for each in seen.values():
            each.add(event)
        if told:
            yield _fact(event)
            yield from _changes(before, _views(seen))
            before = _views(seen)


def _fact(event: Event[Any]) -> str:
    data = json.dumps(json.loads(encode(event))["data"], sort_keys=True, separators=(",", ":"))
    audience = "" if event.seen_by is None else f" for {' '.join(map(str, event.seen_by)) or 'nobody'}"
    return f"{event.version} {event.fact} {event.by}{audience} {data}"


def _views(seen: dict[int | None, ViewFold]) -> dict[int | None, Lines]:
    return {viewer: dict(_places(view_json(each, ""))) for viewer, each in seen.items()}


def _places(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a view's places and values: "hand.trump", "seats.2.score", "you.legal"."""
    parts = {name: value for name, value in shown.items() if name not in CHANGING}
    parts |= {f"seats.{sitting['seat']}": sitting for sitting in parts.pop("seats")}
    for name, value in parts.items():
        if isinstance(value, dict) and name not in WHOLE:
            yield from ((f"{name}.{part}", words(each)) for part, each in value.items())
        else:
            yield name, words(value)


def words(value: Any) -> str:
    """Return a value of a view in short: a play is "2 AH", a move "bid 3"."""
    match value:
        case {"type": _, **more}:
            return " ".join([value["type"], *(words(each) for each in more.values())])
        case {"seat": seat, "card": card} if len(value) == 2:
            return f"{seat} {card}"
        case dict():
            return "{" + ", ".join(f"{name} {words(each)}" for name, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(words, value)) + "]"
        case str():
            return value or '""'
        case _:
            return json.dumps(value)


def _changes(before: dict[int | None, Lines], now: dict[int | None, Lines]) -> Iterator[str]:
    """Yield the changes and the viewers that see them; the same change in several views is listed once."""
    whose: dict[str, list[int | None]] = {}
    for viewer, shown in now.items():
        for place, said in shown.items():
            if before[viewer].get(place) != said:
                whose.setdefault(f"{place} {said}", []).append(viewer)
    groups: dict[tuple[int | None, ...], list[str]] = {}
    for change, viewers in whose.items():
        groups.setdefault(tuple(viewers), []).append(change)
    for viewers_, changes in sorted(groups.items(), key=lambda group: (-len(group[0]), str(group[0]))):
        yield f"    {' '.join('-' if each is None else str(each) for each in viewers_)}: {'; '.join(changes)}"
