"""Places for tampering: a few games played in memory and stored as a server stores them, on either store."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from api.accounts.accounts import open_accounts
from api.config import Config
from api.config.limits import NO_LIMITS
from api.container import open_games, open_receipts
from api.evidence.services.receipts import ENDING_FACTS
from domain.commands import AppealRuling, AskUndo, DecideAppeal, GiveRuling, OpenDispute, OpenGame, WithdrawDispute
from domain.events import Evidence, Fairness, Player
from domain.rules.choices import Cuts
from domain.store.aggregate import Game
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from replay.history import export_bytes
from tests.conftest import Database
from tests.given import GAME
from tests.replay.playing import TIMING, WINDOW_S, Table, table
from tests.replay.variety import WILD
from tests.stored.stories import dropped_call, lent

PITCH = "11111111-aaaa-4aaa-8aaa-000000000001"
OTHER = "22222222-bbbb-4bbb-8bbb-000000000002"
CORELLIAN = "33333333-cccc-4ccc-8ccc-000000000003"
LIVE = "44444444-dddd-4ddd-8ddd-000000000004"
CUT = GAME
CONTESTED = "66666666-ffff-4fff-8fff-000000000006"
LENT = "77777777-aaaa-4aaa-8aaa-000000000007"
DROPPED = "88888888-bbbb-4bbb-8bbb-000000000008"
NOTE = "cd" * 32


def opened(game: str, board: int, players: int, seed: int, variant: str = "pitch", **options: Any) -> Table:
    """Open a table as p0 with the given id."""
    made = Table(Random(seed), Game(game))
    people = tuple(Player(f"p{seat}", "human") for seat in range(players))
    made.do(OpenGame(game, board, variant, options, people, TIMING), "p0")
    return made


def _pitch() -> Table:
    made = opened(PITCH, 1, 3, 3, win=7)
    made.hands(1)
    made.move()
    made.says(AskUndo(made.game.state.undo_point.seat if made.game.state.undo_point else 0))
    made.answer(accept=True)
    made.draw(accept=False)
    made.resign(2)
    made.play(most=6)
    made.resign(0)
    return made


def _other() -> Table:
    made = opened(OTHER, 2, 3, 4, win=7).play(most=10)
    made.draw(accept=True)
    return made


def _corellian() -> Table:
    made = opened(CORELLIAN, 3, 4, 5, "corellian", **WILD).hands(1, also=0.3)
    made.draw(accept=True)
    return made


def _live() -> Table:
    return opened(LIVE, 4, 3, 6, win=7).hands(1).play(most=8)


def _cut() -> Table:
    """Play two deals with cuts of three people, each sealed before."""
    made = table(11, 3, fairness=Fairness(Cuts.SEALED, WINDOW_S), win=21).hands(2)
    made.draw(accept=True)
    return made


def _contested() -> Table:
    """Play a game with rulings: a score adjusted and upheld, one removed and restored, other winners; one withdrawn."""
    made = opened(CONTESTED, 6, 3, 5, win=7).hands(1)
    version, root = made.game.version, made.game.root
    made.says(OpenDispute(0, 1, version, "revoke", NOTE))
    made.says(OpenDispute(1, 1, version, "score", NOTE))
    made.do(GiveRuling("ann", 1, "adjust", (2, -1, 0), "S34", "likely", Evidence(version, root), NOTE), "ann")
    made.do(AppealRuling(1, 1), "p1")
    made.do(DecideAppeal("ben", 1, "upheld"), "ben")
    later = Evidence(version + 1, made.entries[version + 1].prev.hex())
    made.do(GiveRuling("ben", 2, "void", (), None, "recorded", later, NOTE), "ben")
    made.do(AppealRuling(0, 2), "p0")
    made.do(DecideAppeal("ann", 2, "reversed"), "ann")
    made.says(OpenDispute(2, 1, version, "score", NOTE))
    made.says(WithdrawDispute(2, 3))
    made.draw(accept=True)
    return made


PLACES = ((PITCH, OTHER), (CORELLIAN, LIVE), (CUT, CONTESTED), (LENT, DROPPED))
"""Games that share a place."""


@lru_cache(maxsize=1)
def tables() -> dict[str, Table]:
    """Return every game; all except LIVE are over."""
    games = (_pitch(), _other(), _corellian(), _live(), _cut(), _contested(), lent({"game": LENT, "board": 8}))
    return {made.game.game: made for made in (*games, dropped_call({"game": DROPPED, "board": 9}))}


def neighbours(game: str) -> list[Table]:
    """Return the games of a game's place."""
    return [tables()[each] for each in next(place for place in PLACES if game in place)]


def ends(table: Table) -> list[int]:
    """Return the sizes at which a server stores a receipt: after commits in which a hand or the game ended."""
    last = {entry.event.command: entry.event.version for entry in table.entries}
    return sorted({last[entry.event.command] for entry in table.entries if entry.event.fact in ENDING_FACTS})


@dataclass(frozen=True)
class Made:
    """A place with games."""

    database: Database
    shards: int = 1

    @property
    def config(self) -> Config:
        """Return the server's configuration."""
        place = Config(data=self.database.data, database_url=self.database.url, shards=self.shards)
        return replace(place, hashing="cheapest", limits=NO_LIMITS, seating="at-once")


def make(database: Database, games_of: Sequence[Table], shards: int = 1) -> Made:
    """Store games one after the other, number their boards, sign their receipts, and update the lists."""
    made = Made(database, shards)
    with closing(open_accounts(made.config)) as accounts, closing(open_games(made.config)) as games:
        receipts = open_receipts(accounts, games, made.config)
        for table in games_of:
            board = table.entries[0].event.data.board
            accounts.database.run("INSERT INTO boards VALUES (?, ?)", board, table.game.game)
            games.log.application_of(table.game.id).save(*table.entries)
            for size in ends(table):
                receipts.issue(table.game.game, size)
        with closing(RowStore(made.config.data, made.config.database_url, PROJECTIONS)) as rows:
            LogFollower(games, rows).catch_up()
    return made


def finished(folder: Path) -> Made:
    """Return a place whose files hold three finished games and free pages."""
    made = make(Database(None, folder), [tables()[game] for game in (PITCH, OTHER, CORELLIAN)])
    with closing(sqlite3.connect(folder / "log.db")) as file:
        file.execute("CREATE TABLE spare (content)")
        file.execute("INSERT INTO spare VALUES (zeroblob(20000))")
        file.commit()
        file.execute("DROP TABLE spare")
        file.commit()
    return made


def exports(folder: Path) -> dict[str, bytes]:
    """Return the export of a finished game and of a running one with withheld cards, each with its receipt."""
    made = make(Database(None, folder), [tables()[PITCH], tables()[LIVE]])
    with closing(open_accounts(made.config)) as accounts, closing(open_games(made.config)) as games:
        receipts = open_receipts(accounts, games, made.config)
        seen = {"a finished export": tables()[PITCH], "a running one, seen by seat 1": tables()[LIVE]}
        return {name: export_bytes(receipts.with_receipt(table.seen_by(1))) for name, table in seen.items()}
