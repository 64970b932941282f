"""What the doctor says about one part of a set-up."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "note", "wrong"]


@dataclass(frozen=True)
class Symptom:
    """One sentence about a part. `note` is worth knowing; `wrong` needs the operator."""

    part: str
    level: Level
    text: str


def ok(part: str, text: str) -> Symptom:
    """Return a finding that needs nothing."""
    return Symptom(part, "ok", text)


def note(part: str, text: str) -> Symptom:
    """Return a finding that is worth knowing."""
    return Symptom(part, "note", text)


def wrong(part: str, text: str) -> Symptom:
    """Return a finding that needs the operator."""
    return Symptom(part, "wrong", text)
