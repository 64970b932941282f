"""Refusals as text: the reason, the legal moves and the clauses of the rules."""

from collections.abc import Mapping
from typing import Any

from api.commands.edge import problem_detail
from api.commands.text.moves import legal_text


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
