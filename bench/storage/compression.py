"""The savings and costs of compressed facts: bytes in the state column and on disk, microseconds, start and load.

    python -m bench.storage.compression [--games 1000] [--pairs 5] [--postgres URL URL]

Whole random games of the four variants, with ids as a server makes them, are stored twice: as version 0.2 did, and
compressed. Both stores are read alternately, with every link checked, in processor time. --postgres also does so in two
empty databases.
"""

import argparse
import gc
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from uuid import UUID

import psycopg

from bench.rules.games import TABLES, chosen
from domain.commands import Command, OpenGame
from domain.events import Player
from domain.state import SERVER
from domain.store import Games
from domain.store.aggregate import Entry, Game, Request
from domain.store.compression import FactCompressor

PLAIN = {"COMPRESSOR_TOPIC": "domain.store.compression:PlainFactCompressor"}
SAMPLE, CALLS = 40, 2000
"""Games that are loaded in a round, and facts that are compressed one by one."""
BEGUN = datetime(2026, 11, 21, 8, tzinfo=UTC)


def played(number: int) -> list[Entry]:
    """Return the entries of a whole game."""
    chance, at = Random(number), BEGUN + timedelta(minutes=number)
    variant, players, options = TABLES[number % len(TABLES)]
    people = tuple(Player(f"p_{chance.getrandbits(96):024x}", "human") for _ in range(players))
    game = Game(str(UUID(int=chance.getrandbits(128), version=4)))
    command: Command = OpenGame(game.game, number + 1, variant, options, people)
    by, entries = people[0].player, list[Entry]()
    while True:
        at += timedelta(microseconds=chance.randrange(60_000_000))
        command_id = f"{chance.getrandbits(64):016x}-{chance.getrandbits(64):016x}"
        draft = game.draft(command, Request(by, command_id, f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"), chance.randbytes)
        game.apply_draft(draft)
        entries += draft.entries
        if game.state.result is not None:
            return entries
        command = chosen(game.state, chance)
        by = game.state.seats[game.state.turn[0]].player if game.state.turn else SERVER


def fill(stores: list[Games], games: int) -> list[bytes]:
    """Store the same games in all stores, and return some of their states."""
    states = list[bytes]()
    for number in range(games):
        entries = played(number)
        states += [entry.stored for entry in entries] if len(states) < CALLS else []
        for store in stores:
            store.log.insert_batches([[store.log.mapper.to_stored_event(entry) for entry in entries]])
    return states


def rate(store: Games, games: list[str]) -> float:
    """Return how many facts a second are loaded from the first event on."""
    gc.collect()
    begun = process_time()
    facts = sum(len(store.read_at_position(game, None)[1]) for game in games)
    return facts / (process_time() - begun)


def opening_s(data: Path, url: str | None) -> float:
    """Return the seconds to open a store and to load a game."""
    begun = perf_counter()
    with closing(Games(data, url)) as store:
        (_, game), *_ = islice(openings(store), 1)
        store.state(game)
    return perf_counter() - begun


def openings(store: Games) -> Iterator[tuple[int, str]]:
    """Yield games of every shard."""
    for shard, last in enumerate(store.log.last_numbers()):
        yield from store.log.openings(shard, 0, last, 10**6)


def megabytes(data: Path, url: str | None) -> float:
    """Return the size of a log on disk, with its indexes."""
    if url is None:
        return sum(path.stat().st_size for path in data.glob("log.db*")) / 1e6
    with psycopg.connect(url) as server:
        sizes = server.execute("SELECT pg_total_relation_size(oid) FROM pg_class WHERE relname LIKE 'games%_events'")
        return sum(size for (size,) in sizes) / 1e6


def micros(run: Callable[[bytes], object], states: list[bytes]) -> float:
    """Return the microseconds of a call, the best of several rounds."""
    rounds = []
    for _ in range(7):
        begun = process_time()
        for state in states:
            run(state)
        rounds.append(process_time() - begun)
    return 1e6 * min(rounds) / len(states)


def measure(folder: Path, urls: list[str | None], games: int, pairs: int) -> None:
    """Print the rows of one kind of database."""
    places = [(folder / name, url) for name, url in zip(("plain", "compressed"), urls, strict=True)]
    for data, _ in places:
        data.mkdir()
    plain, compressed = (Games(*place, settings=more) for place, more in zip(places, (PLAIN, {}), strict=True))
    with closing(plain), closing(compressed):
        states, facts = fill([plain, compressed], games), sum(plain.log.last_numbers())
    sizes = [megabytes(*place) for place in places]
    starts = [statistics.median(opening_s(*place) for _ in range(pairs)) for place in places]
    with closing(Games(*places[0])) as plain, closing(Games(*places[1])) as compressed:
        sample = [game for _, game in islice(openings(plain), SAMPLE)]
        rates = [(rate(plain, sample), rate(compressed, sample)) for _ in range(pairs)]
    name = "SQLite" if urls[0] is None else "PostgreSQL"
    print(f"| {name}: facts | {facts:,} | {facts:,} | |")
    for label, one, other in (
        ("log on disk, MB", *sizes),
        ("bytes a fact on disk", *(size * 1e6 / facts for size in sizes)),
        ("start and first game, ms", *(1e3 * start for start in starts)),
        ("facts loaded a second", *(statistics.median(each) for each in zip(*rates, strict=True))),
    ):
        print(f"| {name}: {label} | {one:,.1f} | {other:,.1f} | {other / one:.2f} |")
    pairwise = ", ".join(f"{other / one:.2f}" for one, other in rates)
    print(f"| {name}: loads, each pair | | | {pairwise} |")
    if urls[0] is None:
        measure_states(states)


def measure_states(states: list[bytes]) -> None:
    """Print what the compressor does to states, one by one."""
    compressor = FactCompressor()
    small = [*map(compressor.compress, states)]
    one, other = (sum(map(len, each)) / len(states) for each in (states, small))
    print(f"| bytes a fact in the state column | {one:.0f} | {other:.0f} | {other / one:.2f} |")
    print(f"| compress, us | | {micros(compressor.compress, states):.1f} | |")
    back = [micros(compressor.decompress, each) for each in (states, small)]
    print(f"| decompress, us | {back[0]:.1f} | {back[1]:.1f} | |")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--postgres", nargs=2, metavar=("PLAIN", "COMPRESSED"), help="the URLs of two empty databases")
    asked = parser.parse_args()
    print("| | plain | compressed | |\n| --- | ---: | ---: | ---: |")
    for urls in ([None, None], asked.postgres):
        if urls is not None:
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder), urls, asked.games, asked.pairs)


if __name__ == "__main__":
    main()
