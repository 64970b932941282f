"""Runs the line of a mail, with no more rights than its writer has."""

from collections.abc import Sequence
from dataclasses import replace

from api.caller import Caller
from api.conduct.stored.conduct_steps import require_standing
from api.container import Services
from api.lines.answer import CommandAnswer
from api.lines.line_sender import LineSender, refusal
from api.lines.requests import LineLogin
from api.lines.service import run_lines
from api.mail.services.addresses import ReplyRight
from api.people.stored.token_scopes import GAME_PREFIX, PLAY
from api.people.stored.tokens import TokenInfo
from api.people.stored.users import User
from api.web.auth import network_of

MAIL_TOKEN = "mail"
FROM_NOWHERE = "100::"
"""The client address of mails, one that nobody has (RFC 6666): rate limits by address count all mails together."""
NOT_THEIR_ADDRESS = (
    "A line with a password counts only in a mail from the address of its user. Give this address on the page of your"
    " account, or reply to a mail about your board."
)


class MailSender(LineSender):
    """A writer who may sign in by name and password only if the mail comes from that user's address.

    The reader has checked that a mail without a right is proven to come from its From. So an address that its user has
    named, but not confirmed yet, will do: that's how they send its code. A line without a place for a name and a
    password counts as that of the user with this confirmed address, if they allow lines with passwords.
    """

    def __init__(self, services: Services, caller: Caller, sender: str) -> None:
        super().__init__(services, caller)
        self._sender = sender
        self.has_read_password = False

    def sign_in(self, login: LineLogin, scope: str = PLAY) -> None:
        """Act as the user of a line, once their address is known to be the sender's. Raise CommandRefusal."""
        if not self.has_token and login.name != self.new_user:
            self.has_read_password = True
            accounts = self.services.accounts
            user = accounts.users.by_name(login.name)
            address = None if user is None else accounts.emails.address(user.id)
            if address is None or address[0].lower() != self._sender:
                raise refusal("forbidden", 403, "Not allowed", NOT_THEIR_ADDRESS)
        super().sign_in(login, scope)

    def is_proven(self) -> bool:
        """Sign in the one user whose confirmed address the mail comes from, and return whether there is one."""
        accounts = self.services.accounts
        found = [] if self.has_token else accounts.mail_levels.players_of(self._sender)
        if len(found) != 1 or accounts.command_settings.of(found[0])["passwords"] != "on":
            return False
        require_standing(accounts.steps, found[0], reads=False, own=False)
        name = accounts.users.names_of(found)[found[0]]
        self.caller = replace(self.caller, token=TokenInfo(User(found[0], name), MAIL_TOKEN, scope=PLAY))
        return True


def run_as(
    services: Services, right: ReplyRight | None, sender: str, line: str, text: Sequence[str], key: str
) -> tuple[CommandAnswer, bool]:
    """Return the answer to a line, and whether it held a password. Raise ServerFailure if the server can't answer.

    With a right it acts for that player in that game alone, as a token `play:<game>` would.
    """
    caller, senders = Caller(network_of(FROM_NOWHERE), None if right is None else _token(right)), list[MailSender]()

    def make_sender() -> MailSender:
        senders.append(MailSender(services, caller, sender))
        return senders[-1]

    try:
        answer = run_lines(make_sender, line, text, key)
        return answer, any(each.has_hashed or each.has_read_password for each in senders)
    finally:
        services.wakeups.ring()  # as a request that writes


def _token(right: ReplyRight) -> TokenInfo:
    return TokenInfo(right.player, MAIL_TOKEN, scope=GAME_PREFIX + right.game, game=right.game)
