"""kill -9 of a process in mid-game: each acknowledged move is stored once, and play continues with the same deck."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from random import Random
from secrets import randbits
from threading import Timer
from time import sleep

import pytest

from domain.cards import DECK_52
from domain.events import CardsDealt, CeremonyOpened, CeremonyRevealed, Event, HandDealt, StockLaid
from domain.protocols import fairdeal
from domain.store import Games
from domain.store.aggregate import Entry
from tests.conftest import Database
from tests.domain.store.storing import any_move, at, command_id, open_game, play

KILLS, MOVES = 3, 13
"""The number of writers, and the most moves of each: fewer in total than any game has (see `play`)."""
PATIENCE = 120  # seconds until a silent writer fails the test
pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine


def write(data: str, url: str, game: str) -> None:
    """Play at random. Print a line for each move after the store has it: command id, version, root."""
    chance = Random(randbits(64))
    with at(Database(url or None, Path(data)).called(name_of(os.getpid()))) as games:
        tell("ready")
        sys.stdin.readline()
        for _ in range(MOVES):
            move, known = any_move(games.state(game), chance), command_id(chance.getrandbits(64))
            commit = games.act(game, move, by=f"p{move.seat}", command_id=known)
            tell(f"{known} {commit.state.version} {commit.root}")
        sys.stdin.readline()


def name_of(pid: int) -> str:
    return f"writer-{pid}"


Acknowledged = tuple[str, int, str]
"""A command id, and the version and root after the command."""


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextmanager
def writer(database: Database, game: str) -> Iterator[subprocess.Popen[str]]:
    """Start a writer that waits for a line on its stdin; kill it at the end of the block at the latest."""
    arguments = (str(database.data), database.url or "", game)
    program = f"from tests.domain.store.test_crash import write; write(*{arguments!r})"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def killed_after(process: subprocess.Popen[str], moves: int, seconds: float, database: Database) -> list[Acknowledged]:
    """Kill the writer `seconds` after that many moves; return the moves that it had acknowledged."""
    assert process.stdin is not None
    assert process.stdout is not None
    hangs = Timer(PATIENCE, process.kill)
    hangs.start()
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    told = [process.stdout.readline() for _ in range(moves)]
    hangs.cancel()
    sleep(seconds)
    process.kill()
    told += process.stdout
    process.wait()
    database.left_by(name_of(process.pid))
    lines = [line.split() for line in told if line.endswith("\n")]
    return [(known, int(version), root) for known, version, root in lines]


class Deal:
    """A finished hand: its first and last version, the deck as dealt, and the deck that its revealed seed makes."""

    def __init__(self, entries: list[Entry], revealed: Event[CeremonyRevealed]) -> None:
        n, seed = revealed.data.n, bytes.fromhex(revealed.data.seed)
        facts = [(entry.event.version, entry.event.data) for entry in entries]
        opened = next(fact for _, fact in facts if isinstance(fact, CeremonyOpened) and fact.n == n)
        hands = [fact.cards for _, fact in facts if isinstance(fact, CardsDealt) and fact.n == n]
        stock = next(fact.cards for _, fact in facts if isinstance(fact, StockLaid) and fact.n == n)
        self.first = next(at for at, fact in facts if isinstance(fact, HandDealt) and fact.n == n)
        self.last = revealed.version
        self.commits = (opened.commit, fairdeal.commit(revealed.game, n, opened.subject, seed).hex())
        self.dealt = [card for turn in zip(*hands, strict=True) for card in turn] + list(stock)
        key = fairdeal.key(revealed.game, n, opened.subject, seed, ())
        self.shuffled = [DECK_52[place] for place in fairdeal.shuffle(key, "deck", 52)]


def deals(entries: list[Entry]) -> list[Deal]:
    return [Deal(entries, entry.event) for entry in entries if isinstance(entry.event.data, CeremonyRevealed)]


@pytest.mark.process
def test_after_a_kill_at_any_moment_the_game_continues_from_the_acknowledged_moves(database: Database) -> None:
    chance, acknowledged, kills = Random(randbits(64)), list[Acknowledged](), list[int]()
    with at(database) as games, ExitStack() as stack:
        game = open_game(games)
        waiting = stack.enter_context(writer(database, game))
        for _ in range(KILLS):
            process, waiting = waiting, stack.enter_context(writer(database, game))
            acknowledged += killed_after(process, chance.randint(2, MOVES - 1), chance.uniform(0, 0.02), database)
            kills.append(games.state(game).version)
            assert kills[-1] >= acknowledged[-1][1]
        play_out_the_hand(games, game)
    with at(database) as games:
        entries = games.entries(game)
        root_after = [entry.prev.hex() for entry in entries] + [games.snapshot(game)[1]]
        for asked, version, root in acknowledged:
            assert (entries[version - 1].event.command, root_after[version]) == (asked, root)
        assert games.entries_of_command(game, acknowledged[0][0])[-1] == entries[acknowledged[0][1] - 1]
        stored = [entry.event.command for entry in entries]
        runs = [command for command, _ in groupby(stored)]
        assert len(runs) == len(set(runs)), "a command was stored twice"
        assert len(runs) - 1 >= len(acknowledged) > KILLS
        hands = deals(entries)
        assert all(hand.dealt == hand.shuffled and hand.commits[0] == hand.commits[1] for hand in hands)
        assert any(hand.first < kill < hand.last for hand in hands for kill in kills), "no hand went on across a kill"


def play_out_the_hand(games: Games, game: str) -> None:
    """Play until the next hand is dealt or the game is over, so that the seed of this hand is revealed."""
    dealt = games.state(game).ceremony_count
    while games.state(game).turn and games.state(game).ceremony_count == dealt:
        play(games, game, 1, Random(randbits(64)))


@pytest.mark.process
def test_a_hand_continues_with_the_deck_dealt_before_the_crash(database: Database) -> None:
    with at(database) as games:
        game = open_game(games)
        with writer(database, game) as process:
            assert len(killed_after(process, 4, 0.0, database)) >= 4
        before = games.state(game)
        (kept,) = before.ceremonies
        assert kept.dealt
        with at(database) as again:
            assert again.state(game) == before
            play_out_the_hand(again, game)
            hand = next(hand for hand in deals(again.entries(game)) if hand.commits[0] == kept.commit)
        assert (hand.commits[1], hand.dealt) == (kept.commit, hand.shuffled)
        assert before.hand is not None
        assert before.hand.n == kept.n
