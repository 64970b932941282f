"""What a reader of a history found wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One sentence on what is wrong, and the version of the event it is about; None for the file around the events."""

    version: int | None
    says: str

    def __str__(self) -> str:
        return self.says if self.version is None else f"event {self.version}: {self.says}"

    def to_json(self) -> dict[str, object]:
        """As it stands in a report."""
        return {"version": self.version, "says": self.says}


def section(findings: Sequence[Finding]) -> dict[str, Any]:
    """A part of a report: whether it is in order, and what is not."""
    return {"ok": not findings, "findings": [finding.to_json() for finding in findings]}
