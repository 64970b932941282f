"""Everything in a log, over all of its shards."""

from domain.store import Games, Notice
from domain.store.log import LogPage, numbers_of

ALL = 10**6


def all_notices(games: Games) -> list[Notice]:
    """Return every event of the log, those of one shard in the order of their commits."""
    return [row for row in games.log.read((), ALL).rows if isinstance(row, Notice)]


def all_games(games: Games) -> list[str]:
    """Return the id of every game, shard by shard."""
    numbers = numbers_of(games.log.heads())
    return [game for shard, last in enumerate(numbers) for _, game in games.log.openings(shard, 0, last, ALL)]


def first_page(games: Games, limit: int) -> LogPage:
    """Return the first rows of the log."""
    return games.log.read((), limit)
