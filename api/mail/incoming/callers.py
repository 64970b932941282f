"""Runs the line of a mail, with no more rights than its writer has."""

from collections.abc import Sequence

from api.caller import Caller
from api.container import Services
from api.lines.answer import CommandAnswer
from api.lines.line_sender import LineSender, refusal
from api.lines.requests import LineLogin
from api.lines.service import run_lines
from api.mail.services.addresses import ReplyRight
from api.people.stored.token_scopes import GAME_PREFIX, PLAY
from api.people.stored.tokens import TokenInfo
from api.web.auth import network_of

MAIL_TOKEN = "mail"
FROM_NOWHERE = "100::"
"""The client address of mails, one that nobody has (RFC 6666): rate limits by address count all mails together."""
NOT_THEIR_ADDRESS = (
    "A line with a password counts only in a mail from the confirmed address of its user. Confirm this address, or"
    " reply to a mail about your board."
)


class MailSender(LineSender):
    """A writer who may sign in by name and password only if the mail comes from that user's confirmed address."""

    def __init__(self, services: Services, caller: Caller, sender: str) -> None:
        super().__init__(services, caller)
        self._sender = sender

    def sign_in(self, login: LineLogin, scope: str = PLAY) -> None:
        """Act as the user of a line, once their address is known to be the sender's. Raise CommandRefusal."""
        if not self.has_token:
            accounts = self.services.accounts
            user = accounts.users.by_name(login.name)
            address = None if user is None else accounts.mail_levels.confirmed_address(user.id)
            if address is None or address.lower() != self._sender:
                raise refusal("forbidden", 403, "Not allowed", NOT_THEIR_ADDRESS)
        super().sign_in(login, scope)


def run_as(
    services: Services, right: ReplyRight | None, sender: str, line: str, text: Sequence[str], key: str
) -> CommandAnswer:
    """Return the answer to a line. Raise ServerFailure if the server can't answer at the moment.

    With a right it acts for that player in that game alone, as a token `play:<game>` would.
    """
    caller = Caller(network_of(FROM_NOWHERE), None if right is None else _token(right))
    try:
        return run_lines(lambda: MailSender(services, caller, sender), line, text, key)
    finally:
        services.wakeups.ring()  # as a request that writes


def _token(right: ReplyRight) -> TokenInfo:
    return TokenInfo(right.player, MAIL_TOKEN, scope=GAME_PREFIX + right.game, game=right.game)
