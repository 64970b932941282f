"""Tables that play by other ways than requests of moves: command lines, mail, and against bots."""

import re
import smtplib
from collections import deque
from email import policy
from email.message import EmailMessage
from random import Random

from tests.api.live_server import first_move
from tests.campaigns.kills.load import Places
from tests.campaigns.two_nodes.patrols import Patrol
from tests.campaigns.two_nodes.requests import Answer, Caller
from tests.command_lines.players import offered, thrown
from tests.command_lines.test_whole_games import SHORT, choose
from tests.mail.post_office import Relay, reply_to

LINE_PLAYERS = ("lea", "lee", "len", "liv")
MAIL_PLAYERS = ("mae", "max", "mel", "moe")
BOT_PLAYER = "bea"
BOT_TABLES = (("pitch", ("bot:simple",)), ("setback", ("bot:random", "bot:simple")), ("pitch", ("bot:strong",)))
MAIL_HOST = "example.net"
GAME = re.compile(r"^game ([0-9a-f-]{36})\r?$", re.MULTILINE)
TOO_MANY = 429
QUICK_REPLIES, REPLY_PAUSE_S = 200, 5.0
"""After this number of replies the players rest between two, since each may send 300 lines an hour by mail."""


class Games:
    """The games of a table's players, and how many of their commands were acknowledged in each."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, int] = {}
        self.current: str | None = None

    def open(self, game: str) -> None:
        """Note a game that was opened, which is its opener's first command."""
        self.current, self.acknowledged[game] = game, 1

    def add(self, game: str) -> None:
        """Note an acknowledged command."""
        self.acknowledged[game] += 1


def game_of(mail: EmailMessage) -> str:
    """Return the id of the game that a mail is about."""
    (game,) = GAME.findall(mail.get_content())
    return str(game)


class Table(Patrol):
    """A table of players: `turn` makes one move. Their games are in `games`, and their ids in `people`."""

    def __init__(self, places: Places, seed: str, callers: dict[str, Caller], pause_s: float) -> None:
        super().__init__(places, next(iter(callers.values())))
        self.callers, self.pause_s, self.draw = callers, pause_s, Random(seed)
        self.games = Games()
        self.people = {self._id(caller) for caller in callers.values()}

    def end(self) -> None:
        """Stop after the current move."""
        super().end()
        for caller in list(self.callers.values())[1:]:
            caller.close()

    @staticmethod
    def _id(caller: Caller) -> str:
        return str(caller.ask("GET", "/me").body["id"])

    def _key(self) -> str:
        self.tries += 1
        return f"{type(self).__name__}-{self.tries}"

    def _send(self, caller: Caller, path: str, body: object) -> Answer:
        """Return the answer; wait as long as a limit says that it's too much."""
        key = self._key()
        while (answer := caller.ask("POST", path, body, key)).status == TOO_MANY and not self._stop.wait(1):
            continue
        return answer


class LineTable(Table):
    """Four people who play by command lines alone."""

    board = 0
    variant = "pitch"

    def turn(self) -> None:
        game = self.games.current or self._open()
        top = self._line(self.callers[LINE_PLAYERS[0]], f"{self.variant} show {self.board}")
        name = re.match(r"Waiting for: (\w+)", top)
        if name is None:
            self.games.current = None
            return
        caller = self.callers[name[1]]
        text = self._line(caller, f"{self.variant} showas {self.board}")
        move = thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), self.draw))
        self._line(caller, f"{self.variant} move {self.board} {move}")
        self.games.add(game)

    def _open(self) -> str:
        self.variant = list(SHORT)[len(self.games.acknowledged) % len(SHORT)]
        names = " ".join(LINE_PLAYERS)
        line = f"{self.variant} challenge {SHORT[self.variant]} {names}"
        answer = self._send(self.callers[LINE_PLAYERS[0]], "/commands", {"line": line})
        assert answer.status == 200, answer
        assert answer.body["ok"], answer.body["text"]
        self.board = answer.body["board"]
        game = str(self.caller.ask("GET", f"/games/{self.board}").body["id"])
        self.games.open(game)
        return game

    def _line(self, caller: Caller, line: str) -> str:
        answer = self._send(caller, "/commands", {"line": line})
        assert answer.status == 200, answer
        assert answer.body["ok"], f"{line}: {answer.body['text']}"
        return str(answer.body["text"])


