"""Helpers of the tests of the questions: games to ask about, and an answer as text."""

import json
from collections.abc import Callable
from typing import Any

from replay.history import History, from_entries
from replay.queries import Answer, draws, event_visibility, list_commits, revokes, score, turn_times
from replay.text.terminal import plain_text
from tests.games.tables import Table

WILD = "Corellian that changes all the time"
ENDED, AFTER = "Corellian ended by a draw", "Corellian ended by a draw after the hand"
KINDS = [
    "Pitch to the right",
    "Setback with sealed cuts",
    "Blackout in order without a hook, revealed at the end",
    WILD,
    "Corellian held back until a verdict",
    "Corellian that follows suit",
    AFTER,
]
OF_A_GAME: dict[str, Callable[[History], Answer[Any]]] = {
    "revokes": revokes,
    "draws": draws,
    "score": score,
    "clock": turn_times,
    "sight": event_visibility,
    "commits": list_commits,
}
Event = dict[str, Any]


def says(answer: Answer[Any]) -> str:
    """Return the answer as text. Assert that it can also be written as JSON."""
    assert json.loads(json.dumps(answer.to_json()))["code"] == answer.code
    return plain_text(answer.to_text())


def history_of(made: Table) -> History:
    """Return the history of a table."""
    return from_entries([entry for commit in made.commits for entry in commit], {})
