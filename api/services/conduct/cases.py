"""The part of a player in a game, which keeps a moderator from judging a case of their own."""

from contextlib import suppress

from api.accounts.accounts import Accounts
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt
from projections.views.audience import viewer_of


def took_part(accounts: Accounts, games: Games, game: str, player: str) -> bool:
    """Return whether a player sits or sat in a game, or belongs to the table that formed it."""
    with suppress(NoSuchGame, Corrupt):
        if viewer_of(games.state(game), player) is not None:
            return True
    table = accounts.forming.read(game)
    return table is not None and table.concerns(player)
