"""Findings: faults of a history, and the sections of a report that list them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from domain.json_fields import says


class ReportedFault(TypedDict):
    """A fault in one sentence, and the version of its event; null if it's about the log as a whole."""

    version: int | None
    says: str


class ReportSection(TypedDict):
    """A section of a report: whether it's in order, and its findings."""

    ok: bool
    findings: list[ReportedFault]


class RejudgeSection(ReportSection):
    """Today's rules judged every move again."""

    commands: Annotated[int, says("How many were judged.")]
    upto: Annotated[int, says("The last judged version.")]
    waits: Annotated[str | None, says("Why judging stopped before the end.")]


@dataclass(frozen=True)
class Finding:
    """A fault in one sentence, and the version of its event; None if it's about the file and not one event."""

    version: int | None
    says: str

    def __str__(self) -> str:
        return self.says if self.version is None else f"event {self.version}: {self.says}"

    def to_json(self) -> ReportedFault:
        """Return the finding as JSON values, as in a report."""
        return {"version": self.version, "says": self.says}


def section(findings: Sequence[Finding]) -> ReportSection:
    """Return a section of a report: whether it's in order, and its findings."""
    return {"ok": not findings, "findings": [finding.to_json() for finding in findings]}
