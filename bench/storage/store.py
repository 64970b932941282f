"""The cost of the log: loading, folding, deciding, moves and memory, compared with the library's own aggregates.

    python -m bench.storage.store [--postgres URL] [--facts 1000]

Rates are the best of five runs; measurements without a disk are in processor time. The peer replays as many events of a
declarative aggregate (@event) of the library from a SQLite file of its own, without links or typed facts.
"""

import argparse
import gc
import sqlite3
import statistics
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from uuid import UUID, uuid4

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from domain.commands import OpenGame, PassBid
from domain.decide import decide
from domain.engine.legal_moves import Move, legal_moves
from domain.events import FACT_VERSIONS, Event, Player
from domain.evolve import evolve
from domain.state import EMPTY_STATE, State
from domain.store import Games
from domain.store.aggregate import Entry

RUNS = 5
MANY, TABLES, MOVES, ROWS = 1000, 20, 600, 1000


def rate(done: int, run: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """Return the best rate a second."""
    return done / min(seconds(run, clock) for _ in range(RUNS))


def seconds(run: Callable[[], object], clock: Callable[[], float]) -> float:
    gc.collect()
    start = clock()
    run()
    return clock() - start


# Games to measure with


def opened(games: Games) -> str:
    game = str(uuid4())
    people = tuple(Player(f"p{seat}", "human") for seat in range(4))
    games.open(OpenGame(game, 1, "pitch", {"win": 21}, people), by="p0", command_id=f"{game[:16]}-0")
    return game


def play(games: Games, game: str, facts: int, chance: Random, clock: Callable[[], float] = perf_counter) -> list[float]:
    """Make random moves until the game has `facts` facts or ends. Return the seconds of each move."""
    state, took = games.state(game), []
    while state.version < facts and state.turn:
        move, start = chance.choice(legal_moves(state, state.turn[0])), clock()
        command_id = f"{chance.getrandbits(64):016x}-{chance.getrandbits(64):016x}"
        state = games.act(game, move, by=f"p{move.seat}", command_id=command_id).state
        took.append(clock() - start)
    return took


def grown(games: Games, facts: int) -> str:
    """Return a running game of at least `facts` facts: a random bidder rarely wins."""
    for seed in count():
        game = opened(games)
        play(games, game, facts, Random(seed))
        if games.state(game).turn:
            return game
    raise AssertionError("there is always another seed")


# The figures


def load(place: Path, url: str | None, game: str, facts: int) -> float:
    """Return facts a second from the store into a folded game, with every link checked."""
    with closing(Games(place, url, cache=0)) as games:
        return rate(facts, lambda: games.state(game))


def folding(entries: list[Entry]) -> float:
    events = [entry.event for entry in entries]

    def fold() -> None:
        state = EMPTY_STATE
        for each in events:
            state = evolve(state, each)

    return rate(len(events), fold)


def ruling(entries: list[Entry]) -> float:
    """Return moves a second in hands of four: compute the legal moves, decide one, fold its facts."""
    dealt = EMPTY_STATE
    for entry in entries[:9]:
        dealt = evolve(dealt, entry.event)
    moves = sum(1 for _ in hand(dealt))
    return rate(moves * 100, lambda: [sum(1 for _ in hand(dealt)) for _ in range(100)])


def hand(state: State) -> Iterator[Move]:
    """Play one hand: the eldest hand bids two, the others pass, each seat plays its first legal card."""
    versions = count(state.version + 1)
    while state.turn:
        moves = legal_moves(state, state.turn[0])
        move = moves[1] if isinstance(moves[0], PassBid) and not any(dealt_bids(state)) else moves[0]
        for fact in decide(state, move):
            name = type(fact).__name__
            state = evolve(
                state, Event(state.at, "p0", "c", fact, name, state.game, "", None, FACT_VERSIONS[name], next(versions))
            )
        yield move


def dealt_bids(state: State) -> tuple[int | None, ...]:
    return () if state.hand is None else state.hand.bids


class Table(Aggregate):
    """An aggregate in the style of the library: each method's body runs again at every replay."""

    @event("Opened")
    def __init__(self, players: list[str]) -> None:
        self.players, self.played, self.turn = players, list[str](), 0

    @event("CardPlayed")
    def play(self, seat: int, card: str) -> None:
        self.played.append(card)
        self.turn = (seat + 1) % len(self.players)


def peer(facts: int) -> float:
    """Return events a second from the library's own store and mapper into its own aggregate."""
    with tempfile.TemporaryDirectory() as place:
        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{place}/peer.db"}
        application: Application[UUID] = Application(env)
        table = Table(["p0", "p1", "p2", "p3"])
        for turn in range(facts - 1):
            table.play(turn % 4, "10C")
        application.save(table)
        answer = rate(facts, lambda: application.repository.get(table.id))
        application.close()
        return answer


def moves_at(games: Games, facts: int) -> float:
    """Return the microseconds of processor time of a move in games of about `facts` facts."""
    took: list[float] = []
    for seed in range(6):
        took += play(games, grown(games, facts), facts + 60, Random(-1 - seed), process_time)
    return statistics.median(took) * 1e6


def durable(games: Games) -> float:
    """Return moves a second, each on the disk before the next."""
    runs = (play(games, opened(games), MOVES, Random(run)) for run in range(RUNS))
    return max(len(took) / sum(took) for took in runs)


def inserts(place: Path) -> float:
    """Return rows of an event's size a second into a SQLite file, each a commit with synchronous=FULL."""
    with closing(sqlite3.connect(place / "raw.db", isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=FULL")
        file.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, state BLOB)")
        row = (b"x" * 400,)
        insert = "INSERT INTO rows (state) VALUES (?)"
        return rate(ROWS, lambda: [file.execute(insert, row) for _ in range(ROWS)], perf_counter)


def memory(place: Path, url: str | None, games: Games, facts: int, tables: int) -> float:
    """Return the kilobytes that a folded game of `facts` facts takes in the cache."""
    ids = [grown(games, facts) for _ in range(tables)]
    with closing(Games(place, url)) as fresh:
        fresh.state(opened(games))
        tracemalloc.start()
        for game in ids:
            fresh.state(game)
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    return taken / tables / 1024


def measured(place: Path, url: str | None, facts: int) -> Iterator[tuple[str, float, str]]:
    with closing(Games(place, url)) as games:
        game = grown(games, facts)
        entries = games.entries(game)
        yield "load from the store, every link checked, facts/s", load(place, url, game, len(entries)), "100,000"
        yield "evolve alone, facts/s", folding(entries), "200,000"
        yield "legal moves, decide, evolve in process, moves/s", ruling(entries), "60,000"
        yield "peer: replay of the library's @event aggregate, events/s", peer(facts), ""
        yield "a move in a game of 10 facts, us of processor time", moves_at(games, 10), ""
        yield f"a move in a game of {MANY:,} facts, us of processor time", moves_at(games, MANY), "as at 10"
        yield "durable moves/s by the clock, one writer", durable(games), ""
        if url is None:
            yield "peer: raw rows committed to SQLite by the clock, rows/s", inserts(place), ""
        yield "memory of a cached game of 300 facts, KB", memory(place, url, games, 300, TABLES), ""
        yield f"memory of a cached game of {MANY:,} facts, KB", memory(place, url, games, MANY, 5), ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--facts", type=int, default=1000)
    asked = parser.parse_args()
    print(f"| {'PostgreSQL' if asked.postgres else 'SQLite'} | measured | aim |\n| --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as place:
        for what, figure, aim in measured(Path(place), asked.postgres, asked.facts):
            print(f"| {what} | {figure:,.0f} | {aim} |", flush=True)


if __name__ == "__main__":
    main()
