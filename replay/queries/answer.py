"""The answer to a question about a history: JSON, text and an exit code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType

from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.history import History
from replay.history.findings import Finding
from replay.text import terminal
from replay.text.seat_names import names_by_seat, say_names


@dataclass(frozen=True)
class Answer:
    """An answer: `body` is its JSON; the table (`heads`, `rows`) and `notes` say the same as text.

    `findings` are faults; `waits` says what can't be answered yet, and why. `above` is printed first, `below` last.
    """

    history: History
    question: str
    body: dict[str, Any]
    heads: tuple[str, ...] = ()
    rows: Sequence[Sequence[object]] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    waits: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    below: tuple[RenderableType, ...] = ()

    @property
    def code(self) -> int:
        """The exit code: 0 in order, 1 something is wrong, 2 something can't be answered yet."""
        return WRONG if self.findings else CANNOT_TELL if self.waits else GREEN

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        header = self.history.header
        return {
            "question": self.question,
            "game": header.game,
            "board": header.board,
            "variant": header.variant,
            **self.body,
            "findings": [each.to_json() for each in self.findings],
            "cannot_tell": list(self.waits),
            "code": self.code,
        }

    def to_text(self) -> RenderableType:
        """Return the answer as text, with names in place of the numbers of seats."""
        header, who = self.history.header, names_by_seat(self.history)
        title = f"board {header.board} · {header.variant} · {self.question}"
        table = terminal.make_table(*self.heads)
        for row in self.rows:
            terminal.add_row(table, *row)
        after = [*self.notes, *map(str, self.findings), *(f"not answered: {each}" for each in self.waits)]
        above, below = (
            [terminal.text_line(say_names(each, who)) for each in lines] for lines in ((title, *self.above), after)
        )
        return Group(*above, *([table] if self.rows else []), *below, *self.below)
