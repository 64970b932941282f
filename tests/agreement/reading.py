"""Both readings of a game in Python, the audit's and that by today's rules, which can go on from any commit."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from domain.events import Event
from domain.store.aggregate import Entry
from replay.audit.deals.deal_ledger import SEED_FACTS, DealLedger
from replay.audit.ledger import Ledger
from replay.audit.log.envelope import turn_follows_flags
from replay.history import LogLine
from replay.rejudge import _Replay


@dataclass(frozen=True)
class Readings:
    """The two readings of a log, up to the end of a commit."""

    lines: tuple[LogLine, ...] = ()
    ledger: Ledger = field(default_factory=lambda: Ledger(step_by_step=True))
    judging: _Replay = field(default_factory=lambda: _Replay((), broken_off=False))

    def read_on(self, entries: Sequence[Entry]) -> "Readings":
        """Return the readings after more commits; these here stay as they are."""
        more = [LogLine(entry.event.version, entry.leaf, entry.prev, entry.raw, entry.event) for entry in entries]
        lines = (*self.lines, *more)
        ledger, later, place = _copy(self.ledger, entries), turn_follows_flags(lines), len(self.lines)
        while place < len(lines):
            place += ledger.check_next(lines, later, place)
        judging = self._judging([*self.judging.events, *(entry.event for entry in entries)])
        while judging.place < len(judging.events) and judging.judge_next():
            pass
        return Readings(lines, ledger, judging)

    def _judging(self, events: Sequence[Event[Any]]) -> _Replay:
        own = self.judging
        lists: dict[str, Any] = {name: list(getattr(own, name)) for name in ("commit", "heads", "findings")}
        return replace(own, events=events, **lists)

    def awaited(self) -> frozenset[str]:
        """Return the facts of which the audit awaits one next."""
        return self.ledger._due_facts()

    def faults(self) -> list[str]:
        """Return what either reading finds wrong if the log ends here."""
        ledger, judging = _copy(self.ledger, ()), self._judging(self.judging.events)
        ledger.check_end()
        judging.close()
        audited = [*ledger.findings, *ledger.rulings, *(each for deal in ledger.deals for each in deal.findings)]
        return [f"audit: {each}" for each in audited] + [f"rejudge: {each}" for each in judging.findings]


def _copy(ledger: Ledger, entries: Sequence[Entry]) -> Ledger:
    """Return a ledger that goes on by itself, and knows the seeds and the links of more events."""
    deals = ledger.deal_ledger
    copies = {id(each): replace(each, findings=list(each.findings)) for each in deals.deals}
    seeds = {n: list(known) for n, known in deals.seeds.items()}
    for entry in entries:
        if entry.event.fact in SEED_FACTS:
            seeds.setdefault(entry.event.data.n, []).append(entry.event.data.seed)
    first, last = [{n: copies[id(each)] for n, each in known.items()} for known in (deals._first, deals._last)]
    roots = [*deals.roots, *(entry.prev for entry in entries)]
    lists: dict[str, Any] = {name: list(getattr(ledger, name)) for name in ("findings", "rulings", "due", "hidden")}
    return replace(ledger, deal_ledger=DealLedger([*copies.values()], seeds, roots, first, last), **lists)
