"""Rolling upgrades: a node stores a fact of a new version only once all nodes of the last minute know it.

A node is a process that shares a store with others. Its heartbeats say which facts it can read (docs/upgrades.md).
"""

import logging
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from uuid import uuid4

from api.accounts.node_records import FactVersions, NodeRecord, NodeRecords
from api.monitoring.log_watch import background
from domain.events import FACT_VERSIONS
from domain.rules.model import RULES_VERSION
from domain.store.aggregate import Entry
from domain.store.sql.database import DATABASE_ERRORS
from domain.store.write_guard import FactTooNew
from projections.followers.projection_follower import TroubleLog

LOG = logging.getLogger("trickbook.nodes")
BEAT_S = 5.0
PRESENT_US = 60_000_000
"""How long after its last heartbeat a node counts as present."""
RULES = "rules"
"""The name under which a node gives the version of the rules inside facts; no fact begins in lower case."""
TOO_NEW = (
    "Another server of this store still runs release {release}, which can't read this yet. Send the request again when"
    " the upgrade is done."
)


def known_facts() -> dict[str, int]:
    """Return the facts that this program can read."""
    return {**FACT_VERSIONS, RULES: RULES_VERSION}


class Node:
    """This process as a node, and its guard for the store. Call `look` before anything is stored."""

    def __init__(self, records: NodeRecords, facts: FactVersions | None = None) -> None:
        self.name = f"{socket.gethostname()[:64]} {uuid4().hex[:12]}"
        self._records, self._facts = records, known_facts() if facts is None else facts
        self._unknown: dict[str, str] = {}
        """The facts that another node can't read as this one writes them, with that node's release."""

    def beat(self) -> None:
        """Write a heartbeat, and look at the other nodes."""
        self._learn(self._records.write(self.name, version("trickbook"), self._facts, PRESENT_US))

    def look(self) -> None:
        """Learn which facts the other nodes know."""
        self._learn(self.others())

    def _learn(self, nodes: Sequence[NodeRecord]) -> None:
        others = [each for each in nodes if each.name != self.name]
        unknown = {fact: other.release for other in others for fact in _newer(self._facts, other.facts)}
        if unknown.keys() != self._unknown.keys():
            self._log(unknown, others)
        self._unknown = unknown

    def others(self) -> list[NodeRecord]:
        """Return the other nodes of the last minute."""
        return [each for each in self._records.seen_within(PRESENT_US) if each.name != self.name]

    def leave(self) -> None:
        """Say that this node stops."""
        self._records.remove(self.name)

    def check(self, entries: Sequence[Entry]) -> None:
        """Raise FactTooNew unless all nodes that were present a few seconds ago can read these entries."""
        unknown = self._unknown
        if not unknown:
            return
        for entry in entries:
            event = entry.event
            release = unknown.get(event.fact)
            if release is None and getattr(event.data, RULES, None) is not None:
                release = unknown.get(RULES)
            if release is not None:
                raise FactTooNew(TOO_NEW.format(release=release))

    def run(self, stop: threading.Event) -> None:
        """Beat until `stop`."""
        trouble = TroubleLog(LOG, "the heartbeat of this node")
        while not stop.wait(BEAT_S):
            with trouble.attempt():
                self.beat()

    def _log(self, unknown: dict[str, str], others: Sequence[NodeRecord]) -> None:
        if unknown:
            names, releases = ", ".join(sorted(unknown)), ", ".join(sorted({each.release for each in others}))
            LOG.warning("other nodes, of release %s, can't read %s; storing none until they stop", releases, names)
        else:
            LOG.warning("all nodes can read every fact of this release now")


def _newer(facts: FactVersions, others: FactVersions) -> list[str]:
    """Return the facts that are newer here than there, or that don't exist there."""
    return [fact for fact, number in facts.items() if number > others.get(fact, 0)]


@contextmanager
def node_presence(node: Node) -> Iterator[None]:
    """Let other nodes know that this process is there, until the end of the block."""
    node.beat()
    try:
        with background(node.run, "node", BEAT_S):
            yield
    finally:
        with suppress(*DATABASE_ERRORS):
            node.leave()
