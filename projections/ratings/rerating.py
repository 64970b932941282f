"""Rates games again from the first one whose outcome is new or has changed, and keeps what rulings moved.

Those are the ratings just before and just after each ruling, with all games that had ended by then. A ruling's changes
depend on what happened before it, so those of earlier rulings stay as they are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from projections.ratings.game_rows import (
    Key,
    OutcomeKey,
    counted_game,
    games_from,
    has_later_game,
    later_rulings,
    outcome_at,
    pools_of,
)
from projections.ratings.pbmserv import millionths
from projections.ratings.rating_pool import PlayerState, RatingPool
from projections.ratings.stored_pool import StoredPool
from projections.storage.tables import DerivedTables, Row


def renew_changes(
    tables: DerivedTables, pool: StoredPool, outcomes: Collection[OutcomeKey], games_ruled: Sequence[Row]
) -> None:
    """Work out again what rulings moved, from the first of the outcomes on that have changed.

    `games_ruled` are the games with rulings since then, and `pool` has just been rated again.
    """
    at, rulings = min(outcomes).at, list[tuple[OutcomeKey, Row]]()
    tables.remove("changes", "WHERE pool = ? AND at >= ?", pool.name, at)
    for game in games_ruled:
        for outcome in game["outcomes"][1:]:
            if outcome["at"] >= at:
                more = {"board": game["board"], "dispute": outcome["dispute"], "what": outcome["what"]}
                rulings.append((OutcomeKey(outcome["at"], game["game"], outcome["version"]), more))
    is_all = set(outcomes) == {ruling for ruling, _ in rulings} and len(rulings) == 1
    for ruling, more in rulings:
        variant, kind = pool.ratings.variant, pool.ratings.kind
        if is_all and not has_later_game(tables, variant, kind, ruling.at):
            around = pool.before, pool.ratings
        else:
            around = _pools_around(tables, variant, kind, ruling)
        key = {"pool": pool.name, "at": ruling.at, "game": ruling.game, "version": ruling.version}
        tables.put("changes", [key | more | each for each in _changes(*around)])


def _changes(without: RatingPool, within: RatingPool) -> Iterator[Row]:
    """Yield the players whose ratings differ."""
    for player in sorted(without.states.keys() | within.states.keys()):
        old, new = without.state(player), within.state(player)
        if old.rating != new.rating:
            yield {"player": player, "played": new.rating.played, **_values(old, "_before"), **_values(new, "")}


def _pools_around(tables: DerivedTables, variant: str, kind: str, ruling: OutcomeKey) -> tuple[RatingPool, RatingPool]:
    """Return the pool at the time of a ruling without it, and with it."""
    known_later = later_rulings(tables, variant, kind, ruling.at)
    keys = ((row["ended"], row["game"]) for row in known_later if row["ended"] <= ruling.at)
    since = min(keys, default=(ruling.at, ruling.game))
    without, within = (_pool_at(tables, variant, kind, since, ruling, included=each) for each in (False, True))
    return without, within


def _pool_at(
    tables: DerivedTables, variant: str, kind: str, since: tuple[str, str], ruling: OutcomeKey, *, included: bool
) -> RatingPool:
    """Return the pool at the time of a ruling, without it or if `included` with it."""
    pool = StoredPool(tables, variant, kind, since)
    for rows in games_from(tables, variant, kind, since, ruling.at):
        games = [counted_game(row, outcome_at(row, ruling, included=included)) for row in rows]
        pool.prepare(games)
        for game in games:
            pool.ratings.rate(game)
    return pool.ratings


def _values(state: PlayerState, suffix: str) -> Row:
    rating = state.rating
    spread = None if rating.spread is None else millionths(rating.spread)
    return {f"value{suffix}": millionths(rating.value), f"spread{suffix}": spread}


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
