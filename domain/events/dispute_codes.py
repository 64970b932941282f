"""What a dispute can be about, and what arbiters can make of it (docs/disputes.md).

The codes below are stored in facts: a code once stored keeps its meaning.
"""

from enum import StrEnum


class DisputeKind(StrEnum):
    """What a dispute is about (docs/disputes.md)."""

    REVOKE = "revoke"
    """a card that did not follow"""
    DEAL = "deal"
    SCORE = "score"
    TURN = "turn"
    DELAY = "delay"
    RULES = "rules"
    """what was in force, or how it is read"""
    CONSENT = "consent"
    """an undo or a draw"""
    CONDUCT = "conduct"
    OTHER = "other"


class Ruling(StrEnum):
    """What an arbiter decides."""

    NONE = "none"
    """the result stands, or the hand is played on"""
    ADJUST = "adjust"
    VOID = "void"
    """what the hand scored is taken back; one in play is dealt again"""


class StandardOfProof(StrEnum):
    """How sure a ruling is of what happened."""

    RECORDED = "recorded"
    """the log shows it"""
    LIKELY = "likely"


class AppealOutcome(StrEnum):
    """What another arbiter makes of a ruling."""

    UPHELD = "upheld"
    REVERSED = "reversed"
