"""The answer to a command: text for people, and the same as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from api.lines.line_sender import problem_detail
from domain.json_fields import says
from replay.text.board import legal_text
from replay.text.layout import fold_text


class LineAnswer(TypedDict):
    """The answer to a command line."""

    command: Annotated[str, says("The command as the table of commands names it; empty for a line that isn't one.")]
    ok: Annotated[bool, says("Whether the command was carried out.")]
    text: Annotated[str, says("The answer for people, in lines of at most 78 columns.")]
    board: Annotated[int | None, says("The number of the board.")]
    version: Annotated[int | None, says("The version of the game that the answer shows.")]
    notices: Annotated[list[str], says("The outcome of the caller's queued moves.")]
    data: Annotated[
        Mapping[str, Any] | None,
        says("The answer of the route behind the command, such as a view; null for text alone."),
    ]
    problem: Annotated[
        Mapping[str, Any] | None,
        says("Why the command was refused, as the route behind it says; null if it wasn't."),
    ]


@dataclass(frozen=True)
class CommandAnswer:
    """The answer to a command.

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

    def to_json(self) -> LineAnswer:
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


def refusal_text(problem: Mapping[str, Any]) -> str:
    """Return a problem as text."""
    lines = [problem_detail(problem)]
    lines += [str(problem["since"])] if "since" in problem else []
    lines += legal_text({"legal": problem.get("legal"), "choose": problem.get("choose")})
    if problem.get("clauses"):
        lines.append(f"By the rules: {', '.join(map(_clause, problem['clauses']))}")
    return "\n".join(lines)


def _clause(clause: Any) -> str:
    return str(clause["clause"]) if isinstance(clause, Mapping) and "clause" in clause else str(clause)
