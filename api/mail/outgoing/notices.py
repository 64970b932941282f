"""The mail once a day about the boards that wait for the reader, and the mail to a player who is offered a seat."""

from itertools import islice

from api.container import Services
from api.mail.outgoing.board_mail import BoardLetter, web_lines, write_board
from api.mail.outgoing.messages import SENTINEL
from api.mail.services.addresses import MailAddresses
from api.mail.stored.levels import ALL_GAMES, USUAL_LEVEL
from api.people.services.seats import running_seats
from domain.engine.timestamps import iso_time
from domain.rules.variants import KNOWN
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from replay.text.layout import fold_text, minute_of

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


OFFERED = """{asker} offers you their seat at board {board}, {title}: seat {seat}.
The others at the table are asked once you agree.

To take the seat, or to decline it, use the page. The offer ends on {expires} UTC.
This mail can't be answered by a line.
{web}"""


def write_offer(services: Services, player: str, game: str) -> BoardLetter | None:
    """Return the mail about the open offer of a seat in a game to a player; None if it has ended."""
    offered = services.accounts.handover_offers.of(player)
    offers = [each for each in offered if (each.game, each.taker) == (game, player)]
    state, board = services.games.state(game), services.accounts.boards.number_of(game)
    if not offers or board is None or state.opened is None or state.result is not None:
        return None
    offer, title = offers[-1], KNOWN[state.opened.variant].title
    names = services.accounts.users.names_of([offer.asker])
    body = OFFERED.format(
        asker=names.get(offer.asker, "Somebody"),
        board=board,
        title=title,
        seat=offer.seat,
        expires=minute_of(iso_time(offer.expires) or ""),
        web="\n".join(web_lines(services, board)),
    )
    return BoardLetter(f"Board {board}, {title}", f"{SENTINEL}\n\n{fold_text(body)}\n", board, 0, takes_replies=False)
