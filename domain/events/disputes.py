"""Disputes: their subjects, and the facts of a dispute, a ruling and an appeal (docs/disputes.md).

The codes are stored in facts: a code once stored keeps its meaning. No text is a fact: a `note` is the hex SHA-256 of a
salt and the text, which lie beside the log and can be erased.
"""

from enum import StrEnum

from domain.events.dealing import Seats
from domain.events.declaring import Audience, Author, Data, Older, fact, gains
from domain.struct import Value


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


class Ruled(Value, frozen=True):
    """The scores by seat with all rulings in force, and the winners once the game is over."""

    scores: tuple[int, ...]
    winners: Seats


class Evidence(Value, frozen=True):
    """The log that a ruling rests on: its number of events, and its root in hex."""

    size: int
    root: str


@fact(Author.PARTY, Audience.EVERYBODY)
class DisputeOpened(Value, frozen=True):
    """A seat disputes a hand as it was at `at_version`. `dispute` counts from 1 within the game."""

    dispute: int
    seat: int
    hand: int
    at_version: int
    kind: str
    note: str


@fact(Author.PARTY, Audience.EVERYBODY)
class DisputeWithdrawn(Value, frozen=True):
    """The player who opened a dispute takes it back before a ruling."""

    dispute: int
    seat: int


def _ended_any_call(data: Data) -> Data:
    """Before version 2 a ruling that ended a live hand also ended an open delay call, without a fact of its own."""
    return data | {"drops_call": data["voids"] is not None}


@fact(Author.ARBITER, Audience.EVERYBODY, Older(("drops_call",), _ended_any_call), gains(appeal_until=None))
class RulingGiven(Value, frozen=True):
    """An arbiter's decision: none, adjust (`changes` by seat) or void.

    If a void ruling ends a live hand, `voids` is the hand's ceremony. If it takes back a scored hand, `voids` is null.
    `drops_call` is true only for a ruling of version 1 that also ended an open delay call; now DelayDropped says so.
    `appeal_until` ends the time for appeals. Up to version 2 it had no end.
    """

    dispute: int
    decision: str
    changes: tuple[int, ...]
    basis: str | None
    standard: str
    evidence: Evidence
    note: str
    voids: int | None
    ruled: Ruled | None
    drops_call: bool = False
    appeal_until: str | None = None


@fact(Author.PARTY, Audience.EVERYBODY)
class RulingAppealed(Value, frozen=True):
    """A seat asks another arbiter to review a ruling."""

    dispute: int
    seat: int


@fact(Author.ARBITER, Audience.EVERYBODY)
class RulingDecided(Value, frozen=True):
    """Another arbiter's decision on the appeal: upheld, or reversed, which ends the ruling's force."""

    dispute: int
    decision: str
    ruled: Ruled | None
