"""The clauses next to the answer of the `legal` query; apart from `clauses`, so that problems don't import replay."""

from dataclasses import replace
from typing import Any

from api.web.clauses import clauses_of_variant
from replay.queries import Answer


def with_clauses(answer: Answer) -> Answer:
    """Return the answer of the `legal` query with the clauses that a refused move broke."""
    tried: dict[str, Any] | None = answer.body["tried"]
    if tried is None:
        return answer
    clauses = clauses_of_variant(answer.history.header.variant, tried["code"] or "")
    note = (f"by the rules: {', '.join(clauses)}",) if clauses else ()
    body = answer.body | {"tried": tried | {"clauses": clauses}}
    return replace(answer, body=body, notes=(*answer.notes, *note))
