"""Ratings from the events of games alone, without a store: what the list says, to the last digit."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from domain.events import Event
from projections.ratings.game_rows import counted_game, pools_of
from projections.ratings.pbmserv import millionths
from projections.ratings.rating_pool import PlayerState, rate_all, rating_json
from projections.ratings.ratings import RATINGS, fold
from projections.storage.tables import MemoryRows


class OfflineRating(NamedTuple):
    """A player's rating in a pool."""

    variant: str
    kind: str
    player: str
    state: PlayerState

    def to_json(self) -> dict[str, Any]:
        """Return the rating as the list shows it."""
        rating = self.state.rating
        spread = None if rating.spread is None else millionths(rating.spread)
        shown = rating_json(self.kind, millionths(rating.value), spread, rating.played)
        more = {"opponents": self.state.opponents, "last": self.state.last}
        return {"variant": self.variant, "kind": self.kind, "player": self.player, **shown, **more}


def rate_histories(histories: Iterable[Iterable[Event[Any]]]) -> Iterator[OfflineRating]:
    """Rate finished games and yield the ratings by pool, the best first."""
    rows = MemoryRows(RATINGS)
    for events in histories:
        for event in events:
            fold(rows, event)
    games = [row for row in rows.all("games") if row["people"] is not None]
    for variant, kind in sorted({pool for row in games for pool in pools_of(row)}):
        counted = [counted_game(row) for row in games if (variant, kind) in pools_of(row)]
        pool, _ = rate_all(variant, kind, counted)
        order = sorted(pool.states.items(), key=lambda each: (-each[1].rating.established, -each[1].rating.value, each))
        yield from (OfflineRating(variant, kind, player, state) for player, state in order)
