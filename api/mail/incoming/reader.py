"""Reads mails, whichever way they came in: carries out their line, and leaves an answer to the worker.

A mail that came back is noted for its address.

An address decides what a mail may do. To `play+...` it acts for the player of that address; to `play` it's a line that
needs a name and a password, and counts only if our mail server has verified its sender.
"""

import hashlib
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from api.container import Services
from api.delivery.stored.queue import MAIL_ANSWERS
from api.limits import LimitReached
from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS
from api.lines.line_sender import CommandAnswer, ServerFailure
from api.lines.run import MAX_LINES
from api.lines.words import MAX_LINE, split_move_number
from api.mail.incoming.callers import is_verified, run_as
from api.mail.incoming.message import IncomingMail, UnusableMail, parse_message, read_mail
from api.mail.outgoing.board_mail import BoardLetter, write_board
from api.mail.outgoing.messages import SENTINEL, Letter, message_id, message_text
from api.mail.outgoing.sender import compose, sender_of
from api.mail.services.addresses import PLAY, MailAddresses, ReplyRight
from api.monitoring.logs import log_event
from domain.rules.variants import KNOWN
from domain.store import NoSuchGame
from domain.store.aggregate import Corrupt
from projections.moves.text_moves import MalformedMove, parse_text_move

REPLY_WORDS = re.compile(r"(?:re|aw|sv|antw|fwd?|wg|tr|rif|vs|odp|ynt)(?:\[[0-9]{1,3}\])?\s*:\s*", re.IGNORECASE)
OUR_SUBJECT = re.compile(r"board [1-9][0-9]{0,8}, |your boards today", re.IGNORECASE)
JOIN = ("join", "yes")
MOST_TEXT_LINES = 100


@dataclass(frozen=True)
class MailLine:
    """A command, the lines of text below it that only the server reads, and those for everybody at the table."""

    line: str
    text: Sequence[str]
    comment: Sequence[str]


def find_line(mail: IncomingMail, right: ReplyRight | None) -> MailLine | None:
    """Return what a mail asks for, or None if neither subject nor text is a command or a move."""
    subject, body = _own_subject(mail.subject), mail.body
    line = None if subject is None else _as_line(subject, right)
    if line is not None:
        first = () if body.first is None else (body.first, *body.below)
        return _mail_line(line, first, body.whole_comment)
    line = None if body.first is None else _as_line(body.first, right) or _bare_command(body.first, right)
    return None if line is None else _mail_line(line, body.below, body.comment)


def _mail_line(line: str, text: Sequence[str], comment: Sequence[str]) -> MailLine:
    return MailLine(line, *([each[:MAX_LINE] for each in lines[:MOST_TEXT_LINES]] for lines in (text, comment)))


def _own_subject(subject: str) -> str | None:
    """Return a subject without "Re:", or None if it's one of our own."""
    for _ in range(5):
        subject = REPLY_WORDS.sub("", subject.strip(), count=1) if REPLY_WORDS.match(subject.strip()) else subject
    subject = subject.strip()
    return None if not subject or OUR_SUBJECT.match(subject) else subject


def _as_line(text: str, right: ReplyRight | None) -> str | None:
    """Return a text as a command line: a command as it is, and in a reply a bare move with its board and version."""
    if len(text) > MAX_LINE:
        return None
    words = text.split()
    first = words[0].lower() if words else ""
    if first in KNOWN and len(words) > 1:
        return text
    if right is not None and (line := _reply_line(text, right)) is not None:
        return line
    return text if first in SERVER_COMMANDS else None


def _bare_command(text: str, right: ReplyRight | None) -> str | None:
    """Return a command of the game in a reply, with the board of the mail if it needs one and names none.

    A subject holds none: too many begin with such a word.
    """
    words = text.split()
    name = words[0].lower() if words else ""
    command = next((each for each in GAME_COMMANDS.values() if name in (each.name, *each.aliases)), None)
    if right is None or command is None or len(text) > MAX_LINE:
        return None
    usage = command.arguments
    needs = usage.startswith("board") and not _names_board(usage, words[1:], right.board)
    needs = needs or ("[board" in usage and len(words) == 1)  # alone, the command is about all boards
    board = [str(right.board)] if needs else []
    return " ".join([right.variant, name, *board, *words[1:]])


def _names_board(usage: str, words: Sequence[str], board: int) -> bool:
    """Return whether the words after a command begin with the board, and not with a hand or bid of the same number."""
    if not words or words[0].partition("#")[0] != str(board):
        return False
    after = usage.removeprefix("board").replace("[userid password]", "").strip(" []")
    first, *others = [way.split() for way in after.split(" | ")]
    if not first or first[0].partition("[")[0] not in ("hand", "move"):
        return True
    if len(first) == 1:
        return len(words) > 1
    return len(words) == 1 or words[1].isdecimal() or words[1].lower() in {way[0] for way in others}


