"""The games of a player, resigning seats, and the players who have a line in the standings."""

from collections.abc import Collection, Iterator

from api.accounts.accounts import Accounts
from api.container import Services
from api.people.stored.users import DELETED_NAME
from api.play.services.server_commands import new_command_id
from domain.commands import Resign
from domain.rejections import GameOver
from projections.lists.lobby_pages import HOST, MAX_PAGE, LobbyFilter, LobbyGame, lobby_page

Seat = tuple[int, str, int]
"""Board number, game id, number of the seat."""


def games_of(services: Services, player: str, status: str | None = None) -> Iterator[LobbyGame]:
    """Yield the rows of the lobby for the games in which a player has or had a seat."""
    cursor: str | None = None
    while True:
        with services.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, LobbyFilter(players=(player,), status=status), MAX_PAGE, cursor, HOST)
        yield from page["items"]
        cursor = page["next"]
        if cursor is None:
            return


def running_seats(services: Services, player: str) -> Iterator[Seat]:
    for game in games_of(services, player, "active"):
        for seat in game["seats"]:
            if seat["player"] == player and seat["state"] == "in":
                yield game["board"], game["id"], seat["seat"]


def resign_seat(services: Services, player: str, game: str, seat: int) -> None:
    """Resign a seat of a player, and let the bots play on. A game that is over needs nothing."""
    request_id = new_command_id()
    try:
        services.games.act(game, Resign(seat), by=player, command_id=request_id)
    except GameOver:
        return
    services.autoplayer.play(services.games.state(game), request_id)


def players_with_lines(accounts: Accounts, players: Collection[str]) -> set[str]:
    """Return which of these players have a line."""
    names = accounts.users.names_of(players)
    users = {player for player, name in names.items() if name != DELETED_NAME}
    return users - accounts.guests.among(users) if users else users
