"""A client of a simulation: it plays from its own views, sends a command again until it's answered, and notes all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from api.play.services.games import command_id
from tests.api.conftest import PASSWORD
from tests.campaigns.simulation.servers import Answer, SimulatedServer
from tests.games.whole_games import OFTEN
from tests.projections.offered_moves import any_move

TABLES: tuple[tuple[str, int, Mapping[str, Any]], ...] = (
    ("pitch", 2, {"win": 7}),
    ("pitch", 3, {"win": 7}),
    ("pitch", 4, {"win": 7}),
    ("setback", 3, {}),
    ("setback", 4, {}),
    ("blackout", 4, {}),
    ("corellian", 4, {"randomizer": OFTEN}),
)
PACES: tuple[dict[str, Any], ...] = (
    {},
    {"pace": {"kind": "daily", "move_s": 3600}},
    {"pace": {"kind": "bank", "base_s": 3600, "move_s": 600, "cap_s": 7200}},
    {"pace": {"kind": "live", "base_s": 900, "increment_s": 30}},
)
AUTOPILOTS = ("forfeit", "claim", "bot:random")
BOTS = ("bot:random", "bot:simple")
OTHER_MOVES: tuple[dict[str, Any], ...] = (
    *({"type": kind} for kind in ("undo", "undo", "undo", "propose_draw", "claim_time", "return_seat", "pass")),
    *({"type": "accept"} for _ in range(5)), {"type": "reject"}, {"type": "resign"},
)  # fmt: skip
"""Moves that need no turn; most are refused."""
UNKNOWN = 503


@dataclass
class Sent:
    """A command that a client has sent: its path, its key, and what became of it."""

    path: str
    body: dict[str, Any]
    key: str
    if_match: int | None = None
    answer: Answer | None = None
    """The last answer that says what became of it; None while nobody knows."""

    @property
    def game(self) -> str:
        """The game's id."""
        return self.path.split("/")[2]

    def command(self, secret: bytes, player: str) -> str:
        """Return the id that the command has in the log."""
        return str(command_id(secret, player, self.key, self.path, self.body))


