"""The audit report of a stored log that differs from the one that was written, for HTTP and the command line."""

from collections.abc import Mapping
from typing import Any

from domain.store.aggregate import Corrupt
from replay.audit import Report
from replay.audit.ledger import Ledger
from replay.history import FORMAT, Header, History
from replay.history.findings import Finding

AdminLogJson = tuple[Mapping[str, Any], ...]


def corrupt_log_report(error: Corrupt, board: int | None, admin_log: AdminLogJson = ()) -> Report:
    """Return the report (trickbook-audit/1, code 1) that names the first event that doesn't fit, quoting no event.

    It reports on no hand: after a broken link, no event proves what was played. Board 0 means an unknown board.
    """
    header = Header(format=FORMAT, game=error.game, board=board or 0, variant="", players={})
    finding = Finding(error.version, str(error).removeprefix(f"event {error.version} of game {error.game}: "))
    return Report(History(header, (), None, admin_log=admin_log), (finding,), Ledger(), ())