def _reply_line(text: str, right: ReplyRight) -> str | None:
    if right.version == 0:
        return f"{right.variant} join {right.board}" if text.strip(" .!").lower() in JOIN else None
    move, at = split_move_number(text)
    try:
        parse_text_move(move)
    except MalformedMove:
        return None
    return f"{right.variant} move {right.board} {move}#{right.version if at is None else at}"


FAILED = re.compile(r"^action:\s*failed\s*$", re.IGNORECASE | re.MULTILINE)
STATUS = re.compile(r"^status:\s*(5\.[0-9]{1,3}\.[0-9]{1,3})\s*", re.IGNORECASE | re.MULTILINE)


def failure_of(raw: bytes) -> str | None:
    """Return the status of a delivery that failed for good, such as "5.1.1"; None for every other mail."""
    try:
        message = parse_message(raw)
        if message.get_content_type() != "multipart/report":
            return None
        reports = [part for part in message.walk() if part.get_content_type() == "message/delivery-status"]
        text = "\n".join(report.as_string() for report in reports)
    except (UnusableMail, LookupError, ValueError, TypeError, AttributeError):  # a broken report says nothing
        return None
    status = STATUS.search(text)
    return status[1] if FAILED.search(text) and status else None


LOG = logging.getLogger("trickbook.mail")
NOT_A_LINE = (
    "Your mail has no move or command. Write it as the first line of your reply, like AD or 2, or as the subject. For"
    " a list of commands, write help."
)
NOT_VERIFIED = (
    "The server can't tell that this mail comes from you: your mail server didn't sign it, or nobody checked that."
    " Reply to a mail about your board instead, or play on the web."
)
OFFER = (
    "Your password went through the mail, where others may read it. Reply to the mails about your boards instead: their"
    " reply address is enough. Or send lines with a token."
)
TOO_MANY = "Your mail wasn't carried out: the server takes a limited number of lines an hour by mail. {why}"
NOT_DONE = "Your mail wasn't carried out:\n\n{text}"


class MailOutcome(Enum):
    """The outcome of a mail."""

    TAKEN = "answered, or dropped silently"
    NO_SUCH_ADDRESS = "there is no such address"
    LATER = "the server can't answer at the moment"


