"""Two nodes under a bounded load of all kinds, with samples, and kills of the second node every few minutes.

The first node is never killed: a slow leak shows only in processes that live long.
"""

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aiosmtpd.controller import Controller

from tests.api.server_process import PROGRAM
from tests.campaigns.kills.checks import faults_of_store
from tests.campaigns.kills.victims import process_ids
from tests.campaigns.mail_delivery.arrivals import faults_of_mails
from tests.campaigns.mail_delivery.behind_postfix import listening_program
from tests.campaigns.mail_delivery.killing import KillingRelay
from tests.campaigns.soak.checks import faults_of_table
from tests.campaigns.soak.node_program import CACHED_GAMES, LEAK_BYTES
from tests.campaigns.soak.samples import Role, Sampler
from tests.campaigns.soak.tables import (
    BOT_PLAYER,
    LINE_PLAYERS,
    MAIL_HOST,
    MAIL_PLAYERS,
    BotTable,
    LineTable,
    MailTable,
    Table,
)
from tests.campaigns.soak.visitors import PageReader, Visitor, Watcher
from tests.campaigns.two_nodes.campaign import SETTINGS, Campaign, Report
from tests.campaigns.two_nodes.requests import Caller
from tests.conftest import Database
from tests.mail.post_office import DOMAIN
from tests.ports import free_port
from tests.waiting import wait_until

NODE_PROGRAM = (*PROGRAM[:-1], "tests.campaigns.soak.node_program")
SPARED, VICTIM = 0, 1
"""The node that runs all the time, and the one that is killed."""
LAST_MAILS_S = 480.0
"""How long the last mails may take: one that failed three times goes after 1, 2 and 4 minutes."""


@dataclass(frozen=True)
class Plan:
    """How long a soak takes, how often a node is killed and a sample is taken, and how much the clients do."""

    seconds: float
    kill_every_s: float
    sample_every_s: float = 10.0
    pause_s: float = 0.5
    """How long each client rests after a turn."""
    cached_games: int = 5
    """How many games a process of a node keeps in memory."""
    leak_bytes: int = 0
    """How much each request leaves behind, as a control."""


@dataclass
class Activity:
    """What happened beside the moves of the racers."""

    lines: int = 0
    mails: int = 0
    replies: int = 0
    bot_moves: int = 0
    pages: int = 0
    streams: int = 0
    samples: int = 0


