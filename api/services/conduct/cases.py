"""The part of a player in a game, which keeps a moderator from judging, and from erasing, in a case of their own."""

from collections.abc import Collection
from contextlib import suppress

from api.accounts.accounts import Accounts
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt
from projections.views.audience import viewer_of


class OwnCase(Exception):
    """The moderator has a part in what they want to erase."""

    def __init__(self) -> None:
        super().__init__("You have a part in this game or in a report about it. Ask another moderator to erase this.")


def require_no_part(accounts: Accounts, games: Games, game: str, moderator: str, others: Collection[str] = ()) -> None:
    """Raise OwnCase for a moderator who took part in a game, or in a report about it, or who is one of `others`."""
    if moderator in others or took_part(accounts, games, game, moderator) or accounts.reports.names(game, moderator):
        raise OwnCase


def took_part(accounts: Accounts, games: Games, game: str, player: str) -> bool:
    """Return whether a player sits or sat in a game, or belongs to the table that formed it."""
    with suppress(NoSuchGame, Corrupt):
        if viewer_of(games.state(game), player) is not None:
            return True
    table = accounts.forming.read(game)
    return table is not None and table.concerns(player)
