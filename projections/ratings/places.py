"""The places of a finished game: who came before whom, as far as ratings know."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from domain.json_fields import one_of
from projections.lists.standings_results import reason_for_player
from projections.storage.tables import Row

KINDS = ("two", "more", "partners")
"""The kinds of table: two sides of one seat each, more of them, and sides of several seats."""
EVERY_KIND = "all"
TableKind = Annotated[
    str, one_of(EVERY_KIND, *KINDS, text="`all` for pbmserv's rating; otherwise the kind of table, for the skill.")
]
LAST = 99
"""The place of everybody who left the game before its end."""
Entry = tuple[str, int, int]
"""A person, the number of their side, and their place."""


@dataclass(frozen=True)
class CountedGame:
    """A finished game that counts. `entries` are its people by place, then by side."""

    game: str
    board: int
    variant: str
    kind: str
    ended: str
    entries: tuple[Entry, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The place of the game in the order of all games."""
        return self.ended, self.game

    @cached_property
    def people(self) -> str:
        return join_people(player for player, _, _ in self.entries)

    @property
    def teams(self) -> dict[tuple[int, int], list[str]]:
        """The people that are placed together, the best first, by place and side."""
        teams: dict[tuple[int, int], list[str]] = {}
        for player, side, place in self.entries:
            teams.setdefault((place, side), []).append(player)
        return teams


def join_people(players: Iterable[str]) -> str:
    """Return a set of people as one text."""
    return " ".join(sorted(players))


def kind_of_table(sides: Sequence[Sequence[int]]) -> str:
    if any(len(side) > 1 for side in sides):
        return "partners"
    return "two" if len(sides) == 2 else "more"


def entries_of(game: Row, ruled: Mapping[str, Any] | None) -> list[list[Any]] | None:
    """Return the people of a finished game by place; None if the game counts for fewer than two of its sides.

    Winners come before the other sides, which are ordered by score. A player who resigned, was forfeit or lost their
    seat to the clock comes last, alone. After an agreed draw all others share the first place.
    """
    whole = game | {"reason": None}
    seats = {player: tally["seat"] for player, tally in game["tallies"].items()}
    counted = {player: seat for player, seat in seats.items() if reason_for_player(whole, player) is None}
    places = _side_places(game, ruled)
    entries = []
    for player, seat in counted.items():
        side = _side_of(game, seat)
        sitting = game["seats"][seat]
        left = sitting["late"] == player or seat in game["left"]
        entries.append([player, side, LAST if left else places[side]])
    entries.sort(key=lambda entry: (entry[2], entry[1], seats[entry[0]]))
    return entries if len({side for _, side, _ in entries}) > 1 else None


def _side_of(game: Row, seat: int) -> int:
    return next(number for number, side in enumerate(game["sides"]) if seat in side)


def _side_places(game: Row, ruled: Mapping[str, Any] | None) -> list[int]:
    """Return the place of each side, from 1; equal sides share one."""
    result = game["result"]
    if result["reason"] == "draw":
        return [1] * len(game["sides"])
    outcome = ruled or result
    ranks = [
        (any(seat in outcome["winners"] for seat in side), max(outcome["scores"][seat] for seat in side))
        for side in game["sides"]
    ]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]