class MailReader:
    """Reads mails. Safe for concurrent use by several threads."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.addresses = MailAddresses(services)

    def takes(self, recipient: str) -> bool:
        """Return whether a mail to this address is read: a wrong signature is no address of ours."""
        local = self.addresses.local_part(recipient)
        if local is None:
            return False
        return (
            local in (PLAY, "bounce")
            or self.addresses.read_reply(local) is not None
            or self.addresses.read_about(local) is not None
        )

    def read(self, raw: bytes, sender: str, recipient: str) -> MailOutcome:
        """Read a mail from an envelope's sender to a recipient."""
        local = self.addresses.local_part(recipient)
        if local == "bounce":
            return MailOutcome.TAKEN
        if local is not None and self._note(local, raw):
            return MailOutcome.TAKEN
        right = None if local is None else self.addresses.read_reply(local)
        if right is None and local != PLAY:
            return MailOutcome.NO_SUCH_ADDRESS
        try:
            mail = read_mail(raw, sender, recipient)
        except UnusableMail as error:
            self._refuse_unread(raw, sender, right, str(error))
            return MailOutcome.TAKEN
        if mail.is_automatic or self._is_own(mail) or self._services.accounts.deliveries.has(MAIL_ANSWERS, mail.key):
            return MailOutcome.TAKEN
        try:
            self._carry_out(mail, right)
        except ServerFailure:
            return MailOutcome.LATER
        return MailOutcome.TAKEN

    def _note(self, local: str, raw: bytes) -> bool:
        """Take a bounce, or the wish for no more mails; return whether it was one."""
        note = self.addresses.read_about(local)
        if note is None:
            return False
        levels = self._services.accounts.mail_levels
        if note.purpose == "unsubscribe":
            levels.end_all(note.player)
            log_event(LOG, "mail-ended", player=note.player)
        elif (status := failure_of(raw)) is not None:
            levels.stop(note.player, note.address, f"mail came back: {status}")
            log_event(LOG, "mail-stopped", player=note.player, reason=status)
        return True

    def _is_own(self, mail: IncomingMail) -> bool:
        """Return whether the mail comes from this server, so that no answer answers an answer."""
        local = self.addresses.local_part(mail.sender)
        ours = local is not None and (local == PLAY or local.startswith(("play+", "bounce", "unsubscribe")))
        return ours or mail.sender == sender_of(self._services.config).lower()

    def _carry_out(self, mail: IncomingMail, right: ReplyRight | None) -> None:
        """Run the line of a mail, and leave the answer to the worker."""
        if right is None and not is_verified(mail.sender, mail.results, self._services.config.mail_authserv):
            # nobody else gets mail that they may not have caused
            if self._services.accounts.mail_levels.players_of(mail.sender):
                self._refuse(mail, None, NOT_VERIFIED)
            return
        found = find_line(mail, right)
        if found is None:
            self._refuse(mail, right, NOT_A_LINE)
            return
        is_multiple = found.line.lower().split()[0] == "multiple"
        text = found.text if is_multiple else found.comment
        try:
            self._take_lines(mail.sender, right, min(MAX_LINES, len(text)) if is_multiple else 1)
        except LimitReached as error:
            self._refuse(mail, right, TOO_MANY.format(why=error))
            return
        # the mail's key is that of the request: delivered again after a crash before the answer, it's done once
        answer, had_password = run_as(self._services, right, mail.sender, found.line, text, mail.key)
        if right is None:
            self._answer(mail, None, answer.to_text() + (f"\n\n{OFFER}" if had_password else ""))
        else:
            self._answer_reply(mail, right, answer)

    def _take_lines(self, sender: str, right: ReplyRight | None, count: int) -> None:
        """Count lines against what a player, or another sender, may ask for within an hour. Raise LimitReached."""
        if right is None:
            self._services.mail_lines.take(_hashed(sender), max(1, count))
        else:
            self._services.mail_replies.take(right.player.id, max(1, count))

    def _refuse_unread(self, raw: bytes, sender: str, right: ReplyRight | None, why: str) -> None:
        """Refuse a mail that can't be read to the player of its address; to anybody else say nothing."""
        if right is not None and sender not in ("", "<>"):
            key = hashlib.sha256(raw).hexdigest()[:40]
            self._leave(key, right, self._limited(sender.lower(), why), None)

    def _refuse(self, mail: IncomingMail, right: ReplyRight | None, why: str) -> None:
        """Refuse a mail, at most once an hour for each sender."""
        text = self._limited(mail.sender, why)
        if right is None:
            if text is not None:
                self._answer(mail, None, text)
        else:
            self._leave(mail.key, right, text, mail.id)

    def _limited(self, sender: str, why: str) -> str | None:
        """Return the text of a refusal, or None if this sender has had one within the hour."""
        try:
            self._services.mail_refusals.take(_hashed(sender))
        except LimitReached:
            return None
        return why

    def _answer_reply(self, mail: IncomingMail, right: ReplyRight, answer: CommandAnswer) -> None:
        """Answer with the board after a move, or with what the command says."""
        if answer.problem is not None:
            self._leave(mail.key, right, NOT_DONE.format(text=answer.to_text()), mail.id)
        elif answer.command == "move":
            self._leave(mail.key, right, "", mail.id)
        else:
            self._leave(mail.key, right, answer.to_text(), mail.id)

    def _leave(self, key: str, right: ReplyRight, first: str | None, answers: str | None) -> None:
        """Leave an answer with the board to the player of a reply address; None leaves none."""
        if first is None:
            return
        accounts, player = self._services.accounts, right.player.id
        address = accounts.mail_levels.confirmed_address(player)
        if address is None or not accounts.mail_levels.addresses([player]):
            return
        letter = self._board(right, first)
        identity = message_id(self.addresses.domain, self._services.secret.hex(), "answer", key)
        message = compose(self._services, (player, address, right.game), letter, identity, answers)
        accounts.deliveries.add_message(MAIL_ANSWERS, key, player, message)

    def _board(self, right: ReplyRight, first: str) -> BoardLetter:
        """Return the letter with the board as it is now, below `first`; a banned player sees no board."""
        accounts, letter = self._services.accounts, None
        plays = accounts.forming.read(right.game) is None or right.version
        if plays and not accounts.steps.status(right.player.id).banned:
            letter = self._board_now(right, first)
        if letter is None:
            return BoardLetter(f"Board {right.board}", f"{SENTINEL}\n\n{first}\n", right.board, right.version)
        return letter

    def _board_now(self, right: ReplyRight, first: str) -> BoardLetter | None:
        """Return the letter with the board; None if the game can't be read: the line is carried out all the same."""
        try:
            return write_board(self._services, right.player.id, right.game, ("answer",), right.version, first or None)
        except (NoSuchGame, Corrupt):
            return None

    def _answer(self, mail: IncomingMail, player: str | None, text: str) -> None:
        """Leave an answer to the sender, who is verified or gets one refusal an hour."""
        identity = message_id(self.addresses.domain, self._services.secret.hex(), "answer", mail.key)
        message = message_text(
            Letter(
                sender=sender_of(self._services.config),
                address=mail.sender,
                reply_to=f"{PLAY}@{self.addresses.domain}",
                subject="Re: your line",
                body=text + "\n",
                id=identity,
                thread=None,
                at=self._services.clock.now_us(),
                automatic="auto-replied",
                answers=mail.id,
            )
        )
        self._services.accounts.deliveries.add_message(MAIL_ANSWERS, mail.key, player or "", message)


def _hashed(sender: str) -> str:
    """Return what stands for a sender in the counts, which keep no addresses."""
    return hashlib.sha256(sender.encode()).hexdigest()