class BotTable(Table):
    """Somebody who plays against bots, and disputes how each game ended."""

    def turn(self) -> None:
        game = self.games.current
        if game is None:
            variant, bots = BOT_TABLES[len(self.games.acknowledged) % len(BOT_TABLES)]
            opened = self._send(self.caller, "/games", {"variant": variant, "seats": [BOT_PLAYER, *bots]})
            assert opened.status == 201, opened
            self.games.open(str(opened.body["id"]))
            return
        view = self.caller.ask("GET", f"/games/{game}/seats/0").body
        if view["result"] is not None:
            self._dispute(game)
            self.games.current = None
        elif view["you"]["legal"] or view["you"]["choose"]:
            moved = self._send(self.caller, f"/games/{game}/moves", first_move(view))
            assert moved.status == 201, moved
            self.games.add(game)

    def _dispute(self, game: str) -> None:
        body = {"hand": 1, "kind": "score", "text": "Please count again."}
        answer = self._send(self.caller, f"/games/{game}/disputes", body)
        assert answer.status == 201, answer
        self.games.add(game)


class MailTable(Table):
    """Four people who reply to the mails about their turn, by LMTP."""

    def __init__(self, places: Places, seed: str, callers: dict[str, Caller], pause_s: float, relay: Relay) -> None:
        super().__init__(places, seed, callers, pause_s)
        self.relay, self.lmtp_port = relay, 0
        self.replies: dict[str, str] = {}
        """The Message-ID of each reply by that of the mail it answers."""
        self._read = 0
        self._turns = deque[EmailMessage]()
        self._reply: EmailMessage | None = None

    def turn(self) -> None:
        if self.games.current is None:
            self._open()
        self._read_mails()
        self._answer_next()
        if len(self.replies) >= QUICK_REPLIES:
            self.pause_s = max(self.pause_s, REPLY_PAUSE_S)

    def _answer_next(self) -> None:
        if self._turns:
            answered = self._turns[0]
            if self._reply is None:  # one that isn't taken goes again as it is
                self._reply = self._write(answered)
            if self._deliver(self._reply, str(answered["Reply-To"])):
                self.replies[str(answered["Message-ID"])] = str(self._reply["Message-ID"])
                self._turns.popleft()
                self._reply = None
                self.games.add(game_of(answered))

    def finish(self) -> bool:
        """Send the last reply again until it's taken. Return whether the mail about the next turn has come, too."""
        if self._reply is not None:
            self._answer_next()
        self._read_mails()
        return self._reply is None and (self.games.current is None or bool(self._turns))

    def describe(self, caller: Caller) -> str:
        """Say what the current game waits for, and which mails came last. The table's own callers may be closed."""
        game = self.games.current
        view = caller.ask("GET", f"/games/{game}").body if game else {}
        last = [f"{to} {mail['Subject']} {mail['Message-ID']}" for to, mail in self.relay.mails[-8:]]
        return f"game {game}, version {view.get('version')}, turn {view.get('turn')}, reply {self._reply}, {last}"

    def _read_mails(self) -> None:
        fresh = [mail for _, mail in self.relay.mails[self._read :]]
        self._read += len(fresh)
        for mail in fresh:
            text, known = mail.get_content(), {str(each["Message-ID"]) for each in self._turns} | self.replies.keys()
            if "You may" in text and str(mail["Message-ID"]) not in known:
                self._turns.append(mail)
            if "The game is over" in text and game_of(mail) == self.games.current:
                self.games.current = None

    def _write(self, answered: EmailMessage) -> EmailMessage:
        text = answered.get_content()
        move = thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), self.draw))
        return reply_to(answered, str(answered["To"]), move)

    def _deliver(self, mail: EmailMessage, recipient: str) -> bool:
        """Hand over a mail as a mail server does: again after anything but an answer."""
        try:
            with smtplib.LMTP("127.0.0.1", self.lmtp_port) as client:
                client.sendmail(str(mail["From"]), [recipient], mail.as_bytes(policy=policy.SMTP))
        except smtplib.SMTPRecipientsRefused as error:
            assert all(code == 451 for code, _ in error.recipients.values()), error
            return False
        except (OSError, smtplib.SMTPException):
            return False
        return True

    def _open(self) -> None:
        body = {"variant": "blackout", "seats": list(MAIL_PLAYERS)}
        opened = self._send(self.callers[MAIL_PLAYERS[0]], "/games", body)
        assert opened.status == 201, opened
        self.games.open(str(opened.body["id"]))
