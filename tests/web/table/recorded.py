"""Recorded views of every phase of the four games, as the page gets them, with the events up to there."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from projections.views.audience import ceremonies_revealed_by, visible
from projections.views.seat import ViewFold, view_json
from replay.history import History, export_bytes
from tests.replay.playing import table
from tests.replay.variety import VARIETY
from tests.web.games import game

View = dict[str, Any]
SEED = 3
PLAYED = {
    "Pitch": ("gamerz Pitch", 1),
    "Setback": ("Setback with partners", 2),
    "Setback for three": ("Setback with three and low as dealt", 1),
    "Blackout": ("Blackout", 2),
    "Corellian": ("Corellian that changes all the time", 2),
    "Corellian host": ("Corellian with a host who changes rules", 1),
    "Cuts": ("Setback with sealed cuts", 1),
}
"""Varieties of `tests.replay.variety`, and how many hands of each are played."""
LARGE = {"Six in teams": {"variant": "ten-point-teams", "players": 6}}
"""Games of presets, with more players and points, and their options."""
MADE = ("disputes", "void", "practice")
"""Games of `tests.web.games`."""
FIRST_NAMES = ("ann", "bob", "cyd", "dee", "Maximilian-of-the-long-name", "fay", "gus")


@dataclass(frozen=True)
class Moment:
    """A view, the seat that it's for, and the events that the page has by then."""

    seat: int | None
    view: View
    items: list[View]


@cache
def history(name: str) -> History:
    """Play some hands of a game with undos, draws and delay calls; then everybody leaves."""
    if name in MADE:
        return game(name)
    options, hands = (LARGE[name], 1) if name in LARGE else (VARIETY[PLAYED[name][0]], PLAYED[name][1])
    made = table(SEED, **options).hands(hands, also=0.35, often=0.1)
    for seat in made.game.state.persons:
        if not made.over:
            made.resign(seat)
    return made.history


def moments(log: History, seat: int | None) -> Iterator[Moment]:
    """Return what a viewer sees after each commit of a game."""
    events = [line.event for line in log.lines if line.event is not None]
    ends = {a.version for a, b in pairwise(events) if a.command != b.command} | {events[-1].version}
    lines = [json.loads(line) for line in export_bytes(log).splitlines()[1:-1]]
    fold, items, revealed = ViewFold(seat), list[View](), set[int]()
    for event, item in zip(events, lines, strict=True):
        revealed |= set(ceremonies_revealed_by(event))
        is_shown = visible(event, seat, revealed)
        fold.add(event if is_shown else None)
        items.append(item if is_shown else {key: item[key] for key in item if key != "event"})
        if event.version in ends:
            yield Moment(seat, named(view_json(fold, "00" * 32)), list(items))


def named(view: Mapping[str, Any]) -> View:
    """Return a view with names, as the API sends it."""
    humans = {one["player"]: FIRST_NAMES[one["seat"]] for one in view["seats"] if one["kind"] == "human"}
    return {**view, "names": humans}


def kind_of(moment: Moment) -> tuple[str, ...]:
    """Return what a page has to show at a moment: one page of each kind is looked at."""
    view, you = moment.view, moment.view.get("you") or {}
    choose = you.get("choose") or {}
    offers = sorted({move["type"] for move in you.get("legal", [])} | {choose.get("type", "")} - {""})
    hand = view["hand"] or {}
    parts = {
        "watcher": moment.seat is None,
        "turn": bool(offers),
        "proposal": view["proposal"] and view["proposal"]["kind"],
        "delay": view["delay"] and "vote" if "vote" in you.get("may", []) else bool(view["delay"]),
        "cuts": bool(view["ceremony"]),
        "blind": you.get("cards", ()) is None and bool(hand),
        "ruled": bool(view["ruled"]),
        "disputed": view["disputes"] and view["disputes"][-1]["status"],
        "many": len(you.get("cards") or ()) > 13 and "many",
        "called": bool(hand.get("called")),
        "deferred": bool(view["rules"].get("deferred")),
    }
    said = tuple(f"{name} {value}" if isinstance(value, str) else name for name, value in parts.items() if value)
    return (view["phase"], *offers, *said)


@cache
def one_of_each(name: str, seats: tuple[int | None, ...] = (0, None)) -> dict[str, Moment]:
    """Return a moment of every kind that happens in a game."""
    found: dict[str, Moment] = {}
    for seat in seats:
        for moment in moments(history(name), seat):
            trick = (moment.view["hand"] or {}).get("trick")
            kind = kind_of(moment)
            key = " ".join(kind)
            better = trick and len(trick["plays"]) > 1
            if key not in found or (better and not (found[key].view["hand"]["trick"] or {"plays": ()})["plays"][1:]):
                found[key] = moment
    return found
