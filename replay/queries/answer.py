"""The answer to a question about a history: JSON, text and an exit code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypedDict, TypeVar

from rich.console import Group, RenderableType

from domain.json_fields import Uuid
from replay.audit import CANNOT_TELL, GREEN, WRONG
from replay.history import History
from replay.history.findings import Finding, ReportedFault
from replay.text import terminal
from replay.text.layout import names_by_seat, say_names


class Question(TypedDict):
    """The subject of an answer."""

    question: str
    game: Uuid
    board: int
    variant: str


class Findings(TypedDict):
    """The faults, the events that aren't revealed yet, and 0 in order, 1 wrong, 2 not known yet."""

    findings: list[ReportedFault]
    cannot_tell: list[str]
    code: int


class QuestionAnswer(Question, Findings):
    """An answer: what is wrong, what isn't revealed yet, and 0 in order, 1 wrong, 2 not known yet."""


class HandAnswer(QuestionAnswer):
    """An answer about a hand, or about the whole game."""

    hand: int | None


def title_of(history: History) -> str:
    """Return what an answer is about in words: `board 1 · pitch`."""
    return f"board {history.header.board} · {history.header.variant}"


def question_json(history: History, question: str) -> Question:
    """Return the beginning of an answer's JSON."""
    header = history.header
    return {"question": question, "game": header.game, "board": header.board, "variant": header.variant}


def findings_json(findings: Sequence[Finding] = (), waits: Sequence[str] = ()) -> Findings:
    """Return the end of an answer's JSON: faults, and what can't be answered yet, and why."""
    return {
        "findings": [each.to_json() for each in findings],
        "cannot_tell": list(waits),
        "code": WRONG if findings else CANNOT_TELL if waits else GREEN,
    }


Body_co = TypeVar("Body_co", bound=QuestionAnswer, covariant=True)


@dataclass(frozen=True)
class Answer(Generic[Body_co]):
    """An answer: `body` is its JSON; the table (`heads`, `rows`) and `notes` say the same as text.

    `findings` and `waits` are those of the JSON. `above` is printed first, `below` last.
    """

    history: History
    body: Body_co
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
        return self.body["code"]

    def to_json(self) -> Body_co:
        return self.body

    def to_text(self) -> RenderableType:
        """Return the answer as text, with names in place of the numbers of seats."""
        who = names_by_seat(self.history)
        title = f"{title_of(self.history)} · {self.body['question']}"
        table = terminal.make_table(*self.heads)
        for row in self.rows:
            terminal.add_row(table, *row)
        after = [*self.notes, *map(str, self.findings), *(f"not answered: {each}" for each in self.waits)]
        above, below = (
            [terminal.text_line(say_names(each, who)) for each in lines] for lines in ((title, *self.above), after)
        )
        return Group(*above, *([table] if self.rows else []), *below, *self.below)
