"""Two nodes that are killed or upgraded while clients race, and what must hold at both of them at any time."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from tests.api.server_process import PROGRAM, limits_file
from tests.campaigns.traffic.checks import faults_of_store
from tests.campaigns.traffic.load import SERVERS, Load, Report
from tests.campaigns.traffic.racers import PLAYERS
from tests.campaigns.traffic.readers import Item, Poller, Reader
from tests.campaigns.two_nodes.patrols import GUESSER, Guesses, Openings, Revocations
from tests.conftest import Database
from tests.inbox.receivers import Receiver, open_receiver
from tests.waiting import wait_until

MOST_UNFINISHED = 6
"""How many unfinished games a player may have opened: one of the limits that must hold."""
WEBHOOK_PATIENCE_S = 120.0


class TwoNodes(Load):
    """A load on two nodes with limits, a receiver of webhooks, and patrols."""

    program = (*PROGRAM[:-1], "tests.campaigns.two_nodes.node_program")
    webhook_patience_s = WEBHOOK_PATIENCE_S
    """How long the last messages to a webhook may take."""

    def __init__(self, database: Database, folder: Path, seed: int, pause_s: float = 0.0) -> None:
        super().__init__(database, folder, seed, pause_s)
        limits = limits_file(
            folder / "limits.toml",
            unfinished_games=MOST_UNFINISHED, hourly_games=1000, streams_by_player=50, mail_delay_s=0,
        )  # fmt: skip
        self.settings = {"LOG": "warning", "LIMITS": limits}
        self.receiver: Receiver = self.stack.enter_context(open_receiver(folder))
        self.environ["RECEIVER_PEM"] = str(folder / "receiver.pem")

    def prepare(self) -> None:
        asked = self.caller("ann", self.tokens["ann"]).ask("POST", "/me/webhooks", {"url": self.receiver.url})
        assert asked.status == 201, asked
        for name in PLAYERS:
            callers = [self.caller(f"inbox {name}", self.tokens[name]) for _ in range(2)]
            self.inboxes[name] = [Reader(callers[0], "/me/events"), Poller(callers[1], "/me/events")]
        eve = self.join("eve")
        self.openings = [Openings(self.caller(f"eve {number}", eve.token), number) for number in range(2)]
        guesses = Guesses(self.caller("guesses", source=GUESSER))
        self.others += [Revocations(self.caller("revocations"), "cat"), guesses, *self.openings]

    def check(self) -> list[str]:
        opened = sum(each.done for each in self.openings)
        found = [] if opened == MOST_UNFINISHED else [f"a player could open {opened} games, not {MOST_UNFINISHED}"]
        items, messages = self.inboxes["ann"][0].items, self.receiver.messages
        with suppress(AssertionError):
            wait_until(
                lambda: len({each.headers["webhook-id"] for each in messages}) >= len(items),
                "messages are missing", self.webhook_patience_s,
            )  # fmt: skip
        faults, again = faults_of_webhook(self.receiver, items)
        self.report.summaries.append(f"{len(messages)} messages to a webhook, {again} of them again, with the same id")
        return found + faults


def faults_of_webhook(receiver: Receiver, items: Sequence[Item]) -> tuple[list[str], int]:
    """Return what is wrong with the messages, and how many came again: with the same id, right after the first one."""
    got = [json.loads(message.body)["data"] for message in receiver.messages]
    names = [message.headers["webhook-id"] for message in receiver.messages]
    again = sum(a == b for a, b in pairwise(names))
    once = [item for at, item in enumerate(got) if at == 0 or names[at] != names[at - 1]]
    return ([] if once == list(items) else [f"the receiver got {len(once)} messages, not {len(items)} in order"]), again


def run_kills(
    database: Database, folder: Path, seed: int, goes_on: Callable[[int], bool], pause_s: tuple[float, float]
) -> Report:
    """Kill one of two nodes after a random pause, again and again while `goes_on` of the number of kills."""
    with TwoNodes(database, folder, seed) as nodes:
        while goes_on(nodes.report.kills.total()) and not nodes.faults:
            nodes.wait_for_moves(10)
            time.sleep(nodes.chance.uniform(*pause_s))
            nodes.report.kills["a node"] += 1
            nodes.kill_server(nodes.chance.randrange(SERVERS))
        nodes.wait_for_moves(10)
        report = nodes.end()
        report.faults += faults_of_store(database)
        return report
