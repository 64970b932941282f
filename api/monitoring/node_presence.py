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
from domain.events import FACT_VERSIONS
from domain.rules.model import RULES_VERSION
from domain.store.games import RULES, WriteGuard
from domain.store.sql.database import DATABASE_ERRORS
from projections.followers.troubles import TroubleLog, background

LOG = logging.getLogger("trickbook.nodes")
BEAT_S = 5.0
PRESENT_US = 60_000_000
"""How long after its last heartbeat a node counts as present."""


def known_facts() -> dict[str, int]:
    """Return the facts that this program can read."""
    return {**FACT_VERSIONS, RULES: RULES_VERSION}


class Node:
    """This process as a node, which tells the guard of its store what others can't read yet.

    Call `look` before anything is stored.
    """

    def __init__(
        self, records: NodeRecords, facts: FactVersions | None = None, guard: WriteGuard | None = None
    ) -> None:
        """Without a guard, as in tests, this process stores nothing."""
        self.name = f"{socket.gethostname()[:64]} {uuid4().hex[:12]}"
        self._records, self._facts = records, known_facts() if facts is None else facts
        self._guard = guard or WriteGuard()

    def beat(self) -> None:
        """Write a heartbeat, and look at the other nodes."""
        self._learn(self._records.write(self.name, version("trickbook"), self._facts, PRESENT_US))

    def look(self) -> None:
        """Learn which facts the other nodes know."""
        self._learn(self.others())

    def _learn(self, nodes: Sequence[NodeRecord]) -> None:
        others = [each for each in nodes if each.name != self.name]
        unknown = {fact: other.release for other in others for fact in _newer(self._facts, other.facts)}
        if unknown.keys() != self._guard.unknown.keys():
            self._log(unknown, others)
        self._guard.unknown = unknown

    def others(self) -> list[NodeRecord]:
        """Return the other nodes of the last minute."""
        return [each for each in self._records.seen_within(PRESENT_US) if each.name != self.name]

    def leave(self) -> None:
        """Say that this node stops."""
        self._records.remove(self.name)

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
