"""Rates games again from the first one whose outcome is new or has changed, and has renewed what rulings moved."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from projections.ratings.game_rows import Key, OutcomeKey, counted_game, games_from, later_rulings, pools_of
from projections.ratings.ruling_changes import renew_changes
from projections.ratings.stored_pool import StoredPool
from projections.storage.tables import DerivedTables, Row


def rerate(tables: DerivedTables, before: Sequence[Row], after: Sequence[Row]) -> None:
    """Bring all ratings up to date after the rows of finished games, which were `before`, became `after`."""
    for (variant, kind), (games, outcomes) in sorted(_changes_by_pool(before, after).items()):
        _rerate_pool(tables, variant, kind, min(games), outcomes)


def _changes_by_pool(
    before: Sequence[Row], after: Sequence[Row]
) -> dict[tuple[str, str], tuple[set[Key], set[OutcomeKey]]]:
    """Return for each pool the games whose outcomes have changed, and these outcomes."""
    olds, news = ({row["game"]: row for row in rows} for rows in (before, after))
    found = defaultdict[tuple[str, str], tuple[set[Key], set[OutcomeKey]]](lambda: (set(), set()))
    for game in olds.keys() | news.keys():
        rows = [row for row in (olds.get(game), news.get(game)) if row is not None]
        if outcomes := _changed_outcomes(game, [row["outcomes"] for row in rows]):
            for row in rows:
                for pool in pools_of(row):
                    found[pool][0].add((row["ended"], game))
                    found[pool][1].update(outcomes)
    return found


def _changed_outcomes(game: str, lists: Sequence[list[Row]]) -> list[OutcomeKey]:
    """Return the outcomes of a game that aren't in all lists."""
    return [
        OutcomeKey(outcome["at"], game, outcome["version"])
        for outcomes in lists
        for outcome in outcomes
        if len(lists) < 2 or not all(outcome in each for each in lists)
    ]


def _rerate_pool(tables: DerivedTables, variant: str, kind: str, since: Key, outcomes: Collection[OutcomeKey]) -> None:
    pool = StoredPool(tables, variant, kind, since)
    was_rated = bool(pool.stale)
    pool.forget_later()
    for rows in games_from(tables, variant, kind, since):
        games = [counted_game(row) for row in rows]
        pool.prepare(games)
        pool.write_steps([step for game in games for step in pool.ratings.rate(game)])
    pool.write_players()
    games_ruled = later_rulings(tables, variant, kind, min(outcomes).at)
    if was_rated or games_ruled:
        renew_changes(tables, pool, outcomes, games_ruled)
