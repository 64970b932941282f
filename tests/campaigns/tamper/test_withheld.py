"""Exports with withheld lines: a replaced, removed or hidden line is noticed, and its event is named."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from domain.protocols import merkle_log as cardlog
from domain.protocols.merkle_log import EMPTY
from replay.history import export_bytes
from tests.campaigns.tamper.ledgers import Row, ledger
from tests.campaigns.tamper.places import LIVE, tables
from tests.campaigns.tamper.test_kinds import noticed, run
from tests.replay.forging import with_lines


@dataclass
class Sheet:
    """The lines of a running game in a public export; `hidden` are the versions that are withheld."""

    rows: list[Row]
    hidden: set[int] = field(default_factory=set)

    def rehash(self) -> None:
        """Recompute every link, and every leaf of a shown event."""
        frontier = EMPTY
        for row in self.rows:
            if row.version not in self.hidden:
                row.leaf = cardlog.leaf(row.raw)
            row.prev = frontier.root()
            frontier = frontier.append(row.leaf)

    def lines(self) -> list[bytes]:
        """Return the lines of the file."""
        return [_line(row, hidden=row.version in self.hidden) for row in self.rows]


def _line(row: Row, *, hidden: bool) -> bytes:
    whole = row.line()
    return b"{" + whole[whole.index(b'"leaf":"') :] if hidden else whole


def sheet() -> Sheet:
    """Return the public export of the game in the middle of a hand."""
    shown = tables()[LIVE].seen_by(None)
    return Sheet(ledger(LIVE).own, {line.version for line in shown.lines if line.withheld})


def cards(made: Sheet) -> Row:
    """Return the withheld row of a seat's cards."""
    return next(row for row in made.rows if row.version in made.hidden and row.event["fact"] == "CardsDealt")


def put_in_other_cards_than_were_dealt(made: Sheet) -> int:
    row = cards(made)
    event = row.event
    event["data"]["cards"][0] = "X1"
    row.write(event)
    made.hidden.remove(row.version)
    return row.version


def put_in_other_cards_with_all_hashes_redone(made: Sheet) -> None:
    """Only the seats' moves and a kept root show it."""
    put_in_other_cards_than_were_dealt(made)
    made.rehash()


def put_in_the_cards_under_another_leaf(made: Sheet) -> int:
    version = change_a_leaf(made) - 1
    made.hidden.remove(version)
    return version


def leave_out_a_withheld_line(made: Sheet) -> int:
    row = cards(made)
    made.rows.remove(row)
    return row.version + 1


def change_a_leaf(made: Sheet) -> int:
    row = cards(made)
    row.leaf = bytes(32)
    return row.version + 1


def swap_the_leaves_of_two_withheld_lines(made: Sheet) -> int:
    one = cards(made)
    two = made.rows[one.version]
    one.leaf, two.leaf = two.leaf, one.leaf
    return one.version + 1


def withhold_a_bid(made: Sheet) -> int:
    version = made.rows[-1].version
    made.hidden.add(version)
    return version


def withhold_cards_of_a_hand_that_is_over(made: Sheet) -> int:
    version = next(row.version for row in made.rows if row.event["fact"] == "CardsDealt")
    made.hidden.add(version)
    return version


def add_a_withheld_line(made: Sheet) -> int:
    last = made.rows[-1]
    made.rows.append(Row(LIVE, last.version + 1, "", last.prev, last.raw, bytes(32)))
    made.hidden.add(last.version + 1)
    return last.version + 1


CHANGES: tuple[Callable[[Sheet], int | None], ...] = (
    put_in_other_cards_than_were_dealt, put_in_other_cards_with_all_hashes_redone, put_in_the_cards_under_another_leaf,
    leave_out_a_withheld_line, change_a_leaf, swap_the_leaves_of_two_withheld_lines, withhold_a_bid,
    withhold_cards_of_a_hand_that_is_over, add_a_withheld_line,
)  # fmt: skip
"""Each change returns the version that must be named; with None, only a kept root shows the change."""


@pytest.mark.parametrize("change", CHANGES, ids=[change.__name__ for change in CHANGES])
def test_a_change_to_an_export_with_withheld_lines_is_noticed(
    tmp_path: Path, change: Callable[[Sheet], int | None]
) -> None:
    made = sheet()
    version = change(made)
    (tmp_path / "f.ndjson").write_bytes(with_lines(tables()[LIVE].seen_by(None), made.lines()))
    root = ("--root", tables()[LIVE].game.root) if version is None else ()
    noticed(run("game", "verify", str(tmp_path / "f.ndjson"), *root), version, kept=False)


def test_the_unchanged_export_is_right(tmp_path: Path) -> None:
    (tmp_path / "f.ndjson").write_bytes(with_lines(tables()[LIVE].seen_by(None), sheet().lines()))
    assert (tmp_path / "f.ndjson").read_bytes() == export_bytes(tables()[LIVE].seen_by(None))
    result = run("game", "verify", str(tmp_path / "f.ndjson"))
    assert (result.exit_code, "the file is unsigned, and its end can be missing" in result.output) == (2, True)
