"""The clauses a refusal rests on in one game, beside the answer to what was legal."""

from dataclasses import replace
from typing import Any

from api.http.clause_refs import CITED
from replay.queries import Answer

LETTERS = {"pitch": "S", "setback": "T", "blackout": "B", "corellian": "C"}
"""Whose sheet each variant has, by the first letter of its clauses."""
OF_EVERY_GAME = "P"


def clauses_in(variant: str, slug: str) -> list[str]:
    """The clauses that the refusal `slug` cites in the sheet of `variant` and in that of every game."""
    letters = {LETTERS.get(variant, OF_EVERY_GAME), OF_EVERY_GAME}
    return [clause for clause in CITED.get(slug, ()) if clause.removeprefix("R-")[0] in letters]


def with_clauses(answer: Answer) -> Answer:
    """The answer to what was legal, with the clauses that say no to what was tried."""
    tried: dict[str, Any] | None = answer.body["tried"]
    if tried is None:
        return answer
    clauses = clauses_in(answer.history.header.variant, tried["code"] or "")
    note = (f"by the rules: {', '.join(clauses)}",) if clauses else ()
    body = answer.body | {"tried": tried | {"clauses": clauses}}
    return replace(answer, body=body, notes=(*answer.notes, *note))
