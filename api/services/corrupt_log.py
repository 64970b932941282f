"""A stored log that is not the one that was written, as the audit reports it: over HTTP and on the command line."""

from collections.abc import Mapping
from typing import Any

from domain.store.aggregate import Corrupt
from replay.audit import Report
from replay.audit.ledger import Books
from replay.history import FORMAT, Header, History
from replay.history.findings import Finding

Journal = tuple[Mapping[str, Any], ...]


def report_on(error: Corrupt, board: int | None, journal: Journal = ()) -> Report:
    """The report (trickbook-audit/1, code 1) naming the first event that does not fit, and quoting nothing of any.

    It reports on no hand: where a link does not hold, no event stands for what was played. Board 0 is one unknown.
    """
    header = Header(format=FORMAT, game=error.game, board=board or 0, variant="", players={})
    found = Finding(error.version, str(error).removeprefix(f"event {error.version} of game {error.game}: "))
    return Report(History(header, (), None, journal=journal), (found,), Books(), ())
