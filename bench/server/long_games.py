"""The longest games that a server lets its players play, written into its store before it starts.

The program makes every fact, but in memory, so that a game of 20,000 events takes seconds.
"""

import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from api.app import create_app
from api.config import Config
from api.container import Services
from bench.rules.games import chosen
from domain.commands import AnswerProposal, Command, ProposeDraw
from domain.engine.paces import EVENT_TIME
from domain.events.codec import topic
from domain.store.aggregate import Game, Request

API = "/api/v1"
SESSION = {"variant": "corellian", "options": {"randomizer": None}}
"""Nobody wins this one before its hands have used up the events."""
SEATS = 4
PROPOSALS = 15
"""How many draws each seat proposes in each hand, all rejected."""
EVENTS_AT_ONCE = 2000


@dataclass(frozen=True)
class LongGame:
    """A game: its path, its board, and the tokens of its seats."""

    path: str
    board: int
    events: int
    tokens: tuple[str, ...]


def long_game(config: Config, events: int, watch: dict[str, Any] | None = None) -> LongGame:
    """Let four guests play a session until it has about N `events`."""
    app = create_app(config)
    services: Services = app.extensions["trickbook"]
    with closing(services):
        client = app.test_client()

        def post(path: str, body: object, token: str | None = None) -> Any:
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            answer = client.post(API + path, json=body, headers=headers)
            assert answer.status_code in (200, 201), answer.get_data()
            return answer.get_json()

        guests = [post("/guests", {}) for _ in range(SEATS)]
        body = SESSION | {"seats": [each["name"] for each in guests]} | ({"watch": watch} if watch else {})
        opened = post("/games", body, guests[0]["token"])
        size = play_on(services, opened["id"], events)
        return LongGame(f"{API}/games/{opened['id']}", opened["board"], size, tuple(each["token"] for each in guests))


def play_on(services: Services, name: str, events: int) -> int:
    """Play random moves, with many proposals, and store them together. Return the number of events."""
    rng, rows, game = random.Random(7), list[StoredEvent](), Game(name)
    at = datetime.now(UTC).strftime(EVENT_TIME)
    game.read([(entry.event.version, topic(entry.event), entry.stored) for entry in services.games.entries(name)])
    asked, hand = 0, 0

    def send(command: Command, seat: int) -> None:
        ids = f"{rng.getrandbits(64):016x}-{rng.getrandbits(64):016x}"
        draft = game.draft(command, Request(game.state.seats[seat].player, ids, at), rng.randbytes)
        game.apply_draft(draft)
        for entry in draft.entries:
            rows.append(StoredEvent(UUID(name), entry.event.version, topic(entry.event), entry.stored))

    while game.version < events and game.state.result is None:
        if game.state.hand is not None and game.state.hand.n != hand:
            asked, hand = 0, game.state.hand.n
        if asked < SEATS * PROPOSALS:
            seat = asked % SEATS
            send(ProposeDraw(seat), seat)
            send(AnswerProposal((seat + 1) % SEATS, accept=False), (seat + 1) % SEATS)
            asked += 1
        send(chosen(game.state, rng), game.state.turn[0])
        if len(rows) >= EVENTS_AT_ONCE:
            store(services, rows)
    store(services, rows)
    return game.version


def store(services: Services, rows: list[StoredEvent]) -> None:
    """Store rows and forget them."""
    batch: Sequence[Sequence[StoredEvent]] = [list(rows)]
    services.games.log.insert_batches(batch)
    rows.clear()
