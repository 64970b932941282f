"""The costs of a ruling on an old game for the lists, and of making ratings again, on both databases.

    python -m bench.storage.re_rating [--games 1000,10000] [--rulings 1,10] [--stores SQLite,PostgreSQL]

Each log has a whole game of Pitch, and then that many games of two out of 200 people that end at once; with more than
one ruling, the other ruled games are spread evenly. A ruling on the first game rates all games again. The time is that
of following the ruling by the clock, for all lists together: no list has a later event before.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from bench.rules.games import chosen
from bench.storage.random_log import store_at_once
from domain.commands import Command, GiveRuling, OpenDispute, OpenGame, Resign
from domain.events import Evidence, Player
from domain.events.codec import topic
from domain.store import Games
from domain.store.aggregate import Game, Request
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from tests import postgres

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE = 200
GAMES_AT_ONCE = 250
NOTE = "cd" * 32
ARBITER = "arbiter"


class GameMaker:
    """Makes finished games a minute apart; the seed decides everything."""

    def __init__(self, seed: int = 1) -> None:
        self._rng, self._number, self._now = random.Random(seed), 0, BEGUN

    def resigned(self) -> Iterator[list[StoredEvent]]:
        """Yield the commits of a game of two people of which the second resigns."""
        game = self._new_game()
        yield self._open(game, 2)
        yield self._commit(game, Resign(1))

    def whole(self) -> tuple[Game, list[list[StoredEvent]]]:
        """Return a whole game, and its commits."""
        game = self._new_game()
        commits = [self._open(game, 2)]
        while game.state.result is None:
            commits.append(self._commit(game, chosen(game.state, self._rng)))
        return game, commits

    def ruling(self, game: Game) -> Iterator[list[StoredEvent]]:
        """Yield the commits of a dispute and of a ruling that turns a finished game's result round."""
        number = len(game.state.disputes) + 1
        scores, self._now = game.state.scores, self._now + timedelta(minutes=1)
        yield self._commit(game, OpenDispute(0, 1, game.version, "revoke", NOTE))
        changes = (2 * (scores[1] - scores[0]) or 1, 0)
        evidence = Evidence(game.version, game.root)
        yield self._commit(game, GiveRuling(ARBITER, number, "adjust", changes, "S34", "recorded", evidence, NOTE))

    def _new_game(self) -> Game:
        self._number += 1
        self._now += timedelta(minutes=1)
        return Game(str(UUID(bytes=self._rng.randbytes(16), version=4)))

    def _open(self, game: Game, seats: int) -> list[StoredEvent]:
        people = [Player(f"p_{each:024x}", "human") for each in self._rng.sample(range(PEOPLE), seats)]
        return self._commit(game, OpenGame(game.game, self._number, "pitch", {"win": 7}, tuple(people)))

    def _commit(self, game: Game, command: Command) -> list[StoredEvent]:
        seat = getattr(command, "seat", None)
        by = getattr(command, "arbiter", None) or (game.state.seats[seat].player if seat is not None else "server")
        if isinstance(command, OpenGame):
            by = command.players[0].player
        at = self._now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        request = Request(by, f"{self._rng.getrandbits(64):016x}-{self._rng.getrandbits(64):016x}", at)
        draft = game.draft(command, request, self._rng.randbytes)
        game.apply_draft(draft)
        return [StoredEvent(game.id, each.event.version, topic(each.event), each.stored) for each in draft.entries]


def fill(games: Games, count: int, rulings: int) -> Iterator[list[list[StoredEvent]]]:
    """Store finished games, and yield the commits of a ruling on each game that has one, the latest game first."""
    maker, ruled, waiting = GameMaker(), list[Game](), list[list[StoredEvent]]()
    for number in range(count):
        if number % (count // rulings) == 0 and len(ruled) < rulings:
            game, commits = maker.whole()
            ruled.append(game)
            waiting += commits
        waiting += maker.resigned()
        if len(waiting) >= 2 * GAMES_AT_ONCE or number == count - 1:
            store_at_once(games, waiting)
            waiting.clear()
    for game in reversed(ruled):
        yield list(maker.ruling(game))


def measure(data: Path, url: str | None, count: int, rulings: int) -> tuple[float, float, float, float]:
    """Return seconds in which the last ruling is followed, then games/s rebuilt, by the clock and of this process."""
    with Games(data, url) as games, closing(RowStore(data, url, PROJECTIONS)) as rows:
        followers, each_ruling = LogFollower(games, rows), fill(games, count, rulings)
        last = list[list[StoredEvent]]()
        for last in each_ruling:
            followers.catch_up()
            store_at_once(games, last)
        wall, used = timed(followers.catch_up)
        rebuilt, busy = timed(partial(followers.rebuild, "ratings"))
        return wall, used, count / rebuilt, count / busy


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds by the clock and of this process that something takes."""
    wall, used = perf_counter(), process_time()
    run()
    return perf_counter() - wall, process_time() - used


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", default="1000,10000")
    parser.add_argument("--rulings", default="1,10")
    parser.add_argument("--stores", default="SQLite,PostgreSQL")
    asked = parser.parse_args()
    print("| | games | rulings | followed, s | processor, s | rebuilt, games/s | games/s of processor |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder, postgres.server() as server:
        for count in map(int, asked.games.split(",")):
            for rulings in map(int, asked.rulings.split(",")):
                for store in asked.stores.split(","):
                    data = Path(folder) / f"{store}-{count}-{rulings}"
                    data.mkdir()
                    with server.fresh() as url:
                        wall, used, *rates = measure(data, url if store == "PostgreSQL" else None, count, rulings)
                    figures = " | ".join(f"{rate:,.0f}" for rate in rates)
                    print(f"| {store} | {count:,} | {rulings} | {wall:.2f} | {used:.2f} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
