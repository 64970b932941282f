"""Says whether a game counts for ratings, as far as its opening decides that."""

from collections.abc import Collection, Iterable

from domain.events import Player, Rating
from domain.rules.choices import Undo


def rating_of(
    players: Iterable[Player],
    guests: Collection[str] = (),
    *,
    is_private: bool = False,
    undo: str = Undo.CONSENT,
) -> Rating | None:
    """Return why a game doesn't count, or None if nothing decides yet. `guests` are ids of players."""
    if undo == Undo.PRACTICE:
        return Rating(counts=False, reason="practice")
    seated = list(players)
    if any(player.kind != "human" for player in seated):
        return Rating(counts=False, reason="bots")
    if any(player.player in guests for player in seated):
        return Rating(counts=False, reason="guest")
    if is_private:
        return Rating(counts=False, reason="private")
    return None
