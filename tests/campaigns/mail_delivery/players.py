"""People who play by mail: they reply by LMTP to the mails about their turn."""

import re
import smtplib
from collections import deque
from email import policy
from email.message import EmailMessage
from random import Random

from tests.command_lines.players import offered, thrown
from tests.command_lines.test_whole_games import choose
from tests.mail.post_office import Relay, reply_to

GAME = re.compile(r"^game ([0-9a-f-]{36})\r?$", re.MULTILINE)


def usual_line(text: str, draw: Random) -> str:
    """Return a move that a board offers in text."""
    return thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), draw))


class MailPlayers:
    """All players at a table. Each reply is sent until the server at `port` takes it."""

    def __init__(self, relay: Relay, port: int, draw: Random) -> None:
        self.relay, self.port, self.draw = relay, port, draw
        self.current: str | None = None
        """The game that is played."""
        self.acknowledged: dict[str, int] = {}
        """How many commands the server has taken, by game; the first one opens it."""
        self.replies: dict[str, str] = {}
        """The Message-ID of each reply by that of the mail it answers."""
        self._read = 0
        self._turns = deque[EmailMessage]()
        self._reply: EmailMessage | None = None

    def begin(self, game: str) -> None:
        """Begin with a game that was opened."""
        self.current, self.acknowledged[game] = game, 1

    def move(self) -> bool:
        """Read what has come, and reply to the first mail; return whether the server has taken the reply."""
        self._read_mails()
        if not self._turns:
            return False
        answered = self._turns[0]
        if self._reply is None:  # one that isn't taken goes again as it is
            line = usual_line(answered.get_content(), self.draw)
            self._reply = reply_to(answered, str(answered["To"]), line)
        if not self._deliver(self._reply, str(answered["Reply-To"])):
            return False
        self.replies[str(answered["Message-ID"])] = str(self._reply["Message-ID"])
        self._turns.popleft()
        self._reply = None
        (game,) = GAME.findall(answered.get_content())
        self.acknowledged[game] += 1
        return True

    def finish(self) -> bool:
        """Send the last reply again until it's taken. Return whether the mail about the next turn has come, too."""
        if self._reply is not None:
            self.move()
        self._read_mails()
        return self._reply is None and (self.current is None or bool(self._turns))

    def _read_mails(self) -> None:
        fresh = [mail for _, mail in self.relay.mails[self._read :]]
        self._read += len(fresh)
        for mail in fresh:
            text, known = mail.get_content(), {str(each["Message-ID"]) for each in self._turns} | self.replies.keys()
            if "You may" in text and str(mail["Message-ID"]) not in known:
                self._turns.append(mail)
            if "The game is over" in text and self.current in GAME.findall(text):
                self.current = None

    def _deliver(self, mail: EmailMessage, recipient: str) -> bool:
        """Hand over a mail as a mail server does: again after anything but an answer."""
        try:
            with smtplib.LMTP("127.0.0.1", self.port) as client:
                client.sendmail(str(mail["From"]), [recipient], mail.as_bytes(policy=policy.SMTP))
        except smtplib.SMTPRecipientsRefused as error:
            assert all(code == 451 for code, _ in error.recipients.values()), error
            return False
        except (OSError, smtplib.SMTPException):
            return False
        return True
