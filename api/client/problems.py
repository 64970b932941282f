"""The exceptions of the client: no answer, an answer of something else than trickbook, and the server's refusals."""

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """Any error of the client; str(error) is a sentence."""


class NoAnswer(ClientError):
    """The server can't be reached, or gave no answer in time."""


class UnexpectedAnswer(ClientError):
    """The answer isn't one of trickbook's: the URL is wrong, or a proxy answered."""


class Refusal(ClientError):
    """The server refused a request.

        try:
            table.play("AD")
        except Refusal as refusal:
            if refusal.type == "must-follow":
                table.move(refusal.legal[0])

    `type` is a problem's type such as `must-follow`, `clause` the rule that a move broke, such as `S34`, and `legal`
    the moves that are legal instead. `problem` is the whole answer, `status` its HTTP status.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status, self.problem = status, problem
        super().__init__(f"{status} {self.type}: {self.detail}")

    @property
    def type(self) -> str:
        """The type of problem, as in the server's /problems/{type}."""
        return str(self.problem.get("type", "")).removeprefix("/problems/")

    @property
    def detail(self) -> str:
        """Sentences for people."""
        return str(self.problem.get("detail", ""))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the rules that a refused move broke; empty if the server names none."""
        return tuple(self.problem.get("clauses", ()))

    @property
    def clause(self) -> str:
        """The clauses as one text, such as `S34, S35`."""
        return ", ".join(self.clauses)

    @property
    def legal(self) -> list[dict[str, Any]]:
        """The moves that the seat can make; empty if it can't move, or has a choice that can't be listed."""
        return list(self.problem.get("legal") or ())

    @property
    def choose(self) -> Mapping[str, Any] | None:
        """The seat's choice that can't be listed, as in a view, or None."""
        return self.problem.get("choose")
