"""The seats of a user in running games."""

from collections.abc import Iterator
from contextlib import closing

from api.accounts.users import User
from api.cli.common.config import CannotAnswer
from api.config import Config
from api.http.preconditions import command_id
from api.services.container import Services, open_services
from domain.commands import Resign
from domain.rejections import Rejected
from projections.lists.lobby_pages import HOST, MAX_PAGE, LobbyFilter, lobby_page

MAX_LISTED = 10
Seat = tuple[int, str, int]
"""Board number, game id, number of the seat."""


def require_no_seats(config: Config, user: User) -> None:
    """Raise CannotAnswer, with the boards, if the user has a seat in a running game."""
    with closing(open_services(config)) as services:
        boards = sorted(board for board, _, _ in _seats(services, user))
    if boards:
        listed = ", ".join(map(str, boards[:MAX_LISTED])) + (", ..." if len(boards) > MAX_LISTED else "")
        raise CannotAnswer(f"{user.name} plays at boards {listed}. With --force, the user resigns there first.")


def resign_seats(config: Config, user: User) -> None:
    """Resign the user's seats in running games."""
    with closing(open_services(config)) as services:
        for _, game, seat in list(_seats(services, user)):
            request_id = str(command_id(services.secret, user.id, None, "", {}))
            try:
                services.games.act(game, Resign(seat), by=user.id, command_id=request_id)
            except Rejected as refusal:
                raise CannotAnswer(f"{game}: {refusal}") from None
            services.autoplayer.play(services.games.state(game), request_id)


def _seats(services: Services, user: User) -> Iterator[Seat]:
    services.followers.catch_up()
    cursor: str | None = None
    while True:
        with services.rows.snapshot("lobby") as reading:
            page = lobby_page(reading, LobbyFilter(player=user.id, status="active"), MAX_PAGE, cursor, HOST)
        for game in page["items"]:
            for seat in game["seats"]:
                if seat["player"] == user.id and seat["state"] == "in":
                    yield game["board"], game["id"], seat["seat"]
        cursor = page["next"]
        if cursor is None:
            return
