"""A table of four people who play over HTTP. `bench.server.load` measures the rate of moves."""

import http.client
import json
import random
from typing import Any

from domain.engine.tricks import legal_cards
from domain.rules.variants import PITCH

PASSWORD = "correct-horse-battery"


class Client:
    """One keep-alive connection that speaks JSON."""

    def __init__(self, address: str) -> None:
        self.connection = http.client.HTTPConnection(address, timeout=30)

    def post(self, path: str, body: Any, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            self.connection.request("POST", path, json.dumps(body), headers)
            answer = self.connection.getresponse()
        except ConnectionError:  # the server closed the connection while the other tables were set up
            self.connection.close()
            return self.post(path, body, token)
        read = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{path}: {answer.status} {read[:300]!r}")
        return json.loads(read)


class Table:
    """Four people at a table who keep playing."""

    def __init__(self, address: str, number: int | str) -> None:
        self.address, self.client, self.random = address, Client(address), random.Random(number)
        self.names = [f"t{number}s{seat}" for seat in range(4)]
        self.tokens = [self._join(name) for name in self.names]
        self.opened = 0
        self._open()

    def _join(self, name: str) -> str:
        self.client.post("/api/v1/users", {"name": name, "password": PASSWORD})
        token: str = self.client.post("/api/v1/tokens", {"name": name, "password": PASSWORD})["token"]
        return token

    def _open(self) -> None:
        body = {"variant": "pitch", "options": {"win": 21}, "seats": self.names}
        opener = self.opened % len(self.tokens)  # they take turns, since each may open 60 games in an hour
        opened = self.client.post("/api/v1/games", body, self.tokens[opener])
        self.opened += 1
        self.path, self.dealt = f"/api/v1/games/{opened['id']}", 0
        self.view = self._look(0)

    def _look(self, seat: int) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        self.client.connection.request("GET", f"{self.path}/seats/{seat}", headers=headers)
        answer = self.client.connection.getresponse()
        read = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{self.path}: {answer.status} {read[:300]!r}")
        return json.loads(read)

    def resume(self) -> None:
        """Read the game again, on a new connection, after a request failed."""
        self.client = Client(self.address)
        self.view, self.dealt = self._look(0), 0

    def prepare(self) -> None:
        """Open a new game if the last one ended. Read every seat's cards after a deal."""
        if self.view["status"] != "active":
            self._open()
        if self.view["hand"]["number"] != self.dealt:
            self.cards = [self._look(seat)["you"]["cards"] for seat in range(4)]
            self.dealt = self.view["hand"]["number"]

    def _chosen(self, seat: int) -> dict[str, Any]:
        hand = self.view["hand"]
        if self.view["phase"] == "auction":
            over = [bid for bid in (2, 3, 4, 5) if bid > max((bid or 0) for bid in hand["bids"])]
            return {"type": "bid", "bid": over[0]} if over and self.random.random() < 0.25 else {"type": "pass"}
        plays = hand["trick"]["plays"]
        led = plays[0]["card"] if plays else None
        legal = legal_cards(PITCH, self.cards[seat], hand["trump"], led)
        return {"type": "play", "card": self.random.choice(legal)}

    def move(self) -> None:
        """Make one move for the seat to move."""
        seat = self.view["turn"]["seats"][0]
        body = self._chosen(seat)
        self.view = self.client.post(f"{self.path}/moves", body, self.tokens[seat])["view"]
        if "card" in body:
            self.cards[seat].remove(body["card"])
