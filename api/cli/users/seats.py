"""The seats of a user in running games, for commands that delete the user."""

from contextlib import closing

from api.accounts.users import User
from api.cli.common.config import CannotAnswer
from api.config import Config
from api.services.container import open_services
from api.services.people.housekeeping import erase_person
from api.services.people.seats import resign_seat, running_seats
from domain.rejections import Rejected

MAX_LISTED = 10


def require_no_seats(config: Config, user: User) -> None:
    """Raise CannotAnswer, with the boards, if the user has a seat in a running game."""
    with closing(open_services(config)) as services:
        services.followers.catch_up()
        boards = sorted(board for board, _, _ in running_seats(services, user.id))
    if boards:
        listed = ", ".join(map(str, boards[:MAX_LISTED])) + (", ..." if len(boards) > MAX_LISTED else "")
        raise CannotAnswer(f"{user.name} plays at boards {listed}. With --force, the user resigns there first.")


def resign_seats(config: Config, user: User) -> None:
    """Resign the user's seats in running games."""
    with closing(open_services(config)) as services:
        services.followers.catch_up()
        for _, game, seat in list(running_seats(services, user.id)):
            try:
                resign_seat(services, user.id, game, seat)
            except Rejected as refusal:
                raise CannotAnswer(f"{game}: {refusal}") from None


def erase_user(config: Config, user: User) -> None:
    """Erase a user who has no seat in a running game."""
    with closing(open_services(config)) as services:
        erase_person(services, user.id)
