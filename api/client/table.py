"""A table: a game, or one that still forms, with everything that a player does there, a method for each move."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from api.client.connection import Pauses, Refusal
from api.client.frames import Moment, follow_frames
from api.client.server import Server

Answer = dict[str, Any]
"""The server's response to a move: `version`, `root`, `events`, `view`, `names` and `receipt`."""


class Moves(ABC):
    """Every move as a method that returns the server's response. A Refusal says why a move isn't legal.

    table.bid(3)
    table.name_trump("H")
    table.play("AD")
    """

    @abstractmethod
    def move(self, move: Mapping[str, Any], version: int | None = None, key: str | None = None) -> Answer:
        """Post a move as JSON."""

    def write(self, text: str) -> Answer:
        """Move in the words of the command line: `3`, `ad`, `hearts`, `throw 2c 3d`."""
        return self.move({"text": text})

    def bid(self, bid: int) -> Answer:
        """Bid. In gamerz Pitch 5 is a smudge."""
        return self.move({"type": "bid", "bid": bid})

    def pass_(self) -> Answer:
        """Pass in the auction."""
        return self.move({"type": "pass"})

    def name_trump(self, suit: str) -> Answer:
        """Name trump, as the pitcher: `C`, `D`, `H` or `S`."""
        return self.move({"type": "name_trump", "suit": suit})

    def call_partner(self, card: str) -> Answer:
        """Call a card, as the pitcher: its holder becomes your partner."""
        return self.move({"type": "call_partner", "card": card})

    def discard(self, cards: Iterable[str]) -> Answer:
        """Throw cards away, as `you.choose` of the view says."""
        return self.move({"type": "discard", "cards": list(cards)})

    def play(self, card: str) -> Answer:
        """Play a card: `AD`, `10C`, or a joker, `X1` or `X2`."""
        return self.move({"type": "play", "card": card})

    def call_delay(self, accused: int) -> Answer:
        """Call delay of game on a seat that takes too long over a card."""
        return self.move({"type": "call_delay", "accused": accused})

    def vote(self, *, guilty: bool) -> Answer:
        """Vote on the open delay call."""
        return self.move({"type": "vote", "guilty": guilty})

    def undo(self) -> Answer:
        """Ask to take back your last move."""
        return self.move({"type": "undo"})

    def propose_draw(self) -> Answer:
        """Propose to end the game without a winner."""
        return self.move({"type": "propose_draw"})

    def accept(self) -> Answer:
        """Accept the open proposal."""
        return self.move({"type": "accept"})

    def reject(self) -> Answer:
        """Reject the open proposal."""
        return self.move({"type": "reject"})

    def resign(self) -> Answer:
        """Leave the game for good."""
        return self.move({"type": "resign"})

    def cut(self, n: int, commit: str, cut: str, next_seal: str | None = None) -> Answer:
        """Cut the deck of ceremony `n` with its commitment `commit`; `cut` is 32 bytes in hex."""
        return self.move({"type": "cut", "n": n, "commit": commit, "cut": cut, "next_seal": next_seal})

    def beacon(self, n: int, source: str, signature: str) -> Answer:
        """Bring the signature, in hex, of the round `source` that ceremony `n` named."""
        return self.move({"type": "beacon", "n": n, "source": source, "signature": signature})

    def change_rules(self, change: str) -> Answer:
        """Change a rule, as the host: one of `rules.changes` of the view."""
        return self.move({"type": "change_rules", "change": change})

    def answer_handover(self, *, accept: bool) -> Answer:
        """Agree that a seat is handed over, or don't."""
        return self.move({"type": "answer_handover", "accept": accept})

    def return_seat(self) -> Answer:
        """Take back the seat that you handed over."""
        return self.move({"type": "return_seat"})

    def claim_time(self) -> Answer:
        """Claim the time of the player to move, whose deadline has passed (R-P17)."""
        return self.move({"type": "claim_time"})


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
