"""A stored log that is not the one that was written, as the audit reports it: over HTTP and on the command line."""

from collections.abc import Mapping
from typing import Any

import click

from domain.store.aggregate import Corrupt
from replay.audit import WRONG, Report
from replay.audit.ledger import Books
from replay.history import FORMAT, Header, History
from replay.history.findings import Finding

Journal = tuple[Mapping[str, Any], ...]


class BrokenLog(click.ClickException):
    """A command met such a log; exit code 1. `report` is what the audit says of it."""

    exit_code = WRONG

    def __init__(self, error: Corrupt, board: int | None, journal: Journal = ()) -> None:
        super().__init__(str(error))
        self.report = report_on(error, board, journal)


def report_on(error: Corrupt, board: int | None, journal: Journal = ()) -> Report:
    """The report (trickbook-audit/1, code 1) naming the first event that does not fit, and quoting nothing of any.

    It reports on no hand: where a link does not hold, no event stands for what was played. Board 0 is one unknown.
    """
    header = Header(format=FORMAT, game=error.game, board=board or 0, variant="", players={})
    found = Finding(error.version, str(error).removeprefix(f"event {error.version} of game {error.game}: "))
    return Report(History(header, (), None, journal=journal), (found,), Books(), ())
