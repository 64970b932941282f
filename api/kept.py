"""What else a place keeps of its games: receipts in the office, and the lists that follow the log.

Whoever changes the log alone has these against him.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from api.place import OFFICE, VIEWS, Damaged, Place

RECEIPTS, LISTS = "receipts", "views"


@dataclass
class Kept:
    """Receipts by game, each size and root; how far the lobby has followed each game, and each list the log."""

    receipts: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    followed: dict[str, int] = field(default_factory=dict)
    tail: int = 0
    damaged: list[tuple[str, str]] = field(default_factory=list)

    @property
    def games(self) -> dict[str, str]:
        """Every game that something is kept of, and what."""
        return dict.fromkeys(self.followed, LISTS) | dict.fromkeys(self.receipts, RECEIPTS)

    def against(self, game: str, roots: Sequence[str]) -> Iterator[tuple[str, int, str]]:
        """By what, at which event, and how the log with these roots, one a size, is not the one that was kept."""
        right = 0
        for size, root in sorted(self.receipts.get(game, ())):
            if size > len(roots):
                yield RECEIPTS, len(roots) + 1, f"the log is cut off: a receipt was given for {size} events"
                return
            if roots[size - 1] != root:
                says = f"the root here is not that of its receipt: a change lies between event {right + 1} and this one"
                yield RECEIPTS, size, says
                return
            right = size
        if (followed := self.followed.get(game, 0)) > len(roots):
            yield LISTS, len(roots) + 1, f"the log is cut off: the lobby has followed it to event {followed}"


def kept_of(place: Place) -> Kept:
    """Everything kept in `place`; what cannot be read stands in `damaged`."""
    kept = Kept()
    for reading in (_receipts, _lists):
        try:
            reading(place, kept)
        except Damaged as damage:
            kept.damaged.append((damage.where, str(damage)))
    return kept


def _receipts(place: Place, kept: Kept) -> None:
    for game, size, root in place.select(OFFICE, "receipts", ("game", "size", "root")) or ():
        kept.receipts.setdefault(str(game), []).append((size, root))


def _lists(place: Place, kept: Kept) -> None:
    found = place.select(VIEWS, "followers", ("projection", "generation", "position"), state="live") or ()
    for projection, generation, position in found:
        kept.tail = max(kept.tail, position)
        if projection == "lobby":
            rows = place.select(VIEWS, f"lobby_{int(generation)}_games", ("id", "version")) or ()
            kept.followed.update((str(game), version) for game, version in rows)
