"""Players who race on the same games: each has two clients, which move wherever it's their turn."""

import time
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from threading import Lock
from typing import Any

from tests.api.live_server import choose_cards
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import Answer, Caller

PLAYERS = ("ann", "bob", "cat", "dan")
CLIENTS = 2
"""The clients of a player."""
GAMES = 2
"""The games that go on at a time."""
GAME = {"variant": "pitch", "options": {"win": 7}, "seats": list(PLAYERS)}
"""The variant that they play: with low bids, such a game is over after 100 to 300 moves."""
BID_SHARE = 0.25
BETWEEN = {"out-of-turn", "game-over", "wrong-phase", "stale-version", "race-lost", "seat-left", "not-in-hand",
           "bid-too-low", "must-bid", "not-a-bid", "must-follow", "cannot-discard", "no-call"}  # fmt: skip
"""Refusals of a move that another client of the same player made first."""


def usual_move(view: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return any card, or a pass, or sometimes the lowest bid: if everybody passes, games don't end."""
    legal: list[dict[str, Any]] = view["you"]["legal"]
    if not legal:
        return choose_cards(view["you"]["choose"])
    if legal[0]["type"] in ("bid", "pass"):
        return legal[1] if len(legal) > 1 and chance.random() < BID_SHARE else legal[0]
    return chance.choice(legal)


@dataclass
class Notes:
    """The knowledge of a game's players: leaves by version, and the commands that were acknowledged, in order."""

    leaves: dict[int, str] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)

    def add(self, answer: dict[str, Any]) -> None:
        """Note an acknowledged command."""
        self.leaves |= {line["version"]: line["leaf"] for line in answer["events"]}
        self.commands.append(next(line["event"]["command"] for line in answer["events"] if "event" in line))


@dataclass
class Ledger:
    """The knowledge of all clients together: the games, the acknowledged commands, and the messages by game."""

    notes: dict[str, Notes] = field(default_factory=dict)
    playing: list[str] = field(default_factory=list)
    messages: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """The writer and the id of each message, by game."""
    moves: int = 0
    refused: int = 0
    times_s: list[float] = field(default_factory=list)
    """How long each acknowledged move took that was sent once."""
    lock: Lock = field(default_factory=Lock)

    def add_game(self, opened: Answer) -> None:
        """Note a game that was opened."""
        game = str(opened.body["id"])
        with self.lock:
            self.notes[game] = Notes()
            self.notes[game].add(opened.body)
            self.playing.append(game)

    def add_move(self, game: str, answer: Answer, took_s: float | None) -> None:
        """Note an acknowledged move, and how long it took."""
        with self.lock:
            self.notes[game].add(answer.body)
            self.moves += 1
            self.times_s += [] if took_s is None else [took_s]

    def end_game(self, game: str) -> bool:
        """Note that a game is over; return whether the caller is the first to say so."""
        with self.lock:
            first = game in self.playing
            if first:
                self.playing.remove(game)
            return first


class Racer(Actor):
    """One client of a player, who rests for `pause_s` before each turn."""

    chat_share = 0.0
    """After which part of the turns the player writes to the table."""

    def __init__(self, caller: Caller, player: str, number: int, ledger: Ledger, pause_s: float) -> None:
        super().__init__(caller)
        self.player, self.name, self.ledger, self.pause_s = player, f"{player}-{number}", ledger, pause_s

    def open_game(self) -> None:
        """Open a game with all players."""
        opened = self.caller.ask("POST", "/games", GAME, self._key())
        assert opened.status == 201, opened
        self.ledger.add_game(opened)

    def turn(self) -> None:
        """Move in a game, or wait for its next event."""
        if not (games := list(self.ledger.playing)):
            return
        game = self.caller.chance.choice(games)
        view = self.caller.get(f"/games/{game}/seats/{PLAYERS.index(self.player)}")
        if view["result"] is not None:
            if self.ledger.end_game(game):
                self.open_game()
        elif view["you"]["legal"] or view["you"]["choose"]:
            self._move(game, view)
        else:
            self.caller.get(f"/games/{game}/events?after={view['version']}&wait=2&limit=1")
        if self.caller.chance.random() < self.chat_share:
            self._write(game)

    def _move(self, game: str, view: dict[str, Any]) -> None:
        began, repeated = time.monotonic(), self.caller.repeated
        move = usual_move(view, self.caller.chance)
        answer = self.caller.ask("POST", f"/games/{game}/moves", move, self._key())
        took_s = time.monotonic() - began if repeated == self.caller.repeated else None
        if answer.status == 201:
            self.ledger.add_move(game, answer, took_s)
        else:
            assert answer.problem in BETWEEN, answer
            with self.ledger.lock:
                self.ledger.refused += 1

    def _write(self, game: str) -> None:
        answer = self.caller.ask("POST", f"/games/{game}/chat", {"text": f"hello {self.tries}"}, self._key())
        if answer.status == 201:
            with self.ledger.lock:
                self.ledger.messages[game].append((self.player, answer.body["id"]))