class Soak(Campaign):
    """The campaign of kills of two nodes, with more clients, a lighter load and samples."""

    def __init__(self, database: Database, folder: Path, seed: int, plan: Plan, samples: Path) -> None:
        self.relay = KillingRelay(free_port())
        controller = Controller(self.relay, hostname="127.0.0.1", port=self.relay.port)
        controller.start()
        self.mail_settings = {
            "SMTP_URL": self.relay.url, "MAIL_DOMAIN": DOMAIN, "MAIL_FROM": f"cards@{DOMAIN}", "MAIL_DELAY_S": "0",
        }  # fmt: skip
        super().__init__(
            database,
            folder,
            seed,
            program=NODE_PROGRAM,
            settings={**SETTINGS, **self.mail_settings},
            environ={CACHED_GAMES: str(plan.cached_games), LEAK_BYTES: str(plan.leak_bytes)},
            pause_s=plan.pause_s,
        )
        self.stack.callback(controller.stop)
        self.plan, self.seed, self.samples, self.activity = plan, seed, samples, Activity()
        self.tables: list[Table] = []
        self.visitors: list[Visitor] = []
        self._first_mail = 0

    def begin(self) -> None:
        """Start both nodes, the listener for mails and everybody, and take samples."""
        super().begin()
        for each in self.patrols:
            each.pause_s = max(each.pause_s, 4 * self.plan.pause_s)
        port, log = free_port(), self.stack.enter_context(self.log.open("ab"))
        running = listening_program(self.database, port, {"LOG": "warning", **self.mail_settings}, log)
        listener = self.stack.enter_context(running)
        mail = MailTable(self.places, f"mail {self.seed}", self._callers(MAIL_PLAYERS), self.plan.pause_s, self.relay)
        mail.lmtp_port = port
        self._confirm_addresses(mail)
        lines = LineTable(self.places, f"lines {self.seed}", self._callers(LINE_PLAYERS), self.plan.pause_s)
        bots = BotTable(self.places, f"bots {self.seed}", self._callers((BOT_PLAYER,)), self.plan.pause_s)
        self.tables = [mail, lines, bots]
        self.visitors = [PageReader(self.places, self.ledger, f"pages {self.seed}", self.plan.pause_s)]
        self.visitors += [Watcher(self.places, self.ledger, f"watcher {number} {self.seed}", self.plan.pause_s)
                          for number in range(4)]  # fmt: skip
        self.sampler = Sampler(
            self.samples,
            self.database,
            self.ledger,
            self.places.urls,
            lambda: self._processes(listener.pid),
            self._count_games,
            self.plan.sample_every_s,
        )
        for each in (*self.tables, *self.visitors):
            each.start()
        self.sampler.start()

    def run(self) -> None:
        """Let time pass, and kill the second node again and again."""
        until = time.monotonic() + self.plan.seconds
        while time.monotonic() + self.plan.kill_every_s < until and not self._faults():
            self._rest(self.plan.kill_every_s)
            self.sampler.write({"of": "kill", "node": VICTIM})
            self.kill_node(VICTIM)
        self._rest(until - time.monotonic())
        wait_until(lambda: bool(self._faults()) or self._is_busy(), "somebody does nothing")

    def _is_busy(self) -> bool:
        """Return whether everybody has done something."""
        moved = all(sum(each.games.acknowledged.values()) > len(each.games.acknowledged) for each in self.tables)
        return moved and self.sampler.taken > 0 and all(each.answers for each in self.visitors)

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._faults():
            time.sleep(0.1)

    def _faults(self) -> list[str]:
        threads = (*self.patrols, *self.tables, *self.visitors)
        return [*self.ledger.faults, *self.sampler.faults, *(fault for each in threads for fault in each.faults)]

    def end(self) -> Report:
        """Stop everybody, and check everything."""
        self.sampler.end()
        for each in (*self.tables, *self.visitors):
            each.end()
        found = [*self.sampler.faults, *(fault for each in (*self.tables, *self.visitors) for fault in each.faults)]
        mail, lines, bots = self.tables
        assert isinstance(mail, MailTable)
        found += self._finish_mails(mail)
        nobody = self.caller("end of tables")
        found += [fault for table in self.tables for fault in faults_of_table(table, nobody)]
        self.activity = Activity(
            lines=lines.tries,
            mails=len(self.relay.raw),
            replies=len(mail.replies),
            bot_moves=sum(bots.games.acknowledged.values()),
            pages=sum(each.answers for each in self.visitors if isinstance(each, PageReader)),
            streams=sum(each.answers for each in self.visitors if isinstance(each, Watcher)),
            samples=self.sampler.taken,
        )
        report = super().end()
        report.faults += found
        return report

    def close(self) -> None:
        """Let everybody stop, and kill the nodes."""
        for each in (*self.tables, *self.visitors):
            each.stop_soon()
        super().close()

    def _callers(self, names: tuple[str, ...]) -> dict[str, Caller]:
        """Register players, and return a caller for each."""
        return {name: Caller(self.places, f"soak {name}", self.join(name)) for name in names}

    def _confirm_addresses(self, mail: MailTable) -> None:
        """Give each player an address, with the code that comes by mail."""
        for name, caller in mail.callers.items():
            address = f"{name}@{MAIL_HOST}"
            asked = caller.ask("PUT", "/me/email", {"email": address})
            assert asked.status == 202, asked
            wait_until(partial(self._has_code, address), "no code comes by mail")
            confirmed = caller.ask("POST", "/me/email/confirmation", {"code": self._codes(address)[0]})
            assert confirmed.status == 200, confirmed
        self._first_mail = len(self.relay.raw)

    def _has_code(self, address: str) -> bool:
        return bool(self._codes(address))

    def _codes(self, address: str) -> list[str]:
        texts = [mail.get_content() for to, mail in self.relay.mails if to == address]
        return [code for text in texts for code in re.findall(r"\b[0-9]{8}\b", text)]

    def _count_games(self) -> int:
        return len(self.ledger.notes) + sum(len(each.games.acknowledged) for each in self.tables)

    def _processes(self, listener: int) -> Mapping[Role, int]:
        """Return the running processes of the nodes and the listener for mails."""
        found = {Role("mail listener"): listener}
        for number, node in enumerate(list(self.nodes)):
            with suppress(OSError):
                found |= {Role(name, number): pid for name, pid in process_ids(node).items()}
        return found

    def _finish_mails(self, mail: MailTable) -> list[str]:
        """Wait for the mails that are due, and return what is wrong with all of them."""
        with suppress(AssertionError):  # then the checks say what is missing
            wait_until(lambda: self._has_all_mails(mail), "a mail is missing", LAST_MAILS_S)
        missing = []
        if not mail.finish():
            missing = [f"nobody gets a mail about their turn: {mail.describe(self.caller('end of mails'))}"]
        return missing + faults_of_mails(self.relay.raw[self._first_mail :], mail.replies)

    def _has_all_mails(self, mail: MailTable) -> bool:
        answers = {str(each["In-Reply-To"]) for _, each in self.relay.mails if each["Auto-Submitted"] == "auto-replied"}
        return mail.finish() and set(mail.replies.values()) <= answers


def run_soak(database: Database, folder: Path, seed: int, plan: Plan, samples: Path) -> tuple[Report, Activity]:
    """Run a soak and check everything. Write its samples to a file while it runs."""
    soak = Soak(database, folder, seed, plan, samples)
    try:
        soak.begin()
        soak.run()
        report = soak.end()
    finally:
        soak.close()
    report.faults += faults_of_store(database)
    return report, soak.activity
