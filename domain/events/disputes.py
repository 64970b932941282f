"""Facts of disputes: what is contested, what an arbiter ruled, and what became of an appeal (docs/disputes.md).

No text is a fact: a `note` is the hex SHA-256 of a salt and the text, which lie beside the log and can be erased.
"""

from domain.events.dealing import Seats
from domain.struct import Value


class Ruled(Value, frozen=True):
    """What the game stands at with the rulings in force: the scores by seat, and the winners once it is over."""

    scores: tuple[int, ...]
    winners: Seats


class Evidence(Value, frozen=True):
    """The log a ruling rests on: how many events it had, and its root in hex."""

    size: int
    root: str


class DisputeOpened(Value, frozen=True):
    """A seat contests what happened in a hand by `at_version`; `dispute` counts from 1 within the game."""

    dispute: int
    seat: int
    hand: int
    at_version: int
    kind: str
    note: str


class RulingGiven(Value, frozen=True):
    """An arbiter's decision: none, adjust (`changes` by seat) or void.

    `voids` is the ceremony of the live hand that a void ruling ends; of a scored hand it takes the score back.
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


class RulingAppealed(Value, frozen=True):
    """A seat asks another arbiter to look at a ruling again."""

    dispute: int
    seat: int


class RulingDecided(Value, frozen=True):
    """Another arbiter's word on the appeal: upheld, or reversed, so that the ruling is in force no more."""

    dispute: int
    decision: str
    ruled: Ruled | None
