"""Threads that tell the terminal what the server has: a table with its events, and what waits elsewhere.

One seals the player's own cuts, drawn on their machine, before the deal that a cut is for.

They go on after lost connections and restarts of the server until they are stopped. They write nothing, except the
player's cuts.
"""

import json
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote

from api.cli.terminal.model import (
    FORMING,
    BoardsArrival,
    ChatArrival,
    EventArrival,
    LinkChange,
    Message,
    TerminalNote,
    ViewArrival,
)
from api.client import ClientError, NoAnswer, Refusal, Server, Table, UnexpectedAnswer
from api.client.connection import AGAIN
from api.client.frames import FrameReader
from domain.protocols import fairdeal


@dataclass
class Cutter:
    """Cuts for one table; it keeps each cut that it has sealed, as long as the program runs."""

    _cuts: dict[str, str] = field(default_factory=dict)
    """Each sealed cut by its seal."""
    _last: int = 0

    def move(self, view: Mapping[str, Any], *, is_sealed: bool) -> dict[str, Any] | None:
        """Return the move that cuts for the deal that waits; None if no deal waits or the sealed cut is lost."""
        you, ceremony = view.get("you"), view.get("ceremony")
        if not you or not ceremony or "cut" not in you["may"] or ceremony["n"] <= self._last:
            return None
        self._last = ceremony["n"]
        seal = ceremony["seals"].get(str(you["seat"]))
        cut = secrets.token_hex(32) if seal is None else self._cuts.pop(seal, None)
        if cut is None:
            return None  # the table deals without it after some seconds
        next_seal = self._seal(view["id"], you["seat"]) if is_sealed else None
        return {"type": "cut", "n": ceremony["n"], "commit": ceremony["commit"], "cut": cut, "next_seal": next_seal}

    def _seal(self, game: str, seat: int) -> str:
        """Draw the next cut, keep it, and return its seal."""
        cut = secrets.token_hex(32)
        seal = fairdeal.seal(game, str(seat), bytes.fromhex(cut)).hex()
        self._cuts[seal] = cut
        return seal


PAUSE_S = 0.5
RECENT_EVENTS, RECENT_CHAT = 60, 20
"""How much of the past a terminal tells at first."""
CUT_LEFT_OUT = (
    "Your cut for deal {n} wasn't taken: {why} A server that leaves out cuts can choose among decks. Tell the others if"
    " it happens again."
)
OTHER_SERVER = "{url} doesn't answer as a trickbook server does. It may be of another version."
Tell = Callable[[Message], None]
T = TypeVar("T")


class _Stop(Exception):
    """The thread isn't needed any more."""


class _Background:
    """Requests that are sent again until they are answered, and threads that run until `stop`."""

    def __init__(self, url: str, token: str | None, tell: Tell) -> None:
        self.server = Server(url, token, patience_s=0)
        self._tell, self._is_stopped, self._is_live = tell, threading.Event(), True
        self._saying = threading.Lock()

    def stop(self) -> None:
        """Stop all threads; they say nothing more, not even what they were about to say."""
        with self._saying:
            self._is_stopped.set()
        self.server.close()

    def _start(self, *runs: Callable[[], None]) -> None:
        for run in runs:
            threading.Thread(target=self._guard, args=(run,), daemon=True).start()

    def _guard(self, run: Callable[[], None]) -> None:
        try:
            run()
        except _Stop:
            return
        except Refusal as refusal:
            self._say(TerminalNote(refusal.detail))
        except (ClientError, KeyError, IndexError, TypeError, ValueError):
            self._say(TerminalNote(OTHER_SERVER.format(url=self.server.url)))
        except RuntimeError:
            if not self._is_stopped.is_set():  # a client that was closed refuses requests in this way
                raise

    def _say(self, message: Message) -> None:
        with self._saying:
            if not self._is_stopped.is_set():
                self._tell(message)

    def _ask(self, request: Callable[[], T]) -> T:
        """Return what a request answers, however long the server is away."""
        while not self._is_stopped.is_set():
            try:
                found = request()
            except UnexpectedAnswer:
                raise
            except (NoAnswer, Refusal) as error:
                if isinstance(error, Refusal) and error.status not in AGAIN:
                    raise
                self._link(is_live=False)
                self._is_stopped.wait(PAUSE_S)
                continue
            self._link(is_live=True)
            return found
        raise _Stop

    def _link(self, *, is_live: bool) -> None:
        if self._is_live != is_live:
            self._is_live = is_live
            self._say(LinkChange(is_live))

    def _frames(self, path: str, after: str | None, take: Callable[[Any], None], again: Callable[[], object]) -> None:
        """Take the data of each frame of a stream once; call `again` before the stream is opened once more."""
        reader = FrameReader(self.server.connection, path, after)
        while not (reader.is_over() or self._is_stopped.is_set()):
            try:
                for frame in reader.read():
                    take(json.loads(frame.data))
            except NoAnswer:
                pass
            except Refusal as refusal:
                if refusal.status not in AGAIN:
                    raise
            if not reader.is_over():
                self._is_stopped.wait(PAUSE_S)
                self._ask(again)


