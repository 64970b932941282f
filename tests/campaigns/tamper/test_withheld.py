"""Exports with withheld lines: a replaced, removed or hidden line is noticed, and its event is named."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def put_cards(made: Sheet) -> int:
    """Put in other cards than were dealt."""
    row = cards(made)
    event = row.event
    event["data"]["cards"][0] = "X1"
    row.write(event)
    made.hidden.remove(row.version)
    return row.version


def put_cards_rehashed(made: Sheet) -> int:
    """Put in other cards and recompute all hashes; only the seats' moves and a kept root show it."""
    version = put_cards(made)
    made.rehash()
    return version


def put_true_cards(made: Sheet) -> int:
    """Put in the true bytes under another leaf."""
    row = cards(made)
    row.leaf = bytes(32)
    made.hidden.remove(row.version)
    return row.version


def left_out(made: Sheet) -> int:
    """Remove a withheld line."""
    row = cards(made)
    made.rows.remove(row)
    return row.version + 1


def other_leaf(made: Sheet) -> int:
    """Change the leaf of a withheld line."""
    row = cards(made)
    row.leaf = bytes(32)
    return row.version + 1


def swapped(made: Sheet) -> int:
    """Swap the leaves of two withheld lines."""
    one = cards(made)
    two = made.rows[one.version]
    one.leaf, two.leaf = two.leaf, one.leaf
    return one.version + 1


def hidden(made: Sheet) -> int:
    """Withhold a bid, which is public."""
    version = made.rows[-1].version
    made.hidden.add(version)
    return version


def hidden_again(made: Sheet) -> int:
    """Withhold cards of a hand that is over."""
    version = next(row.version for row in made.rows if row.event["fact"] == "CardsDealt")
    made.hidden.add(version)
    return version


def put_in(made: Sheet) -> int:
    """Add a withheld line after the last."""
    last = made.rows[-1]
    made.rows.append(Row(LIVE, last.version + 1, "", last.prev, last.raw, bytes(32)))
    made.hidden.add(last.version + 1)
    return last.version + 1


Change = Callable[[Sheet], int]
CHANGES: tuple[tuple[str, Change, bool], ...] = (
    ("cards put in, others than were dealt", put_cards, False),
    ("cards put in under another leaf", put_true_cards, False),
    ("cards put in, all hashes redone", put_cards_rehashed, True),
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
    noticed(run("game", "verify", str(tmp_path / "f.ndjson"), *root), None if kept else version, kept=False)


def test_the_unchanged_export_is_right(tmp_path: Path) -> None:
    (tmp_path / "f.ndjson").write_bytes(with_lines(tables()[LIVE].seen_by(None), sheet().lines()))
    assert (tmp_path / "f.ndjson").read_bytes() == export_bytes(tables()[LIVE].seen_by(None))
    result = run("game", "verify", str(tmp_path / "f.ndjson"))
    assert (result.exit_code, "withheld" in result.output) == (0, True)
