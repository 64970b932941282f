"""The answer to a question about a history: JSON, text and an exit code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType

from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.history import History
from replay.history.findings import Finding
from replay.text import terminal


@dataclass(frozen=True)
class Answer:
    """An answer: `body` is its JSON; the table (`heads`, `rows`) and `notes` say the same as text.

    `findings` are faults; `waits` says what can't be answered yet, and why; `below` is printed last.
    """

    history: History
    question: str
    body: dict[str, Any]
    heads: tuple[str, ...] = ()
    rows: Sequence[Sequence[object]] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    waits: tuple[str, ...] = ()
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
        """Return the answer as text."""
        header = self.history.header
        title = f"board {header.board} · {header.variant} · {self.question}"
        table = terminal.make_table(*self.heads)
        for row in self.rows:
            terminal.add_row(table, *row)
        after = [*self.notes, *map(str, self.findings), *(f"not answered: {each}" for each in self.waits)]
        return Group(
            terminal.text_line(title), *([table] if self.rows else []), *map(terminal.text_line, after), *self.below
        )
