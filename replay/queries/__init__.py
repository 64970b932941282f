"""Questions about one history: a stored game, or the file of an export (docs/questions.md).

    revokes(history, hand=3).to_json()
    deal(history, 3).code
    branch(history, BranchRequest(at=37, moves=["ad"])).to_text()

An answer says the same as JSON and as text. A query that needs more than the history shows says so.
"""

from replay.queries.answer import Answer
from replay.queries.branch import BranchRequest, MoveRefused, Unbranchable, branch
from replay.queries.choices import choices
from replay.queries.commands import list_commits
from replay.queries.compare import AnotherGame, compare
from replay.queries.deal import deal
from replay.queries.draws import draws
from replay.queries.legal import legal_at
from replay.queries.revokes import revokes
from replay.queries.score import score
from replay.queries.timing import turn_times
from replay.queries.view_bytes import view_bytes
from replay.queries.visibility import event_visibility

__all__ = [
    "AnotherGame",
    "Answer",
    "BranchRequest",
    "MoveRefused",
    "Unbranchable",
    "branch",
    "choices",
    "compare",
    "deal",
    "draws",
    "event_visibility",
    "legal_at",
    "list_commits",
    "revokes",
    "score",
    "turn_times",
    "view_bytes",
]
