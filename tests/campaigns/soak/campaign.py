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
from random import Random

from tests.api.server_process import PROGRAM
from tests.campaigns.kills.victims import process_ids
from tests.campaigns.mail_delivery.arrivals import faults_of_mails
from tests.campaigns.mail_delivery.behind_postfix import listening_program
from tests.campaigns.mail_delivery.killing import killing_relay
from tests.campaigns.mail_delivery.players import MailPlayers
from tests.campaigns.soak.node_program import CACHED_GAMES, LEAK_BYTES
from tests.campaigns.soak.samples import Role, Sampler
from tests.campaigns.soak.tables import BOT_PLAYER, LINE_PLAYERS, MAIL_PLAYERS, BotTable, LineTable, MailTable, Table
from tests.campaigns.soak.visitors import PageReader, Watcher
from tests.campaigns.traffic.caller import Caller
from tests.campaigns.traffic.checks import exports_of, faults_of_audit, faults_of_count, faults_of_store
from tests.campaigns.traffic.load import Report
from tests.campaigns.two_nodes.campaign import TwoNodes
from tests.conftest import Database
from tests.mail.post_office import DOMAIN
from tests.ports import free_port
from tests.waiting import wait_until

VICTIM = 1
"""The node that is killed; the other one runs all the time."""
FEW_GAMES = 5
"""How many games a process of a node keeps in memory."""
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
    leak_bytes: int = 0
    """How much each request leaves behind, as a control."""


class Soak(TwoNodes):
    """The load on two nodes, with more clients, a lighter load and samples."""

    program = (*PROGRAM[:-1], "tests.campaigns.soak.node_program")

    def __init__(self, database: Database, folder: Path, seed: int, plan: Plan, samples: Path) -> None:
        super().__init__(database, folder, seed, plan.pause_s)
        self.plan, self.samples = plan, samples
        self.relay = self.stack.enter_context(killing_relay())
        self.mail_settings = {
            "SMTP_URL": self.relay.url, "MAIL_DOMAIN": DOMAIN, "MAIL_FROM": f"cards@{DOMAIN}",
        }  # fmt: skip
        self.settings = {**self.settings, **self.mail_settings}
        self.environ |= {CACHED_GAMES: str(FEW_GAMES), LEAK_BYTES: str(plan.leak_bytes)}

    def prepare(self) -> None:
        super().prepare()
        pause_s = self.plan.pause_s
        for each in self.others:
            each.pause_s = max(each.pause_s, 4 * pause_s)
        port, log = free_port(), self.stack.enter_context(self.log.open("ab"))
        running = listening_program(self.database, port, {**self.settings, **self.mail_settings}, log)
        self.listener = self.stack.enter_context(running).pid
        callers = {name: self.join(name) for name in MAIL_PLAYERS}
        self._confirm_addresses(callers)
        self.mail = MailPlayers(self.relay, port, Random(f"mail {self.seed}"))
        self.tables: list[Table] = [
            MailTable(callers, pause_s, self.mail),
            LineTable({name: self.join(name) for name in LINE_PLAYERS}, pause_s),
            BotTable({BOT_PLAYER: self.join(BOT_PLAYER)}, pause_s),
        ]
        self.sampler = Sampler(self.caller("sampler"), self.plan.sample_every_s, self.samples, self.database,
                               self.ledger, self._processes)  # fmt: skip
        self.others += [*self.tables, PageReader(self.caller("pages"), self.ledger, pause_s), self.sampler]
        self.others += [Watcher(self.caller(f"watcher {number}"), self.ledger, pause_s) for number in range(4)]

    def run(self) -> None:
        """Let time pass, and kill the second node again and again."""
        until = time.monotonic() + self.plan.seconds
        while time.monotonic() + self.plan.kill_every_s < until and not self.faults:
            self._rest(self.plan.kill_every_s)
            self.sampler.write({"of": "kill", "node": VICTIM})
            self.report.kills["a node"] += 1
            self.kill_server(VICTIM)
        self._rest(until - time.monotonic())
        wait_until(lambda: self.faults or all(self.done.values()), "somebody does nothing")

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.faults:
            time.sleep(0.1)

    def check(self) -> list[str]:
        found, nobody = super().check() + self._finish_mails(), self.caller("end of tables")
        for table in self.tables:
            exports, faults = exports_of(table.acknowledged, nobody)
            found += faults
            for game, export in exports.items():
                found += faults_of_count(game, table.acknowledged[game], table.people, export)
                found += faults_of_audit(game, nobody)
        return found

    def _confirm_addresses(self, callers: dict[str, Caller]) -> None:
        """Give each player an address, with the code that comes by mail."""
        for name, caller in callers.items():
            address = f"{name}@example.net"
            asked = caller.ask("PUT", "/me/email", {"email": address})
            assert asked.status == 202, asked
            wait_until(partial(self._codes, address), "no code comes by mail")
            confirmed = caller.ask("POST", "/me/email/confirmation", {"code": self._codes(address)[0]})
            assert confirmed.status == 200, confirmed
        self._first_mail = len(self.relay.raw)

    def _codes(self, address: str) -> list[str]:
        texts = [mail.get_content() for to, mail in self.relay.mails if to == address]
        return [code for text in texts for code in re.findall(r"\b[0-9]{8}\b", text)]

    def _processes(self) -> Mapping[Role, int]:
        """Return the running processes of the nodes and the listener for mails."""
        found = {Role("mail listener"): self.listener}
        for number, node in enumerate(list(self.servers)):
            with suppress(OSError):
                found |= {Role(name, number): pid for name, pid in process_ids(node).items()}
        return found

    def _finish_mails(self) -> list[str]:
        """Wait for the mails that are due, and return what is wrong with all of them."""
        with suppress(AssertionError):  # then the checks say what is missing
            wait_until(self._has_all_mails, "a mail is missing", LAST_MAILS_S)
        missing = [] if self.mail.finish() else [f"nobody gets a mail about their turn in {self.mail.current}"]
        return missing + faults_of_mails(self.relay.raw[self._first_mail :], self.mail.replies)

    def _has_all_mails(self) -> bool:
        answers = {str(each["In-Reply-To"]) for _, each in self.relay.mails if each["Auto-Submitted"] == "auto-replied"}
        return self.mail.finish() and set(self.mail.replies.values()) <= answers


def run_soak(database: Database, folder: Path, seed: int, plan: Plan, samples: Path) -> Report:
    """Run a soak and check everything. Write its samples to a file while it runs."""
    with Soak(database, folder, seed, plan, samples) as soak:
        soak.run()
        report = soak.end()
    report.faults += faults_of_store(database)
    return report
