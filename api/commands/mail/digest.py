"""The mail once a day: the boards that wait for the reader."""

from itertools import islice

from api.accounts.mail.levels import ALL_GAMES, USUAL_LEVEL
from api.commands.mail.board_mail import BoardLetter, write_board
from api.commands.text.layout import fold_text
from api.services.container import Services
from api.services.mail.addresses import MailAddresses
from api.services.people.seats import running_seats
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt

MOST_BOARDS = 10
MOST_SEATS = 300
"""How many of a player's boards are looked at, the newest first."""
SUBJECT = "Your boards today"
HEAD = "These boards wait for you. Each has an address of its own for your move."
MOVE_TO = "To move on board {board}, write the move to:\n{address}"


def write_digest(services: Services, player: str, day: int) -> BoardLetter | None:
    """Return the mail about all boards that wait for a player; None if no board waits."""
    address = services.accounts.mail_levels.confirmed_address(player)
    if address is None:
        return None
    addresses, parts = MailAddresses(services), list[str]()
    levels = services.accounts.mail_levels.all_of(player)
    usual = levels.get(ALL_GAMES, USUAL_LEVEL)
    for board, game, seat in islice(running_seats(services, player), MOST_SEATS):
        if len(parts) >= MOST_BOARDS:
            break
        if levels.get(game, usual) != "digest":
            continue
        try:
            letter = write_board(services, player, game, ["turn", "question"], services.games.state(game).version)
        except (NoSuchGame, Corrupt):
            continue
        if letter is None:
            continue
        to = addresses.reply(player, address, game, (board, seat, letter.version))
        parts.append(f"{letter.body.partition(chr(10))[2].strip()}\n\n{MOVE_TO.format(board=board, address=to)}")
    if not parts:
        return None
    body = ("\n\n" + "-" * 40 + "\n\n").join([fold_text(HEAD), *parts])
    return BoardLetter(SUBJECT, body + "\n", 0, day)
