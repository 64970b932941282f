"""Two nodes that are killed or upgraded while clients race."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from unittest.mock import patch

from tests.api.conftest import PASSWORD
from tests.api.server.test_supervisor import children_of
from tests.api.server_process import PROGRAM, ServerProcess, start_server
from tests.campaigns.kills.checks import faults_of_store, traces_in
from tests.campaigns.kills.load import Places, Played
from tests.campaigns.two_nodes.checks import (
    expected_entries,
    exports_of,
    faults_of_entries,
    faults_of_games,
    faults_of_inbox,
    faults_of_webhook,
    number_of,
)
from tests.campaigns.two_nodes.inboxes import InboxReader
from tests.campaigns.two_nodes.patrols import Guesses, Openings, Patrol, Revocations
from tests.campaigns.two_nodes.racers import CLIENTS, GAMES, PLAYERS, Ledger, Racer
from tests.campaigns.two_nodes.requests import Caller
from tests.conftest import Database
from tests.inbox.receivers import Receiver, open_receiver
from tests.waiting import wait_until

NODE_PROGRAM = (*PROGRAM[:-1], "tests.campaigns.two_nodes.node_program")
MOST_UNFINISHED = 6
"""How many unfinished games a player may have opened: one of the limits that must hold."""
WEBHOOK_PATIENCE_S = 120.0
SETTINGS = {"SEATING": "at-once", "LOG": "warning", "UNFINISHED_GAMES": str(MOST_UNFINISHED), "HOURLY_GAMES": "1000",
            "STREAMS_BY_PLAYER": "50"}  # fmt: skip


@dataclass
class Report(Played):
    """What happened, and what is wrong."""

    kills: int = 0
    entries: int = 0
    messages: int = 0
    again: int = 0
    """The messages to the webhook that came again, with the same id."""
    refused_s: list[float] = field(default_factory=list)
    ended_s: list[float] = field(default_factory=list)
    opened: int = 0
    guesses: str = ""


class Campaign:
    """Two nodes that run `program` with `settings`, and everybody who uses them; racers rest for `pause_s`."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        seed: int,
        *,
        program: Sequence[str] = NODE_PROGRAM,
        settings: Mapping[str, str] = SETTINGS,
        environ: Mapping[str, str] | None = None,
        pause_s: float = 0.0,
    ) -> None:
        self.database, self.folder = database, folder
        self.program, self.settings, self.pause_s = program, settings, pause_s
        self.environ = dict(environ or {})
        self.chance, self.stack = Random(f"nodes {seed}"), ExitStack()
        self.places, self.ledger, self.report = Places([]), Ledger(), Report()
        self.nodes: list[ServerProcess] = []
        self.log = folder / "nodes.log"
        self.receiver: Receiver = self.stack.enter_context(open_receiver(folder))
        self.tokens: dict[str, str] = {}
        self.racers: list[Racer] = []
        self.readers: list[InboxReader] = []
        self.patrols: list[Patrol] = []

    def start_node(self, *, tomorrow: bool = False) -> ServerProcess:
        """Start a node, of tomorrow's release if wanted."""
        log = self.stack.enter_context(self.log.open("ab"))
        environ = {"RECEIVER_PEM": str(self.folder / "receiver.pem"), "TOMORROW": "yes" if tomorrow else "no"}
        environ |= self.environ
        with patch.dict(os.environ, environ):
            started = start_server(self.database, stderr=log, program=self.program, **self.settings)
            return self.stack.enter_context(started)

    def begin(self) -> None:
        """Start both nodes, register everybody, and let them race."""
        self.nodes = [self.start_node() for _ in range(2)]
        self.places.urls[:] = [node.url for node in self.nodes]
        self.tokens = {name: self.join(name) for name in (*PLAYERS, "eve")}
        ann = self.caller("ann", self.tokens["ann"])
        assert ann.ask("POST", "/me/webhooks", {"url": self.receiver.url}).status == 201
        self.readers = [InboxReader(name, self.tokens[name], self.places, way)
                        for name in PLAYERS for way in ("stream", "polling")]  # fmt: skip
        self.racers = [Racer(name, number, self.tokens[name], self.places, self.ledger, self.pause_s)
                       for name in PLAYERS for number in range(CLIENTS)]  # fmt: skip
        for racer in self.racers[::CLIENTS][:GAMES]:
            racer.open_game()
        self.patrols = [Revocations(self.places, "cat"), Guesses(self.places)]
        self.patrols += [Openings(self.places, self.tokens["eve"], number) for number in range(2)]
        for each in self._everybody():
            each.start()

    def caller(self, seed: str, token: str | None = None) -> Caller:
        """Return a caller of both nodes, until the end of the campaign."""
        made = Caller(self.places, seed, token)
        self.stack.callback(made.close)
        return made

    def join(self, name: str) -> str:
        """Register somebody and return their token."""
        nobody = self.caller(name)
        body = {"name": name, "password": PASSWORD}
        assert nobody.ask("POST", "/users", body).status == 201
        return str(nobody.ask("POST", "/tokens", body).body["token"])

    def wait_for_moves(self, moves: int) -> None:
        """Wait until that many more moves are acknowledged, or something is wrong."""
        enough = self.ledger.moves + moves
        wait_until(lambda: bool(self.ledger.faults) or self.ledger.moves >= enough, "the games don't go on")

    def kill_node(self, at: int) -> None:
        """Kill all processes of a node at once, and start it again."""
        self.report.kills += 1
        node = self.nodes[at]
        for process in (node.process.pid, *children_of(node.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        node.process.wait()
        self.nodes[at] = self.start_node()
        self.places.urls[at] = self.nodes[at].url

    def replace_node(self, at: int) -> None:
        """Stop a node as an operator does, and start tomorrow's release in its place."""
        assert self.nodes[at].stop() == 0
        self.nodes[at] = self.start_node(tomorrow=True)
        self.places.urls[at] = self.nodes[at].url

    def end(self) -> Report:
        """Stop everybody, and check everything."""
        for each in self._everybody():
            each.end()
        report, ledger = self.report, self.ledger
        report.games, report.moves, report.refused = len(ledger.notes), ledger.moves, ledger.refused
        report.repeated = sum(racer.caller.repeated for racer in self.racers)
        nobody = self.caller("end")
        exports = exports_of(ledger, nobody)
        report.faults += faults_of_games(ledger, exports, nobody)
        for seat, name in enumerate(PLAYERS):
            readers = [each for each in self.readers if each.name == name]
            caller = self.caller(f"end {name}", self.tokens[name])
            expected = expected_entries(seat, ledger, exports)
            self._await_readers(readers, caller, expected.total())
            report.faults += faults_of_inbox(readers, caller)
            report.faults += faults_of_entries(seat, readers[0].items, expected)
            report.entries += len(readers[0].items)
            report.resumed += sum(each.resumed for each in readers)
        self._check_webhook()
        self._check_patrols()
        report.faults += traces_in(self.log)
        return report

    def _await_readers(self, readers: list[InboxReader], caller: Caller, least: int) -> None:
        """Wait until the inbox rests, and the readers have read all of it."""

        def is_complete() -> bool:
            last = number_of(caller.entries(self.places.urls[0])[-1])
            done = all(each.items and number_of(each.items[-1]) >= last for each in readers)
            return any(each.faults for each in readers) or (done and last >= least)

        with suppress(AssertionError):  # then the checks say what is missing
            wait_until(is_complete, "a reader is behind", 30)
        for each in readers:
            each.end()

    def _check_webhook(self) -> None:
        (reader, *_) = self.readers
        names = self.receiver.messages
        with suppress(AssertionError):
            wait_until(
                lambda: len({each.headers["webhook-id"] for each in names}) >= len(reader.items),
                "messages are missing", WEBHOOK_PATIENCE_S,
            )  # fmt: skip
        faults, self.report.again = faults_of_webhook(self.receiver, reader.items)
        self.report.messages = len(names)
        self.report.faults += faults

    def _check_patrols(self) -> None:
        report = self.report
        report.faults += [fault for each in self.patrols for fault in each.faults]
        for each in self.patrols:
            if isinstance(each, Revocations):
                report.refused_s, report.ended_s = each.refused_s, each.ended_s
            elif isinstance(each, Openings):
                report.opened += each.opened
            elif isinstance(each, Guesses):
                report.guesses = f"{each.tried} of at most {each.most()}"
                report.faults += [f"{report.guesses} guesses"] if each.tried > each.most() else []
        if report.opened != MOST_UNFINISHED:
            report.faults.append(f"a player could open {report.opened} games, not {MOST_UNFINISHED}")

    def close(self) -> None:
        """Kill the nodes."""
        for each in self._everybody():
            each.stop_soon()
        self.stack.close()

    def _everybody(self) -> list[Racer | Patrol]:
        return [*self.racers, *self.patrols]


@contextmanager
def running_campaign(database: Database, folder: Path, seed: int) -> Iterator[Campaign]:
    """Run two nodes with everybody who uses them."""
    campaign = Campaign(database, folder, seed)
    try:
        campaign.begin()
        yield campaign
    finally:
        campaign.close()


def run_kills(
    database: Database, folder: Path, seed: int, goes_on: Callable[[int], bool], pause_s: tuple[float, float]
) -> Report:
    """Kill one of two nodes after a random pause, again and again while `goes_on` of the number of kills."""
    with running_campaign(database, folder, seed) as campaign:
        while goes_on(campaign.report.kills) and not campaign.ledger.faults:
            campaign.wait_for_moves(10)
            time.sleep(campaign.chance.uniform(*pause_s))
            campaign.kill_node(campaign.chance.randrange(2))
        campaign.wait_for_moves(10)
        report = campaign.end()
        report.faults += faults_of_store(database)
        return report
