"""Servers on one store under load: players race at them, and readers follow the games and the inboxes."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self
from unittest.mock import patch

from tests.api.conftest import PASSWORD
from tests.api.log_reference import Export
from tests.api.server.test_supervisor import children_of
from tests.api.server_process import PROGRAM, ServerProcess, start_server
from tests.campaigns.traffic.actors import Actor
from tests.campaigns.traffic.caller import Caller
from tests.campaigns.traffic.checks import (
    expected_entries,
    exports_of,
    faults_of_audit,
    faults_of_entries,
    faults_of_game,
    faults_of_inbox,
    faults_of_stream,
    number_of,
    traces_in,
)
from tests.campaigns.traffic.racers import CLIENTS, GAMES, PLAYERS, Ledger, Racer
from tests.campaigns.traffic.readers import Reader
from tests.conftest import Database
from tests.waiting import wait_until

SEED = 20261123
SERVERS = 2
NO_LIMITS = {"LIMITS": "off", "LOG": "warning"}
READ_WITHIN_S = 30.0
CHAT_SHARE = 0.02


def kill(pid: int) -> None:
    """Send SIGKILL, unless the process has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@dataclass
class Report:
    """The kills, the moves, and the faults."""

    kills: Counter[str] = field(default_factory=Counter)
    games: int = 0
    moves: int = 0
    refused: int = 0
    repeated: int = 0
    entries: int = 0
    began: int = 0
    """How often a server has begun to send a stream."""
    summaries: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        return [
            ", ".join(f"{name} {times}" for name, times in sorted(self.kills.items())),
            f"{self.games} games, {self.moves} moves acknowledged, {self.refused} refused",
            f"{self.repeated} requests repeated, streams began {self.began} times",
            f"{self.entries} entries of inboxes, each read by a stream and by waiting" if self.entries else "",
            *self.summaries,
        ]


