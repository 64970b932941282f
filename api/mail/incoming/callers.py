"""Runs the line of a mail as a request to this server's own API, with no more rights than its writer has."""

from collections.abc import Sequence
from functools import partial

from flask import Flask, g

from api.lines.answer import CommandAnswer
from api.lines.edge import OwnRequests, refusal
from api.lines.requests import LineLogin
from api.lines.service import run_lines
from api.mail.services.addresses import ReplyRight
from api.people.stored.grants import GAME_PREFIX, PLAY
from api.people.stored.tokens import TokenInfo

MAIL_TOKEN = "mail"
LOCAL = "http://localhost"
FROM_NOWHERE = "100::"
"""The client address of mails, one that nobody has (RFC 6666): rate limits by address count all mails together."""
NOT_THEIR_ADDRESS = (
    "A line with a password counts only in a mail from the confirmed address of its user. Confirm this address, or"
    " reply to a mail about your board."
)


class MailRequests(OwnRequests):
    """A writer who may sign in by name and password only if the mail comes from that user's confirmed address."""

    def __init__(self, sender: str) -> None:
        super().__init__()
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
    app: Flask, right: ReplyRight | None, sender: str, line: str, text: Sequence[str], key: str
) -> CommandAnswer:
    """Return the answer to a line. Raise ServerFailure if the server can't answer at the moment.

    With a right it acts for that player in that game alone, as a token `play:<game>` would.
    """
    base = app.extensions["trickbook"].config.url or LOCAL
    with app.test_request_context("/api/v1/commands", base, method="POST", environ_base={"REMOTE_ADDR": FROM_NOWHERE}):
        g.token = None if right is None else _token(right)
        return run_lines(partial(MailRequests, sender), line, text, key)


def _token(right: ReplyRight) -> TokenInfo:
    return TokenInfo(right.player, MAIL_TOKEN, scope=GAME_PREFIX + right.game, game=right.game)
