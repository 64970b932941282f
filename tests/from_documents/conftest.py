"""A server that takes cosignatures, and a game on it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from api.app import create_app
from api.config import NO_LIMITS, Config
from tests.api.conftest import services_of
from tests.api.live_server import GameServer, ServedGame
from tests.api.log_reference import Receipt
from tests.from_documents.notes import WITNESS_TYPE, Signer

ANN, BOB = (Signer(f"{name}.example/witness", WITNESS_TYPE, name) for name in ("ann", "bob"))
EVE = Signer("eve.example/witness", WITNESS_TYPE, "eve")
TEXT = {"Accept": "text/plain"}


@dataclass
class Place:
    """A server that takes the cosignatures of ANN and BOB, and a game whose first hand is over."""

    server: GameServer
    game: ServedGame
    plain: str

    @property
    def text(self) -> str:
        """The text that witnesses sign: everything before the empty line."""
        return self.plain.partition("\n\n")[0] + "\n"

    @property
    def size(self) -> int:
        return Receipt.read(self.plain).size

    def post(self, *lines: str, **other: object) -> Any:
        body = {"size": self.size, "lines": [line.rstrip("\n") for line in lines]} | other
        return self.server.nobody.post(f"{self.game.path}/cosignatures", body)

    def state(self) -> tuple[str, bytes, tuple[int, str]]:
        """Return the newest receipt, the export, and the size and root of the log."""
        return self.shown("receipt"), self.game.export(), self.game.log

    def shown(self, path: str) -> str:
        return str(self.server.nobody.get(f"{self.game.path}/{path}", **TEXT).text)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    named = Config.from_environment({"TRICKBOOK_WITNESSES": f"{ANN.vkey} {BOB.vkey}"})
    config = replace(named, data=tmp_path / "data", hashing="cheapest", limits=NO_LIMITS, seating="at-once")
    app = create_app(config)
    try:
        server = GameServer(app, config)
        game = server.open(["ann", "bob"])
        yield Place(server, game, game.play_hand()[-1]["receipt"])
    finally:
        services_of(app).close()
