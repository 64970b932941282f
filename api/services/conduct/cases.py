"""The part of a player in a game, which keeps a moderator from judging a case of their own."""

from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt
from projections.views.audience import viewer_of


def took_part(games: Games, game: str, player: str) -> bool:
    """Return whether a player sits or sat in a game; False for a game that can't be read."""
    try:
        return viewer_of(games.state(game), player) is not None
    except (NoSuchGame, Corrupt):
        return False
