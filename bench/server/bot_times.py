"""Whether the time of a bot's move tells if it had a choice: forced and free moves of bots, compared.

    python -m bench.server.bot_times [--moves 1000] [--tables 4] [--bots simple strong]

Cards that follow a lead are compared, but no last ones: there, nobody else knows whether the bot had a choice. A person
plays against two bots at each table of a real server, and moves at once; a spectator reads the stream. Two times are
taken for each move of a bot: by the log, from `at` of the fact before to its own, and by the spectator, from one frame
to the next. D is the two-sample statistic of Kolmogorov and Smirnov: the largest distance between the distributions.
Equal ones differ by more than the limit once in a hundred times.
"""

import argparse
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import log, sqrt
from statistics import median

from api.client import Refusal, Server, Table
from bench.server.streams import running
from domain.engine.legal_moves import legal_moves
from domain.evolve import evolve
from domain.state import EMPTY_STATE, State
from replay.history import read_export

ALPHA = 0.01
PATIENCE_S = 0.2


@dataclass
class Times:
    """The times in milliseconds of the moves of one kind: by the log, and as a spectator sees them."""

    recorded: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)


Sorted = dict[bool, Times]
"""The times of moves that were forced, and of those that weren't."""


def distance(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the statistic of Kolmogorov and Smirnov for two samples."""
    steps = sorted([(value, 1 / len(one)) for value in one] + [(value, -1 / len(two)) for value in two])
    most, between = 0.0, 0.0
    for (value, step), (following, _) in zip(steps, [*steps[1:], (float("inf"), 0.0)], strict=True):
        between += step
        if value != following:
            most = max(most, abs(between))
    return most


def limit(one: int, two: int) -> float:
    """Return what the statistic of two equal distributions exceeds with probability `ALPHA`."""
    return sqrt(-log(ALPHA / 2) / 2 * (one + two) / (one * two))


class Play:
    """One table after another, until `stop`: a person who moves at once, and a spectator with a clock."""

    def __init__(self, address: str, bots: str, stop: threading.Event) -> None:
        self._url, self._bots, self._stop = f"http://{address}", bots, stop
        self._changed = threading.Event()
        self.finished = list[tuple[bytes, dict[int, float]]]()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Wait for the last game."""
        self._thread.join()

    def _run(self) -> None:
        with Server(self._url) as server:
            name = server.guest()
            while not self._stop.is_set():
                table = Table.open(server, "pitch", [name, *[f"bot:{self._bots}"] * 2], options={"win": 7})
                arrived = dict[int, float]()
                watching = threading.Thread(target=self._watch, args=(table.game, arrived), daemon=True)
                watching.start()
                self._play(table, watching)
                watching.join()
                self.finished.append((table.export(), arrived))

    def _watch(self, game: str, arrived: dict[int, float]) -> None:
        with Server(self._url) as spectator:
            for moment in Table(spectator, game).follow():
                arrived[moment.version] = time.monotonic()
                self._changed.set()

    def _play(self, table: Table, watching: threading.Thread) -> None:
        while watching.is_alive():
            self._changed.wait(PATIENCE_S)
            self._changed.clear()
            legal = table.view()["you"]["legal"]
            if legal:
                try:
                    table.move(legal[0])
                except Refusal as refusal:
                    if refusal.type not in ("out-of-turn", "game-over"):
                        raise


def bot_moves(export: bytes, arrived: dict[int, float]) -> Iterator[tuple[bool, float, float | None]]:
    """Yield for each card that a bot played whether it was forced, and its two times in milliseconds.

    Only cards that follow a lead, and not a seat's last one: of the others everybody knows whether they were forced.
    """
    state = EMPTY_STATE
    for line in read_export(export).lines:
        event = line.event
        assert event is not None, "the game is over, so nothing is hidden"
        if event.by.startswith("bot:") and event.fact == "CardPlayed" and is_telling(state, event.data.seat):
            was_forced = len(legal_moves(state, event.data.seat)) == 1
            recorded = datetime.fromisoformat(event.at) - datetime.fromisoformat(state.at)
            here, before = arrived.get(event.version), arrived.get(event.version - 1)
            yield was_forced, recorded.total_seconds() * 1000, (here and before and (here - before) * 1000)
        state = evolve(state, event)


def is_telling(state: State, seat: int) -> bool:
    """Return whether others can't know if the seat has a choice."""
    return bool(state.trick and state.trick.plays and state.hand and state.hand.counts[seat] > 1)


def measure(bots: str, moves: int, tables: int) -> Sorted:
    """Play until there are that many moves of each kind, and return their times."""
    found, read = defaultdict[bool, Times](Times), 0
    stop = threading.Event()
    with tempfile.TemporaryDirectory() as data, running(data, None) as (address, _):
        playing = [Play(address, bots, stop) for _ in range(tables)]
        while min(len(found[kind].seen) for kind in (True, False)) < moves:
            time.sleep(PATIENCE_S)
            games = [game for each in playing for game in each.finished]
            for game in games[read:]:
                for was_forced, recorded, seen in bot_moves(*game):
                    if seen is not None:
                        found[was_forced].recorded.append(recorded)
                        found[was_forced].seen.append(seen)
            read = len(games)
        stop.set()
        for each in playing:
            each.end()
    return found


def main() -> None:
    """Print both times of each kind of bot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--bots", nargs="+", default=["simple", "strong"])
    asked = parser.parse_args()
    print("| bots | times | forced moves | free moves | ms of a forced one, median (least to most) |", end="")
    print(" of a free one | D | limit |\n|---|---|---:|---:|---:|---:|---:|---:|")
    for bots in asked.bots:
        found = measure(bots, asked.moves, asked.tables)
        for name in ("recorded", "seen"):
            forced, free = (getattr(found[kind], name)[: asked.moves] for kind in (True, False))
            ranges = [f"{median(each):.2f} ({min(each):.2f} to {max(each):.2f})" for each in (forced, free)]
            figures = f"{distance(forced, free):.3f} | {limit(len(forced), len(free)):.3f}"
            print(f"| {bots} | {name} | {len(forced)} | {len(free)} | {' | '.join(ranges)} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
