"""Processor time and memory of a process and its descendants."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

GONE = (FileNotFoundError, ProcessLookupError)
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class _Stat:
    parent: int
    cpu_s: float


def _stats(pids: Iterable[int]) -> dict[int, _Stat]:
    """Return each process: its parent, and the processor time of it and of its children that have ended."""
    found = dict[int, _Stat]()
    for pid in pids:
        with suppress(*GONE):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            found[pid] = _Stat(int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return found


def family(root: int) -> set[int]:
    """Return the ids of a process and its descendants."""
    stats = _stats(int(folder.name) for folder in Path("/proc").glob("[0-9]*"))
    members, size = {root} & stats.keys(), -1
    while len(members) != size:
        size = len(members)
        members |= {pid for pid, stat in stats.items() if stat.parent in members}
    return members


def cpu_seconds(root: int) -> float:
    """Return the processor time that a process and its descendants have used so far."""
    return own_cpu_seconds(family(root))


def own_cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time that these processes have used so far, and their children that have ended."""
    return sum(stat.cpu_s for stat in _stats(pids).values())


def memory_mb(root: int) -> float:
    """Return the memory of a process and its descendants in MB; pages that they share count once in all (PSS)."""
    total = 0
    for pid in family(root):
        with suppress(*GONE):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def peak_mb(pid: int) -> float:
    """Return the most memory that a process has had so far in MB, 0 for one that has ended."""
    with suppress(*GONE):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
    return 0.0
