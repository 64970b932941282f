"""Disputes as tests say them: `contest` opens one, `rule` gives a ruling, `appeal` and `decide` go on, at any Table.

ANN and BEN are arbiters; neither of them plays.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from domain.commands import AppealRuling, DecideAppeal, GiveRuling, OpenDispute
from domain.events import DisputeOpened, Evidence, RulingDecided, RulingGiven
from domain.store.aggregate import Entry
from tests.tables import Table

F = TypeVar("F")
ANN, BEN = "arbiter-ann", "arbiter-ben"
NOTE = "ab" * 32


def contest(table: Table, seat: int, hand: int, at_version: int | None = None, kind: str = "revoke") -> DisputeOpened:
    """That seat contests a hand, as it stands now or stood then."""
    version = table.game.version if at_version is None else at_version
    entries = table.send(OpenDispute(seat, hand, version, kind, NOTE), table.state.seats[seat].player)
    return first(DisputeOpened, entries)


def ruling(table: Table, decision: str, *changes: int, dispute: int = 1, by: str = ANN, **other: Any) -> GiveRuling:
    """The ruling as an arbiter would send it, on the log as it stands."""
    evidence = Evidence(table.game.version, table.game.root)
    said: dict[str, Any] = {"basis": "S34", "standard": "recorded", "evidence": evidence, "note": NOTE} | other
    return GiveRuling(by, dispute, decision, changes, **said)


def rule(table: Table, decision: str, *changes: int, dispute: int = 1, by: str = ANN, **other: Any) -> RulingGiven:
    """An arbiter rules on a dispute."""
    return first(RulingGiven, table.send(ruling(table, decision, *changes, dispute=dispute, by=by, **other), by))


def appeal(table: Table, seat: int, dispute: int = 1) -> None:
    """A seat appeals."""
    table.send(AppealRuling(seat, dispute), table.state.seats[seat].player)


def decide(table: Table, decision: str, *, dispute: int = 1, by: str = BEN) -> RulingDecided:
    """Another arbiter decides."""
    return first(RulingDecided, table.send(DecideAppeal(by, dispute, decision), by))


def first(kind: type[F], entries: Sequence[Entry]) -> F:
    """The fact a commit begins with, which is of that kind."""
    fact = entries[0].event.data
    assert isinstance(fact, kind)
    return fact
