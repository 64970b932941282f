"""A log of many games that are played at the same time, made in memory: random legal moves at random tables."""

import random
from collections.abc import Iterator, Sequence
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from bench.rules.games import chosen
from domain.commands import Command, OpenGame
from domain.events import Player
from domain.events.codec import topic
from domain.store import Games
from domain.store.aggregate import Game, Request

AT = "2026-11-21T{:02}:{:02}:{:02}.000000Z"
COMMITS_AT_ONCE = 500


def random_commits(tables: int, seed: int = 7) -> Iterator[list[StoredEvent]]:
    """Yield the commits of games of Pitch of four people, without end; a game that is over makes room for a new one."""
    rng, live, opened = random.Random(seed), list[Game](), 0
    while True:
        while len(live) < tables:
            opened += 1
            live.append(Game(str(UUID(bytes=rng.randbytes(16), version=4))))
            people = tuple(Player(f"{rng.getrandbits(128):032x}", "human") for _ in range(4))
            opening = OpenGame(live[-1].game, opened, "pitch", {"win": 21}, people)
            yield commit(live[-1], opening, people[0].player, rng)
        game = rng.choice(live)
        if game.state.turn:
            yield commit(game, chosen(game.state, rng), game.state.seats[game.state.turn[0]].player, rng)
        else:
            live.remove(game)


def commit(game: Game, command: Command, by: str, rng: random.Random) -> list[StoredEvent]:
    """Apply a command to a game and return the events that a store would keep."""
    at = AT.format(game.version // 3600 % 24, game.version // 60 % 60, game.version % 60)
    draft = game.draft(
        command, Request(by, f"{rng.getrandbits(64):016x}-{rng.getrandbits(64):016x}", at), rng.randbytes
    )
    game.apply_draft(draft)
    return [StoredEvent(game.id, each.event.version, topic(each.event), each.stored) for each in draft.entries]


def store_at_once(games: Games, commits: Sequence[Sequence[StoredEvent]]) -> None:
    """Store commits in one transaction, as the group commit of the server does."""
    batches = dict[UUID | str, list[StoredEvent]]()
    for events in commits:
        batches.setdefault(events[0].originator_id, []).extend(events)
    games.log.insert_batches(list(batches.values()))


def fill(games: Games, tables: int, events: int) -> int:
    """Store commits of games at `tables` tables until the log has `events` events or more. Return their number."""
    waiting, stored = list[list[StoredEvent]](), 0
    for each in random_commits(tables):
        waiting.append(each)
        stored += len(each)
        if len(waiting) == COMMITS_AT_ONCE or stored >= events:
            store_at_once(games, waiting)
            waiting.clear()
        if stored >= events:
            break
    return stored
