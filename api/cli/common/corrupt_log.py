"""A stored log that isn't the one that was written, as a command reports it."""

import click

from api.services.corrupt_log import Journal, corrupt_log_report
from domain.store.aggregate import Corrupt
from replay.audit import WRONG


class CorruptLog(click.ClickException):
    """A command met such a log; exit code 1. `report` is what the audit says of it."""

    exit_code = WRONG

    def __init__(self, error: Corrupt, board: int | None, journal: Journal = ()) -> None:
        super().__init__(str(error))
        self.report = corrupt_log_report(error, board, journal)
