"""Whether the address in From is proven: by a DKIM signature of its domain that our own mail server has checked.

The mail server writes what it found into Authentication-Results (RFC 8601) under its own name. Results under any other
name are ignored: anybody who sends a mail can write them. Results under its name still hold words of the mail's writer,
such as the envelope's sender, in quotes or comments. So only whole words count, and a header that isn't plainly a list
of results proves nothing.
The line of a mail runs with no more rights than its writer has.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from api.caller import Caller
from api.conduct.stored.conduct_steps import require_unrestricted
from api.container import Services
from api.lines.line_sender import CommandAnswer, LineSender, refusal
from api.lines.requests import LineLogin
from api.lines.run import run_lines
from api.mail.services.addresses import ReplyRight
from api.people.stored.tokens import GAME_PREFIX, PLAY, TokenInfo
from api.people.stored.users import User
from api.web.context import network_of

MOST_CHARACTERS = 4000
COMMENT = r"\((?:[^()\"\\]|\([^()\"\\]*+\))*+\)"
"""A comment, with others in it at most. Quotes and backslashes have no place there: readers differ about their end."""
WORD = r"(?:[^\s\"();\\]|\"(?:[^\"\\]|\\.)*+\")++"
TOKENS = re.compile(rf"(?:\s++|;|(?:{COMMENT}|{WORD})(?=[\s;]|$))*+")
WORDS = re.compile(rf"{COMMENT}|{WORD}|;")
RESULT = re.compile(r"[a-z0-9-]{1,64}(?:/[0-9]{1,4})?=[a-z]+", re.IGNORECASE)
PROPERTY = re.compile(r"[a-z0-9-]{1,64}(?:\.[a-z0-9_-]{1,64})?=.+", re.IGNORECASE)
PASSED = re.compile(r"dkim(?:/1)?=pass", re.IGNORECASE)
SIGNED_BY = re.compile(r"header\.d=([a-z0-9.-]{1,253})", re.IGNORECASE)
SIGNED_FOR = re.compile(r"header\.i=[^@\"]*@([a-z0-9.-]{1,253})", re.IGNORECASE)
NAMES_SIGNER = re.compile(r"header\.([di])=", re.IGNORECASE)


def is_verified(sender: str, results: Iterable[str], authserv: str | None) -> bool:
    """Return whether the newest results of our mail server say that a domain of the sender has signed the mail."""
    if authserv is None:
        return False
    ours = next((found for each in results if (found := _results_of(each, authserv)) is not None), ())
    domain = sender.rpartition("@")[2]
    return any(signed is not None and _is_aligned(domain, signed) for signed in map(_signed_domain, ours))


def _results_of(header: str, authserv: str) -> Sequence[Sequence[str]] | None:
    """Return the results of a header under our server's name, each as its words; None under another one."""
    name, *results = _parts(header)
    if not name or name[0].lower() != authserv:
        return None
    results = results[:-1] if results and not results[-1] else results  # after a last semicolon
    return results if all(map(_is_result, results)) else ()


def _parts(header: str) -> list[list[str]]:
    """Return the words between the semicolons of a header; no words if it isn't plainly a list of results."""
    parts: list[list[str]] = [[]]
    if len(header) > MOST_CHARACTERS or TOKENS.fullmatch(header) is None:
        return parts
    for word in WORDS.findall(header):
        if word == ";":
            parts.append([])
        elif not word.startswith("("):
            parts[-1].append(word)
    return parts


def _is_result(words: Sequence[str]) -> bool:
    """Return whether words are a method with its result, and properties: otherwise a value was taken apart."""
    return bool(words and RESULT.fullmatch(words[0]) and all(map(PROPERTY.fullmatch, words[1:])))


def _signed_domain(words: Sequence[str]) -> str | None:
    """Return the domain whose signature has passed, or None if a result says no such thing, or says it twice."""
    if not words or not PASSED.fullmatch(words[0]):
        return None
    named = {"d": list[str](), "i": list[str]()}
    for word in words[1:]:
        if (match := NAMES_SIGNER.match(word)) is not None:
            named[match[1].lower()].append(word)
    found, pattern = (named["d"], SIGNED_BY) if named["d"] else (named["i"], SIGNED_FOR)
    match = pattern.fullmatch(found[0]) if len(found) == 1 else None
    return None if match is None else match[1].lower().rstrip(".")


def _is_aligned(domain: str, signed: str) -> bool:
    """Return whether a signature's domain is the sender's, or a parent of it with at least two labels."""
    return domain == signed or ("." in signed and domain.endswith(f".{signed}"))


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
        require_unrestricted(accounts.steps, found[0], reads=False, own=False)
        name = accounts.users.names_of(found)[found[0]]
        self.caller = replace(self.caller, token=TokenInfo(User(found[0], name), MAIL_TOKEN, scope=PLAY))
        return True


def run_as(
    services: Services, right: ReplyRight | None, sender: str, line: str, text: Sequence[str], key: str
) -> tuple[CommandAnswer, bool]:
    """Return the answer to a line, and whether it held a password. Raise ServerFailure if the server can't answer.

    With a right it acts for that player in that game alone, as a token `play:<game>` would.
    """
    caller = Caller(network_of(FROM_NOWHERE), None if right is None else _token(right))
    writer = MailSender(services, caller, sender)
    try:
        answer = run_lines(writer, line, text, key)
        return answer, any(each.has_hashed or each.has_read_password for each in writer.all)
    finally:
        services.wakeups.ring()  # as a request that writes


def _token(right: ReplyRight) -> TokenInfo:
    return TokenInfo(right.player, MAIL_TOKEN, scope=GAME_PREFIX + right.game, game=right.game)
