"""The subjects of disputes, and the rulings of arbiters (docs/disputes.md).

The codes below are stored in facts: a code once stored keeps its meaning.
"""

from enum import StrEnum


class DisputeKind(StrEnum):
    """The subject of a dispute (docs/disputes.md)."""

    REVOKE = "revoke"
    """a card that didn't follow suit"""
    DEAL = "deal"
    SCORE = "score"
    TURN = "turn"
    DELAY = "delay"
    RULES = "rules"
    """which rules were in force, or what they mean"""
    CONSENT = "consent"
    """an undo or a draw"""
    CONDUCT = "conduct"
    OTHER = "other"


class Ruling(StrEnum):
    """An arbiter's decision."""

    NONE = "none"
    """the result stands, or play continues"""
    ADJUST = "adjust"
    VOID = "void"
    """the hand's score is taken back; a hand in play is dealt again"""


class StandardOfProof(StrEnum):
    """How certain a ruling is about the events."""

    RECORDED = "recorded"
    """the log shows it"""
    LIKELY = "likely"


class AppealOutcome(StrEnum):
    """Another arbiter's decision on an appeal."""

    UPHELD = "upheld"
    REVERSED = "reversed"
