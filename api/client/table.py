"""A table: a game, or one that still forms, with everything that a player does there."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from api.client.connection import Pauses
from api.client.frames import follow_frames
from api.client.moves import Answer, Moves
from api.client.problems import Refusal
from api.client.records import Moment
from api.client.server import Server

OVER = "GameEnded"
FORMING = frozenset(("forming", "closing"))
GAME = frozenset(("active", "finished"))


class Table(Moves):
    """A game of a server, by board number or id, as the server's player or as a spectator sees it.

    table = Table.open(server, "pitch", ["ann", "bot:simple"], options={"win": 7})
    for moment in table.follow():
        print(moment.version, moment.fact)
    """

    def __init__(self, server: Server, game: str | int) -> None:
        self.server, self.game = server, str(game)
        self._seat: int | None = None

    @classmethod
    def open(
        cls, server: Server, variant: str, seats: Sequence[str], *, key: str | None = None, **settings: Any
    ) -> "Table":
        """Open a game with these seats: names, bots, `open` or `invite`.

        `settings` are the other fields of `POST /games`: `options`, `timing`, `fairness`, `reveal`, `watch`, `undo`,
        `chat`. The game starts at once, or its table forms until everybody has agreed.
        """
        body = {"variant": variant, "seats": list(seats)} | settings
        return cls(server, server.connection.post_once("/games", body, key)["id"])

    @classmethod
    def join(cls, server: Server, game: str | int, seat: int | None = None, invitation: str | None = None) -> "Table":
        """Take a seat at a table that forms: the one you're asked to take, `seat`, or one with an invitation."""
        wishes = {"seat": seat, "invitation": invitation}
        body = {name: value for name, value in wishes.items() if value is not None}
        return cls(server, server.connection.post_once(f"/games/{game}/seats", body)["id"])

    @property
    def path(self) -> str:
        """The table's path below /api/v1."""
        return f"/games/{self.game}"

    def view(self) -> dict[str, Any]:
        """Return the view of your seat, or of a spectator if you have none; while the table forms, the table."""
        if self._seat is not None:
            try:
                return self._seat_view(self._seat)
            except Refusal as refusal:
                if refusal.status != 404:
                    raise
                self._seat = None  # it was handed over
        view: dict[str, Any] = self.server.get(self.path)
        player = self.server.player
        if "turn" in view and player is not None:
            self._seat = next((each["seat"] for each in view["seats"] if each["player"] == player), None)
        return view if self._seat is None else self._seat_view(self._seat)

    def _seat_view(self, seat: int) -> dict[str, Any]:
        view: dict[str, Any] = self.server.get(f"{self.path}/seats/{seat}")
        return view

    def move(self, move: Mapping[str, Any], version: int | None = None, key: str | None = None) -> Answer:
        """Post a move as JSON, or one of `you.legal` as it stands, and return the response with your new `view`.

        It's sent until it's answered, always with one Idempotency-Key, so it's never made twice. Give a `key` of your
        own to send the same move again after a crash. With `version`, the version of the view that you decided on, the
        move is refused as `stale-version` if something has happened since.
        """
        expected = {} if version is None else {"If_Match": f'"{version}"'}
        answer: Answer = self.server.connection.post_once(f"{self.path}/moves", move, key, **expected)
        return answer

    def follow(self, after: int = 0, until: int | None = None) -> Iterator[Moment]:
        """Yield each event after version `after`, and wait for the next one, to the end of the game or to `until`.

        for moment in table.follow():
            if moment.fact == "TrickTaken":
                print(moment.data)

        Goes on after a lost connection and after a restart of the server; no event is missing or comes twice. An event
        says what happened; `view()` says how the table looks now. At a table that forms it waits for the deal.
        """
        path = f"{self.path}/events" + ("" if until is None else f"?until={until}")
        if not self._is_dealt() or (until is None and after and self._is_over_at(after)):
            return
        for frame in follow_frames(self.server.connection, path, str(after)):
            item = json.loads(frame.data)
            moment = Moment(item["version"], item.get("event"), item["leaf"], item["prev"])
            yield moment
            if moment.version == until or (until is None and moment.fact == OVER):
                return

    def _is_dealt(self) -> bool:
        """Wait while the table forms; return whether it has become a game."""
        pauses = Pauses(math.inf)
        while (status := self.server.get(self.path)["status"]) in FORMING:
            pauses.take()
        return status in GAME

    def _is_over_at(self, version: int) -> bool:
        """Return whether the game had ended by this version; rulings may follow its end."""
        if self.server.get(self.path).get("status") != "finished":
            return False
        return all(moment.fact != OVER for moment in self.events(version))

    def events(self, after: int = 0) -> list[Moment]:
        """Return the events after a version as you may see them now: after a hand, those that were hidden, too."""
        items = self.server.get(f"{self.path}/events?after={after}")["items"]
        return [Moment(item["version"], item.get("event"), item["leaf"], item["prev"]) for item in items]

    def export(self) -> bytes:
        """Return the whole log to keep; `trickbook verify` checks it."""
        return self.server.ask("GET", f"{self.path}/export", Accept="application/x-ndjson").content

    def leave(self) -> None:
        """Leave a table that forms, or decline the seat."""
        self.server.delete(f"{self.path}/seats/current")

    def start(self, bots: str | None = None) -> None:
        """Start a table that forms, as its opener, with bots in every empty seat."""
        self.server.connection.post_once(f"{self.path}/start", {} if bots is None else {"bots": bots})

    def hand_over(self, to: str) -> Answer:
        """Ask the table to hand your seat over to a bot, or offer it to a player."""
        answer: Answer = self.server.connection.post_once(f"{self.path}/handovers", {"to": to})
        return answer

    def say(self, text: str) -> None:
        """Write to the table's chat."""
        self.server.connection.post_once(f"{self.path}/chat", {"text": text})
