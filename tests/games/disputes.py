"""Disputes at any Table: `contest` opens one, `rule` rules on it, and `appeal` and `decide` continue it.

ANN and BEN are arbiters; neither of them plays.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from domain.commands import AppealRuling, DecideAppeal, GiveRuling, OpenDispute, WithdrawDispute
from domain.events import DisputeOpened, Evidence, RulingDecided, RulingGiven
from domain.store.aggregate import Entry
from tests.games.tables import Table

F = TypeVar("F")
ANN, BEN = "arbiter-ann", "arbiter-ben"
NOTE = "ab" * 32


def contest(table: Table, seat: int, hand: int, at_version: int | None = None, kind: str = "revoke") -> DisputeOpened:
    """Let a seat contest a hand as of a version, the current one by default."""
    version = table.game.version if at_version is None else at_version
    entries = table.send(OpenDispute(seat, hand, version, kind, NOTE), table.state.seats[seat].player)
    return first(DisputeOpened, entries)


def ruling(table: Table, decision: str, *changes: int, dispute: int = 1, by: str = ANN, **other: Any) -> GiveRuling:
    """Return a ruling as an arbiter would send it, on the current log."""
    evidence = Evidence(table.game.version, table.game.root)
    said: dict[str, Any] = {"basis": "S34", "standard": "recorded", "evidence": evidence, "note": NOTE} | other
    return GiveRuling(by, dispute, decision, changes, **said)


def rule(table: Table, decision: str, *changes: int, dispute: int = 1, by: str = ANN, **other: Any) -> RulingGiven:
    """Let an arbiter rule on a dispute."""
    return first(RulingGiven, table.send(ruling(table, decision, *changes, dispute=dispute, by=by, **other), by))


def withdraw(table: Table, seat: int, dispute: int = 1) -> None:
    """Let a seat withdraw a dispute."""
    table.send(WithdrawDispute(seat, dispute), table.state.seats[seat].player)


def appeal(table: Table, seat: int, dispute: int = 1) -> None:
    """Let a seat appeal."""
    table.send(AppealRuling(seat, dispute), table.state.seats[seat].player)


def decide(table: Table, decision: str, *, dispute: int = 1, by: str = BEN) -> RulingDecided:
    """Let another arbiter decide."""
    return first(RulingDecided, table.send(DecideAppeal(by, dispute, decision), by))


def first(kind: type[F], entries: Sequence[Entry]) -> F:
    """Return the first fact of a commit, which must be of that kind."""
    fact = entries[0].event.data
    assert isinstance(fact, kind)
    return fact
