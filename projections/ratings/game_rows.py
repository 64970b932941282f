"""The rows of finished games as games to rate: as they count now, or as they counted at an earlier time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from projections.ratings.places import EVERY_KIND, CountedGame
from projections.storage.tables import DerivedTables, Row

Key = tuple[str, str]
CHUNK = 500
"""How many games are read at once."""


@dataclass(frozen=True, order=True)
class OutcomeKey:
    """An outcome of a finished game: that of its end, or of a ruling that changed it."""

    at: str
    game: str
    version: int


def pools_of(game: Row) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the two pools in which a game is rated, each a variant and a kind of table."""
    return (game["variant"], EVERY_KIND), (game["variant"], game["kind"])


def counted_game(row: Row, outcome: Mapping[str, Any] | None = None) -> CountedGame:
    """Return a game by its last outcome, or by another one."""
    entries = tuple((player, side, place) for player, side, place in (outcome or row["outcomes"][-1])["entries"])
    return CountedGame(row["game"], row["board"], row["variant"], row["kind"], row["ended"], entries)


def outcome_at(row: Row, ruling: OutcomeKey, *, included: bool) -> Mapping[str, Any]:
    """Return the outcome of a game just before a ruling, or if `included` just after it."""
    found: Mapping[str, Any] = row["outcomes"][0]
    limit = ruling.at, ruling.game, ruling.version + included
    for outcome in row["outcomes"][1:]:
        if (outcome["at"], row["game"], outcome["version"]) < limit:
            found = outcome
    return found


def later_rulings(tables: DerivedTables, variant: str, kind: str, at: str) -> list[Row]:
    """Return the games of a pool of which a ruling changed the outcome at this time or later."""
    where, values = _pool(variant, kind)
    return tables.find("games", f"WHERE {where} AND ruled >= ?", *values, at)


def has_later_game(tables: DerivedTables, variant: str, kind: str, at: str) -> bool:
    """Return whether a game of a pool ended after a time."""
    where, values = _pool(variant, kind)
    return bool(tables.find("games", f"WHERE {where} AND people IS NOT NULL AND ended > ? LIMIT 1", *values, at))


def games_from(
    tables: DerivedTables, variant: str, kind: str, since: Key, until: str | None = None
) -> Iterator[list[Row]]:
    """Yield the games of a pool in order from a key on, some at a time; with `until` those that ended by then."""
    where, values = _pool(variant, kind)
    if until is not None:
        where, values = f"{where} AND ended <= ?", (*values, until)
    comparison = ">="
    while True:
        tail = f"WHERE {where} AND people IS NOT NULL AND (ended, game) {comparison} (?, ?) ORDER BY ended, game"
        rows = tables.find("games", f"{tail} LIMIT {CHUNK}", *values, *since)
        if rows:
            yield rows
        if len(rows) < CHUNK:
            return
        since, comparison = (rows[-1]["ended"], rows[-1]["game"]), ">"


def earlier_ends(tables: DerivedTables, variant: str, kind: str, game: CountedGame, since: str) -> list[str]:
    """Return when earlier games of the same people in this pool ended, from `since` on."""
    where, values = _pool(variant, kind)
    tail = f"WHERE people = ? AND {where} AND ended >= ? AND (ended, game) < (?, ?) ORDER BY ended"
    rows = tables.find("games", tail, game.people, *values, since, *game.key)
    return [row["ended"] for row in rows]


def _pool(variant: str, kind: str) -> tuple[str, tuple[str, ...]]:
    return ("variant = ?", (variant,)) if kind == EVERY_KIND else ("variant = ? AND kind = ?", (variant, kind))
