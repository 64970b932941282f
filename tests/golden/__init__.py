"""A hand as it is stored, and the cards every seat knows after each fact, kept as text and compared letter by letter.

`python -m tests.golden` writes the text anew; read the difference before committing it. A line with a number is a fact:
version, name, whose, and its data as stored. The lines under it are what changed for a viewer, "-" being a spectator:
the cards in each seat's hands as far as that viewer knows them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.codec import encode
from domain.events import CeremonyRevealed, Event
from domain.evolve import evolve
from domain.state import NEW, State
from tests.tables import Table

HAND = Path(__file__).with_name("pitch_hand.txt")


def table() -> Table:
    """Three players' first hand of a game to 7, and the deal after it."""
    return Table(3, seed=34, win=7).plays_out(hands=1)


def known(events: list[Event[Any]], viewer: int | None) -> State:
    """What a viewer can make of the facts meant for him, and of those of every ceremony revealed by now."""
    revealed = {event.data.n for event in events if isinstance(event.data, CeremonyRevealed)}
    state = NEW
    for event in events:
        if event.seen_by is None or viewer in event.seen_by or event.data.n in revealed:
            state = evolve(state, event)
    return state


def hands(state: State) -> str:
    """The cards of each seat, as far as they are known."""
    if state.hand is None:
        return "no cards"
    held = zip(state.hand.cards, state.hand.counts, strict=True)
    return " | ".join(" ".join(["??"] * count if cards is None else cards) or "none" for cards, count in held)


def lines(events: list[Event[Any]], seats: int) -> Iterator[str]:
    """The text, line by line."""
    viewers: list[int | None] = [*range(seats), None]
    before = dict.fromkeys(viewers, "no cards")
    for event in events:
        data = json.dumps(json.loads(encode(event))["data"], sort_keys=True, separators=(",", ":"))
        yield f"{event.version} {event.fact} {event.by} {data}"
        for viewer in viewers:
            now = hands(known(events[: event.version], viewer))
            if now != before[viewer]:
                yield f"    {'-' if viewer is None else viewer}: {now}"
            before[viewer] = now


def text() -> str:
    """The whole of it."""
    played = table()
    return "\n".join(lines(played.events, len(played.state.seats))) + "\n"
