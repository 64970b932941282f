"""Findings: faults of a history."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """A fault in one sentence, and the version of its event; None if it's about the file and not one event."""

    version: int | None
    says: str

    def __str__(self) -> str:
        return self.says if self.version is None else f"event {self.version}: {self.says}"

    def to_json(self) -> dict[str, object]:
        """Return the finding as JSON values, as in a report."""
        return {"version": self.version, "says": self.says}


def section(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return a section of a report: whether it's in order, and its findings."""
    return {"ok": not findings, "findings": [finding.to_json() for finding in findings]}
