"""The error of commands for a stored log that isn't the one that was written."""

import click

from api.evidence.services.audit_reports import AdminLogJson, corrupt_log_report
from domain.store.aggregate import Corrupt
from replay.audit import WRONG


class CorruptLog(click.ClickException):
    """A stored log is corrupt; exit code 1. `report` is the audit's report on it."""

    exit_code = WRONG

    def __init__(self, error: Corrupt, board: int | None, admin_log: AdminLogJson = ()) -> None:
        super().__init__(str(error))
        self.report = corrupt_log_report(error, board, admin_log)
