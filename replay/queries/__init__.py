"""What may be asked of a history, a question each: of a stored game, or of the file of an export (docs/trust.md).

    revokes(history, hand=3).json(), deal(history, 3).code, branch(history, Wanted(at=37, moves=["ad"])).shown()

An answer says the same as JSON and as text. Who may be shown what is settled before: a history holds what its reader
may see, and a question that needs more says so.
"""

from replay.queries.answer import Answer
from replay.queries.branch import MoveRefused, Unbranchable, Wanted, branch
from replay.queries.commands import commits
from replay.queries.compare import AnotherGame, compare
from replay.queries.deal import deal
from replay.queries.draws import draws
from replay.queries.legal import MalformedMove, legal
from replay.queries.revokes import revokes
from replay.queries.score import score
from replay.queries.timing import clock
from replay.queries.view_bytes import shown_bytes
from replay.queries.visibility import sight

__all__ = [
    "AnotherGame",
    "Answer",
    "MalformedMove",
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