class Load:
    """Two servers that run `program` with `settings`, and everybody who uses them; racers rest for `pause_s`."""

    program: Sequence[str] = PROGRAM

    def __init__(self, database: Database, folder: Path, seed: int, pause_s: float = 0.0) -> None:
        self.database, self.folder, self.pause_s = database, folder, pause_s
        self.settings: Mapping[str, str] = NO_LIMITS
        self.environ: dict[str, str] = {}
        self.seed, self.chance, self.stack = seed, Random(f"load {seed}"), ExitStack()
        self.urls: list[str] = []
        self.servers: list[ServerProcess] = []
        self.ledger, self.report = Ledger(), Report()
        self.log = folder / "servers.log"
        self.tokens: dict[str, str] = {}
        self.racers: list[Racer] = []
        self.inboxes: dict[str, list[Reader]] = {}
        """The readers of inboxes by player, if a campaign has some: a crash of PostgreSQL may change their numbers."""
        self.watchers: dict[str, Reader] = {}
        """A reader of each of the first games."""
        self.others: list[Actor] = []

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self.close()

    def start_server(self, **environ: str) -> ServerProcess:
        """Start a server, which runs until the end."""
        log = self.stack.enter_context(self.log.open("ab"))
        with patch.dict(os.environ, self.environ | environ):
            starting = start_server(self.database, stderr=log, program=self.program, **self.settings)
            return self.stack.enter_context(starting)

    def replace_server(self, at: int, **environ: str) -> None:
        """Start a server in the place of one that has ended."""
        self.servers[at] = self.start_server(**environ)
        self.urls[at] = self.servers[at].url

    def kill_server(self, at: int) -> None:
        """Kill all processes of a server at once, and start it again."""
        process = self.servers[at].process
        for pid in (process.pid, *children_of(process.pid)):
            kill(pid)
        process.wait()
        self.replace_server(at)

    def caller(self, seed: str, token: str | None = None, source: str = "127.0.0.1") -> Caller:
        """Return a caller of the servers, until the end."""
        made = Caller(self.urls, f"{seed} {self.seed}", token, source)
        self.stack.callback(made.close)
        return made

    def join(self, name: str) -> Caller:
        """Register somebody, and return their caller."""
        made, body = self.caller(name), {"name": name, "password": PASSWORD}
        assert made.ask("POST", "/users", body).status == 201
        made.token = self.tokens[name] = str(made.ask("POST", "/tokens", body).body["token"])
        return made

    def prepare(self) -> None:
        """Do what must come before the first game, once everybody has joined."""

    def begin(self) -> None:
        """Start the servers, register everybody, and let them race."""
        for _ in range(SERVERS):
            self.servers.append(self.start_server())
            self.urls.append(self.servers[-1].url)
        for name in PLAYERS:
            self.join(name)
        self.prepare()
        for name in PLAYERS:
            for number in range(CLIENTS):
                caller = self.caller(f"racer {name} {number}", self.tokens[name])
                self.racers.append(Racer(caller, name, number, self.ledger, self.pause_s))
                self.racers[-1].chat_share = CHAT_SHARE if self.inboxes else 0.0
        for racer in self.racers[::CLIENTS][:GAMES]:
            racer.open_game()
        for game in self.ledger.notes:
            self.watchers[game] = Reader(self.caller(game, self.tokens[PLAYERS[0]]), f"/games/{game}/events")
        for each in self.actors:
            each.start()

    @property
    def readers(self) -> list[Reader]:
        """All readers."""
        return [*self.watchers.values(), *(each for readers in self.inboxes.values() for each in readers)]

    @property
    def actors(self) -> list[Actor]:
        """Everybody who does something."""
        return [*self.racers, *self.readers, *self.others]

    @property
    def faults(self) -> list[str]:
        """The faults until now."""
        return [fault for each in self.actors for fault in each.faults]

    @property
    def done(self) -> Counter[str]:
        """How much everybody has done beside the moves of racers."""
        found = Counter[str]()
        for each in self.others:
            found[each.what] += each.done
        return found

    @property
    def repeated(self) -> int:
        """How many requests of racers were repeated."""
        return sum(racer.caller.repeated for racer in self.racers)

    def have_moved(self, moves: int) -> Callable[[], bool]:
        """Return what says whether that many more moves are acknowledged from now on, or something is wrong."""
        enough = self.ledger.moves + moves
        return lambda: self.ledger.moves >= enough or bool(self.faults)

    def wait_for_moves(self, moves: int, what: str = "the games don't go on") -> None:
        """Wait until that many more moves are acknowledged, or something is wrong."""
        wait_until(self.have_moved(moves), what)

    def end(self) -> Report:
        """Stop everybody, and check everything."""
        for each in (*self.racers, *self.others):
            each.end()
        report, ledger, nobody = self.report, self.ledger, self.caller("end")
        report.games, report.moves, report.refused = len(ledger.notes), ledger.moves, ledger.refused
        report.repeated = self.repeated
        exports, found = exports_of(ledger.notes, nobody)
        for game, export in exports.items():
            found += faults_of_game(game, ledger.notes[game], export) + faults_of_audit(game, nobody)
        for game, reader in self.watchers.items():
            size = len(exports[game].lines) if game in exports else 0
            self._await([reader], partial(reader.has, size))
            found += faults_of_stream(reader, exports[game]) if game in exports else []
        for name in self.inboxes:
            found += self._check_inbox(name, exports)
        report.began = sum(each.began for each in self.readers)
        report.summaries += [f"{times} {what}" for what, times in self.done.items()]
        report.faults += self.faults + found + self.check() + traces_in(self.log)
        return report

    def _check_inbox(self, name: str, exports: dict[str, Export]) -> list[str]:
        readers, caller = self.inboxes[name], self.caller(f"end {name}", self.tokens[name])
        expected = expected_entries(name, self.ledger, exports)

        def is_complete() -> bool:
            last = number_of(caller.whole_inbox(self.urls[0]))
            return last >= expected.total() and all(number_of(each.items) >= last for each in readers)

        self._await(readers, is_complete)
        self.report.entries += len(readers[0].items)
        return faults_of_inbox(name, readers, caller) + faults_of_entries(name, readers[0].items, expected)

    @staticmethod
    def _await(readers: Sequence[Reader], is_complete: Callable[[], bool]) -> None:
        """Wait until readers have all; if they never do, the checks say what is missing."""
        with suppress(AssertionError):
            wait_until(lambda: any(each.faults for each in readers) or is_complete(), within_s=READ_WITHIN_S)
        for each in readers:
            each.end()

    def check(self) -> list[str]:
        """Return what else is wrong."""
        return []

    def close(self) -> None:
        """Let everybody stop, and kill the servers."""
        for each in self.actors:
            each.stop_soon()
        self.stack.close()
