"""The answer to a command: text for people, and the same as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.lines.text.layout import fold_text


@dataclass(frozen=True)
class CommandAnswer:
    """What a command answers.

    `data` is what the server's API returned, a view for most commands. `problem` is the refusal of a command that
    wasn't carried out.
    """

    command: str
    text: str
    data: Mapping[str, Any] | None = None
    board: int | None = None
    version: int | None = None
    problem: Mapping[str, Any] | None = None
    notices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        return {
            "command": self.command,
            "ok": self.problem is None,
            "text": self.to_text(),
            "board": self.board,
            "version": self.version,
            "notices": list(self.notices),
            "data": self.data,
            "problem": self.problem,
        }

    def to_text(self) -> str:
        """Return the answer in lines of at most 78 columns, after what happened to the caller's queued moves."""
        return fold_text("\n".join((*self.notices, self.text)))
