"""The clauses next to the answer of the `legal` query; apart from `clauses`, so that problems don't import replay."""

from api.web.clauses import clauses_of_variant
from replay.queries import Answer
from replay.queries.legal import JudgedMove, JudgedMoves, SeatMoves


class TriedMove(JudgedMove):
    """The verdict on a move."""

    clauses: list[str]


class LegalMoves(SeatMoves):
    """A seat's legal moves at a moment."""

    tried: TriedMove | None


def with_clauses(answer: Answer[JudgedMoves]) -> Answer[LegalMoves]:
    """Return the answer of the `legal` query with the clauses that a refused move broke."""
    tried = answer.body["tried"]
    if tried is None:
        return Answer(answer.history, {**answer.body, "tried": None}, notes=answer.notes)
    clauses = clauses_of_variant(answer.history.header.variant, tried["code"] or "")
    note = (f"by the rules: {', '.join(clauses)}",) if clauses else ()
    body: LegalMoves = {**answer.body, "tried": {**tried, "clauses": list(clauses)}}
    return Answer(answer.history, body, notes=(*answer.notes, *note))
