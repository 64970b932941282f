"""Exports with withheld lines: what is put in their place, taken away or hidden is noticed, and its event named."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from domain.protocols import merkle_log as cardlog
from domain.protocols.merkle_log import EMPTY
from replay.history import export_bytes
from tests.replay.forging import with_lines
from tests.tamper.ledgers import Row, ledger
from tests.tamper.places import LIVE, tables
from tests.tamper.test_kinds import noticed, run


@dataclass
class Sheet:
    """The lines of a running game as everybody gets them; `hidden` are the versions that are withheld."""

    rows: list[Row]
    hidden: set[int] = field(default_factory=set)

    def rehash(self) -> None:
        """Every link worked out anew, and every leaf that is shown."""
        frontier = EMPTY
        for row in self.rows:
            if row.version not in self.hidden:
                row.leaf = cardlog.leaf(row.raw)
            row.prev = frontier.root()
            frontier = frontier.append(row.leaf)

    def lines(self) -> list[bytes]:
        """As the file has them."""
        return [_line(row, hidden=row.version in self.hidden) for row in self.rows]


def _line(row: Row, *, hidden: bool) -> bytes:
    whole = row.line()
    return b"{" + whole[whole.index(b'"leaf":"') :] if hidden else whole


def sheet() -> Sheet:
    """The game in the middle of a hand, as everybody gets it."""
    shown = tables()[LIVE].seen_by(None)
    return Sheet(ledger(LIVE).own, {line.version for line in shown.lines if line.withheld})


def cards(made: Sheet) -> Row:
    """The row of a seat's cards, which is withheld."""
    return next(row for row in made.rows if row.version in made.hidden and row.event["fact"] == "CardsDealt")


def told(made: Sheet) -> int:
    """The cards are put in, others than were dealt."""
    row = cards(made)
    event = row.event
    event["data"]["cards"][0] = "X1"
    row.write(event)
    made.hidden.remove(row.version)
    return row.version


def told_anew(made: Sheet) -> int:
    """The same with all hashes made anew; only the seats' moves tell, and a root that was kept."""
    version = told(made)
    made.rehash()
    return version


def told_true(made: Sheet) -> int:
    """The true bytes under another leaf."""
    row = cards(made)
    row.leaf = bytes(32)
    made.hidden.remove(row.version)
    return row.version


def left_out(made: Sheet) -> int:
    """A withheld line is gone."""
    row = cards(made)
    made.rows.remove(row)
    return row.version + 1


def other_leaf(made: Sheet) -> int:
    """A withheld line has another leaf."""
    row = cards(made)
    row.leaf = bytes(32)
    return row.version + 1


def swapped(made: Sheet) -> int:
    """Two withheld lines have each other's leaves."""
    one = cards(made)
    two = made.rows[one.version]
    one.leaf, two.leaf = two.leaf, one.leaf
    return one.version + 1


def hidden(made: Sheet) -> int:
    """A bid is withheld, which everybody may see."""
    version = made.rows[-1].version
    made.hidden.add(version)
    return version


def hidden_again(made: Sheet) -> int:
    """Cards of a hand that is over are withheld again."""
    version = next(row.version for row in made.rows if row.event["fact"] == "CardsDealt")
    made.hidden.add(version)
    return version


def put_in(made: Sheet) -> int:
    """A withheld line more, behind the last."""
    last = made.rows[-1]
    made.rows.append(Row(LIVE, last.version + 1, "", last.prev, last.raw, bytes(32)))
    made.hidden.add(last.version + 1)
    return last.version + 1


Change = Callable[[Sheet], int]
CHANGES: tuple[tuple[str, Change, bool], ...] = (
    ("cards put in, others than were dealt", told, False),
    ("cards put in under another leaf", told_true, False),
    ("cards put in, all hashes redone", told_anew, True),
    ("a withheld line gone", left_out, False),
    ("another leaf of a withheld line", other_leaf, False),
    ("two withheld lines swapped", swapped, False),
    ("a bid withheld", hidden, False),
    ("cards of a revealed hand withheld", hidden_again, False),
    ("a withheld line more", put_in, False),
)


@pytest.mark.parametrize(("change", "kept"), [each[1:] for each in CHANGES], ids=[each[0] for each in CHANGES])
def test_a_change_to_an_export_with_withheld_lines_is_noticed(tmp_path: Path, change: Change, kept: bool) -> None:
    made = sheet()
    version = change(made)
    history: Any = tables()[LIVE].seen_by(None)
    (tmp_path / "f.ndjson").write_bytes(with_lines(history, made.lines()))
    root = ("--root", tables()[LIVE].game.root) if kept else ()
    noticed(run("verify", str(tmp_path / "f.ndjson"), *root), None if kept else version, kept=False)


def test_the_export_as_it_was_given_is_right(tmp_path: Path) -> None:
    (tmp_path / "f.ndjson").write_bytes(with_lines(tables()[LIVE].seen_by(None), sheet().lines()))
    assert (tmp_path / "f.ndjson").read_bytes() == export_bytes(tables()[LIVE].seen_by(None))
    result = run("verify", str(tmp_path / "f.ndjson"))
    assert (result.exit_code, "withheld" in result.output) == (0, True)
