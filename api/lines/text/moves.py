"""Moves as a player writes them, and refusals: the reason, the legal moves and the clauses of the rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.lines.line_sender import problem_detail
from domain.cards import SUIT_NAMES

WORDS = {
    "pass": "pass", "undo": "undo", "propose_draw": "propose", "accept": "accept", "reject": "reject",
    "resign": "resign", "return_seat": "return", "claim_time": "claim", "cut": "cut", "beacon": "beacon",
}  # fmt: skip


WRITERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "bid": lambda move: str(move["bid"]),
    "play": lambda move: str(move["card"]),
    "name_trump": lambda move: SUIT_NAMES[move["suit"]],
    "call_partner": lambda move: f"call {move['card']}",
    "discard": lambda move: f"throw {' '.join(move['cards'])}",
    "call_delay": lambda move: f"delay {move['accused']}",
    "vote": lambda move: "guilty" if move["guilty"] else "not guilty",
    "change_rules": lambda move: f"change {move['change']}",
    "answer_handover": lambda move: "agree" if move["accept"] else "refuse",
}


def move_text(move: Mapping[str, Any]) -> str:
    """Return a move in JSON as its player would write it."""
    write = WRITERS.get(move["type"])
    return WORDS.get(move["type"], move["type"]) if write is None else write(move)


def legal_text(you: Mapping[str, Any]) -> list[str]:
    """Return the lines about what a seat may do: its legal moves, a choice of cards, and moves out of turn."""
    lines = []
    legal: Sequence[Mapping[str, Any]] = you.get("legal") or ()
    if legal:
        lines.append(f"You may: {', '.join(map(move_text, legal))}")
    choose = you.get("choose")
    if choose is not None:
        lines.append(_choice_text(choose))
    return lines


def _choice_text(choose: Mapping[str, Any]) -> str:
    if choose["type"] == "call_partner":
        return "You may call a card, like: call KH"
    number = str(choose["min"]) if choose["min"] == choose["max"] else f"{choose['min']} to {choose['max']}"
    must = f"; these must go: {' '.join(choose['must'])}" if choose["must"] else ""
    return f"You may throw {number} of {' '.join([*choose['must'], *choose['from']])}{must}"


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
