"""given, when, then at the HTTP edge: facts in the store, a request by a seat, the answer and the facts it brought.

given_http(app, opened(4), *deal(HANDS)).when(0, {"type": "bid", "bid": 3}).then(BidMade(0, 3, (1,)))
given_http(app, opened(4), *deal(HANDS)).when(1, {"type": "pass"}).refused(409, "out-of-turn")
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from domain.events import Event, Fact, GameOpened, Player
from domain.events.codec import encode
from domain.protocols import merkle_log as cardlog
from domain.protocols.merkle_log import EMPTY
from domain.store import Games
from domain.store.aggregate import Entry
from projections.views.audience import ceremonies_revealed_in, event_lines
from tests.api.conftest import Caller, check_problem, services_of
from tests.api.past_times import time_ago
from tests.given import GAME, events
from tests.values import replace


@dataclass(frozen=True)
class Table:
    """A served game, with a caller for each person."""

    app: Flask
    callers: tuple[Caller | None, ...]
    game: str = GAME

    @property
    def games(self) -> Games:
        """The store behind the server."""
        return services_of(self.app).games

    @property
    def log(self) -> list[bytes]:
        """All events of the game, as stored."""
        return [entry.stored for entry in self.games.entries(self.game)]

    def by(self, seat: int) -> Caller:
        """Return the caller of a seat."""
        caller = self.callers[seat]
        assert caller is not None, f"seat {seat} is a bot"
        return caller

    def when(self, seat: int | Caller, body: object, **headers: str) -> "MoveResponse":
        """Post a move as a seat, or as another caller."""
        before = self.log
        caller = self.by(seat) if isinstance(seat, int) else seat
        answer = caller.post(f"/games/{self.game}/moves", body, **headers)
        return MoveResponse(self, seat if isinstance(seat, int) else None, before, answer)


@dataclass(frozen=True)
class MoveResponse:
    """The answer to a move, and the log before it."""

    table: Table
    seat: int | None
    before: list[bytes]
    answer: TestResponse

    @property
    def new(self) -> list[Entry]:
        """The entries that the request added to the log."""
        return self.table.games.entries(self.table.game, after=len(self.before))

    def then(self, *facts: Fact) -> Table:
        """Check for 201 and exactly these stored facts; return the table for the next step."""
        assert [entry.event.data for entry in self.new] == list(facts)
        return self.happens()

    def happens(self) -> Table:
        """Check for 201, and that the answer holds the stored events as the seat may see them, and the new view."""
        assert self.answer.status_code == 201, self.answer.text
        state = self.table.games.state(self.table.game)
        lines = event_lines(self.new, self.seat, ceremonies_revealed_in(state))
        assert b'"events":[' + b",".join(lines) + b"]" in self.answer.data
        body = self.answer.get_json()
        assert body["version"] == body["view"]["version"] == state.version
        assert self.answer.headers["ETag"] == f'"{state.version}"'
        return self.table

    def refused(self, status: int, slug: str, *said: str) -> dict[str, Any]:
        """Check for this problem with each of `said` in its detail, and that the log is unchanged."""
        body = check_problem(self.answer, status, slug)
        assert self.table.log == self.before
        assert all(each in str(body["detail"]) for each in said), body
        return body


def given_http(app: Flask, first: GameOpened, *facts: Fact) -> Table:
    """Store `facts` as if they happened yesterday, since turns time out; person i is registered as `p<i>`."""
    callers: list[Caller | None] = []
    players: list[Player] = []
    for seat, player in enumerate(first.players):
        human = player.kind == "human"
        callers.append(Caller(app.test_client()).join(f"p{seat}") if human else None)
        found = services_of(app).accounts.users.by_name(f"p{seat}")
        players.append(replace(player, player=found.id) if found is not None else player)
    here = services_of(app)
    assert here.accounts.boards.reserve(GAME, "p0") == first.board
    happened, yesterday = events([replace(first, players=tuple(players)), *facts]), time_ago(days=1)
    store_events(here.games, [replace(event, at=yesterday) for event in happened])
    return Table(app, tuple(callers))


def store_events(games: Games, happened: Iterable[Event[Any]]) -> None:
    """Store events as they are, with correct links."""
    frontier, recorded = EMPTY, list[Entry]()
    for event in happened:
        raw = encode(event)
        entry = Entry(event, raw, frontier.root(), cardlog.leaf(raw))
        frontier = frontier.append(entry.leaf)
        recorded.append(entry)
    games.log.application_of(recorded[0].originator_id).save(*recorded)
