"""What a question about a history is answered with: one object, as JSON and as a table, with an exit code."""

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
    """`body` is what JSON says; `heads`, `rows` and `notes` say the same to a reader.

    `findings` are what is wrong, `waits` what cannot be told yet, and why; `below` comes last.
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
        """0 answered and in order, 1 something is wrong, 2 not everything can be told."""
        return WRONG if self.findings else CANNOT_TELL if self.waits else GREEN

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
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
        """The answer as text."""
        header = self.history.header
        title = f"board {header.board} · {header.variant} · {self.question}"
        table = terminal.make_table(*self.heads)
        for row in self.rows:
            terminal.add_row(table, *row)
        after = [*self.notes, *map(str, self.findings), *(f"cannot be told: {each}" for each in self.waits)]
        return Group(
            terminal.text_line(title), *([table] if self.rows else []), *map(terminal.text_line, after), *self.below
        )
