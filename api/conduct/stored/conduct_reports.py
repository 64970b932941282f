"""Reports of conduct: somebody says that a player behaved badly; a moderator claims the report and rules on it."""

import secrets
from dataclasses import dataclass, field
from typing import Literal, get_args

from api.conduct.stored.conduct_steps import StepKind
from domain.store.sql.database import Database, Transaction

TABLES = (
    """CREATE TABLE IF NOT EXISTS conduct_reports (
        id TEXT PRIMARY KEY, reporter TEXT NOT NULL, about TEXT NOT NULL, kind TEXT NOT NULL, text TEXT, game TEXT,
        message TEXT, quoted TEXT, written BIGINT NOT NULL, claimed_by TEXT, claimed BIGINT, step TEXT,
        ruled BIGINT)""",
    "CREATE INDEX IF NOT EXISTS conduct_reports_of_reporter ON conduct_reports (reporter, written)",
    "CREATE INDEX IF NOT EXISTS conduct_reports_about ON conduct_reports (about)",
    "CREATE INDEX IF NOT EXISTS conduct_reports_waiting ON conduct_reports (ruled, written)",
)
ReportKind = Literal["abuse", "threats", "hate", "spam", "name", "cheating", "stalling", "other"]
REPORT_KINDS: tuple[ReportKind, ...] = get_args(ReportKind)
ReportStatus = Literal["open", "claimed", "ruled"]
CLAIM_US = 24 * 3600 * 1_000_000
"""How long a claim keeps other moderators away, in microseconds."""
SELECT = """SELECT id, reporter, about, kind, text, game, message, quoted, written, claimed_by, claimed, step, ruled
    FROM conduct_reports"""
FIELDS = "id, reporter, about, kind, text, game, message, quoted, written"


@dataclass(frozen=True)
class ConductReport:
    """A report. `quoted` is the text of the message that it is about; `step` is the kind of step that was taken."""

    id: str
    reporter: str
    about: str
    kind: ReportKind
    text: str | None = field(repr=False)
    game: str | None
    message: str | None
    quoted: str | None = field(repr=False)
    written: int
    claimed_by: str | None = None
    claimed: int | None = None
    step: StepKind | None = None
    ruled: int | None = None

    def status(self, at: int) -> ReportStatus:
        """Return the status at a time in one word: open, claimed or ruled."""
        return "ruled" if self.ruled is not None else "claimed" if self.holder(at) else "open"

    def holder(self, at: int) -> str | None:
        """Return the moderator whose claim holds at a time."""
        return self.claimed_by if self.claimed is not None and at - self.claimed < CLAIM_US else None


class AlreadyReported(Exception):
    """The same player's report about the same player and message waits for a moderator."""

    def __init__(self) -> None:
        super().__init__("You have already reported this, and a moderator will look at it.")


class ConductReports:
    """The table of reports. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, reporter: str, about: str, kind: ReportKind, text: str, *, game: str | None = None,
        message: tuple[str, str | None] | None = None,
    ) -> ConductReport:  # fmt: skip
        """Save a report and return it. Raise AlreadyReported if the same one waits for a moderator."""
        identity, (message_id, quoted) = "r_" + secrets.token_hex(12), message or (None, None)
        report = ConductReport(identity, reporter, about, kind, text, game, message_id, quoted, self._database.now())
        with self._database.transaction(writes=True) as transaction:
            transaction.lock_schema()  # two equal reports at once are one
            if _is_reported(transaction, report):
                raise AlreadyReported
            transaction.run(
                f"INSERT INTO conduct_reports ({FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                identity, reporter, about, kind, text, game, message_id, quoted, report.written,
            )  # fmt: skip
        return report

    def find(self, report: str) -> ConductReport | None:
        return read_report(self._database, report)

    def by(self, reporter: str) -> list[ConductReport]:
        """Return the reports that somebody has sent, the newest first."""
        rows = self._database.run(f"{SELECT} WHERE reporter = ? ORDER BY written DESC, id", reporter)
        return [ConductReport(*row) for row in rows]

    def names(self, game: str, player: str) -> bool:
        """Return whether a report about a game is by this player or about them."""
        find = "SELECT 1 FROM conduct_reports WHERE game = ? AND {} = ? LIMIT 1"
        return any(self._database.run(find.format(part), game, player) for part in ("reporter", "about"))

    def waiting(self, limit: int, *, but: str) -> list[ConductReport]:
        """Return at most `limit` reports that wait for a ruling, the oldest first, but none by or about `but`."""
        rows = self._database.run(
            f"{SELECT} WHERE ruled IS NULL AND reporter <> ? AND about <> ? ORDER BY written, id LIMIT ?",
            but, but, limit,
        )  # fmt: skip
        return [ConductReport(*row) for row in rows]


def read_report(database: Database | Transaction, report: str) -> ConductReport | None:
    rows = database.run(f"{SELECT} WHERE id = ?", report)
    return ConductReport(*rows[0]) if rows else None


def _is_reported(transaction: Transaction, report: ConductReport) -> bool:
    rows = transaction.run(
        "SELECT message, game FROM conduct_reports WHERE reporter = ? AND about = ? AND ruled IS NULL",
        report.reporter, report.about,
    )  # fmt: skip
    return (report.message, report.game) in [(message, game) for message, game in rows]


def erase_player(transaction: Transaction, player: str) -> None:
    """Erase the texts of reports by a player and about them, and the quotations of their messages."""
    transaction.run("UPDATE conduct_reports SET text = NULL WHERE reporter = ?", player)
    transaction.run("UPDATE conduct_reports SET text = NULL, quoted = NULL WHERE about = ?", player)