@dataclass
class Client:
    """A player with a token. `story` gets a line for what the client does."""

    name: str
    token: str
    player: str
    sent: list[Sent] = field(default_factory=list)
    seen: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The last view of each of the client's games."""
    shown: dict[str, Any] | None = None
    """The view that the server has shown in this step."""
    claims: set[str] = field(default_factory=set)
    """The forming tables at which the server has given the client a seat."""
    queued: set[tuple[str, str]] = field(default_factory=set)
    """The cards that the client has queued, by game."""
    texts: dict[tuple[str, str], bool] = field(default_factory=dict)
    """The messages, by game and text, and whether the server has acknowledged each."""
    asked: int = 0

    @classmethod
    def register(cls, name: str, server: SimulatedServer) -> "Client":
        """Register a user and log in."""
        credentials = {"name": name, "password": PASSWORD}
        made = server.ask(None, "POST", "/users", credentials)
        token = server.ask(None, "POST", "/tokens", credentials)
        assert made is not None
        assert token is not None
        return cls(name, token.body["token"], made.body["id"])

    def open_game(self, server: SimulatedServer, others: list[str], chance: Random) -> str:
        """Open a table of a random kind with some of the others and bots."""
        variant, players, options = chance.choice(TABLES)
        people = [self.name, *chance.sample(others, min(len(others), chance.randint(1, players - 1)))]
        more = BOTS if chance.random() < 0.6 else (*BOTS, "open", "open", "open")
        seats = people + [chance.choice(more) for _ in range(players - len(people))]
        body = {
            "variant": variant, "options": dict(options), "seats": seats, "timing": chance.choice(PACES),
            "autopilot": chance.choice(AUTOPILOTS), "reveal": chance.choice(("hand", "game")),
        }  # fmt: skip
        return self.send(server, Sent("/games", body, self._key()), chance)

    def play(self, server: SimulatedServer, game: str, seat: int, chance: Random) -> str:
        """Look at the game and move, out of turn now and then, on a view that may be old."""
        self.shown = None
        view = self.seen.get(game) if chance.random() < 0.15 else None
        if view is None:
            view = self.shown = self._look(server, game, seat)
        if view is None:
            return "sees nothing"
        if view["status"] != "active":
            return "sees that it's over"
        move = self._move(view, seat, chance)
        if_match = view["version"] if chance.random() < 0.5 else None
        return self.send(server, Sent(f"/games/{view['id']}/moves", move, self._key(), if_match), chance)

    def _look(self, server: SimulatedServer, game: str, seat: int) -> dict[str, Any] | None:
        """Return the view of the client's seat, or None if the server doesn't show it."""
        answer = server.ask(self.token, "GET", f"/games/{game}/seats/{seat}")
        if answer is None or answer.status != 200:
            return None
        view: dict[str, Any] = answer.body
        self.seen[game] = view
        return view

    def claim(self, server: SimulatedServer, chance: Random) -> str:
        """Look for a table that forms and take a seat there, leave one, or start the game as the opener."""
        found = server.ask(self.token, "GET", "/games?status=forming")
        if found is None or found.status != 200 or not found.body["items"]:
            return "finds no table"
        table = chance.choice(found.body["items"])
        path, mine = f"/games/{table['id']}", table["id"] in self.claims
        if mine and chance.random() < 0.3:
            left = server.ask(self.token, "DELETE", f"{path}/seats/current")
            if left is None or left.status == 204:
                self.claims.discard(table["id"])  # after a crash nobody knows
            return f"leaves table {table['id'][:8]}: {left and left.status}"
        if table["opener"] == self.player and chance.random() < 0.3:
            started = server.ask(self.token, "POST", f"{path}/start", {"bots": "bot:random"})
            return f"starts table {table['id'][:8]}: {started and started.status}"
        given = server.ask(self.token, "POST", f"{path}/seats", {})
        if given is not None and given.status == 201:
            self.claims.add(table["id"])
        return f"claims a seat at {table['id'][:8]}: {given and given.status}"

    def write(self, server: SimulatedServer, game: str) -> str:
        """Write a message to the table, with a text that nobody else writes."""
        self.asked += 1
        text, headers = f"{self.name} says {self.asked}", {"Idempotency-Key": f"{self.name}-{self.asked}"}
        answer = server.ask(self.token, "POST", f"/games/{game}/chat", {"text": text}, headers)
        if answer is None or answer.status in (201, UNKNOWN):
            self.texts[game, text] = answer is not None and answer.status == 201
        return f"writes: {answer and answer.status}"

    def queue(self, server: SimulatedServer, view: dict[str, Any], chance: Random) -> str:
        """Queue a card for the next turn."""
        cards = view["you"]["cards"]
        if not cards:
            return "has no card to queue"
        card = chance.choice(cards)
        line = f"{view['variant']} queue {view['board']} {card}"
        self.queued.add((view["id"], card))
        answer = server.ask(self.token, "POST", "/commands", {"line": line})
        return f"{line}: {answer and answer.status}"

    def _move(self, view: dict[str, Any], seat: int, chance: Random) -> dict[str, Any]:
        turn = view["turn"] or {"seats": []}
        offered = view["you"]["legal"] or view["you"]["choose"]
        if seat in turn["seats"] and offered and chance.random() < 0.93:
            return any_move(view, chance)
        return chance.choice(OTHER_MOVES)

    def send(self, server: SimulatedServer, sent: Sent, chance: Random) -> str:
        """Send a command, and note its answer unless the connection is lost first."""
        if sent not in self.sent:
            self.sent.append(sent)
        headers = {"Idempotency-Key": sent.key}
        if sent.if_match is not None:
            headers["If-Match"] = f'"{sent.if_match}"'
        answer = server.ask(self.token, "POST", sent.path, sent.body, headers)
        says = f"sends {sent.key} {sent.body.get('type') or sent.body.get('variant')}"
        if answer is None:
            return f"{says}: the server crashes"
        if answer.status == UNKNOWN:
            return f"{says}: 503"
        if chance.random() < 0.05:
            return f"{says}: {answer.status}, but the connection is lost"
        sent.answer = answer
        return f"{says}: {answer.status}" + (f", version {answer.body['version']}" if answer.status == 201 else "")

    @property
    def unanswered(self) -> list[Sent]:
        """The commands of which nobody knows what became of them."""
        return [sent for sent in self.sent if sent.answer is None]

    def _key(self) -> str:
        self.asked += 1
        return f"{self.name}-{self.asked}"
