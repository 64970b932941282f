"""Tables that play by other ways than requests of moves: command lines, mail, and against bots."""

import re
from typing import Any

from tests.api.live_server import first_move
from tests.campaigns.mail_delivery.players import MailPlayers, usual_line
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import Answer, Caller
from tests.command_lines.test_whole_games import SHORT

LINE_PLAYERS = ("lea", "lee", "len", "liv")
MAIL_PLAYERS = ("mae", "max", "mel", "moe")
BOT_PLAYER = "bea"
BOT_TABLES = (("pitch", ("bot:simple",)), ("setback", ("bot:random", "bot:simple")), ("pitch", ("bot:strong",)))
TOO_MANY = 429
QUICK_REPLIES, REPLY_PAUSE_S = 200, 5.0
"""After this number of replies the players rest between two, since each may send 300 lines an hour by mail."""


class Table(Actor):
    """A table of players: `turn` makes one move. `people` are their ids.

    `acknowledged` counts the commands that the server has taken, by game; the first one opens it.
    """

    def __init__(self, callers: dict[str, Caller], pause_s: float) -> None:
        super().__init__(next(iter(callers.values())))
        self.callers, self.pause_s = callers, pause_s
        self.people = {str(caller.get("/me")["id"]) for caller in callers.values()}
        self.current: str | None = None
        self.acknowledged: dict[str, int] = {}

    def begin(self, game: str) -> None:
        """Note that a game was opened."""
        self.current, self.acknowledged[game] = game, 1

    def add(self) -> None:
        """Note an acknowledged command in the current game."""
        assert self.current is not None
        self.acknowledged[self.current] += 1
        self.done += 1

    def send(self, caller: Caller, path: str, body: object) -> Answer:
        """Return the answer; wait as long as a limit says that it's too much."""
        key = self._key()
        while (answer := caller.ask("POST", path, body, key)).status == TOO_MANY and not self._stop.wait(1):
            continue
        assert answer.status in (200, 201), answer
        return answer


class LineTable(Table):
    """Four people who play by command lines alone."""

    what = "moves by command lines"
    board = 0
    variant = "pitch"

    def turn(self) -> None:
        if self.current is None:
            self._open()
        top = self._line(self.caller, f"{self.variant} show {self.board}")["text"]
        name = re.match(r"Waiting for: (\w+)", top)
        if name is None:
            self.current = None
            return
        caller = self.callers[name[1]]
        text = self._line(caller, f"{self.variant} showas {self.board}")["text"]
        self._line(caller, f"{self.variant} move {self.board} {usual_line(text, self.caller.chance)}")
        self.add()

    def _open(self) -> None:
        self.variant = list(SHORT)[len(self.acknowledged) % len(SHORT)]
        line = f"{self.variant} challenge {SHORT[self.variant]} {' '.join(LINE_PLAYERS)}"
        self.board = self._line(self.caller, line)["board"]
        self.begin(self.caller.get(f"/games/{self.board}")["id"])

    def _line(self, caller: Caller, line: str) -> Any:
        answer = self.send(caller, "/commands", {"line": line}).body
        assert answer["ok"], f"{line}: {answer['text']}"
        return answer


class BotTable(Table):
    """Somebody who plays against bots, and disputes how each game ended."""

    what = "moves against bots"

    def turn(self) -> None:
        if self.current is None:
            variant, bots = BOT_TABLES[len(self.acknowledged) % len(BOT_TABLES)]
            opened = self.send(self.caller, "/games", {"variant": variant, "seats": [BOT_PLAYER, *bots]})
            self.begin(opened.body["id"])
            return
        view = self.caller.get(f"/games/{self.current}/seats/0")
        if view["result"] is not None:
            body = {"hand": 1, "kind": "score", "text": "Please count again."}
            self.send(self.caller, f"/games/{self.current}/disputes", body)
            self.add()
            self.current = None
        elif view["you"]["legal"] or view["you"]["choose"]:
            self.send(self.caller, f"/games/{self.current}/moves", first_move(view))
            self.add()


class MailTable(Table):
    """Four people who reply to the mails about their turn."""

    what = "replies by mail"

    def __init__(self, callers: dict[str, Caller], pause_s: float, players: MailPlayers) -> None:
        super().__init__(callers, pause_s)
        self.players, self.acknowledged = players, players.acknowledged

    def turn(self) -> None:
        if self.players.current is None:
            opened = self.send(self.caller, "/games", {"variant": "blackout", "seats": list(MAIL_PLAYERS)})
            self.players.begin(opened.body["id"])
        self.done += self.players.move()
        if self.done >= QUICK_REPLIES:
            self.pause_s = max(self.pause_s, REPLY_PAUSE_S)
