"""What may be asked of a history, a question each: of a stored game, or of the file of an export (trust.md section 3).

    revokes(history, hand=3).json(), deal(history, 3).code, branch(history, Wanted(at=37, moves=["ad"])).shown()

An answer says the same as JSON and as text. Who may be shown what is settled before: a history holds what its reader
may see, and a question that needs more says so.
"""

from replay.questions.answer import Answer
from replay.questions.branch import MoveRefused, Unbranchable, Wanted, branch
from replay.questions.clock import clock
from replay.questions.commits import commits
from replay.questions.compare import AnotherGame, compare
from replay.questions.deal import deal
from replay.questions.draws import draws
from replay.questions.legal import Malformed, legal
from replay.questions.revokes import revokes
from replay.questions.score import score
from replay.questions.shown import shown_bytes
from replay.questions.sight import sight

__all__ = [
    "AnotherGame",
    "Answer",
    "Malformed",
    "MoveRefused",
    "Unbranchable",
    "Wanted",
    "branch",
    "clock",
    "commits",
    "compare",
    "deal",
    "draws",
    "legal",
    "revokes",
    "score",
    "shown_bytes",
    "sight",
]