class TableFollower(_Background):
    """Follows a table, from the time when it forms on."""

    def __init__(self, url: str, token: str | None, board: int, tell: Tell) -> None:
        super().__init__(url, token, tell)
        self._table, self._cutter = Table(self.server, board), Cutter()
        self._has_news, self._has_chat = threading.Event(), token is not None
        self._is_sealed = False

    def start(self) -> None:
        self._start(self._follow)

    def refresh(self) -> None:
        """Read the table and its chat soon."""
        self._has_news.set()

    def stop(self) -> None:
        super().stop()
        self._has_news.set()

    def _follow(self) -> None:
        view = self._wait_for_deal()
        if "turn" not in view:
            return
        version = view["version"]
        for line in self._ask(lambda: self._lines(max(version - RECENT_EVENTS, 0))):
            self._say(EventArrival(line))
        opened = self._ask(lambda: self.server.get(f"{self._table.path}/events?after=0&limit=1"))["items"]
        self._is_sealed = opened[0]["event"]["data"]["fairness"]["cuts"] == "sealed"
        self._start(self._refresh)
        self.refresh()
        path = f"{self._table.path}/events"
        self._frames(path, str(version), self._take_line, self._read_table)

    def _wait_for_deal(self) -> Mapping[str, Any]:
        """Return the first view of the game, or of a table that never becomes one."""
        shown = None
        while True:
            view = self._ask(self._table.view)
            if view["status"] not in FORMING or view != shown:
                self._say(ViewArrival(view))
            if view["status"] not in FORMING:
                return view
            shown = view
            self._is_stopped.wait(PAUSE_S)

    def _lines(self, after: int) -> list[Mapping[str, Any]]:
        items: list[Mapping[str, Any]] = self.server.get(f"{self._table.path}/events?after={after}")["items"]
        return items

    def _take_line(self, line: Mapping[str, Any]) -> None:
        self._say(EventArrival(line))
        self.refresh()

    def _read_table(self) -> None:
        """Read the table, to see whether the server answers."""
        self._say(ViewArrival(self._table.view()))

    def _refresh(self) -> None:
        """Read the table after news. News that come meanwhile are read together the next time."""
        while True:
            self._has_news.wait()
            self._has_news.clear()
            view = self._ask(self._table.view)
            self._say(ViewArrival(view))
            self._cut(view)
            if self._has_chat:
                self._read_chat()

    def _cut(self, view: Mapping[str, Any]) -> None:
        """Cut for the deal that waits; the answer comes as an event."""
        move = self._cutter.move(view, is_sealed=self._is_sealed)
        if move is not None:
            try:
                self._table.move(move)
            except ClientError as error:  # too late, or not answered: the table deals without this cut
                self._say(TerminalNote(CUT_LEFT_OUT.format(n=move["n"], why=str(error))))

    def _read_chat(self) -> None:
        try:
            page = self._ask(lambda: self.server.get(f"{self._table.path}/chat?limit={RECENT_CHAT}"))
        except Refusal:
            self._has_chat = False  # the chat isn't for this viewer
            return
        self._say(ChatArrival(page["items"], page["names"]))


class InboxFollower(_Background):
    """Follows the player's inbox: it tells on which boards it's their turn, and calls `on_entry` for each entry."""

    def __init__(self, url: str, token: str, name: str, tell: Tell, on_entry: Callable[[], None]) -> None:
        super().__init__(url, token, tell)
        self._name, self._on_entry = name, on_entry

    def start(self) -> None:
        self._start(self._follow)

    def _follow(self) -> None:
        last = self._ask(self._last_entry)
        self._ask(self._read_boards)
        self._frames("/me/events", last, self._take, self._read_boards)

    def _last_entry(self) -> str | None:
        """Return the id of the newest entry, after which the stream begins."""
        page = self.server.get("/me/events?limit=100")
        while page["next"] is not None:
            page = self.server.get(f"/me/events?limit=100&after={quote(page['next'])}")
        last: str | None = page["last"]
        return last

    def _take(self, _entry: Any) -> None:
        self._on_entry()
        self._ask(self._read_boards)

    def _read_boards(self) -> None:
        page = self.server.get(f"/games?waiting={quote(self._name)}&limit=50")
        self._say(BoardsArrival(tuple(sorted(game["board"] for game in page["items"]))))
