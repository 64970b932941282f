"""Logs that end after any of their events: each reader ends soon, and only a log that ends with a commit is right."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from domain.events import BidMade, BidPassed
from replay.audit import GREEN, audit
from replay.history import History, LogLine, export_bytes, players_in, read_export, trailer_of
from replay.rejudge import rejudge
from tests.stored import stories
from tests.values import replace

MOST_S = 2.0
"""The most processor time of one verification, in seconds."""
STORED = sorted(Path(stories.__file__).parent.rglob("*.ndjson"))
"""Every stored file."""


@dataclass
class Cuts:
    """How many cuts were verified, the longest time of one in seconds, and those that weren't judged as they should."""

    verified: int = 0
    longest_s: float = 0.0
    faults: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return what to print."""
        return [f"{self.verified:6}  cuts, the longest of which took {self.longest_s:.2f} s"]


def cut_after(history: History, size: int) -> bytes:
    """Return the export of the first events alone, with a trailer of its own and the names of those who sat by then."""
    lines = history.lines[:size]
    sat = set(players_in(line.event for line in lines if line.event is not None))
    players = {player: name for player, name in history.header.players.items() if player in sat}
    header = replace(history.header, players=players)
    return export_bytes(replace(history, header=header, lines=lines, trailer=trailer_of(line.leaf for line in lines)))


def exports_of(history: History) -> Iterator[tuple[int, bytes]]:
    """Yield the export after each event but the last, with its number of events."""
    for size in range(1, len(history.lines)):
        yield size, cut_after(history, size)


def ends_of_commits(history: History) -> frozenset[int]:
    """Return the sizes after which the log is complete; a withheld event belongs to the commit of the one before it."""
    ends, command = set[int](), ""
    for line, after in pairwise(history.lines):
        command = command if line.event is None else line.event.command
        if after.event is not None and (after.event.command != command or _are_bids(line, after)):
            ends.add(line.version)
    return frozenset(ends)


def _are_bids(*lines: LogLine) -> bool:
    """Whether each is a bid, which is a commit of its own: in a stored game, bids have one id, since no time passed."""
    return all(line.event is not None and isinstance(line.event.data, BidMade | BidPassed) for line in lines)


def verify_cuts(name: str, history: History, found: Cuts) -> None:
    """Cut a log after each event, and verify what is left."""
    complete = ends_of_commits(history)
    for size, data in exports_of(history):
        begun = time.process_time()
        cut = read_export(data)
        report = audit(cut, rejudge(cut))
        right, took_s = report.code(live_is_fine=True) == GREEN, time.process_time() - begun
        found.verified += 1
        found.longest_s = max(found.longest_s, took_s)
        if took_s > MOST_S:
            found.faults.append(f"{name}, cut after event {size}: {took_s:.1f} s")
        if right is not (size in complete):
            says = [str(each) for each in report.findings] or "right"
            found.faults.append(f"{name}, cut after event {size}: {says}")
