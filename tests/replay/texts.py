"""The program's texts of sound games: each fact in a sentence, hands as text, the audit, and answers to questions.

`python -m tests.replay.texts` writes the lists again. Read the difference before you commit it.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from replay.audit import audit
from replay.history import History
from replay.history.steps import NotShown
from replay.queries import Answer, BranchRequest, Unbranchable, branch, choices, deal, legal_at, turn_times, view_bytes
from replay.rejudge import rejudge
from replay.text.audit_text import report_text
from replay.text.layout import names_by_seat
from replay.text.narrate import narrate
from replay.text.terminal import plain_text
from replay.text.transcribe import format_transcripts, transcripts
from tests.lists import write_list
from tests.replay.asking import OF_A_GAME
from tests.replay.sound_games import GAMES

LISTS = Path(__file__).parent / "lists"
WHOLE = (
    "gamerz Pitch",
    "Setback with sealed cuts",
    "Blackout",
    "Corellian that changes all the time",
    "Corellian of secret partners",
    "Corellian held back until a verdict",
    "Pitch with a beacon",
    "Disputes",
    "Seats that change hands",
    "Practice",
    "live clocks, claim",
    "bank clocks, bot:simple",
)
"""The games whose texts are listed."""
STEP = 25
"""How many events lie between two moments that are asked about."""


LINES_AT_MOST, LETTERS_AT_MOST = 25, 2000
"""The most lines of an answer that are listed, and the most characters of its JSON."""


def sentences(history: History) -> Iterator[str]:
    """Yield what happens, in a sentence for each fact."""
    who = names_by_seat(history)
    yield from (narrate(event.data, who) for event in history.events)


def hands(history: History) -> Iterator[str]:
    """Yield the lines of all hands as text."""
    yield from format_transcripts(transcripts(history)).splitlines()


def reports(history: History) -> Iterator[str]:
    """Yield the lines of the audit's report, and its JSON."""
    report = audit(history, rejudge(history))
    yield from plain_text(report_text(report, live_is_fine=True)).splitlines()
    yield json.dumps(report.to_json(), sort_keys=True)


def answers(history: History) -> Iterator[str]:
    """Yield the lines of the answers to each question, as text and as JSON."""
    for answer in _answers(history):
        yield from plain_text(answer.to_text()).splitlines()[:LINES_AT_MOST]
        yield json.dumps(answer.to_json(), sort_keys=True)[:LETTERS_AT_MOST]
        yield f"names: {' '.join(sorted(set(_names(answer.to_json()))))}"


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for each in inside:
        yield from _names(each)


def _answers(history: History) -> Iterator[Answer[Any]]:
    yield from (question(history) for question in OF_A_GAME.values())
    yield deal(history, 1)
    yield choices(history, 1)
    yield turn_times(history, 1)
    for at in range(STEP, len(history.lines), STEP):
        yield legal_at(history, at % 3, at)
    for at in range(len(history.lines) // 2, len(history.lines)):
        with suppress(Unbranchable):
            yield branch(history, BranchRequest(at, (), "simple"))
            return


def views(history: History) -> Iterator[str]:
    """Yield the views of a player and of the public in the middle and at the end."""
    for at in (len(history.lines) // 2, len(history.lines)):
        with suppress(NotShown):
            yield from (view_bytes(history, viewer, at).decode().strip() for viewer in (0, None))


LISTED: dict[str, Callable[[History], Iterator[str]]] = {
    "sentences": sentences,
    "hands": hands,
    "reports": reports,
    "answers": answers,
    "views": views,
}
"""How each list is made, by the name of its file."""


if __name__ == "__main__":
    for name, lines in LISTED.items():
        write_list(LISTS / f"{name}.txt", {game: lines(GAMES[game]()) for game in WHOLE})
