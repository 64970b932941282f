"""Why a game doesn't count for standings and ratings, as far as its opening and its end say it."""

from typing import Annotated

from domain.events import GameOpened
from domain.json_fields import one_of, says
from domain.rules.choices import Undo
from domain.state import State

REASONS = {
    "practice": "it's a game of practice",
    "bots": "a bot sat at the table when it was opened",
    "guest": "a guest plays in it",
    "private": "not everybody may watch it",
    "void": "nobody was left at the end",
    "limit": "its log was full",
    "handover": "the seat was handed over",
}
"""Why a game doesn't count for a player, in words. Only `handover` depends on the player."""
OPENING_SAYS = says("Why the game doesn't count, as far as its opening says it.")
UnratedReason = Annotated[str, one_of(*REASONS)]
NO_RESULT = ("void", "limit")
"""The ends of games without a result: nobody was left, or the log was full."""


def reason_at_opening(opened: GameOpened) -> UnratedReason | None:
    """Return why a game doesn't count, as far as its opening says it; older openings don't name the reason."""
    if opened.undo == Undo.PRACTICE:
        return "practice"
    if any(each.kind != "human" for each in opened.players):
        return "bots"
    if opened.rated is not None and not opened.rated.counts:
        return opened.rated.reason
    return None if opened.watch.public else "private"


def reason_of(state: State) -> UnratedReason | None:
    """Return why a game counts for none of its players, or None."""
    if state.opened is not None and (reason := reason_at_opening(state.opened)) is not None:
        return reason
    return state.result.reason if state.result is not None and state.result.reason in NO_RESULT else None


def unrated_line(reason: str) -> str:
    """Return in words that a game doesn't count, and why."""
    return f"This game doesn't count for ratings: {REASONS.get(reason, reason)}."
