"""Whole games of people through the in-process service, and what must hold of each when it has ended.

Random players pass three times in four, else bid the least they may, and play any legal card: uniform bidding would go
on for thousands of hands.
"""

import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

from domain.catalogue import VARIANTS
from domain.catalogue.versions import VERSIONS
from domain.commands import OpenGame, PassBid, SeatCommand
from domain.events import Player
from domain.game import Entry
from domain.legal import legal_moves
from domain.state import State
from domain.store import Games
from projections.audience import Viewer, revealed_by, visible
from projections.scoreboard import SCOREBOARD
from projections.seat_view import Seen, view, view_at
from projections.tables import MemoryRows
from replay.audit import GREEN, audit
from replay.history import History, export, from_entries, read
from replay.rejudge import rejudge

COMBINATIONS = tuple(product(range(2, 8), (7, 11, 21)))
"""Every number of players and goal of gamerz Pitch."""
OFTEN: dict[str, Any] = {"when": [1, 5], "end": [1, 60]}
"""A randomizer of short sessions with many changes."""
EVERYTHING: dict[str, Any] = OFTEN | {"points": list(VERSIONS)}


class Kind(NamedTuple):
    """A variant, a number of players and the options of a table."""

    variant: str
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        options = ", ".join(f"{name} {value}" for name, value in self.options.items() if name != "randomizer")
        return f"{self.variant}, {self.players} players" + (f", {options}" if options else "")


def kinds(name: str) -> Iterator[Kind]:
    """Every number of players with the defaults, then each option's other answers (where `values` lists them)."""
    always = {"randomizer": OFTEN} if name == "corellian" else {}
    for players in VARIANTS[name].rules.seats:
        yield Kind(name, players, dict(always))
    for option in VARIANTS[name].options:
        for value in option.values:
            if value != option.default and option.read is None:
                yield Kind(name, VARIANTS[name].rules.seats[-1], always | {option.name: value})


KINDS = (
    *(kind for name in VARIANTS for kind in kinds(name)),
    Kind("corellian", 4, {"randomizer": EVERYTHING}),
    Kind("corellian", 4, {"randomizer": None, "host_changes": True, "ends_at": "2026-11-21T08:20:00Z"}),
)


def chosen(state: State, seat: int, rng: random.Random) -> SeatCommand:
    """What a random player does."""
    moves = legal_moves(state, seat)
    if isinstance(moves[0], PassBid):
        return moves[1] if len(moves) > 1 and rng.random() < 0.25 else moves[0]
    return rng.choice(moves)


def play(games: Games, number: int, players: int, goal: int) -> str:
    """Play game `number` to its end; answers its id."""
    rng, game = random.Random(number), str(UUID(int=number))
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    opening = OpenGame(game, number, "pitch", {"win": goal}, people)
    state = games.open(opening, by="p0", command_id=_id(number, 0)).state
    while state.result is None:
        seat = state.turn[0]
        command = chosen(state, seat, rng)
        state = games.act(game, command, by=f"p{seat}", command_id=_id(number, state.version)).state
    return game


def _id(number: int, version: int) -> str:
    return f"{number:08x}{version:08x}-{0:016x}"


def check(games: Games, game: str, players: int, goal: int, *, refold: bool) -> int:
    """Assert what must hold of a game that ended; how many facts it has. `refold` folds views from event 1 as well."""
    entries, state = games.entries(game), games.state(game)
    assert state.result is not None
    assert (state.result.reason, len(state.result.winners)) == ("goal", 1)
    assert state.scores[state.result.winners[0]] >= goal
    whole = read(export(from_entries(entries, {})))
    report = audit(whole, rejudge(whole))
    assert (report.code(), report.findings) == (GREEN, [])
    for viewer in (*range(players), None):
        _same_views(entries, viewer, refold=refold)
    return len(entries)


def _same_views(entries: list[Entry], viewer: Viewer, *, refold: bool) -> None:
    """At every version: the view folded live, the view replayed from the viewer's own export, and projected scores."""
    live, replayed, board = Seen(viewer), Seen(viewer), MemoryRows(SCOREBOARD)
    lines = _export_of(entries, viewer).lines
    sample = random.Random(len(entries)).sample(range(1, len(entries) + 1), 5) if refold else []
    for version, (entry, line) in enumerate(zip(entries, lines, strict=True), 1):
        live.add(entry.event)
        replayed.add(line.event)
        SCOREBOARD.fold(board, entry.event)
        shown = view(live, entry.prev.hex())
        assert json.dumps(shown) == json.dumps(view(replayed, line.prev.hex()))
        assert [seat["score"] for seat in shown["seats"]] == board.all("boards")[0]["totals"]
        if version in sample:
            refolded = view_at(lines, viewer, version)
            assert json.dumps(refolded | {"root": shown["root"]}) == json.dumps(shown)


def _export_of(entries: list[Entry], viewer: Viewer) -> History:
    revealed = revealed_by(entry.event for entry in entries)
    return read(export(from_entries(entries, {}, lambda entry: visible(entry.event, viewer, revealed))))
