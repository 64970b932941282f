"""The mail to a player who is offered a seat in a running game (R-P13)."""

from api.accounts.clock.times import iso_time
from api.commands.mail.board_mail import BoardLetter, web_lines
from api.commands.mail.messages import SENTINEL
from api.commands.text.layout import fold_text, minute_of
from api.services.container import Services
from domain.rules.variants import VARIANTS

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
    offer, title = offers[-1], VARIANTS[state.opened.variant].title
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
