"""Short real games for a big store: opened, a move or two, and then all but one player resign; some go on.

The program itself makes every fact, so each game passes every check. Ids rise with the numbers of the games, so rows
are appended to the index. Times are spread over the last year; the games that go on began today, so that no time is up.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from api.container import Services
from bench.rules.games import chosen
from domain.commands import Command, OpenGame, Resign
from domain.events import Player
from domain.events.codec import topic
from domain.store.aggregate import Game, Request

PEOPLE = 100_000
PROCESSES, GAMES_A_COMMIT = 2, 1000
TABLES = (("pitch", 2, 1),) * 17 + (("setback", 3, 2), ("blackout", 4, 2), ("corellian", 4, 2))
"""Variant, players, and moves; the first is the shortest, so that a million games fit on a small disk."""
ACTIVE_EVERY = 101
NOW = datetime.now(UTC)
YEAR = timedelta(days=365)
Row = tuple[UUID, int, str, bytes]
"""Game, version, topic, state."""


@dataclass(frozen=True)
class ShortGame:
    """A game, its opener, and its rows."""

    id: str
    board: int
    opener: str
    is_over: bool
    rows: tuple[Row, ...]


def person(number: int) -> str:
    """Return the id of a player."""
    return f"p_{number % PEOPLE:024x}"


def is_active(number: int) -> bool:
    """Return whether the game with this number goes on."""
    return number % ACTIVE_EVERY == 0


def game_uuid(number: int, games: int) -> UUID:
    """Return the id of a game: it rises with the number."""
    top = number * (2**64 // games)
    return UUID(int=(top << 64 & ~(0xF << 76)) | 4 << 76 | 2 << 62 | number)


def short_game(number: int, games: int) -> ShortGame:
    """Make the game with this number in a store of N games."""
    rng, uuid = random.Random(number), game_uuid(number, games)
    variant, seats, moves = TABLES[number % len(TABLES)]
    people = [person(number * 7 + seat * 13) for seat in range(seats)]
    at = (NOW if is_active(number) else NOW - YEAR * (1 - number / games)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    game, rows = Game(str(uuid)), list[Row]()

    def send(command: Command, by: str) -> None:
        request = Request(by, f"{rng.getrandbits(64):016x}-{rng.getrandbits(64):016x}", at)
        draft = game.draft(command, request, rng.randbytes)
        game.apply_draft(draft)
        rows.extend((uuid, entry.event.version, topic(entry.event), entry.stored) for entry in draft.entries)

    send(OpenGame(game.game, number + 1, variant, {}, tuple(Player(one, "human") for one in people)), people[0])
    for _ in range(moves):
        if game.state.turn:
            send(chosen(game.state, rng), holder(game, game.state.turn[0]))
    for seat in range(0 if is_active(number) else seats):
        if game.state.result is None:
            send(Resign(seat), holder(game, seat))
    return ShortGame(game.game, number + 1, people[0], game.state.result is not None, tuple(rows))


def holder(game: Game, seat: int) -> str:
    """Return the player of a seat: the table draws the order of the seats."""
    return game.state.seats[seat].player


def short_games(numbers: range, games: int) -> Iterator[ShortGame]:
    """Make the games with these numbers."""
    for number in numbers:
        yield short_game(number, games)


def insert_short_games(services: Services, games: int) -> int:
    """Insert that many games with their boards and players. Return the number of facts."""
    facts = 0
    with get_context("fork").Pool(PROCESSES) as pool:
        insert_people(services)
        for batch in pool.imap(make_batch, batches(games)):
            facts += insert_games(services, batch)
    return facts


def batches(games: int) -> Iterator[tuple[range, int]]:
    """Yield the numbers of the games of each transaction."""
    for first in range(0, games, GAMES_A_COMMIT):
        yield range(first, min(first + GAMES_A_COMMIT, games)), games


def make_batch(asked: tuple[range, int]) -> list[ShortGame]:
    """Make the games of one transaction."""
    return list(short_games(*asked))


def insert_people(services: Services) -> None:
    """Insert every player, with a hash that no password has."""
    rows = [(person(number), f"n{number}", f"n{number}", f"n{number}", "no password", 0) for number in range(PEOPLE)]
    with services.accounts.database.transaction(writes=True) as transaction:
        transaction.run_many(
            "INSERT INTO users (player, name, folded, lookalike, password, created) VALUES (?, ?, ?, ?, ?, ?)", rows
        )


def insert_games(services: Services, batch: Iterable[ShortGame]) -> int:
    """Insert games and their boards, each in one transaction. Return the number of facts."""
    batch = list(batch)
    events = [[StoredEvent(*row) for row in game.rows] for game in batch]
    services.games.log.insert_batches(events)
    with services.accounts.database.transaction(writes=True) as transaction:
        transaction.run_many("INSERT INTO boards VALUES (?, ?)", [(game.board, game.id) for game in batch])
        rows = [(game.id, game.opener, 0, int(game.is_over)) for game in batch]
        transaction.run_many("INSERT INTO openings VALUES (?, ?, ?, ?)", rows)
        transaction.run("INSERT INTO counters VALUES ('boards', 0) ON CONFLICT DO NOTHING")
        transaction.run("UPDATE counters SET last = ? WHERE name = 'boards'", batch[-1].board)
    return sum(map(len, events))
