"""Whether the time of a bot's move tells if it had a choice: forced and free moves of bots, compared.

    python -m bench.server.bot_times [--moves 1000] [--tables 4] [--bots simple strong]

Cards that follow a lead are compared, but no last ones: there, nobody else knows whether the bot had a choice. Each
forced one has a free one in the same situation, as everybody sees it: the place in the trick, the number of cards, and
whether a bot or a person played before. A person plays against two bots at each table of a real server, and moves at
once; a spectator reads the stream. Two times are taken for each move of a bot: by the log, from `at` of the fact before
to its own, and by the spectator, from one frame to the next. D is the two-sample statistic of Kolmogorov and Smirnov:
the largest distance between the distributions. Equal ones differ by more than the limit once in a hundred times.
"""

import argparse
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from math import log, sqrt
from statistics import median
from typing import NamedTuple

from api.client import Refusal, Server, Table
from bench.server.streams import running
from domain.engine.legal_moves import legal_moves
from domain.evolve import evolve
from domain.state import EMPTY_STATE, current_hand, require
from replay.history import read_export

ALPHA = 0.01
PATIENCE_S = 0.2


class Move(NamedTuple):
    """A move of a bot: was it forced, what everybody saw before, and its times in milliseconds."""

    forced: bool
    situation: tuple[int, int, bool]
    recorded: float
    seen: float


def matched(moves: Iterable[Move]) -> tuple[list[Move], list[Move]]:
    """Return as many forced moves as free ones in the same situations, in the order they were made."""
    waiting: dict[tuple[bool, tuple[int, int, bool]], list[Move]] = defaultdict(list)
    forced, free = list[Move](), list[Move]()
    for move in moves:
        others = waiting[not move.forced, move.situation]
        if others:
            pair = (move, others.pop(0))
            forced.append(pair[not move.forced])
            free.append(pair[move.forced])
        else:
            waiting[move.forced, move.situation].append(move)
    return forced, free


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


def bot_moves(export: bytes, arrived: dict[int, float]) -> Iterator[Move]:
    """Yield the cards that bots played, but leads and last cards: everybody knows whether those were forced."""
    state, by = EMPTY_STATE, ""
    for line in read_export(export).lines:
        event = line.event
        assert event is not None, "the game is over, so nothing is hidden"
        times = arrived.get(event.version - 1), arrived.get(event.version)
        if event.by.startswith("bot:") and event.fact == "CardPlayed" and state.trick and None not in times:
            seat, place = event.data.seat, len(state.trick.plays)
            cards = current_hand(state).counts[seat]
            recorded = datetime.fromisoformat(event.at) - datetime.fromisoformat(state.at)
            if place and cards > 1:
                yield Move(
                    len(legal_moves(state, seat)) == 1,
                    (place, cards, by.startswith("bot:")),
                    recorded.total_seconds() * 1000,
                    (require(times[1]) - require(times[0])) * 1000,
                )
        state, by = evolve(state, event), event.by


def measure(bots: str, moves: int, tables: int) -> tuple[list[Move], list[Move]]:
    """Play until there are that many moves of each kind, and return the forced ones and the free ones."""
    found, read = list[Move](), Counter[Play]()
    stop = threading.Event()
    with tempfile.TemporaryDirectory() as data, running(data, None) as (address, _):
        playing = [Play(address, bots, stop) for _ in range(tables)]
        while len(matched(found)[0]) < moves:
            time.sleep(PATIENCE_S)
            for each in playing:
                games = each.finished[read[each] :]
                read[each] += len(games)
                found += [move for game in games for move in bot_moves(*game)]
        stop.set()
        for each in playing:
            each.end()
    forced, free = matched(found)
    return forced[:moves], free[:moves]


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
        moves = measure(bots, asked.moves, asked.tables)
        for name in ("recorded", "seen"):
            forced, free = ([getattr(move, name) for move in kind] for kind in moves)
            ranges = [f"{median(each):.2f} ({min(each):.2f} to {max(each):.2f})" for each in (forced, free)]
            figures = f"{distance(forced, free):.3f} | {limit(len(forced), len(free)):.3f}"
            print(f"| {bots} | {name} | {len(forced)} | {len(free)} | {' | '.join(ranges)} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
